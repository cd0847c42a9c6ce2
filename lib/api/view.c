#include "api/view.h"

json_t *view_flag(bool set)
{
    return set ? json_true() : NULL;
}

json_t *view_amount(struct arena *a, struct u256 raw, const struct token_ref *t)
{
    return json_string(amount_text(a, (struct amount){ raw, t->decimals }));
}

json_t *view_pagination(uint64_t total, const struct page *p, uint64_t shown)
{
    return json_pack("{s:I, s:I, s:I, s:b}", "total", (json_int_t)total, "limit", (json_int_t)p->limit,
                     "offset", (json_int_t)p->offset, "has_more", p->offset + shown < total);
}
