#include "perps/wallet_look.h"

#include <string.h>

#include "base/fault.h"
#include "base/trouble.h"
#include "perps/cancel.h"
#include "perps/number.h"
#include "perps/venue.h"
#include "perps/wallet_state.h"
#include "perps/weight.h"
#include "store/perps_orders.h"

enum {
    OVERLAP_MS = 60 * 1000, /* clocks may differ, and reads lag */
    TRADES_EVERY_MS = 60 * 1000,
    FUNDING_EVERY_MS = 60 * 1000, /* with positions */
    FUNDING_SELDOM_MS = 10 * 60 * 1000,
    ORDERS_AT_ONCE = 40,
};

/* ---- asking ---- */

enum look_question { LOOK_OPEN, LOOK_STATE, LOOK_ORDER, LOOK_FILLS, LOOK_FUNDING, LOOK_CANCEL };

struct look_call {
    struct perps_wallet_look *look;
    struct perps_order_look *order; /* of ORDER and CANCEL */
    enum look_question question;
};

/* A round of questions: what one answers decides what the next one asks. */
struct round {
    const struct ctx *ctx;
    struct arena *arena;
    struct call *calls;
    struct look_call *asked;
    unsigned count, max;
};

static const char *const types[] = {
    [LOOK_OPEN] = "frontendOpenOrders", [LOOK_STATE] = "clearinghouseState", [LOOK_ORDER] = "orderStatus",
    [LOOK_FILLS] = "userFillsByTime",   [LOOK_FUNDING] = "userFunding",      [LOOK_CANCEL] = "cancelByCloid"
};
static const unsigned weights[] = { [LOOK_OPEN] = 20,  [LOOK_STATE] = 2,    [LOOK_ORDER] = 2,
                                    [LOOK_FILLS] = 40, [LOOK_FUNDING] = 30, [LOOK_CANCEL] = 1 };

static struct round round_begin(const struct ctx *ctx, struct arena *a, unsigned max)
{
    return (struct round){ .ctx = ctx,
                           .arena = a,
                           .calls = ARENA_ARRAY(a, struct call, max),
                           .asked = ARENA_ARRAY(a, struct look_call, max),
                           .max = max };
}

/* Whoever looks at an order that was just placed or cancelled does it for the agent who waits. */
static enum perps_weight_of weight_of(void)
{
    return perps_weight_asked_for() == PERPS_WEIGHT_ORDERS ? PERPS_WEIGHT_ORDERS : PERPS_WEIGHT_POLLS;
}

/* NULL: it has to wait, since the venue's weight of this minute is used up. */
static struct call *round_place(struct round *r, struct perps_wallet_look *l, struct perps_order_look *o,
                                enum look_question question)
{
    if (r->count == r->max || FAULT("perps_poll.ask") ||
        !perps_weight_take(r->ctx, weights[question], weight_of())) {
        l->silent = true;
        return NULL;
    }
    r->asked[r->count] = (struct look_call){ l, o, question };
    return &r->calls[r->count++];
}

static void round_ask(struct round *r, struct perps_wallet_look *l, struct perps_order_look *o,
                      enum look_question question)
{
    const struct evm_addr user = evm_addr_or_zero(l->due.wallet.ref.address);
    struct perps_question q = { .type = types[question], .user = &user };
    struct call *c = round_place(r, l, o, question);

    if (c == NULL)
        return;
    if (question == LOOK_ORDER)
        q.cloid = perps_cloid_text(r->arena, o->order->cloid);
    if (question == LOOK_FILLS)
        q.since_ms = l->due.fills_since_ms - OVERLAP_MS;
    if (question == LOOK_FUNDING)
        q.since_ms = l->due.funding_since_ms - OVERLAP_MS;
    perps_question_call(c, r->ctx, r->arena, &q);
}

static void round_cancel(struct round *r, struct perps_wallet_look *l, struct perps_order_look *o)
{
    struct call *c = round_place(r, l, o, LOOK_CANCEL);

    if (c != NULL && !perps_cancel_call(c, r->ctx, r->arena, &l->due.wallet, o->order)) {
        r->count--;
        l->silent = true;
    }
}

/* ---- reading ---- */

static struct perps_order_look *order_find(struct perps_wallet_look *l,
                                           const uint8_t cloid[static PERPS_CLOID_LEN])
{
    for (unsigned i = 0; i < l->count; i++)
        if (memcmp(l->orders[i].order->cloid, cloid, PERPS_CLOID_LEN) == 0)
            return &l->orders[i];
    return NULL;
}

