#include "perps/perps_account_poll.h"

#include <string.h>

#include "base/incident.h"
#include "perps/number.h"
#include "perps/perps_cancel.h"
#include "perps/perps_venue.h"
#include "perps/request_budget.h"
#include "perps/wallet_state.h"
#include "store/perps_orders.h"

enum {
    OVERLAP_MS = 60 * 1000, /* clocks may differ, and reads lag */
    TRADES_EVERY_MS = 60 * 1000,
    FUNDING_EVERY_MS = 60 * 1000, /* with positions */
    FUNDING_SELDOM_MS = 10 * 60 * 1000,
    ORDERS_AT_ONCE = 40,
};

/* ---- asking ---- */

enum poll_question { ASK_OPEN, ASK_STATE, ASK_ORDER, ASK_FILLS, ASK_FUNDING, ASK_CANCEL };

static const char *const types[] = {
    [ASK_OPEN] = "frontendOpenOrders", [ASK_STATE] = "clearinghouseState", [ASK_ORDER] = "orderStatus",
    [ASK_FILLS] = "userFillsByTime",   [ASK_FUNDING] = "userFunding",      [ASK_CANCEL] = "cancelByCloid"
};
static const unsigned weights[] = {
    [ASK_OPEN] = 20, [ASK_STATE] = 2, [ASK_ORDER] = 2, [ASK_FILLS] = 40, [ASK_FUNDING] = 30, [ASK_CANCEL] = 1
};

static struct perps_account_poll *own_poll(struct account_poll *l)
{
    return (struct perps_account_poll *)(void *)l;
}

/* A poll of an order that was just placed or cancelled is made for the agent that waits. */
static enum perps_request_budget_of weight_of(void)
{
    return perps_request_budget_asked_for() == PERPS_REQUEST_BUDGET_ORDERS ? PERPS_REQUEST_BUDGET_ORDERS
                                                                           : PERPS_REQUEST_BUDGET_POLLS;
}

/* NULL: it has to wait, since it is late, or the venue's weight of this minute is used up. */
static struct poll_call *question_new(struct perps_account_poll *l, struct perps_order_poll *o,
                                      enum poll_question question)
{
    struct poll_call *c = poll_call_new(&l->poll, (int)question, o);

    if (c != NULL && !perps_request_budget_take(l->poll.ctx, weights[question], weight_of())) {
        l->poll.silent = true;
        return NULL;
    }
    return c;
}

static void question_ask(struct perps_account_poll *l, struct perps_order_poll *o,
                         enum poll_question question)
{
    const struct evm_addr user = evm_addr_or_zero(l->due.wallet.ref.address);
    struct perps_question q = { .type = types[question], .user = &user };
    struct poll_call *c = question_new(l, o, question);

    if (c == NULL)
        return;
    if (question == ASK_ORDER)
        q.cloid = perps_cloid_text(l->poll.arena, o->order->cloid);
    if (question == ASK_FILLS)
        q.since_ms = l->due.fills_since_ms - OVERLAP_MS;
    if (question == ASK_FUNDING)
        q.since_ms = l->due.funding_since_ms - OVERLAP_MS;
    perps_question_call(&c->call, l->poll.ctx, l->poll.arena, &q);
    poll_ask(c);
}

static void cancel_ask(struct perps_account_poll *l, struct perps_order_poll *o)
{
    struct poll_call *c = question_new(l, o, ASK_CANCEL);

    if (c == NULL)
        return;
    if (perps_cancel_call(&c->call, l->poll.ctx, l->poll.arena, &l->due.wallet, o->order, &o->cancel_signer))
        poll_ask(c);
    else
        l->poll.silent = true;
}

/* ---- reading ---- */

static struct perps_order_poll *order_find(struct perps_account_poll *l,
                                           const uint8_t cloid[static PERPS_CLOID_LEN])
{
    for (unsigned i = 0; i < l->count; i++)
        if (memcmp(l->orders[i].order->cloid, cloid, PERPS_CLOID_LEN) == 0)
            return &l->orders[i];
    return NULL;
}

/* Rows that cannot be read are left out, and told. */
static void page_note(const struct perps_page *page, enum poll_question question)
{
    if (page->senseless > 0)
        (void)perps_senseless(types[question]);
}

