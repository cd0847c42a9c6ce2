#include "perps/perps_order_kind.h"

#include "orders/moved.h"
#include "perps/perps_order_view.h"
#include "perps/perps_terms.h"
#include "store/agent_versions.h"
#include "store/perps_orders.h"

bool perps_order_own_read(struct db *db, struct arena *a, const struct execution *x, const void **own)
{
    struct perps_order *o = ARENA_NEW(a, struct perps_order);

    *own = o;
    return perps_orders_of_execution(db, a, x->id, o) == LOOKUP_FOUND;
}

bool perps_order_moved(struct db *db, const struct execution_move *moves, size_t n)
{
    return orders_moved(db, ORDERS_OF_PERPS, moves, n);
}

void perps_order_own_view(struct json_writer *w, const struct execution_shown *x)
{
    perps_order_view(w, x->own);
}

const char *perps_order_own_terms(struct arena *a, const struct execution_shown *x)
{
    const struct perps_order *o = x->own;

    return arena_printf(a, "%s  %ux %s%s", perps_order_text(a, o), o->leverage,
                        o->isolated ? "isolated" : "cross", o->reduce_only ? "  reduce only" : "");
}

const char *perps_order_own_sentence(struct arena *a, const struct execution_shown *x)
{
    return perps_order_text(a, x->own);
}

/* ---- leverage, keys ---- */

bool perps_setting_moved(struct db *db, const struct execution_move *moves, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!agent_versions_renew(db, moves[i].agent_id))
            return false;
    return true;
}

void perps_setting_view(struct json_writer *w, const struct execution_shown *x)
{
    jw_string(w, "status", exec_status_text(x->execution->status));
    jw_string_if(w, "error", x->execution->error_message);
}

const char *perps_leverage_sentence(struct arena *a, const struct execution_shown *x)
{
    return arena_printf(a, "Change of leverage: %s", exec_status_text(x->execution->status));
}

const char *perps_key_sentence(struct arena *a, const struct execution_shown *x)
{
    return arena_printf(a, "Trading key: %s", exec_status_text(x->execution->status));
}
