#include "predict/order_poll.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/fault.h"
#include "base/log.h"
#include "codec/uuid.h"
#include "net/call.h"
#include "predict/credentials.h"
#include "predict/order_adopt.h"
#include "predict/order_look.h"
#include "predict/order_record.h"
#include "store/fills.h"
#include "store/order_leases.h"
#include "store/orders.h"
#include "store/predict_accounts.h"

/* The venue answers 50 lists a second, to all hosts together. */
enum { CLAIM_MAX = 10, CLAIM_EVERY_MS = 250, WALLETS_MAX = 200 };
enum { LEASE_S = 30, WAIT_MS = 50 };
enum {
    BUSY_MS = 2000,      /* until a wallet is looked at again, where something may happen any moment */
    CALM_MS = 10 * 1000, /* otherwise, and where nobody answered */
    YOUNG_MS = 5 * 60 * 1000,
    RETRY_AFTER_MAX_S = 300,
};

/* What was claimed at once, and is kept until the last look at it is over. */
struct poll_claim {
    struct uuid owner;
    struct arena *arena;
    struct predict_account *accounts;
    struct clob_credentials *credentials; /* one for each */
    struct wallet_look *looks;            /* likewise */
    unsigned count, left;
};

struct order_poller {
    const struct ctx *ctx;
    bool (*stopping)(void);
    unsigned active; /* wallets that are being looked at */
    int looked;
    bool more; /* may be due */
    bool failed;
};

static int64_t next_claim_ms; /* kept between steps */

/* ---- claims ---- */

/* What was read of a claim: orders by wallet, fills by order. */
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

    l->orders = arena_grow(l->arena, l->orders, l->count, sizeof *l->orders);
    look = &l->orders[l->count++];
    *look = (struct order_look){ .order = o };
    for (int i = fills_first(c, o->execution_id);
         i < c->fill_count && c->fills[i].execution_id == o->execution_id; i++)
        fills_add(l->arena, &look->fills, &c->fills[i]);
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

static bool claim_read(struct poll_claim *c, struct db *db, struct claimed_orders *read, int64_t *now_ms)
{
    int accounts = predict_accounts_claimed(db, c->arena, &c->owner, &c->accounts);

    read->next = 0;
    read->count = orders_claimed(db, c->arena, &c->owner, &read->orders);
    read->fill_count = fills_claimed(db, c->arena, &c->owner, &read->fills);
    if (accounts < 0 || read->count < 0 || read->fill_count < 0 || !db_clock_ms(db, now_ms))
        return false;
    c->count = c->left = (unsigned)accounts;
    return true;
}

static void claim_free(struct poll_claim *c)
{
    if (c->credentials != NULL)
        explicit_bzero(c->credentials, c->count * sizeof *c->credentials);
    arena_free(c->arena);
    free(c);
}

static void claim_free_if_over(struct poll_claim *c)
{
    if (c->left == 0)
        claim_free(c);
}

/* ---- the end of a look ---- */

static bool order_is_busy(const struct order_look *o)
{
    const struct order *order = o->order;
    const struct order_verdict v = order_verdict(order, &o->sight);

    if (v.final)
        return false;
    return v.status != ORDER_OPEN || v.matched != v.settled || order->cancel_requested_ms != 0 ||
           o->sight.now_ms - order->created_ms < YOUNG_MS;
}