static void list_read(struct perps_account_poll *l, struct arena *a, const struct call *c)
{
    struct perps_page page;

    if (!perps_read_open(a, &c->answer, &l->listed, &l->listed_count, &page)) {
        l->listed = NULL;
        l->poll.silent = true;
        (void)perps_senseless(types[ASK_OPEN]);
        return;
    }
    page_note(&page, ASK_OPEN);
    for (size_t i = 0; i < l->listed_count; i++) {
        struct perps_order_poll *o = order_find(l, l->listed[i].cloid);

        if (o != NULL && !o->observation.seen) {
            o->observation.seen = true;
            o->observation.at_venue = l->listed[i];
        }
    }
}

static void status_read(struct perps_account_poll *l, struct perps_order_poll *o, struct arena *a,
                        const struct call *c)
{
    struct perps_seen seen;
    bool known;

    if (!perps_read_status(a, &c->answer, &seen, &known)) {
        l->poll.silent = true;
        (void)perps_senseless(types[ASK_ORDER]);
    } else if (!known) { /* one that was forgotten may rest all the same */
        o->observation.unknown = l->listed != NULL || o->observation.cancelled;
    } else if (memcmp(seen.cloid, o->order->cloid, sizeof seen.cloid) == 0) {
        o->observation.seen = true;
        o->observation.at_venue = seen;
    }
}

static void state_read(struct perps_account_poll *l, struct arena *a, const struct call *c)
{
    const struct evm_addr user = evm_addr_or_zero(l->due.wallet.ref.address);
    struct perps_state state;

    if (perps_read_state(a, &c->answer, &user, &state))
        l->has_positions = state.count > 0;
    else
        l->poll.silent = true;
}

static void cancel_read(const struct perps_account_poll *l, struct perps_order_poll *o, const struct call *c)
{
    o->observation.cancelled = perps_cancel_read(l->poll.ctx, l->poll.arena, c, o->cancel_signer);
}

static void answer_read(const struct poll_call *asked)
{
    struct perps_account_poll *l = own_poll(asked->poll);
    struct arena *a = l->poll.arena;
    const struct call *c = &asked->call;

    switch ((enum poll_question)asked->question) {
    case ASK_OPEN:
        list_read(l, a, c);
        break;
    case ASK_STATE:
        state_read(l, a, c);
        break;
    case ASK_ORDER:
        status_read(l, asked->order, a, c);
        break;
    case ASK_FILLS:
        l->fills_asked = perps_read_fills(a, &c->answer, &l->fills, &l->fill_count, &l->fills_page);
        page_note(&l->fills_page, ASK_FILLS);
        break;
    case ASK_FUNDING:
        l->funding_asked =
            perps_read_payments(a, &c->answer, &l->payments, &l->payment_count, &l->payments_page);
        page_note(&l->payments_page, ASK_FUNDING);
        break;
    case ASK_CANCEL:
        cancel_read(l, asked->order, c);
        break;
    }
}

void perps_poll_heard(const struct poll_call *c)
{
    if (perps_is_answered(&c->call, types[c->question])) {
        answer_read(c);
        return;
    }
    c->poll->silent = true;
    poll_note_retry(c->poll, &c->call);
    if (c->call.status == 429)
        perps_request_budget_refused();
}

/* ---- one round after the other ---- */

static bool wants_cancel(const struct perps_order *o)
{
    return o->cancel_requested_ms != 0 && order_is_open(o->status);
}

static bool funding_is_due(const struct perps_account_poll *l)
{
    int64_t every = l->has_positions ? FUNDING_EVERY_MS : FUNDING_SELDOM_MS;

    return !l->poll.each_alone && l->poll.now_ms - l->due.funding_ms >= every;
}

void perps_poll_lists(struct account_poll *poll)
{
    struct perps_account_poll *l = own_poll(poll);

    for (unsigned i = 0; i < l->count; i++)
        if (wants_cancel(l->orders[i].order))
            cancel_ask(l, &l->orders[i]);
    if (poll->each_alone)
        return;
    if (l->count > 0)
        question_ask(l, NULL, ASK_OPEN);
    question_ask(l, NULL, ASK_STATE);
}

/* Only the engine knows yet whether a pending order was taken; and an order that waits for a resting one has
 * no place of its own. */
