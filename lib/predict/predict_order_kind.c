#include "predict/predict_order_kind.h"

#include "exec/verdict.h"
#include "model/amount.h"
#include "orders/moved.h"
#include "predict/predict_order_view.h"
#include "store/fills.h"
#include "store/orders.h"

static char *units_text(struct arena *a, uint64_t n, uint8_t places)
{
    return amount_text(a, (struct amount){ u256_from_u64(n), places });
}

/* "BUY 20 Yes at 0.4", "BUY Yes for 8 dollars at 0.4 or less" */
static const char *order_asked(struct arena *a, const struct order *o)
{
    if (order_spends(o))
        return arena_printf(a, "BUY %s for %s dollars at %s or less", o->outcome,
                            units_text(a, order_cost(o), ORDER_UNIT_PLACES),
                            units_text(a, o->price, ORDER_PRICE_PLACES));
    return arena_printf(a, "%s %s %s at %s", order_side_text(o->side),
                        units_text(a, o->size, ORDER_SIZE_PLACES), o->outcome,
                        units_text(a, o->price, ORDER_PRICE_PLACES));
}

const char *order_text(struct arena *a, const struct order *o)
{
    const char *why = o->status == ORDER_REJECTED ? o->error_message : NULL;
    const char *stands = order_status_text(o->status);

    if (o->matched > 0 && order_spends(o))
        stands = arena_printf(a, "%s, %s shares for %s dollars", stands,
                              units_text(a, o->matched, ORDER_UNIT_PLACES),
                              units_text(a, o->paid, ORDER_UNIT_PLACES));
    else if (o->matched > 0)
        stands = arena_printf(a, "%s, %s filled", stands, units_text(a, o->matched, ORDER_UNIT_PLACES));
    return arena_printf(a, "%s: %s%s%s", order_asked(a, o), stands, why != NULL ? ". " : "",
                        why != NULL ? why : "");
}

bool orders_read_fills(struct db *db, struct arena *a, struct order_shown *orders, size_t n)
{
    uint64_t ids[FILLS_ORDERS_MAX];
    struct fill *fills = NULL;
    size_t matched = 0;
    int count;

    for (size_t i = 0; i < n; i++)
        if (orders[i].order.matched > 0)
            ids[matched++] = orders[i].order.execution_id;
    count = matched == 0 ? 0 : fills_of(db, a, ids, matched, &fills);
    for (int f = 0; f < count; f++)
        for (size_t i = 0; i < n; i++)
            if (orders[i].order.execution_id == fills[f].execution_id && orders[i].fill_count++ == 0)
                orders[i].fills = &fills[f];
    return count >= 0;
}

/* ---- of the row ---- */

static bool order_own_read(struct db *db, struct arena *a, const struct execution *x, const void **own)
{
    struct order_shown *shown = ARENA_NEW(a, struct order_shown);

    *own = shown;
    return orders_of_execution(db, a, x->id, &shown->order) == LOOKUP_FOUND &&
           orders_read_fills(db, a, shown, 1);
}

bool order_moved(struct db *db, const struct execution_move *moves, size_t n)
{
    return orders_moved(db, ORDERS_OF_PREDICTION, moves, n);
}

static void order_own_view(struct json_writer *w, const struct execution_shown *x)
{
    const struct order_shown *o = x->own;

    order_view(w, &o->order, o->fills, o->fill_count);
}

static const char *order_own_terms(struct arena *a, const struct execution_shown *x)
{
    const struct order *o = &((const struct order_shown *)x->own)->order;

    return arena_printf(a, "%s  %s  market %s  %s", order_asked(a, o), order_type_text(o->type), o->market,
                        o->question);
}

static const char *order_own_sentence(struct arena *a, const struct execution_shown *x)
{
    const struct order_shown *o = x->own;

    return order_text(a, &o->order);
}

/* The placing of an order: completed when the venue has taken it. What becomes of the order then is followed
 * and announced by itself. */
const struct exec_kind predict_order_kind = { .name = "order",
                                              .venue_class = "predict",
                                              .event_failed = "order.rejected",
                                              .verdict = verdict_by_requests,
                                              .read = order_own_read,
                                              .moved = order_moved,
                                              .view = order_own_view,
                                              .sentence = order_own_sentence,
                                              .terms = order_own_terms };
