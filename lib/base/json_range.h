/* Numbers in JSON text that no C number can hold: integers beyond 64 bits, reals beyond a double. The parser
 * would refuse the whole text because of one; instead each is replaced by a number that means "out of range",
 * so that the member it belongs to can be reported. */
#ifndef BASE_JSON_RANGE_H
#define BASE_JSON_RANGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* The text with those numbers replaced, in the arena; *len is its length. Accepts any bytes. */
const char *json_range_mark(struct arena *a, const char *text, size_t n, size_t *len);

/* Whether the value is, or contains at any depth, a number that was replaced. The largest double counts as
 * one. */
bool json_out_of_range(const json_t *v);

#endif
