/* JSON text of callers: nested no deeper than 32, and without a key twice. */
#ifndef BASE_JSON_INPUT_H
#define BASE_JSON_INPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

bool json_input_too_deep(const char *text, size_t n);
/* Any value, to be released with json_decref; NULL with *error, which may be NULL. Jansson's own limit is far
 * deeper, so callers look for the depth first. */
json_t *json_input_parse(const char *text, size_t n, json_error_t *error);
/* Both, of a text that stands for a value. NULL: it does not. */
json_t *json_input_value(const char *text);

#endif
