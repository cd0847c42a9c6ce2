#include "exec/assets.h"

#include <string.h>

void assets_add(struct assets *out, struct asset x)
{
    out->list = arena_grow(out->arena, out->list, out->count, sizeof *out->list);
    out->list[out->count++] = x;
}

void assets_add_silent(struct assets *out, struct silent_market x)
{
    for (size_t i = 0; i < out->silent_count; i++)
        if (strcmp(out->silent[i].market, x.market) == 0 && out->silent[i].chain == x.chain)
            return;
    out->silent = arena_grow(out->arena, out->silent, out->silent_count, sizeof *out->silent);
    out->silent[out->silent_count++] = x;
}

const char *silent_market_text(struct arena *a, const struct silent_market *x)
{
    return x->chain == NULL ? x->market : arena_printf(a, "%s on %s", x->market, x->chain->key);
}

bool asset_source_is_known(const struct asset_source *s, struct arena *a, const struct wallet_traces *t)
{
    return (s->kinds & t->kinds) != 0 || wallet_traces_have(t, a, s->name);
}
