#include "predict/predict_account_poll.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/incident.h"
#include "base/log.h"
#include "chain/evm/evm_addr.h"
#include "codec/query_string.h"
#include "net/call.h"
#include "predict/account.h"
#include "predict/credentials.h"
#include "predict/order_body.h"

enum { PAGES_MAX = 100 }; /* of one list: cursors may go in circles */

enum poll_question { ASK_LIST, ASK_CANCEL, ASK_ORDER, ASK_TRADES };

static struct predict_account_poll *own_poll(struct account_poll *l)
{
    return (struct predict_account_poll *)(void *)l;
}

/* ---- asking ---- */

static void question_ask(struct predict_account_poll *l, enum poll_question question,
                         struct order_poll *order, const char *method, const char *path, const char *query,
                         const char *body)
{
    struct account_poll *poll = &l->poll;
    struct poll_call *c = poll_call_new(poll, question, order);

    if (c == NULL || !clob_private(&c->call, poll->ctx, poll->arena, l->account, &l->credentials, method,
                                   path, query, body))
        poll->silent = true;
    else
        poll_ask(c);
}

static void list_ask(struct predict_account_poll *l, const char *cursor)
{
    const char *query = arena_printf(l->poll.arena, "next_cursor=%s", query_escape(l->poll.arena, cursor));

    l->pages++;
    l->list_failed = true; /* until its last page is read */
    question_ask(l, ASK_LIST, NULL, "GET", "/data/orders", query, NULL);
}

/* No trade that is missing, or not settled, is older than its order. */
static int64_t trades_since_ms(const struct predict_account_poll *l)
{
    int64_t since = INT64_MAX;

    for (const struct order_poll *o = l->orders; o < l->orders + l->count; o++)
        if (order_wants_trades(o->order, &o->observation) && o->order->created_ms < since)
            since = o->order->created_ms;
    return since;
}

static void trades_ask(struct predict_account_poll *l, const char *cursor)
{
    struct arena *a = l->poll.arena;
    const char *query = clob_trades_query(a, NULL, evm_addr_print(a, account_trading(l->account)),
                                          l->trades_since_ms, cursor);

    l->pages++;
    question_ask(l, ASK_TRADES, NULL, "GET", "/data/trades", query, NULL);
}

/* ---- reading ---- */

static int by_hash(const void *x, const void *y)
{
    const struct order_poll *a = x, *b = y;

    return memcmp(a->order->hash, b->order->hash, HASH_LEN);
}

static struct order_poll *poll_find(const struct predict_account_poll *l, const uint8_t hash[static HASH_LEN])
{
    struct order key = { .size = 0 };
    const struct order_poll wanted = { .order = &key };

    memcpy(key.hash, hash, HASH_LEN);
    return l->count == 0 ? NULL : bsearch(&wanted, l->orders, l->count, sizeof wanted, by_hash);
}

/* A row with our hash but another size is not our order. The size of an order that spends is in collateral,
 * and more may be matched than it asks for. */
static bool order_is_ours(const struct order *o, const struct clob_order *at_venue)
{
    if (order_spends(o))
        return at_venue->size == order_cost(o) || at_venue->size == order_shares(o);
    return at_venue->size == order_shares(o) && at_venue->matched <= at_venue->size;
}

static void order_see(struct order_poll *o, const struct clob_order *at_venue)
{
    if (!order_is_ours(o->order, at_venue)) {
        log_warn("order_size_differs",
                 "msg=\"the prediction venue shows an order with another size\" execution=%" PRIu64,
                 o->order->execution_id);
        return;
    }
    o->observation.says = ORDER_SEEN;
    o->observation.at_venue = *at_venue;
}

static const char *list_read(struct predict_account_poll *l, const struct call *c)
{
    struct clob_page page;

    if (!clob_read_orders(l->poll.arena, &c->answer, &page))
        return NULL;
    for (size_t i = 0; i < page.count; i++) {
        struct order_poll *o = poll_find(l, page.orders[i].hash);

        if (o != NULL)
            order_see(o, &page.orders[i]);
        else if (l->unknown_order_count < UNKNOWN_ORDERS_MAX)
            l->unknown_orders[l->unknown_order_count++] = page.orders[i];
    }
    l->list_failed = page.next != NULL;
    return page.next;
}

static const char *trades_read(struct predict_account_poll *l, const struct call *c)
{
    struct clob_page page;

    if (!clob_read_trades(l->poll.arena, &c->answer, &page))
        return NULL;
    for (size_t i = 0; i < page.count; i++) {
        struct order_poll *o = poll_find(l, page.fills[i].order);

        if (o != NULL)
            fills_merge(l->poll.arena, o->order, &o->fills, &page.fills[i].fill);
    }
    return page.next;
}

