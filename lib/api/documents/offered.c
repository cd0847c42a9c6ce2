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

const char *offered_tool(enum action action)
{
    static const char *const tools[] = {
        [ACTION_SWAP] = "execute_swap",
        [ACTION_QUOTE] = "get_quote",
        [ACTION_BALANCE] = "get_portfolio",
        [ACTION_PRICE] = "get_prices",
        [ACTION_PRICES] = "get_prices",
        [ACTION_TAKE_QUOTE] = "execute_swap",
        [ACTION_STATUS] = "get_swap_status",
        [ACTION_HISTORY] = "list_swaps",
        [ACTION_WALLET] = "create_wallet",
        [ACTION_WALLETS] = "list_wallets",
        [ACTION_CHAINS] = "get_chains",
        [ACTION_TOKENS] = "get_tokens",
        [ACTION_MARKETS] = "search_prediction_markets",
        [ACTION_MARKET_PRICE] = "get_prediction_price",
        [ACTION_ORDER] = "place_prediction_order",
        [ACTION_CANCEL] = "cancel_prediction_order",
        [ACTION_ORDERS] = "list_prediction_orders",
        [ACTION_POSITIONS] = "list_prediction_positions",
        [ACTION_WITHDRAW] = "withdraw",
        [ACTION_WITHDRAWAL] = "get_withdrawal",
        [ACTION_WITHDRAWALS] = "list_withdrawals",
        [ACTION_ADDRESSES] = "list_withdrawal_addresses",
        [ACTION_ADD_ADDRESS] = "add_withdrawal_address",
        [ACTION_REMOVE_ADDRESS] = "remove_withdrawal_address",
        [ACTION_LEND_SUPPLY] = "supply_lending",
        [ACTION_LEND_WITHDRAW] = "withdraw_lending",
        [ACTION_LEND_BORROW] = "borrow_lending",
        [ACTION_LEND_REPAY] = "repay_lending",
        [ACTION_LEND_COLLATERAL] = "set_lending_collateral",
        [ACTION_LEND_HEALTH] = "get_lending_positions",
        [ACTION_LEND_MARKETS] = "get_lending_markets",
        [ACTION_LEND_POSITIONS] = "get_lending_positions",
        [ACTION_LEND_OPERATION] = "get_lending_operation",
        [ACTION_LEND_OPERATIONS] = "list_lending_operations",
        [ACTION_PERPS_ORDER] = "place_perps_order",
        [ACTION_PERPS_QUOTE] = "quote_perps",
        [ACTION_PERPS_CLOSE] = "close_perps_position",
        [ACTION_PERPS_LEVERAGE] = "set_perps_leverage",
        [ACTION_PERPS_CANCEL] = "cancel_perps_order",
        [ACTION_PERPS_DEPOSIT] = "deposit_perps",
        [ACTION_PERPS_WITHDRAW] = "withdraw_perps",
        [ACTION_PERPS_FUNDING] = "get_perps_market",
        [ACTION_PERPS_MARKET] = "get_perps_market",
        [ACTION_PERPS_MARKETS] = "get_perps_markets",
        [ACTION_PERPS_POSITIONS] = "list_perps_positions",
        [ACTION_PERPS_ACCOUNT] = "get_perps_account",
        [ACTION_PERPS_ORDERS] = "list_perps_orders",
        [ACTION_PERPS_ORDER_SHOWN] = "get_perps_order",
        [ACTION_PERPS_FILLS] = "list_perps_fills",
        [ACTION_PERPS_PAYMENTS] = "list_perps_funding",
        [ACTION_PERPS_TRANSFERS] = "list_perps_transfers",
        [ACTION_HELP] = NULL,
    };

    return tools[action];
}

const struct endpoint *offered_endpoint(const char *action)
{
    const char *tool = NULL;

    for (enum action each = ACTION_SWAP; tool == NULL && each <= ACTION_HELP; each++)
        if (strcmp(action_text(each), action) == 0)
            tool = offered_tool(each);
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
    const char *tool = offered_tool(c->action);

    if (tool != NULL && endpoints_find_tool(tool) == NULL)
        return false;
    if (c->from_chain != NULL)
        return route_trades(ctx, c->from_chain, c->to_chain);
    if ((c->action == ACTION_BALANCE || c->action == ACTION_WITHDRAW || action_lends(c->action)) &&
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
