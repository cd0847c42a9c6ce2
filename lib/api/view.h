/* Small pieces of JSON that several handlers write. */
#ifndef API_VIEW_H
#define API_VIEW_H

#include <jansson.h>
#include <stdint.h>

#include "model/page.h"

json_t *view_text(const char *s); /* null for NULL */
json_t *view_time(int64_t ms);    /* ISO 8601; null for 0 */
json_t *view_pagination(uint64_t total, const struct page *p, uint64_t shown);

#endif
