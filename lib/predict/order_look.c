#include "predict/order_look.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fault.h"
#include "base/log.h"
#include "base/trouble.h"
#include "chain/evm/addr.h"
#include "codec/query_string.h"
#include "net/call.h"
#include "predict/account.h"
#include "predict/credentials.h"
#include "predict/order_body.h"

enum {
    PAGES_MAX = 100, /* of one list: cursors may go in circles */
    CLOCKS_APART_S = 300,
};

enum look_phase { LOOK_LISTS = 1, LOOK_ORDERS, LOOK_TRADES, LOOK_OVER };
enum look_question { ASK_LIST, ASK_CANCEL, ASK_ORDER, ASK_TRADES };

struct look_call {
    struct call call;
    struct wallet_look *look;
    struct order_look *order; /* of ASK_CANCEL, ASK_ORDER */
    enum look_question question;
};

/* ---- asking ---- */

static void look_ask(struct wallet_look *l, enum look_question question, struct order_look *order,
                     const char *method, const char *path, const char *query, const char *body)
{
    struct look_call *c = ARENA_NEW(l->arena, struct look_call);
    int64_t left = l->until_ms - clock_mono_ms();

    if (left <= 0 || (l->stopping != NULL && l->stopping()) || FAULT("order_poll.ask") ||
        !clob_private(&c->call, l->ctx, l->arena, l->account, l->credentials, method, path, query, body)) {
        l->fault = CLOB_LATER;
        return;
    }
    c->call.timeout_ms = left < LOOK_CALL_MS ? (unsigned)left : LOOK_CALL_MS;
    c->call.owner = c;
    c->look = l;
    c->order = order;
    c->question = question;
    l->running++;
    net_start(l->ctx->net, &c->call);
}

static void list_ask(struct wallet_look *l, const char *cursor)
{
    const char *query = arena_printf(l->arena, "next_cursor=%s", query_escape(l->arena, cursor));

    l->pages++;
    l->list_failed = true; /* until its last page is read */
    look_ask(l, ASK_LIST, NULL, "GET", "/data/orders", query, NULL);
}

static void cancel_ask(struct wallet_look *l, struct order_look *o)
{
    look_ask(l, ASK_CANCEL, o, "DELETE", "/order", NULL, order_cancel_body(l->arena, o->order->hash));
}

static void order_ask(struct wallet_look *l, struct order_look *o)
{
    const char *path = arena_printf(l->arena, "/data/order/%s", order_id_text(l->arena, o->order->hash));

    look_ask(l, ASK_ORDER, o, "GET", path, NULL, NULL);
}

/* No trade that is missing, or not settled, is older than its order. */
static int64_t trades_since_ms(const struct wallet_look *l)
{
    int64_t since = INT64_MAX;

    for (const struct order_look *o = l->orders; o < l->orders + l->count; o++)
        if (order_wants_trades(o->order, &o->sight) && o->order->created_ms < since)
            since = o->order->created_ms;
    return since;
}

static void trades_ask(struct wallet_look *l, const char *cursor)
{
    const char *query =
        arena_printf(l->arena, "maker_address=%s&after=%" PRId64 "&next_cursor=%s",
                     evm_addr_print(l->arena, account_trading(l->account)),
                     l->trades_since_ms / 1000 - CLOCKS_APART_S, query_escape(l->arena, cursor));

    l->pages++;
    look_ask(l, ASK_TRADES, NULL, "GET", "/data/trades", query, NULL);
}

/* ---- reading ---- */

static int by_hash(const void *x, const void *y)
{
    const struct order_look *a = x, *b = y;

    return memcmp(a->order->hash, b->order->hash, HASH_LEN);
}

static struct order_look *look_find(const struct wallet_look *l, const uint8_t hash[static HASH_LEN])
{
    struct order key = { .size = 0 };
    const struct order_look wanted = { .order = &key };

    memcpy(key.hash, hash, HASH_LEN);
    return l->count == 0 ? NULL : bsearch(&wanted, l->orders, l->count, sizeof wanted, by_hash);
}

/* What has our hash but another size is no order of ours, whoever says so. */
static void order_see(struct order_look *o, const struct clob_order *at_venue)
{
    if (at_venue->size != order_shares(o->order)) {
        log_warn("order_size_differs",
                 "msg=\"the prediction venue shows an order with another size\" execution=%" PRIu64,
                 o->order->execution_id);
        return;
    }
    o->sight.says = ORDER_SEEN;
    o->sight.at_venue = *at_venue;
}

static const char *list_read(struct wallet_look *l, const struct call *c)
{
    struct clob_page page;

    if (!clob_read_orders(l->arena, &c->answer, &page))
        return NULL;
    for (size_t i = 0; i < page.count; i++) {
        struct order_look *o = look_find(l, page.orders[i].hash);

        if (o != NULL)
            order_see(o, &page.orders[i]);
        else if (l->stranger_count < STRANGERS_MAX)
            l->strangers[l->stranger_count++] = page.orders[i];
    }
    l->list_failed = page.next != NULL;
    return page.next;
}

