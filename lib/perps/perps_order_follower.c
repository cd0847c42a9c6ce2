#include "perps/perps_order_follower.h"

#include "perps/perps_account_poll.h"
#include "store/perps_orders.h"

enum { CLAIM_EVERY_MS = 100, WALLETS_MAX = 40 };
enum {
    BUSY_MS = 2000,      /* until a wallet is looked at again, where something may happen any moment */
    CALM_MS = 10 * 1000, /* where orders rest, and without an answer */
    IDLE_MS = 60 * 1000, /* where there are positions alone */
    YOUNG_MS = 60 * 1000,
    LATE_MS = 10 * 60 * 1000,
};

/* ---- due times of polls ---- */

static bool order_is_busy(const struct perps_order_poll *o)
{
    const struct perps_verdict v = perps_verdict(o->order, &o->observation);

    if (v.now.final)
        return false;
    if (v.now.status == ORDER_OPEN)
        return o->order->cancel_requested_ms != 0 || o->observation.now_ms - o->order->created_ms < YOUNG_MS;
    return o->observation.now_ms - o->order->updated_ms < LATE_MS;
}

static bool order_is_left(const struct perps_order_poll *o)
{
    return !perps_verdict(o->order, &o->observation).now.final;
}

static bool any_order(const struct perps_account_poll *l, bool (*is)(const struct perps_order_poll *))
{
    for (unsigned i = 0; i < l->count; i++)
        if (is(&l->orders[i]))
            return true;
    return false;
}

static unsigned pause_ms(const struct account_poll *poll, bool recorded)
{
    const struct perps_account_poll *l = (const struct perps_account_poll *)(const void *)poll;

    if (!recorded || any_order(l, order_is_busy))
        return BUSY_MS;
    if (poll->silent || any_order(l, order_is_left))
        return CALM_MS;
    return l->has_positions || !l->fills_asked ? IDLE_MS : 0;
}

/* ---- claims ---- */

static struct perps_account_poll *poll_new(const struct ctx *ctx, struct arena *a,
                                           const struct perps_due *due, int64_t now_ms)
{
    struct perps_account_poll *l = ARENA_NEW(a, struct perps_account_poll);

    *l = (struct perps_account_poll){ .poll = { .follower = &perps_follower,
                                                .ctx = ctx,
                                                .arena = a,
                                                .wallet_id = due->wallet.id,
                                                .now_ms = now_ms },
                                      .due = *due };
    return l;
}

static bool polls_claimed(const struct ctx *ctx, struct arena *a, const struct uuid *owner,
                          struct account_poll ***out, unsigned *n)
{
    struct perps_due *due;
    int count = perps_accounts_claimed(ctx->db, a, owner, &due);
    int64_t now_ms;

    if (count < 0 || !db_clock_ms(ctx->db, &now_ms))
        return false;
    *n = (unsigned)count;
    *out = ARENA_ARRAY(a, struct account_poll *, (size_t)count + 1);
    for (int i = 0; i < count; i++) {
        struct perps_account_poll *l = poll_new(ctx, a, &due[i], now_ms);

        if (!perps_account_poll_read(l))
            return false;
        (*out)[i] = &l->poll;
    }
    return true;
}

/* ---- one order ---- */

bool perps_order_poll_one(const struct ctx *ctx, struct arena *a, const struct perps_order *o,
                          unsigned deadline_ms)
{
    struct perps_order_poll order = { .order = o };
    struct perps_account_poll *l;
    struct perps_due due;
    int64_t now_ms;

    if (perps_accounts_get(ctx->db, o->wallet_id, &due) != LOOKUP_FOUND || !db_clock_ms(ctx->db, &now_ms))
        return false;
    l = poll_new(ctx, a, &due, now_ms);
    l->poll.each_alone = true;
    l->poll.deadline_ms = deadline_ms;
    l->orders = &order;
    l->count = 1;
    if (!perps_order_poll_read(l, &order))
        return false;
    poll_run(&l->poll);
    return perps_poll_record(&l->poll) && (o->cancel_requested_ms == 0 || order.observation.cancelled);
}

static bool poll_one(const struct ctx *ctx, struct arena *a, const void *order, unsigned deadline_ms)
{
    return perps_order_poll_one(ctx, a, order, deadline_ms);
}

static enum lookup find(const struct ctx *ctx, struct arena *a, uint64_t agent_id, const char *id, void *out,
                        struct order_ref *ref)
{
    struct perps_order *o = out;
    uint8_t cloid[PERPS_CLOID_LEN];
    enum lookup found = LOOKUP_NONE;

    if (perps_cloid_parse(cloid, id))
        found = perps_orders_get(ctx->db, a, agent_id, cloid, o);
    if (found == LOOKUP_FOUND)
        *ref = (struct order_ref){ o->id, o->execution_id, o->wallet_id, o->status };
    return found;
}

const struct order_follower perps_follower = {
    .venue = ORDERS_OF_PERPS,
    .claim_every_ms = CLAIM_EVERY_MS,
    .wallets_max = WALLETS_MAX,
    .claimed = polls_claimed,
    .ask = { [POLL_LISTS] = perps_poll_lists,
             [POLL_ORDERS] = perps_poll_orders,
             [POLL_TRADES] = perps_poll_trades },
    .read = perps_poll_heard,
    .record = perps_poll_record,
    .pause_ms = pause_ms,
    .find = find,
    .not_found = &E_PERPS_ORDER_NOT_FOUND,
    .not_open = &E_PERPS_ORDER_NOT_OPEN,
    .poll_one = poll_one,
};
