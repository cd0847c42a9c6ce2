/* Pieces of JSON that several handlers write. */
#ifndef API_VIEW_H
#define API_VIEW_H

#include <jansson.h>
#include <stdint.h>

#include "base/view.h"
#include "model/execution.h"
#include "model/page.h"

/* True, or NULL, which json_pack's "o*" leaves out. */
json_t *view_flag(bool set);
json_t *view_amount(struct arena *a, struct u256 raw, const struct token_ref *t);

json_t *view_pagination(uint64_t total, const struct page *p, uint64_t shown);

#endif