static const char *trades_read(struct wallet_look *l, const struct call *c)
{
    struct clob_page page;

    if (!clob_read_trades(l->arena, &c->answer, &page))
        return NULL;
    for (size_t i = 0; i < page.count; i++) {
        struct order_look *o = look_find(l, page.fills[i].order);

        if (o != NULL)
            fills_merge(l->arena, o->order, &o->fills, &page.fills[i].fill);
    }
    return page.next;
}

/* An answer about one order replaces what the list said, which may be older. */
static void order_read(struct order_look *o, const struct call *c, enum clob_fault fault)
{
    struct clob_order at_venue;
    bool known = fault != CLOB_UNKNOWN;

    o->sight.says = ORDER_SILENT;
    if (known && (fault != CLOB_FINE || !clob_read_order(&c->answer, &at_venue, &known)))
        return;
    if (!known)
        o->sight.says = ORDER_UNKNOWN;
    else if (memcmp(at_venue.hash, o->order->hash, HASH_LEN) == 0)
        order_see(o, &at_venue);
}

static void look_note_fault(struct wallet_look *l, const struct call *c, const struct clob_error *e)
{
    if (e->fault != CLOB_UNAUTHORIZED && e->fault != CLOB_LATER)
        return;
    if (l->fault == CLOB_FINE)
        log_repeated("venue_no_answer", "asked=orders",
                     "msg=\"no answer about orders\" wallet=%s status=%d why=\"%s\" said=\"%s\"",
                     l->account->wallet.ref.address, c->status, c->why, e->text);
    if (l->fault != CLOB_UNAUTHORIZED)
        l->fault = e->fault;
    if (c->retry_after_s > l->retry_after_s)
        l->retry_after_s = c->retry_after_s;
}

static void look_read(struct wallet_look *l, const struct look_call *c)
{
    const char *next = NULL;
    struct clob_error e;

    clob_error_read(l->arena, &c->call, &e);
    look_note_fault(l, &c->call, &e);
    switch (c->question) {
    case ASK_LIST:
        next = e.fault == CLOB_FINE ? list_read(l, &c->call) : NULL;
        if (next != NULL && l->pages < PAGES_MAX)
            list_ask(l, next);
        break;
    case ASK_CANCEL:
        c->order->sight.cancelled = e.fault == CLOB_FINE || e.fault == CLOB_UNKNOWN;
        break;
    case ASK_ORDER:
        order_read(c->order, &c->call, e.fault);
        break;
    case ASK_TRADES:
        next = e.fault == CLOB_FINE ? trades_read(l, &c->call) : NULL;
        if (next != NULL && l->pages < PAGES_MAX)
            trades_ask(l, next);
        break;
    }
}

/* ---- one phase after the other ---- */

static void lists_begin(struct wallet_look *l)
{
    if (!l->each_alone)
        list_ask(l, CLOB_FIRST_PAGE);
    for (struct order_look *o = l->orders; o < l->orders + l->count; o++)
        if (order_wants_cancel(o->order, l->now_ms))
            cancel_ask(l, o);
}

/* What is filled is no longer in the list, and its trades say the rest. Where there was no whole list, none
 * is missing in it. */
static bool order_is_missing(const struct wallet_look *l, const struct order_look *o)
{
    if (l->each_alone || o->sight.cancelled)
        return true;
    return !l->list_failed && o->sight.says != ORDER_SEEN && o->order->status != ORDER_FILLED;
}

static void orders_begin(struct wallet_look *l)
{
    for (struct order_look *o = l->orders; o < l->orders + l->count; o++)
        if (order_is_missing(l, o))
            order_ask(l, o);
}

static void trades_begin(struct wallet_look *l)
{
    l->pages = 0;
    l->trades_since_ms = trades_since_ms(l);
    if (l->trades_since_ms != INT64_MAX)
        trades_ask(l, CLOB_FIRST_PAGE);
}

static bool look_advance(struct wallet_look *l)
{
    static void (*const begin[])(struct wallet_look *) = {
        [LOOK_LISTS] = lists_begin, [LOOK_ORDERS] = orders_begin, [LOOK_TRADES] = trades_begin
    };

    while (l->running == 0 && l->phase < LOOK_OVER) {
        l->phase = l->fault == CLOB_UNAUTHORIZED ? LOOK_OVER : l->phase + 1;
        if (l->phase < LOOK_OVER)
            begin[l->phase](l);
    }
    return l->running > 0;
}

void wallet_look_init(struct wallet_look *l)
{
    if (l->count > 0)
        qsort(l->orders, l->count, sizeof *l->orders, by_hash);
    for (struct order_look *o = l->orders; o < l->orders + l->count; o++)
        o->sight = (struct order_sight){ .fills = &o->fills, .now_ms = l->now_ms };
}

bool wallet_look_begin(struct wallet_look *l)
{
    l->until_ms = clock_mono_ms() + l->deadline_ms;
    return look_advance(l);
}

struct wallet_look *wallet_look_of(const struct call *c)
{
    return ((const struct look_call *)c->owner)->look;
}

bool wallet_look_go_on(struct call *c)
{
    const struct look_call *ended = c->owner;
    struct wallet_look *l = ended->look;

    l->running--;
    look_read(l, ended);
    call_free(c);
    return look_advance(l);
}