/* An answer about one order replaces what the list said, which may be older. */
static void order_read(struct order_poll *o, const struct call *c, enum clob_fault fault)
{
    struct clob_order at_venue;
    bool known = fault != CLOB_UNKNOWN;

    o->observation.says = ORDER_UNAVAILABLE;
    if (known && (fault != CLOB_FINE || !clob_read_order(&c->answer, &at_venue, &known)))
        return;
    if (!known)
        o->observation.says = ORDER_UNKNOWN;
    else if (memcmp(at_venue.hash, o->order->hash, HASH_LEN) == 0)
        order_see(o, &at_venue);
}

static void fault_note(struct predict_account_poll *l, const struct call *c, const struct clob_error *e)
{
    struct account_poll *poll = &l->poll;

    if (e->fault != CLOB_UNAUTHORIZED && e->fault != CLOB_LATER)
        return;
    if (!poll->silent)
        log_repeated("venue_no_answer", "asked=orders",
                     "msg=\"no answer about orders\" wallet=%s status=%d why=\"%s\" said=\"%s\"",
                     l->account->wallet.ref.address, c->status, c->why, e->text);
    poll->silent = true;
    if (e->fault == CLOB_UNAUTHORIZED)
        l->denied = poll->over = true;
    poll_note_retry(poll, c);
}

void predict_account_poll_read(const struct poll_call *c)
{
    struct predict_account_poll *l = own_poll(c->poll);
    struct order_poll *o = c->order;
    const char *next = NULL;
    struct clob_error e;

    clob_error_read(l->poll.arena, &c->call, &e);
    fault_note(l, &c->call, &e);
    switch ((enum poll_question)c->question) {
    case ASK_LIST:
        next = e.fault == CLOB_FINE ? list_read(l, &c->call) : NULL;
        if (next != NULL && l->pages < PAGES_MAX)
            list_ask(l, next);
        break;
    case ASK_CANCEL:
        o->observation.cancelled = e.fault == CLOB_FINE || e.fault == CLOB_UNKNOWN;
        o->observation.taken_back =
            e.fault == CLOB_FINE &&
            clob_read_cancel(l->poll.arena, &c->call.answer, o->order->hash) == CLOB_CANCELLED;
        break;
    case ASK_ORDER:
        order_read(o, &c->call, e.fault);
        break;
    case ASK_TRADES:
        next = e.fault == CLOB_FINE ? trades_read(l, &c->call) : NULL;
        if (next != NULL && l->pages < PAGES_MAX)
            trades_ask(l, next);
        break;
    }
}

/* ---- one round after the other ---- */

void predict_poll_lists(struct account_poll *poll)
{
    struct predict_account_poll *l = own_poll(poll);

    if (!poll->each_alone)
        list_ask(l, CLOB_FIRST_PAGE);
    for (struct order_poll *o = l->orders; o < l->orders + l->count; o++)
        if (order_wants_cancel(o->order, poll->now_ms))
            question_ask(l, ASK_CANCEL, o, "DELETE", "/order", NULL,
                         order_cancel_body(l->poll.arena, o->order->hash));
}

/* A filled order is no longer in the list, and its trades show the rest. No order is missing in an incomplete
 * list. */
static bool order_is_missing(const struct predict_account_poll *l, const struct order_poll *o)
{
    if (l->poll.each_alone || o->observation.cancelled)
        return true;
    return !l->list_failed && o->observation.says != ORDER_SEEN && o->order->status != ORDER_FILLED;
}

void predict_poll_orders(struct account_poll *poll)
{
    struct predict_account_poll *l = own_poll(poll);

    for (struct order_poll *o = l->orders; o < l->orders + l->count; o++)
        if (order_is_missing(l, o)) {
            const char *path =
                arena_printf(l->poll.arena, "/data/order/%s", order_id_text(l->poll.arena, o->order->hash));

            question_ask(l, ASK_ORDER, o, "GET", path, NULL, NULL);
        }
}

void predict_poll_trades(struct account_poll *poll)
{
    struct predict_account_poll *l = own_poll(poll);

    l->pages = 0;
    l->trades_since_ms = trades_since_ms(l);
    if (l->trades_since_ms != INT64_MAX)
        trades_ask(l, CLOB_FIRST_PAGE);
}

void predict_account_poll_init(struct predict_account_poll *l)
{
    if (l->count > 0)
        qsort(l->orders, l->count, sizeof *l->orders, by_hash);
    for (struct order_poll *o = l->orders; o < l->orders + l->count; o++)
        o->observation = (struct order_observation){ .fills = &o->fills, .now_ms = l->poll.now_ms };
}
