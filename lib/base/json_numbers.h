/* JSON of third parties whose numbers must not pass through floating point. */
#ifndef BASE_JSON_NUMBERS_H
#define BASE_JSON_NUMBERS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/json_reader.h"

/* The text with every number between quotes, so that it keeps its characters, in the arena; *len is its
 * length. Accepts any bytes: what is not JSON stays invalid. */
const char *json_numbers_quote(struct arena *a, const char *text, size_t n, size_t *len);

/* Whether the text is a number as JSON writes it, without sign and exponent: "0.5", "12". */
bool json_numbers_plain(const char *text);
/* The member in the arena, if it is such a number of at most `max` characters; else NULL. */
const char *json_numbers_member(struct arena *a, const json_t *object, const char *name, size_t max);

#endif
