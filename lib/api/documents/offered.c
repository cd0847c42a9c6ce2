#include "api/documents/offered.h"

#include "api/endpoint/endpoint.h"
#include "chain/rpc/node.h"
#include "route/route.h"

bool offered_bridge(const struct ctx *ctx)
{
    for (size_t i = 0; i < chains_count; i++)
        if (route_bridges(ctx, &chains[i]))
            return true;
    return false;
}

const struct endpoint *offered_endpoint(const char *action)
{
    const char *tool = NULL;

    for (unsigned each = 0; tool == NULL && each < ACTIONS_COUNT; each++)
        if (strcmp(action_names[each], action) == 0)
            tool = action_tool(each);
    return tool == NULL ? NULL : endpoints_find_tool(tool);
}

/* Wallets of a kind are offered when one of its chains is traded. */
static bool kind_is_traded(const struct ctx *ctx, const char *chain_type)
{
    for (size_t i = 0; i < chains_count; i++)
        if (strcmp(chain_type_text(chains[i].type), chain_type) == 0 &&
            route_trades(ctx, &chains[i], &chains[i]))
            return true;
    return false;
}

static bool command_works(const struct ctx *ctx, const struct command *c)
{
    const char *tool = action_tool(c->action);

    if (tool != NULL && endpoints_find_tool(tool) == NULL)
        return false;
    if (c->from_chain != NULL)
        return route_trades(ctx, c->from_chain, c->to_chain);
    if ((c->action == ACTION_BALANCE || c->action == ACTION_WITHDRAW ||
         action_has(c->action, ACTION_LENDS)) &&
        c->chain != NULL)
        return nodes_known(ctx->nodes, c->chain);
    return c->chain_type == NULL || kind_is_traded(ctx, c->chain_type);
}

bool offered_command(const struct ctx *ctx, const char *text)
{
    struct arena *a = arena_new();
    struct command c;
    bool offered = command_parse(a, text, &c) == NULL && command_works(ctx, &c);

    arena_free(a);
    return offered;
}
