#include "perps/order_poll.h"

#include "base/fault.h"
#include "codec/uuid.h"
#include "perps/wallet_look.h"
#include "store/order_leases.h"

enum { CLAIM_MAX = 10, LEASE_S = 30, ROUND_MS = 5000 };
enum {
    BUSY_MS = 2000,      /* until a wallet is looked at again, where something may happen any moment */
    CALM_MS = 10 * 1000, /* where orders rest, and where nobody answered */
    IDLE_MS = 60 * 1000, /* where there are positions alone */
    YOUNG_MS = 60 * 1000,
    LATE_MS = 10 * 60 * 1000,
    RETRY_AFTER_MAX_S = 300,
};

/* ---- when a wallet is looked at again ---- */

static bool order_is_busy(const struct perps_order_look *o)
{
    const struct perps_verdict v = perps_verdict(o->order, &o->sight);

    if (v.now.final)
        return false;
    if (v.now.status == ORDER_OPEN)
        return o->order->cancel_requested_ms != 0 || o->sight.now_ms - o->order->created_ms < YOUNG_MS;
    return o->sight.now_ms - o->order->updated_ms < LATE_MS;
}

static bool order_is_left(const struct perps_order_look *o)
{
    return !perps_verdict(o->order, &o->sight).now.final;
}

static bool any_order(const struct perps_wallet_look *l, bool (*is)(const struct perps_order_look *))
{
    for (unsigned i = 0; i < l->count; i++)
        if (is(&l->orders[i]))
            return true;
    return false;
}

static unsigned retry_after_ms(const struct perps_wallet_look *l)
{
    return (unsigned)(l->retry_after_s < RETRY_AFTER_MAX_S ? l->retry_after_s : RETRY_AFTER_MAX_S) * 1000;
}

/* 0: it has nothing left. */
static unsigned look_pause_ms(const struct perps_wallet_look *l, bool recorded)
{
    if (l->retry_after_s > 0)
        return retry_after_ms(l);
    if (!recorded)
        return BUSY_MS;
    if (any_order(l, order_is_busy))
        return BUSY_MS;
    if (l->silent || any_order(l, order_is_left))
        return CALM_MS;
    return l->has_positions || !l->fills_asked ? IDLE_MS : 0;
}

/* ---- claims ---- */

static bool looks_read(const struct ctx *ctx, struct arena *a, const struct uuid *owner,
                       struct perps_wallet_look **out, unsigned *n)
{
    struct perps_due *due;
    int count = perps_accounts_claimed(ctx->db, a, owner, &due);
    int64_t now_ms;

    if (count < 0 || !db_clock_ms(ctx->db, &now_ms))
        return false;
    *out = ARENA_ARRAY(a, struct perps_wallet_look, (size_t)count + 1);
    *n = (unsigned)count;
    for (int i = 0; i < count; i++) {
        (*out)[i] = (struct perps_wallet_look){ .due = due[i], .now_ms = now_ms };
        if (!perps_wallet_look_read(ctx, a, &(*out)[i]))
            return false;
    }
    return true;
}

/* Returns whether all were released. */
static bool looks_end(const struct ctx *ctx, struct arena *a, const struct uuid *owner,
                      struct perps_wallet_look *l, unsigned n)
{
    bool all = true;

    for (unsigned i = 0; i < n; i++) {
        bool recorded = perps_wallet_look_record(ctx, a, &l[i]);

        all = STEP("perps_poll.release",
                   order_leases_release(ctx->db, ORDERS_OF_PERPS, owner, l[i].due.wallet.id,
                                        look_pause_ms(&l[i], recorded)),
                   false) &&
              all;
    }
    return all;
}

/* Returns how many were claimed, or -1. */
static int poll_once(const struct ctx *ctx)
{
    struct uuid owner = uuid_random();
    struct arena *a = arena_new();
    struct perps_wallet_look *l;
    unsigned n = 0;
    int64_t claimed = STEP("perps_poll.claim",
                           order_leases_claim(ctx->db, ORDERS_OF_PERPS, &owner, LEASE_S, CLAIM_MAX), -1);
    bool ok = claimed >= 0;

    if (claimed > 0 && (ok = looks_read(ctx, a, &owner, &l, &n))) {
        perps_wallets_look(ctx, a, l, n, ROUND_MS);
        ok = looks_end(ctx, a, &owner, l, n);
    }
    arena_free(a);
    return ok ? (int)claimed : -1;
}

int perps_poll(const struct ctx *ctx, bool (*stopping)(void))
{
    int looked = 0, n = CLAIM_MAX;

    while (n == CLAIM_MAX && !stopping()) {
        n = poll_once(ctx);
        if (n < 0)
            return -1;
        looked += n;
    }
    return looked;
}

/* ---- one order ---- */

bool perps_order_look_one(const struct ctx *ctx, struct arena *a, const struct perps_order *o,
                          unsigned deadline_ms)
{
    struct perps_order_look look = { .order = o };
    struct perps_wallet_look l = { .orders = &look, .count = 1, .each_alone = true };

    if (perps_accounts_get(ctx->db, o->wallet_id, &l.due) != FOUND_ONE || !db_clock_ms(ctx->db, &l.now_ms) ||
        !perps_order_look_read(ctx, a, &l, &look))
        return false;
    perps_wallets_look(ctx, a, &l, 1, deadline_ms);
    return perps_wallet_look_record(ctx, a, &l) && (o->cancel_requested_ms == 0 || look.sight.cancelled);
}
