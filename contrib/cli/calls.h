/* The calls of the API as the endpoint table has them: calls.inc is written from it. */
#ifndef CLI_CALLS_H
#define CLI_CALLS_H

#include <stdbool.h>
#include <stddef.h>

enum member_kind {
    MEMBER_TEXT,
    MEMBER_NUMBER,
    MEMBER_FLAG,
    MEMBER_OBJECT,
    MEMBER_LIST,     /* of texts: as JSON, or with commas */
    MEMBER_NULLABLE, /* a text; empty: null */
    MEMBER_IN_PATH,
};

struct member {
    const char *name; /* NULL ends the list */
    enum member_kind kind;
    bool required;
};

struct call {
    const char *tool, *method, *path, *about;
    bool keyed; /* wants an API key */
    bool once;  /* takes an Idempotency-Key */
    const struct member *members;
};

extern const struct call calls[];
extern const size_t calls_count;

/* By their names in any spelling of case, '-' and '_'; NULL: there is none. */
const struct call *call_find(const char *tool);
const struct member *call_member(const struct call *c, const char *name);
/* The nearest name, where one is near; or NULL. */
const char *call_near(const char *tool);
const char *call_member_near(const struct call *c, const char *name);

#endif
