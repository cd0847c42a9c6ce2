#include "perps/perps_account_poll.h"

#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/fault.h"
#include "base/incident.h"
#include "base/log.h"
#include "orders/order_record.h"
#include "perps/perps_order_view.h"
#include "store/agent_versions.h"
#include "store/perps_orders.h"
#include "webhook/payload.h"

enum { EVENTS_MAX = 256, PAGE_FULL = 500 };

/* The results of one wallet's look, in one transaction. */
struct poll_record {
    const struct ctx *ctx;
    struct arena *arena;
    struct perps_account_poll *poll;
    struct event_draft events[EVENTS_MAX];
    size_t event_count;
};

/* ---- events ---- */

static void event_add(struct poll_record *r, uint64_t agent_id, const char *type, struct json_writer *w)
{
    const char *body = payload_close(w);

    if (body != NULL && r->event_count < EVENTS_MAX)
        r->events[r->event_count++] = (struct event_draft){ agent_id, type, body };
}

static void order_event(struct poll_record *r, const struct perps_verdict *v)
{
    struct json_writer w;

    payload_open(&w, r->arena, v->event, clock_ms());
    perps_order_view(&w, &v->now);
    event_add(r, v->now.agent_id, v->event, &w);
}

static void liquidation_event(struct poll_record *r, const struct perps_fill *f)
{
    static const char type[] = "perps.position.liquidated";
    struct json_writer w;

    payload_open(&w, r->arena, type, clock_ms());
    perps_fill_view(&w, f);
    event_add(r, f->agent_id, type, &w);
}

/* ---- trades and payments ---- */

static const struct perps_order *order_with(const struct perps_account_poll *l, const struct perps_fill *f)
{
    for (unsigned i = 0; i < l->count; i++)
        if (memcmp(l->orders[i].order->cloid, f->cloid, PERPS_CLOID_LEN) == 0)
            return l->orders[i].order;
    return NULL;
}

/* Only what is ours bears our id: others may have traded by the same wallet. */
static void fill_own(const struct poll_record *r, struct db *db, struct perps_fill *f)
{
    const struct perps_account_poll *l = r->poll;
    struct perps_order o;

    f->wallet_id = l->due.wallet.id;
    f->agent_id = l->due.wallet.agent_id;
    if (order_with(l, f) == NULL && perps_orders_get(db, r->arena, f->agent_id, f->cloid, &o) != LOOKUP_FOUND)
        memset(f->cloid, 0, sizeof f->cloid);
}

/* A trade of more than its order asked for is none. */
static bool fill_makes_sense(const struct perps_account_poll *l, const struct perps_fill *f)
{
    const struct perps_order *o = order_with(l, f);

    if (o == NULL || f->size <= o->size)
        return true;
    log_repeated("perps_bad_reply", "asked=userFillsByTime",
                 "msg=\"the answer of the venue of perpetuals makes no sense\" execution=%" PRIu64,
                 o->execution_id);
    return false;
}

/* Reads overlap: most of what a busy wallet traded is known. */
static int known_read(const struct poll_record *r, struct db *db, uint64_t **trades)
{
    const struct perps_account_poll *l = r->poll;
    int64_t since_ms = INT64_MAX;

    for (size_t i = 0; i < l->fill_count; i++)
        if (l->fills[i].at_ms < since_ms)
            since_ms = l->fills[i].at_ms;
    return l->fill_count == 0
               ? 0
               : perps_fills_known(db, r->arena, l->due.wallet.agent_id, l->due.wallet.id, since_ms, trades);
}

static bool is_among(const uint64_t *trades, int n, uint64_t trade)
{
    for (int i = 0; i < n; i++)
        if (trades[i] == trade)
            return true;
    return false;
}

static bool fills_record(struct poll_record *r, struct db *db)
{
    struct perps_account_poll *l = r->poll;
    uint64_t *known = NULL;
    int known_count = known_read(r, db, &known);

    if (known_count < 0)
        return false;
    for (size_t i = 0; i < l->fill_count; i++) {
        struct perps_fill *f = &l->fills[i];
        enum db_update put;

        if (is_among(known, known_count, f->trade))
            continue;
        fill_own(r, db, f);
        if (!fill_makes_sense(l, f))
            continue;
        if ((put = perps_fills_put(db, f)) == DB_ERROR)
            return false;
        if (put == UPDATED && f->liquidation)
            liquidation_event(r, f);
    }
    return true;
}

static bool payments_record(struct poll_record *r, struct db *db)
{
    struct perps_account_poll *l = r->poll;

    for (size_t i = 0; i < l->payment_count; i++) {
        l->payments[i].wallet_id = l->due.wallet.id;
        l->payments[i].agent_id = l->due.wallet.agent_id;
        if (perps_payments_put(db, &l->payments[i]) == DB_ERROR)
            return false;
    }
    return true;
}

/* Up to when nothing is missing: a full page may be continued by the next one. */
static int64_t read_to(const struct perps_page *page, int64_t now_ms)
{
    return page->rows < PAGE_FULL ? now_ms : page->last_ms;
}

