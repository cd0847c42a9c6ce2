/* Reads JSON text into Jansson's values, as json_loadb does without flags, for the answers of others: mostly
 * one long string, in which Jansson decodes each byte on its own. Plain strings and whole numbers are taken
 * as they stand; all else that a value can be, Jansson reads. A whole number that is too large for Jansson's
 * integers is a real, and no reason to refuse all that stands next to it. */
#ifndef BASE_JSON_READER_H
#define BASE_JSON_READER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* An array or object, to be released with json_decref; NULL when the n bytes are anything else. */
json_t *json_read(const char *text, size_t n);

/* The same with each number as a text of exactly its own characters, for numbers that must not pass through
 * floating point. */
json_t *json_read_texts(const char *text, size_t n);

/* The same, of large answers of which little is wanted, without the members that have those names, at any
 * depth. The list ends with a NULL. Of what is left out only the end is looked for. */
json_t *json_read_texts_without(const char *text, size_t n, const char *const *names);

/* The characters that a number may begin with, and those that it may have. */
static inline bool json_begins_number(char c)
{
    return (c >= '0' && c <= '9') || c == '-';
}
static inline bool json_is_number_char(char c)
{
    return json_begins_number(c) || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/* A text of an object, in the arena; NULL: it has none of that name. */
const char *json_text_member(struct arena *a, const json_t *object, const char *name);

/* The arena releases the value, which may be NULL, with all that is in it; the caller has it until then. */
json_t *json_in_arena(struct arena *a, json_t *value);

#endif
