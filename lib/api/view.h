/* What lists have in common, and the pieces of JSON that handlers write. */
#ifndef API_VIEW_H
#define API_VIEW_H

#include <jansson.h>
#include <stdint.h>

#include "core/view.h"
#include "model/page.h"

json_t *view_pagination(uint64_t total, const struct page *p, uint64_t shown);

#endif