static void list_read(struct perps_wallet_look *l, struct arena *a, const struct call *c)
{
    if (!perps_read_open(a, &c->answer, &l->listed, &l->listed_count)) {
        l->listed = NULL;
        l->silent = true;
        (void)perps_senseless(types[LOOK_OPEN]);
        return;
    }
    for (size_t i = 0; i < l->listed_count; i++) {
        struct perps_order_look *o = order_find(l, l->listed[i].cloid);

        if (o != NULL && !o->sight.seen) {
            o->sight.seen = true;
            o->sight.at_venue = l->listed[i];
        }
    }
}

static void status_read(struct perps_wallet_look *l, struct perps_order_look *o, struct arena *a,
                        const struct call *c)
{
    struct perps_seen seen;
    bool known;

    if (!perps_read_status(a, &c->answer, &seen, &known)) {
        l->silent = true;
        (void)perps_senseless(types[LOOK_ORDER]);
    } else if (!known) {
        o->sight.unknown = true;
    } else if (memcmp(seen.cloid, o->order->cloid, sizeof seen.cloid) == 0) {
        o->sight.seen = true;
        o->sight.at_venue = seen;
    }
}

static void state_read(struct perps_wallet_look *l, struct arena *a, const struct call *c)
{
    const struct evm_addr user = evm_addr_or_zero(l->due.wallet.ref.address);
    struct perps_state state;

    if (perps_read_state(a, &c->answer, &user, &state))
        l->has_positions = state.count > 0;
    else
        l->silent = true;
}

static void cancel_read(struct perps_order_look *o, struct arena *a, const struct call *c)
{
    struct perps_said said;

    perps_read_said(a, &c->answer, &said);
    o->sight.cancelled = said.answer == PERPS_SAID_DONE || said.answer == PERPS_SAID_GONE;
}

static void answer_read(struct look_call *asked, struct arena *a, const struct call *c)
{
    struct perps_wallet_look *l = asked->look;

    switch (asked->question) {
    case LOOK_OPEN:
        list_read(l, a, c);
        break;
    case LOOK_STATE:
        state_read(l, a, c);
        break;
    case LOOK_ORDER:
        status_read(l, asked->order, a, c);
        break;
    case LOOK_FILLS:
        l->fills_asked = perps_read_fills(a, &c->answer, &l->fills, &l->fill_count);
        break;
    case LOOK_FUNDING:
        l->funding_asked = perps_read_payments(a, &c->answer, &l->payments, &l->payment_count);
        break;
    case LOOK_CANCEL:
        cancel_read(asked->order, a, c);
        break;
    }
}

static void round_run(struct round *r, unsigned deadline_ms)
{
    if (r->count > 0)
        (void)calls_run(r->ctx->net, r->calls, r->count, deadline_ms);
    for (unsigned i = 0; i < r->count; i++) {
        struct look_call *asked = &r->asked[i];
        const struct call *c = &r->calls[i];

        if (perps_is_answered(c, types[asked->question])) {
            answer_read(asked, r->arena, c);
        } else {
            asked->look->silent = true;
            if (c->retry_after_s > asked->look->retry_after_s)
                asked->look->retry_after_s = c->retry_after_s;
            if (c->status == 429)
                perps_weight_refused();
        }
        call_free(&r->calls[i]);
    }
}

/* ---- one round after the other ---- */

static bool wants_cancel(const struct perps_order *o)
{
    return o->cancel_requested_ms != 0 && (o->status == ORDER_OPEN || o->status == ORDER_PENDING);
}

static bool funding_is_due(const struct perps_wallet_look *l)
{
    int64_t every = l->has_positions ? FUNDING_EVERY_MS : FUNDING_SELDOM_MS;

    return !l->each_alone && l->now_ms - l->due.funding_ms >= every;
}

static void lists_ask(struct round *r, struct perps_wallet_look *l)
{
    for (unsigned i = 0; i < l->count; i++)
        if (wants_cancel(l->orders[i].order))
            round_cancel(r, l, &l->orders[i]);
    if (l->each_alone)
        return;
    if (l->count > 0)
        round_ask(r, l, NULL, LOOK_OPEN);
    round_ask(r, l, NULL, LOOK_STATE);
}