static bool is_missing(const struct perps_account_poll *l, const struct perps_order_poll *o)
{
    if (l->poll.each_alone || o->observation.cancelled)
        return true;
    if (l->listed == NULL || o->observation.seen || o->order->status == ORDER_PENDING)
        return false;
    return o->order->role == PERPS_ORDER || o->order->oid != 0 || o->observation.parent == ORDER_FILLED;
}

void perps_poll_orders(struct account_poll *poll)
{
    struct perps_account_poll *l = own_poll(poll);
    unsigned asked = 0;

    for (unsigned i = 0; i < l->count && asked < ORDERS_AT_ONCE; i++)
        if (is_missing(l, &l->orders[i])) {
            l->orders[i].observation.seen = false;
            question_ask(l, &l->orders[i], ASK_ORDER);
            asked++;
        }
}

static bool poll_wants_fills(const struct perps_account_poll *l)
{
    if (!l->poll.each_alone && l->poll.now_ms - l->due.fills_since_ms >= TRADES_EVERY_MS)
        return true;
    for (unsigned i = 0; i < l->count; i++) {
        struct perps_verdict v = perps_verdict(l->orders[i].order, &l->orders[i].observation);

        if (perps_wants_fills(&v))
            return true;
    }
    return false;
}

void perps_poll_trades(struct account_poll *poll)
{
    struct perps_account_poll *l = own_poll(poll);

    for (unsigned i = 0; i < l->count; i++)
        if (perps_wants_cancel(l->orders[i].order, &l->orders[i].observation))
            cancel_ask(l, &l->orders[i]);
    if (poll_wants_fills(l))
        question_ask(l, NULL, ASK_FILLS);
    if (funding_is_due(l))
        question_ask(l, NULL, ASK_FUNDING);
}

/* ---- stored rows ---- */

/* The list of followed orders does not contain ended ones, so the parent is read from the database. */
static bool parent_read(const struct perps_account_poll *l, struct perps_order_poll *o)
{
    struct perps_order parent;
    enum lookup found;

    for (unsigned i = 0; i < l->count; i++)
        if (l->orders[i].order->execution_id == o->order->execution_id &&
            l->orders[i].order->role == PERPS_ORDER) {
            o->observation.parent = l->orders[i].order->status;
            return true;
        }
    found = perps_orders_of_execution(l->poll.ctx->db, l->poll.arena, o->order->execution_id, &parent);
    o->observation.parent = found == LOOKUP_FOUND ? parent.status : 0;
    return found != LOOKUP_ERROR;
}

static bool order_read(const struct perps_account_poll *l, struct perps_order_poll *o)
{
    o->observation.now_ms = l->poll.now_ms;
    return o->order->role == PERPS_ORDER || parent_read(l, o);
}

bool perps_order_poll_read(const struct perps_account_poll *l, struct perps_order_poll *o)
{
    const struct perps_order *order = o->order;

    return order_read(l, o) && (order->oid == 0 || perps_fills_of(l->poll.ctx->db, order->wallet_id,
                                                                  order->oid, &o->observation.traded));
}

static bool trades_read(const struct perps_account_poll *l)
{
    struct perps_traded *traded;
    int n = perps_fills_of_followed(l->poll.ctx->db, l->poll.arena, l->due.wallet.id, &traded);

    for (int i = 0; i < n; i++)
        for (unsigned j = 0; j < l->count; j++)
            if (l->orders[j].order->oid == traded[i].oid)
                l->orders[j].observation.traded = traded[i];
    return n >= 0;
}

bool perps_account_poll_read(struct perps_account_poll *l)
{
    struct arena *a = l->poll.arena;
    struct perps_order *orders;
    int n = perps_orders_followed(l->poll.ctx->db, a, l->due.wallet.id, &orders);
    bool ok = n >= 0;

    l->orders = ARENA_ARRAY(a, struct perps_order_poll, ok ? (size_t)n + 1 : 1);
    for (int i = 0; i < n; i++)
        l->orders[i].order = &orders[i];
    l->count = ok ? (unsigned)n : 0;
    for (unsigned i = 0; ok && i < l->count; i++)
        ok = order_read(l, &l->orders[i]);
    return ok && (l->count == 0 || trades_read(l));
}
