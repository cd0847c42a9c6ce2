/* Query strings and percent-encoding (RFC 3986). */
#ifndef CODEC_QUERY_STRING_H
#define CODEC_QUERY_STRING_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* Parses "a=1&b=%20x" into an object of strings, owned by the caller. NULL with the reason in *what when it
 * is malformed (bad escapes, bytes that are not UTF-8, NUL) or has a name twice, with different values. */
json_t *query_parse(const char *query, struct arena *a, const char **what);
/* Percent-decodes `n` bytes into the arena; NULL for bad escapes and for NUL. A plus becomes a blank only
 * with `form`. */
char *query_unescape(struct arena *a, const char *s, size_t n, bool form);
/* Percent-encodes all but the unreserved characters. */
char *query_escape(struct arena *a, const char *text);

#endif
