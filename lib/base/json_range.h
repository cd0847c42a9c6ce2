/* Numbers of a JSON text that no number of ours holds: integers beyond 64 bits, reals beyond a double. A
 * parser refuses the whole text for one of them; here each is replaced by a number that stands for "out of
 * range", so that the member it was given for can say so. */
#ifndef BASE_JSON_RANGE_H
#define BASE_JSON_RANGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* The text with those numbers replaced, in the arena; *len is its length. Any bytes are taken. */
const char *json_range_mark(struct arena *a, const char *text, size_t n, size_t *len);

/* Whether the value is, or holds at any depth, a number that was replaced. The largest double itself counts
 * as one. */
bool json_out_of_range(const json_t *v);

#endif
