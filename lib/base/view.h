/* Small pieces of JSON that answers and events share, as new references, and JSON as text. */
#ifndef BASE_VIEW_H
#define BASE_VIEW_H

#include <jansson.h>
#include <stdint.h>

#include "base/arena.h"

json_t *view_text(const char *s); /* null for NULL */
json_t *view_time(int64_t ms);    /* ISO 8601; null for 0 */

/* An object or array as compact text in the arena; `flags` are further flags of jansson's. */
char *view_dump(struct arena *a, const json_t *v, size_t flags);

#endif
