/* The shape of an answer in JSON: which members it has, and of what type. Pure. */
#ifndef DRIFT_SHAPE_H
#define DRIFT_SHAPE_H

#include <stddef.h>

#include "base/arena.h"

/* Types that a member may have, as bits. */
enum {
    SHAPE_TEXT = 1,
    SHAPE_NUMBER = 2,
    SHAPE_FLAG = 4,
    SHAPE_OBJECT = 8,
    SHAPE_LIST = 16,
    SHAPE_NULL = 32,
};

/* A path of names with dots between them: "data.amount"; "[]" behind a name, or alone, stands for each
 * element of a list: "levels[][].px". */
struct shape_member {
    const char *path; /* NULL ends a description */
    unsigned types;
};

/* NULL, or the first difference from the description, in words and in the arena: a member that is nowhere, or
 * has another type somewhere, an answer that is no JSON, or has a member twice. Nothing is missing of the
 * elements of an empty list. */
const char *shape_differs(struct arena *a, const struct shape_member *members, const char *text, size_t n);

#endif
