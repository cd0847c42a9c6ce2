/* Small pieces of JSON that answers and events share. New references. */
#ifndef CORE_VIEW_H
#define CORE_VIEW_H

#include <jansson.h>
#include <stdint.h>

json_t *view_text(const char *s); /* null for NULL */
json_t *view_time(int64_t ms);    /* ISO 8601; null for 0 */

#endif
