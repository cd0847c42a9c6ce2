#include "chain/chains.h"

#include "api/documents/documents.h"
#include "route/route.h"

static json_t *trading_view(const struct ctx *ctx, const struct chain *c)
{
    json_t *list = json_array();

    if (route_trades(ctx, c, c))
        json_array_append_new(list, json_string("swap"));
    if (route_bridges(ctx, c))
        json_array_append_new(list, json_string("bridge"));
    return list;
}

static json_t *chain_view(const struct ctx *ctx, const struct chain *c)
{
    return json_pack("{s:I, s:s, s:s, s:s, s:s, s:o, s:s*}", "id", (json_int_t)c->id, "key", c->key, "name",
                     c->name, "native_token", c->native, "type", chain_type_text(c->type), "trading",
                     trading_view(ctx, c), "note", c->note);
}

json_t *chains_write(const struct ctx *ctx)
{
    json_t *list = json_array();

    for (size_t i = 0; i < chains_count; i++)
        json_array_append_new(list, chain_view(ctx, &chains[i]));
    return json_pack("{s:b, s:o}", "success", 1, "chains", list);
}
