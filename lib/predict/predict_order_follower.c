#include "predict/predict_order_follower.h"

#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "predict/credentials.h"
#include "predict/order_import.h"
#include "predict/order_record.h"
#include "predict/predict_account_poll.h"
#include "store/fills.h"
#include "store/orders.h"
#include "store/predict_accounts.h"

/* The venue answers 50 lists a second, to all hosts together. */
enum { CLAIM_EVERY_MS = 250, WALLETS_MAX = 200 };
enum {
    BUSY_MS = 2000,      /* until a wallet is looked at again, where something may happen any moment */
    CALM_MS = 10 * 1000, /* otherwise, and without an answer */
    YOUNG_MS = 5 * 60 * 1000,
    REREAD_MS = 20,
};

static struct predict_account_poll *own_poll(struct account_poll *l)
{
    return (struct predict_account_poll *)(void *)l;
}

/* ---- claims ---- */

/* The rows of a claim: orders by wallet, fills by order. */
struct claimed_orders {
    struct order *orders;
    struct fill *fills;
    int count, fill_count;
    int next; /* order, of the next wallet */
};

/* The first of an order's fills, or where it would be. */
static int fills_first(const struct claimed_orders *c, uint64_t execution_id)
{
    int from = 0, to = c->fill_count;

    while (from < to) {
        int middle = from + (to - from) / 2;

        if (c->fills[middle].execution_id < execution_id)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static void poll_add_order(struct predict_account_poll *l, const struct claimed_orders *c,
                           const struct order *o)
{
    struct order_poll *poll;

    l->orders = arena_grow(l->poll.arena, l->orders, l->count, sizeof *l->orders);
    poll = &l->orders[l->count++];
    *poll = (struct order_poll){ .order = o };
    for (int i = fills_first(c, o->execution_id);
         i < c->fill_count && c->fills[i].execution_id == o->execution_id; i++)
        fills_add(l->poll.arena, &poll->fills, &c->fills[i]);
}

/* Wallets come in the order of their ids. One that waits for an approval is not signed yet. */
static void poll_add_orders(struct predict_account_poll *l, struct claimed_orders *c)
{
    uint64_t wallet_id = l->account->wallet.id;

    while (c->next < c->count && c->orders[c->next].wallet_id < wallet_id)
        c->next++;
    for (; c->next < c->count && c->orders[c->next].wallet_id == wallet_id; c->next++)
        if (c->orders[c->next].has_hash)
            poll_add_order(l, c, &c->orders[c->next]);
}

static int claim_read(const struct ctx *ctx, struct arena *a, const struct uuid *owner,
                      struct predict_account **accounts, struct claimed_orders *read)
{
    int n = predict_accounts_claimed(ctx->db, a, owner, accounts);

    *read = (struct claimed_orders){ .next = 0 };
    read->count = orders_claimed(ctx->db, a, owner, &read->orders);
    read->fill_count = fills_claimed(ctx->db, a, owner, &read->fills);
    return read->count < 0 || read->fill_count < 0 ? -1 : n;
}

static struct predict_account_poll *poll_new(const struct ctx *ctx, struct arena *a,
                                             struct predict_account *account)
{
    struct predict_account_poll *l = ARENA_NEW(a, struct predict_account_poll);

    l->poll = (struct account_poll){
        .follower = &predict_follower, .ctx = ctx, .arena = a, .wallet_id = account->wallet.id
    };
    l->account = account;
    return l;
}

static bool polls_claimed(const struct ctx *ctx, struct arena *a, const struct uuid *owner,
                          struct account_poll ***out, unsigned *n)
{
    struct predict_account *accounts;
    struct claimed_orders read;
    int count = claim_read(ctx, a, owner, &accounts, &read);
    int64_t now_ms;

    if (count < 0 || !db_clock_ms(ctx->db, &now_ms))
        return false;
    *n = (unsigned)count;
    *out = ARENA_ARRAY(a, struct account_poll *, (size_t)count + 1);
    for (int i = 0; i < count; i++) {
        struct predict_account_poll *l = poll_new(ctx, a, &accounts[i]);

        l->poll.now_ms = now_ms;
        poll_add_orders(l, &read);
        predict_account_poll_init(l);
        l->poll.silent = !credentials_of(ctx, a, l->account, &l->credentials);
        l->poll.over = l->poll.silent || (l->count == 0 && !l->account->resync_orders);
        (*out)[i] = &l->poll;
    }
    return true;
}

/* ---- the end of a poll ---- */

static bool order_is_busy(const struct order_poll *o)
{
    const struct order *order = o->order;
    const struct order_verdict v = order_verdict(order, &o->observation);

    if (v.final)
        return false;
    return v.status != ORDER_OPEN || v.matched != v.settled || order->cancel_requested_ms != 0 ||
           o->observation.now_ms - order->created_ms < YOUNG_MS;
}

static bool poll_any_left(const struct predict_account_poll *l)
{
    for (unsigned i = 0; i < l->count; i++)
        if (!order_verdict(l->orders[i].order, &l->orders[i].observation).final)
            return true;
    return false;
}

static bool poll_any_busy(const struct predict_account_poll *l)
{
    for (unsigned i = 0; i < l->count; i++)
        if (order_is_busy(&l->orders[i]))
            return true;
    return false;
}

/* Without the whole list it is unknown whether there are orders that the database lacks. */
static bool poll_resyncs_on(const struct predict_account_poll *l)
{
    return l->account->resync_orders && (l->poll.silent || l->list_failed);
}

static unsigned pause_ms(const struct account_poll *poll, bool recorded)
{
    const struct predict_account_poll *l = (const struct predict_account_poll *)(const void *)poll;

    if (recorded && !poll_any_left(l) && !poll_resyncs_on(l))
        return 0;
    if (poll->silent && !l->denied)
        return CALM_MS;
    return !recorded || l->denied || poll_any_busy(l) ? BUSY_MS : CALM_MS;
}

/* An order that was given up, or rejected, or is not known at all, and rests at the venue all the same.
 * Returns whether there is one. */
static bool poll_import(struct predict_account_poll *l, const struct clob_order *row)
{
    struct arena *a = l->poll.arena;
    struct db *db = l->poll.ctx->db;
    struct order_poll *poll = ARENA_NEW(a, struct order_poll);
    struct order *o = ARENA_NEW(a, struct order);
    enum lookup found = orders_get(db, a, 0, row->hash, o);
    struct fill *fills;
    int n;

    if (found == LOOKUP_NONE)
        return order_import(l->poll.ctx, a, l->account, row) != UNCHANGED;
    if (found == LOOKUP_ERROR || o->wallet_id != l->account->wallet.id || !o->final ||
        row->size != (order_spends(o) ? order_cost(o) : order_shares(o)))
        return false;
    if (memcmp(o->hash, row->hash, HASH_LEN) != 0) {
        log_error("lost_order_open", "msg=\"a request that was lost rests at the venue\" execution=%llu",
                  (unsigned long long)o->execution_id);
        return false;
    }
    n = fills_of(db, a, &o->execution_id, 1, &fills);
    poll->order = o;
    for (int i = 0; i < n; i++)
        fills_add(a, &poll->fills, &fills[i]);
    poll->observation = (struct order_observation){
        .says = ORDER_SEEN, .at_venue = *row, .fills = &poll->fills, .now_ms = l->poll.now_ms
    };
    (void)order_polls_record(db, a, poll, 1);
    return true;
}

static bool poll_record(struct account_poll *poll)
{
    struct predict_account_poll *l = own_poll(poll);
    bool all = order_polls_record(poll->ctx->db, poll->arena, l->orders, l->count);

    for (unsigned i = 0; i < l->unknown_order_count; i++)
        all = !poll_import(l, &l->unknown_orders[i]) && all;
    return all;
}

static void poll_end(struct account_poll *poll)
{
    struct predict_account_poll *l = own_poll(poll);

    if (l->denied)
        credentials_rejected(poll->ctx, l->account);
    explicit_bzero(&l->credentials, sizeof l->credentials);
}

/* ---- one order ---- */

static bool one_read(struct predict_account_poll *l, struct order_poll *poll)
{
    struct arena *a = l->poll.arena;
    struct db *db = l->poll.ctx->db;
    struct fill *fills;
    int n;

    if (predict_accounts_of_wallet(db, poll->order->wallet_id, l->account) != LOOKUP_FOUND ||
        !db_clock_ms(db, &l->poll.now_ms))
        return false;
    n = fills_of(db, a, &poll->order->execution_id, 1, &fills);
    for (int i = 0; i < n; i++)
        fills_add(a, &poll->fills, &fills[i]);
    return n >= 0;
}

/* Credentials that the venue does not take are derived anew for the next try. */
static void one_run(struct predict_account_poll *l)
{
    l->poll.silent = l->poll.over = l->denied = false;
    if (credentials_get(l->poll.ctx, l->poll.arena, l->account, &l->credentials))
        poll_run(&l->poll);
    poll_end(&l->poll);
}

/* The venue says that it was over before this cancel, and not why: a follower or another request may have
 * cancelled it a moment ago, and records that next. */
static bool one_ended_before(const struct order_poll *o)
{
    return o->observation.cancelled && !o->observation.taken_back && o->observation.says == ORDER_UNKNOWN;
}

static void one_await_end(const struct predict_account_poll *l, const struct order *o)
{
    const struct ctx *ctx = l->poll.ctx;
    struct order now;

    while (clock_mono_ms() < l->poll.until_ms &&
           orders_get(ctx->db, l->poll.arena, 0, o->hash, &now) == LOOKUP_FOUND && order_is_open(now.status))
        usleep(REREAD_MS * 1000);
}

bool order_poll_one(const struct ctx *ctx, struct arena *a, const struct order *o, unsigned deadline_ms)
{
    struct predict_account account = { .kind = 0 };
    struct predict_account_poll *l = poll_new(ctx, a, &account);
    struct order_poll poll = { .order = o };
    bool recorded;

    l->poll.each_alone = true;
    l->poll.deadline_ms = deadline_ms;
    l->orders = &poll;
    l->count = 1;
    if (!one_read(l, &poll))
        return false;
    predict_account_poll_init(l);
    one_run(l);
    if (l->denied)
        one_run(l);
    recorded = order_polls_record(ctx->db, a, &poll, 1);
    if (one_ended_before(&poll))
        one_await_end(l, o);
    return recorded;
}

static bool poll_one(const struct ctx *ctx, struct arena *a, const void *order, unsigned deadline_ms)
{
    return order_poll_one(ctx, a, order, deadline_ms);
}

static enum lookup find(const struct ctx *ctx, struct arena *a, uint64_t agent_id, const char *id, void *out,
                        struct order_ref *ref)
{
    struct order *o = out;
    uint8_t hash[HASH_LEN];
    enum lookup found = LOOKUP_NONE;

    if (order_id_parse(hash, id))
        found = orders_get(ctx->db, a, agent_id, hash, o);
    if (found == LOOKUP_FOUND)
        *ref = (struct order_ref){ o->execution_id, o->execution_id, o->wallet_id, o->status };
    return found;
}

const struct order_follower predict_follower = {
    .venue = ORDERS_OF_PREDICTION,
    .claim_every_ms = CLAIM_EVERY_MS,
    .wallets_max = WALLETS_MAX,
    .claimed = polls_claimed,
    .ask = { [POLL_LISTS] = predict_poll_lists,
             [POLL_ORDERS] = predict_poll_orders,
             [POLL_TRADES] = predict_poll_trades },
    .read = predict_account_poll_read,
    .record = poll_record,
    .pause_ms = pause_ms,
    .end = poll_end,
    .find = find,
    .not_found = &E_PREDICT_ORDER_NOT_FOUND,
    .not_open = &E_PREDICT_ORDER_NOT_OPEN,
    .poll_one = poll_one,
};