/* Nobody but the engine knows yet whether one that is pending was taken; and what waits behind an order that
 * rests has no place of its own. */
static bool is_missing(const struct perps_wallet_look *l, const struct perps_order_look *o)
{
    if (l->each_alone || o->sight.cancelled)
        return true;
    if (l->listed == NULL || o->sight.seen || o->order->status == ORDER_PENDING)
        return false;
    return o->order->role == PERPS_ORDER || o->order->oid != 0 || o->sight.parent == ORDER_FILLED;
}

static void orders_ask(struct round *r, struct perps_wallet_look *l)
{
    unsigned asked = 0;

    for (unsigned i = 0; i < l->count && asked < ORDERS_AT_ONCE; i++)
        if (is_missing(l, &l->orders[i])) {
            l->orders[i].sight.seen = false;
            round_ask(r, l, &l->orders[i], LOOK_ORDER);
            asked++;
        }
}

static bool look_wants_fills(const struct perps_wallet_look *l)
{
    if (!l->each_alone && l->now_ms - l->due.fills_since_ms >= TRADES_EVERY_MS)
        return true;
    for (unsigned i = 0; i < l->count; i++) {
        struct perps_verdict v = perps_verdict(l->orders[i].order, &l->orders[i].sight);

        if (perps_wants_fills(&v))
            return true;
    }
    return false;
}

static unsigned orders_of(const struct perps_wallet_look *l, unsigned n)
{
    unsigned all = 0;

    for (unsigned i = 0; i < n; i++)
        all += l[i].count;
    return all;
}

void perps_wallets_look(const struct ctx *ctx, struct arena *a, struct perps_wallet_look *l, unsigned n,
                        unsigned deadline_ms)
{
    unsigned most = orders_of(l, n) + 3 * n;
    struct round lists = round_begin(ctx, a, most), orders = round_begin(ctx, a, most),
                 trades = round_begin(ctx, a, most);

    for (unsigned i = 0; i < n; i++)
        lists_ask(&lists, &l[i]);
    round_run(&lists, deadline_ms);
    for (unsigned i = 0; i < n; i++)
        orders_ask(&orders, &l[i]);
    round_run(&orders, deadline_ms);
    for (unsigned i = 0; i < n; i++) {
        if (look_wants_fills(&l[i]))
            round_ask(&trades, &l[i], NULL, LOOK_FILLS);
        if (funding_is_due(&l[i]))
            round_ask(&trades, &l[i], NULL, LOOK_FUNDING);
    }
    round_run(&trades, deadline_ms);
}

/* ---- what is stored ---- */

/* Of an order that has ended nothing stands in the list of those that are followed. */
static bool parent_read(const struct ctx *ctx, struct arena *a, const struct perps_wallet_look *l,
                        struct perps_order_look *o)
{
    struct perps_order parent;
    enum found found;

    for (unsigned i = 0; i < l->count; i++)
        if (l->orders[i].order->execution_id == o->order->execution_id &&
            l->orders[i].order->role == PERPS_ORDER) {
            o->sight.parent = l->orders[i].order->status;
            return true;
        }
    found = perps_orders_of_execution(ctx->db, a, o->order->execution_id, &parent);
    o->sight.parent = found == FOUND_ONE ? parent.status : 0;
    return found != FOUND_FAILED;
}

bool perps_order_look_read(const struct ctx *ctx, struct arena *a, const struct perps_wallet_look *l,
                           struct perps_order_look *o)
{
    const struct perps_order *order = o->order;

    o->sight.now_ms = l->now_ms;
    if (order->role != PERPS_ORDER && !parent_read(ctx, a, l, o))
        return false;
    return order->oid == 0 || perps_fills_of(ctx->db, order->wallet_id, order->oid, &o->sight.traded);
}

bool perps_wallet_look_read(const struct ctx *ctx, struct arena *a, struct perps_wallet_look *l)
{
    struct perps_order *orders;
    int n = perps_orders_followed(ctx->db, a, l->due.wallet.id, &orders);
    bool ok = n >= 0;

    l->orders = ARENA_ARRAY(a, struct perps_order_look, ok ? (size_t)n + 1 : 1);
    for (int i = 0; i < n; i++)
        l->orders[i].order = &orders[i];
    l->count = ok ? (unsigned)n : 0;
    for (unsigned i = 0; ok && i < l->count; i++)
        ok = perps_order_look_read(ctx, a, l, &l->orders[i]);
    return ok;
}
