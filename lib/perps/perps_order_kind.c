#include "perps/perps_order_kind.h"

#include "exec/verdict.h"
#include "orders/moved.h"
#include "perps/perps_order_view.h"
#include "perps/perps_terms.h"
#include "store/agent_versions.h"
#include "store/perps_orders.h"

static bool perps_order_own_read(struct db *db, struct arena *a, const struct execution *x, const void **own)
{
    struct perps_order *o = ARENA_NEW(a, struct perps_order);

    *own = o;
    return perps_orders_of_execution(db, a, x->id, o) == LOOKUP_FOUND;
}

static bool perps_order_moved(struct db *db, const struct execution_move *moves, size_t n)
{
    return orders_moved(db, ORDERS_OF_PERPS, moves, n);
}

static void perps_order_own_view(struct json_writer *w, const struct execution_shown *x)
{
    perps_order_view(w, x->own);
}

static const char *perps_order_own_terms(struct arena *a, const struct execution_shown *x)
{
    const struct perps_order *o = x->own;

    return arena_printf(a, "%s  %ux %s%s", perps_order_text(a, o), o->leverage,
                        o->isolated ? "isolated" : "cross", o->reduce_only ? "  reduce only" : "");
}

static const char *perps_order_own_sentence(struct arena *a, const struct execution_shown *x)
{
    return perps_order_text(a, x->own);
}

/* ---- leverage, keys ---- */

static bool perps_setting_moved(struct db *db, const struct execution_move *moves, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!agent_versions_renew(db, moves[i].agent_id))
            return false;
    return true;
}

static void perps_setting_view(struct json_writer *w, const struct execution_shown *x)
{
    jw_string(w, "status", exec_status_text(x->execution->status));
    jw_string_if(w, "error", x->execution->error_message);
}

static const char *perps_leverage_sentence(struct arena *a, const struct execution_shown *x)
{
    return arena_printf(a, "Change of leverage: %s", exec_status_text(x->execution->status));
}

static const char *perps_key_sentence(struct arena *a, const struct execution_shown *x)
{
    return arena_printf(a, "Trading key: %s", exec_status_text(x->execution->status));
}

#define ORDER_KIND                                                                                           \
    .event_failed = "perps.order.rejected", .verdict = verdict_by_requests, .read = perps_order_own_read,    \
    .moved = perps_order_moved, .view = perps_order_own_view, .sentence = perps_order_own_sentence

/* As orders on prediction markets. What one takes of its wallet is the margin that it binds. */
const struct exec_kind perps_order_kind = {
    .name = "order", .venue_class = "perps", .terms = perps_order_own_terms, ORDER_KIND
};
/* An order that can only reduce a position: no limit may keep a wallet from that. */
const struct exec_kind perps_close_kind = {
    .name = "closing", .halts = HALTED_BY_ALL, .policies = POLICIES_NONE, ORDER_KIND
};
/* The leverage and mode for a market's orders; the caller gets the result at once. */
const struct exec_kind perps_leverage_kind = { .name = "leverage",
                                               .venue_class = "perps",
                                               .policies = POLICIES_WATCH,
                                               .verdict = verdict_by_requests,
                                               .moved = perps_setting_moved,
                                               .view = perps_setting_view,
                                               .sentence = perps_leverage_sentence };
/* A key that trades, where nothing else is ordered that it could be approved with: a cancel needs one, which
 * no stop holds back. */
const struct exec_kind perps_key_kind = { .name = "key",
                                          .halts = HALTED_NEVER,
                                          .policies = POLICIES_NONE,
                                          .verdict = verdict_by_requests,
                                          .view = perps_setting_view,
                                          .sentence = perps_key_sentence };