static bool reads_record(struct db *db, const struct perps_account_poll *l)
{
    int64_t fills_to = read_to(&l->fills_page, l->poll.now_ms);
    int64_t funding_to = read_to(&l->payments_page, l->poll.now_ms);

    if (!l->fills_asked && !l->funding_asked)
        return true;
    return perps_accounts_read(db, l->due.wallet.id, l->fills_asked ? fills_to : 0,
                               l->funding_asked ? funding_to : 0, l->funding_asked);
}

/* ---- orders ---- */

/* A trigger counts in no limit. */
static bool spend_record(struct db *db, const struct perps_order *was, const struct perps_order *now)
{
    return now->role != PERPS_ORDER ||
           order_spend_record(db, now->execution_id, (struct order_progress){ was->status, was->filled },
                              (struct order_progress){ now->status, now->filled }, now->size);
}

/* Trades that have just been recorded count, and so do those under a number that the order did not have. */
static bool trades_update(const struct poll_record *r, struct db *db, struct perps_order_poll *o)
{
    const struct perps_order *was = o->order;
    const struct perps_seen *at = &o->observation.at_venue;
    bool numbered = o->observation.seen && at->oid != 0;
    bool is_new = numbered && at->oid != was->oid && (at->state != PERPS_RESTS || at->left < at->size);
    uint64_t oid = numbered ? at->oid : was->oid;

    if (oid == 0 || !(is_new || r->poll->fills_asked))
        return true;
    return perps_fills_of(db, was->wallet_id, oid, &o->observation.traded);
}

static bool order_record(struct poll_record *r, struct db *db, struct perps_order_poll *o)
{
    const struct perps_order *was = o->order;
    struct perps_verdict v;
    enum db_update recorded;

    if (!trades_update(r, db, o))
        return false;
    v = perps_verdict(was, &o->observation);
    if (!v.changed)
        return true;
    recorded = perps_orders_record(db, was, &v.now);
    if (recorded != UPDATED)
        return recorded == UNCHANGED; /* another process was faster: the next poll goes from there */
    if (v.now.status != was->status || v.now.filled != was->filled)
        log_info("perps_order_moved", "execution=%" PRIu64 " order=%s was=%s filled=%" PRIu64 " final=%d",
                 was->execution_id, order_status_text(v.now.status), order_status_text(was->status),
                 v.now.filled, v.now.final);
    if (v.event != NULL)
        order_event(r, &v);
    return spend_record(db, was, &v.now);
}

/* An order that was given up, and rests at the venue all the same. */
static bool unknown_order_import(struct poll_record *r, struct db *db, const struct perps_seen *seen)
{
    struct perps_order_poll poll = { .order = NULL };
    struct perps_order o;
    enum lookup found = perps_orders_get(db, r->arena, r->poll->due.wallet.agent_id, seen->cloid, &o);

    if (found == LOOKUP_ERROR)
        return false;
    if (found == LOOKUP_NONE || !o.final || o.status != ORDER_REJECTED)
        return true;
    log_warn("order_adopted", "msg=\"an order that was given up rests at its venue\" execution=%" PRIu64,
             o.execution_id);
    poll.order = &o;
    poll.observation =
        (struct perps_observation){ .seen = true, .at_venue = *seen, .now_ms = r->poll->poll.now_ms };
    return perps_order_poll_read(r->poll, &poll) && order_record(r, db, &poll);
}

static bool is_followed(const struct perps_account_poll *l, const struct perps_seen *seen)
{
    for (unsigned i = 0; i < l->count; i++)
        if (memcmp(l->orders[i].order->cloid, seen->cloid, PERPS_CLOID_LEN) == 0)
            return true;
    return false;
}

static bool orders_record(struct poll_record *r, struct db *db)
{
    struct perps_account_poll *l = r->poll;

    for (unsigned i = 0; i < l->count; i++)
        if (!order_record(r, db, &l->orders[i]))
            return false;
    for (size_t i = 0; i < l->listed_count; i++)
        if (!is_followed(l, &l->listed[i]) && !unknown_order_import(r, db, &l->listed[i]))
            return false;
    return true;
}

static enum tx_verdict poll_record_tx(struct db *db, void *arg)
{
    struct poll_record *r = arg;

    r->event_count = 0;
    return fills_record(r, db) && payments_record(r, db) && reads_record(db, r->poll) &&
                   orders_record(r, db) && order_events_record(db, r->events, r->event_count) &&
                   (r->event_count == 0 || agent_versions_renew(db, r->poll->due.wallet.agent_id))
               ? TX_COMMIT
               : TX_FAILED;
}

bool perps_poll_record(struct account_poll *poll)
{
    struct poll_record *r = ARENA_NEW(poll->arena, struct poll_record);

    *r = (struct poll_record){ .ctx = poll->ctx,
                               .arena = poll->arena,
                               .poll = (struct perps_account_poll *)(void *)poll };
    return STEP("perps_poll.record", db_transact(poll->ctx->db, poll_record_tx, r), TX_UNKNOWN) == TX_DONE;
}
