#include "perps/order_kind.h"

#include "orders/moved.h"
#include "perps/order_view.h"
#include "perps/terms.h"
#include "store/perps_orders.h"

bool perps_order_shown_read(struct db *db, struct arena *a, uint64_t execution_id,
                            struct perps_order_shown *out)
{
    int n;

    if (perps_orders_of_execution(db, a, execution_id, &out->order) != FOUND_ONE)
        return false;
    n = perps_orders_behind(db, a, &out->order, out->behind);
    out->behind_count = n > 0 ? (unsigned)n : 0;
    return n >= 0;
}

bool perps_order_own_read(struct db *db, struct arena *a, const struct execution *x, const void **own)
{
    struct perps_order_shown *shown = ARENA_NEW(a, struct perps_order_shown);

    *own = shown;
    return perps_order_shown_read(db, a, x->id, shown);
}

bool perps_order_moved(struct db *db, const struct execution_move *moves, size_t n)
{
    return orders_moved(db, ORDERS_OF_PERPS, moves, n);
}

void perps_order_own_view(struct json_writer *w, const struct execution_shown *x)
{
    const struct perps_order_shown *o = x->own;

    perps_order_view(w, &o->order, o->behind, o->behind_count);
}

const char *perps_order_own_terms(struct arena *a, const struct execution_shown *x)
{
    const struct perps_order *o = &((const struct perps_order_shown *)x->own)->order;

    return arena_printf(a, "%s  %ux %s%s", perps_order_text(a, o), o->leverage,
                        o->isolated ? "isolated" : "cross", o->reduce_only ? "  reduce only" : "");
}

const char *perps_order_own_sentence(struct arena *a, const struct execution_shown *x)
{
    return perps_order_text(a, &((const struct perps_order_shown *)x->own)->order);
}

/* ---- leverage, keys ---- */

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