static bool look_any_left(const struct wallet_look *l)
{
    for (unsigned i = 0; i < l->count; i++)
        if (!order_verdict(l->orders[i].order, &l->orders[i].sight).final)
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

/* Without the whole list nobody knows whether there are orders that the database lacks. */
static bool look_seeks_on(const struct wallet_look *l)
{
    return l->account->seek && (l->fault != CLOB_FINE || l->list_failed);
}

/* Until it is looked at again; 0: it has nothing left. */
static unsigned look_pause_ms(const struct wallet_look *l, bool recorded)
{
    if (l->retry_after_s > 0)
        return (unsigned)(l->retry_after_s < RETRY_AFTER_MAX_S ? l->retry_after_s : RETRY_AFTER_MAX_S) * 1000;
    if (recorded && !look_any_left(l) && !look_seeks_on(l))
        return 0;
    if (l->fault == CLOB_LATER)
        return CALM_MS;
    return !recorded || l->fault != CLOB_FINE || look_any_busy(l) ? BUSY_MS : CALM_MS;
}

/* An order that was given up, or rejected, or is not known at all, and rests at the venue all the same.
 * Returns whether there is one. */
static bool look_adopt(struct wallet_look *l, const struct clob_order *row)
{
    struct order_look *look = ARENA_NEW(l->arena, struct order_look);
    struct order *o = ARENA_NEW(l->arena, struct order);
    enum found found = orders_get(l->ctx->db, l->arena, 0, row->hash, o);
    struct fill *fills;
    int n;

    if (found == FOUND_NONE)
        return order_adopt(l->ctx, l->arena, l->account, row) != DONE_NOT;
    if (found == FOUND_FAILED || o->wallet_id != l->account->wallet.id || !o->final ||
        row->size != order_shares(o))
        return false;
    if (memcmp(o->hash, row->hash, HASH_LEN) != 0) {
        log_error("lost_request_rests", "msg=\"a request that was lost rests at the venue\" execution=%llu",
                  (unsigned long long)o->execution_id);
        return false;
    }
    n = fills_of(l->ctx->db, l->arena, &o->execution_id, 1, &fills);
    look->order = o;
    for (int i = 0; i < n; i++)
        fills_add(l->arena, &look->fills, &fills[i]);
    look->sight = (struct order_sight){
        .says = ORDER_SEEN, .at_venue = *row, .fills = &look->fills, .now_ms = l->now_ms
    };
    (void)order_looks_record(l->ctx->db, l->arena, look, 1);
    return true;
}

/* Returns whether all is recorded, and nothing was found that has to be looked at. */
static bool look_record(struct wallet_look *l)
{
    bool all = order_looks_record(l->ctx->db, l->arena, l->orders, l->count);

    for (unsigned i = 0; i < l->stranger_count; i++)
        all = !look_adopt(l, &l->strangers[i]) && all;
    return all;
}

static void look_end(struct order_poller *p, struct poll_claim *c, struct wallet_look *l)
{
    bool recorded = look_record(l);
    unsigned pause_ms = look_pause_ms(l, recorded);

    if (l->fault == CLOB_UNAUTHORIZED)
        credentials_rejected(l->ctx, l->account);
    if (!STEP("order_poll.release",
              order_leases_release(p->ctx->db, ORDERS_OF_PREDICTION, &c->owner, l->account->wallet.id,
                                   pause_ms),
              false))
        p->failed = true;
    p->looked++;
    p->active--;
    c->left--;
}

/* ---- looks ---- */

static void look_begin(struct order_poller *p, struct poll_claim *c, unsigned i, struct claimed_orders *read,
                       int64_t now_ms)
{
    struct wallet_look *l = &c->looks[i];

    *l = (struct wallet_look){ .ctx = p->ctx,
                               .arena = c->arena,
                               .account = &c->accounts[i],
                               .credentials = &c->credentials[i],
                               .now_ms = now_ms,
                               .deadline_ms = LOOK_MS,
                               .stopping = p->stopping,
                               .owner = c };
    look_add_orders(l, read);
    wallet_look_init(l);
    p->active++;
    if (!credentials_of(p->ctx, c->arena, l->account, &c->credentials[i]))
        l->fault = CLOB_LATER;
    if (l->fault != CLOB_FINE || (l->count == 0 && !l->account->seek) || !wallet_look_begin(l))
        look_end(p, c, l);
}

/* Returns how many wallets were claimed, or -1. */
static int64_t poller_claim(struct order_poller *p)
{
    struct poll_claim *c = calloc(1, sizeof *c);
    struct claimed_orders read;
    int64_t n, now_ms;

    if (c == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    c->owner = uuid_random();
    c->arena = arena_new();
    n = STEP("order_poll.claim",
             order_leases_claim(p->ctx->db, ORDERS_OF_PREDICTION, &c->owner, LEASE_S, CLAIM_MAX), -1);
    if (n <= 0 || !claim_read(c, p->ctx->db, &read, &now_ms) || c->count == 0) {
        claim_free(c);
        return n;
    }
    c->credentials = ARENA_ARRAY(c->arena, struct clob_credentials, c->count);
    c->looks = ARENA_ARRAY(c->arena, struct wallet_look, c->count);
    for (unsigned i = 0; i < c->count; i++)
        look_begin(p, c, i, &read, now_ms);
    claim_free_if_over(c);
    return n;
}

static void poller_wait(struct order_poller *p)
{
    struct call *call = net_wait(p->ctx->net, WAIT_MS);

    for (; call != NULL; call = net_wait(p->ctx->net, 0)) {
        struct wallet_look *l = wallet_look_of(call);
        struct poll_claim *c = l->owner;

        if (wallet_look_go_on(call))
            continue;
        look_end(p, c, l);
        claim_free_if_over(c);
    }
}

static void poller_pause(void)
{
    const struct timespec t = { .tv_nsec = (long)WAIT_MS * 1000000 };

    nanosleep(&t, NULL);
}

static void poller_claim_next(struct order_poller *p)
{
    int64_t n;

    if (p->active > WALLETS_MAX - CLAIM_MAX || clock_mono_ms() < next_claim_ms)
        return;
    next_claim_ms = clock_mono_ms() + CLAIM_EVERY_MS;
    n = poller_claim(p);
    p->failed |= n < 0;
    p->more = n == CLAIM_MAX;
}

int order_poll(const struct ctx *ctx, bool (*stopping)(void))
{
    struct order_poller p = { .ctx = ctx, .stopping = stopping, .more = true };

    while ((p.more && !stopping()) || p.active > 0) {
        if (!stopping())
            poller_claim_next(&p);
        if (p.active > 0)
            poller_wait(&p);
        else
            poller_pause();
    }
    return p.failed ? -1 : p.looked;
}

/* ---- one order ---- */

static bool one_read(struct wallet_look *l, struct predict_account *account, struct order_look *look)
{
    struct db *db = l->ctx->db;
    struct fill *fills;
    int n;

    if (predict_accounts_of_wallet(db, look->order->wallet_id, account) != FOUND_ONE ||
        !db_clock_ms(db, &l->now_ms))
        return false;
    n = fills_of(db, l->arena, &look->order->execution_id, 1, &fills);
    for (int i = 0; i < n; i++)
        fills_add(l->arena, &look->fills, &fills[i]);
    return n >= 0;
}

/* Credentials that the venue does not take are derived anew for the next try. */
static void one_run(struct wallet_look *l, struct clob_credentials *credentials)
{
    bool running;

    l->fault = CLOB_FINE;
    l->phase = 0;
    running = credentials_get(l->ctx, l->arena, l->account, credentials) && wallet_look_begin(l);
    while (running) {
        struct call *call = net_wait(l->ctx->net, WAIT_MS);

        if (call != NULL)
            running = wallet_look_go_on(call);
    }
    if (l->fault == CLOB_UNAUTHORIZED)
        credentials_rejected(l->ctx, l->account);
}

bool order_look_one(const struct ctx *ctx, struct arena *a, const struct order *o, unsigned deadline_ms)
{
    struct predict_account account;
    struct clob_credentials credentials;
    struct order_look look = { .order = o };
    struct wallet_look l = { .ctx = ctx,
                             .arena = a,
                             .account = &account,
                             .credentials = &credentials,
                             .orders = &look,
                             .count = 1,
                             .each_alone = true,
                             .deadline_ms = deadline_ms };

    if (!one_read(&l, &account, &look))
        return false;
    wallet_look_init(&l);
    one_run(&l, &credentials);
    if (l.fault == CLOB_UNAUTHORIZED)
        one_run(&l, &credentials);
    explicit_bzero(&credentials, sizeof credentials);
    return order_looks_record(ctx->db, a, &look, 1);
}
