#include "predict/predict_order_follower.h"

#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "predict/credentials.h"
#include "predict/order_adopt.h"
#include "predict/order_look.h"
#include "predict/order_record.h"
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

static struct wallet_look *own_look(struct orders_look *l)
{
    return (struct wallet_look *)(void *)l;
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

static void look_add_order(struct wallet_look *l, const struct claimed_orders *c, const struct order *o)
{
    struct order_look *look;

    l->orders = arena_grow(l->look.arena, l->orders, l->count, sizeof *l->orders);
    look = &l->orders[l->count++];
    *look = (struct order_look){ .order = o };
    for (int i = fills_first(c, o->execution_id);
         i < c->fill_count && c->fills[i].execution_id == o->execution_id; i++)
        fills_add(l->look.arena, &look->fills, &c->fills[i]);
}

/* Wallets come in the order of their ids. One that waits for an approval is not signed yet. */
static void look_add_orders(struct wallet_look *l, struct claimed_orders *c)
{
    uint64_t wallet_id = l->account->wallet.id;

    while (c->next < c->count && c->orders[c->next].wallet_id < wallet_id)
        c->next++;
    for (; c->next < c->count && c->orders[c->next].wallet_id == wallet_id; c->next++)
        if (c->orders[c->next].has_hash)
            look_add_order(l, c, &c->orders[c->next]);
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

static struct wallet_look *look_new(const struct ctx *ctx, struct arena *a, struct predict_account *account)
{
    struct wallet_look *l = ARENA_NEW(a, struct wallet_look);

    l->look = (struct orders_look){
        .follower = &predict_follower, .ctx = ctx, .arena = a, .wallet_id = account->wallet.id
    };
    l->account = account;
    return l;
}

static bool looks_claimed(const struct ctx *ctx, struct arena *a, const struct uuid *owner,
                          struct orders_look ***out, unsigned *n)
{
    struct predict_account *accounts;
    struct claimed_orders read;
    int count = claim_read(ctx, a, owner, &accounts, &read);
    int64_t now_ms;

    if (count < 0 || !db_clock_ms(ctx->db, &now_ms))
        return false;
    *n = (unsigned)count;
    *out = ARENA_ARRAY(a, struct orders_look *, (size_t)count + 1);
    for (int i = 0; i < count; i++) {
        struct wallet_look *l = look_new(ctx, a, &accounts[i]);

        l->look.now_ms = now_ms;
        look_add_orders(l, &read);
        wallet_look_init(l);
        l->look.silent = !credentials_of(ctx, a, l->account, &l->credentials);
        l->look.over = l->look.silent || (l->count == 0 && !l->account->seek);
        (*out)[i] = &l->look;
    }
    return true;
}

/* ---- the end of a look ---- */

static bool order_is_busy(const struct order_look *o)
{
    const struct order *order = o->order;
    const struct order_verdict v = order_verdict(order, &o->observation);

    if (v.final)
        return false;
    return v.status != ORDER_OPEN || v.matched != v.settled || order->cancel_requested_ms != 0 ||
           o->observation.now_ms - order->created_ms < YOUNG_MS;
}

static bool look_any_left(const struct wallet_look *l)
{
    for (unsigned i = 0; i < l->count; i++)
        if (!order_verdict(l->orders[i].order, &l->orders[i].observation).final)
            return true;
    return false;
}

static bool look_any_busy(const struct wallet_look *l)
{
    for (unsigned i = 0; i < l->count; i++)
        if (order_is_busy(&l->orders[i]))
            return true;
    return false;
}

/* Without the whole list it is unknown whether there are orders that the database lacks. */
static bool look_seeks_on(const struct wallet_look *l)
{
    return l->account->seek && (l->look.silent || l->list_failed);
}

static unsigned pause_ms(const struct orders_look *look, bool recorded)
{
    const struct wallet_look *l = (const struct wallet_look *)(const void *)look;

    if (recorded && !look_any_left(l) && !look_seeks_on(l))
        return 0;
    if (look->silent && !l->denied)
        return CALM_MS;
    return !recorded || l->denied || look_any_busy(l) ? BUSY_MS : CALM_MS;
}

/* An order that was given up, or rejected, or is not known at all, and rests at the venue all the same.
 * Returns whether there is one. */
static bool look_adopt(struct wallet_look *l, const struct clob_order *row)
{
    struct arena *a = l->look.arena;
    struct db *db = l->look.ctx->db;
    struct order_look *look = ARENA_NEW(a, struct order_look);
    struct order *o = ARENA_NEW(a, struct order);
    enum lookup found = orders_get(db, a, 0, row->hash, o);
    struct fill *fills;
    int n;

    if (found == LOOKUP_NONE)
        return order_adopt(l->look.ctx, a, l->account, row) != UNCHANGED;
    if (found == LOOKUP_ERROR || o->wallet_id != l->account->wallet.id || !o->final ||
        row->size != (order_spends(o) ? order_cost(o) : order_shares(o)))
        return false;
    if (memcmp(o->hash, row->hash, HASH_LEN) != 0) {
        log_error("lost_order_open", "msg=\"a request that was lost rests at the venue\" execution=%llu",
                  (unsigned long long)o->execution_id);
        return false;
    }
    n = fills_of(db, a, &o->execution_id, 1, &fills);
    look->order = o;
    for (int i = 0; i < n; i++)
        fills_add(a, &look->fills, &fills[i]);
    look->observation = (struct order_observation){
        .says = ORDER_SEEN, .at_venue = *row, .fills = &look->fills, .now_ms = l->look.now_ms
    };
    (void)order_looks_record(db, a, look, 1);
    return true;
}

static bool look_record(struct orders_look *look)
{
    struct wallet_look *l = own_look(look);
    bool all = order_looks_record(look->ctx->db, look->arena, l->orders, l->count);

    for (unsigned i = 0; i < l->stranger_count; i++)
        all = !look_adopt(l, &l->strangers[i]) && all;
    return all;
}

static void look_end(struct orders_look *look)
{
    struct wallet_look *l = own_look(look);

    if (l->denied)
        credentials_rejected(look->ctx, l->account);
    explicit_bzero(&l->credentials, sizeof l->credentials);
}

/* ---- one order ---- */

static bool one_read(struct wallet_look *l, struct order_look *look)
{
    struct arena *a = l->look.arena;
    struct db *db = l->look.ctx->db;
    struct fill *fills;
    int n;

    if (predict_accounts_of_wallet(db, look->order->wallet_id, l->account) != LOOKUP_FOUND ||
        !db_clock_ms(db, &l->look.now_ms))
        return false;
    n = fills_of(db, a, &look->order->execution_id, 1, &fills);
    for (int i = 0; i < n; i++)
        fills_add(a, &look->fills, &fills[i]);
    return n >= 0;
}

/* Credentials that the venue does not take are derived anew for the next try. */
static void one_run(struct wallet_look *l)
{
    l->look.silent = l->look.over = l->denied = false;
    if (credentials_get(l->look.ctx, l->look.arena, l->account, &l->credentials))
        look_run(&l->look);
    look_end(&l->look);
}

/* The venue says that it was over before this cancel, and not why: a follower or another request may have
 * cancelled it a moment ago, and records that next. */
static bool one_ended_before(const struct order_look *o)
{
    return o->observation.cancelled && !o->observation.taken_back && o->observation.says == ORDER_UNKNOWN;
}

static void one_await_end(const struct wallet_look *l, const struct order *o)
{
    const struct ctx *ctx = l->look.ctx;
    struct order now;

    while (clock_mono_ms() < l->look.until_ms &&
           orders_get(ctx->db, l->look.arena, 0, o->hash, &now) == LOOKUP_FOUND && order_is_open(now.status))
        usleep(REREAD_MS * 1000);
}

bool order_look_one(const struct ctx *ctx, struct arena *a, const struct order *o, unsigned deadline_ms)
{
    struct predict_account account = { .kind = 0 };
    struct wallet_look *l = look_new(ctx, a, &account);
    struct order_look look = { .order = o };
    bool recorded;

    l->look.each_alone = true;
    l->look.deadline_ms = deadline_ms;
    l->orders = &look;
    l->count = 1;
    if (!one_read(l, &look))
        return false;
    wallet_look_init(l);
    one_run(l);
    if (l->denied)
        one_run(l);
    recorded = order_looks_record(ctx->db, a, &look, 1);
    if (one_ended_before(&look))
        one_await_end(l, o);
    return recorded;
}

static bool look_one(const struct ctx *ctx, struct arena *a, const void *order, unsigned deadline_ms)
{
    return order_look_one(ctx, a, order, deadline_ms);
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
    .claimed = looks_claimed,
    .ask = { [LOOK_LISTS] = wallet_look_lists,
             [LOOK_ORDERS] = wallet_look_orders,
             [LOOK_TRADES] = wallet_look_trades },
    .read = wallet_look_read,
    .record = look_record,
    .pause_ms = pause_ms,
    .end = look_end,
    .find = find,
    .not_found = &E_ORDER_NOT_FOUND,
    .not_open = &E_ORDER_NOT_OPEN,
    .look_one = look_one,
};
