#include "store/perps_orders.h"

#include "store/order_leases.h"
#include "store/order_states.h"
#include "store/perps_accounts.h"
#include "store/perps_fills.h"
#include "store/test_store.h"

static uint64_t last_execution = 50000;

/* Not stored. */
static struct perps_order order_of(uint64_t agent_id, enum perps_role role, uint64_t execution_id)
{
    struct perps_order o = { .execution_id = execution_id,
                             .agent_id = agent_id,
                             .wallet_id = agent_id + 1,
                             .role = role,
                             .asset = "ETH",
                             .sells = true,
                             .tif = PERPS_ALO,
                             .size = 50000000,
                             .price = 300000000000,
                             .trigger = role == PERPS_ORDER ? 0 : 310000000000,
                             .leverage = 5,
                             .isolated = true,
                             .status = ORDER_PENDING };

    rand_bytes(o.cloid, sizeof o.cloid);
    return o;
}

/* In a new execution, unless one is given. */
static struct perps_order new_order(uint64_t agent_id, enum perps_role role, uint64_t execution_id)
{
    struct perps_order o = order_of(agent_id, role, execution_id != 0 ? execution_id : ++last_execution);

    CHECK(perps_orders_add(db, &o, 1) && o.id != 0);
    return o;
}

/* The execution has ended with the venue's first answer. */
static void an_order_that_never_rests_is_awaited_to_its_end(void)
{
    static const struct {
        bool is_market;
        enum perps_tif tif;
        bool rests;
    } rows[] = { { false, PERPS_GTC, true },
                 { false, PERPS_ALO, true },
                 { false, PERPS_IOC, false },
                 { true, PERPS_GTC, false } };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct perps_order o = order_of(61, PERPS_ORDER, new_swap(61, 1).id);
        struct execution_awaited of = { o.execution_id, false };
        bool ended = false;

        o.is_market = rows[i].is_market;
        o.tif = rows[i].tif;
        CHECK(perps_orders_add(db, &o, 1));
        CHECK(RAW("UPDATE executions SET status = " SQL_COMPLETED " WHERE id = %d", (int)of.id));
        CHECK(executions_ended(db, &of, 1, &ended) && ended == rows[i].rests);
        CHECK(RAW("UPDATE perps_orders SET status = 4 WHERE id = %d", (int)o.id));
        CHECK(executions_ended(db, &of, 1, &ended) && ended);
    }
}

static struct perps_child child_of(const struct perps_order *o)
{
    struct perps_child c = { .status = o->status, .trigger = o->trigger };

    memcpy(c.cloid, o->cloid, sizeof c.cloid);
    return c;
}

/* An order with one behind it that takes its gains, and one that stops its losses, in this order; either may
 * lack. */
struct bracket {
    struct perps_order order, gain, loss;
};
static struct bracket new_bracket(uint64_t agent_id, bool gains, bool losses)
{
    struct bracket b = { order_of(agent_id, PERPS_ORDER, ++last_execution),
                         order_of(agent_id, PERPS_TAKE_PROFIT, last_execution),
                         order_of(agent_id, PERPS_STOP_LOSS, last_execution) };
    struct perps_order rows[PERPS_ORDERS_AT_ONCE];
    unsigned n = 1;

    if (gains)
        b.order.gain = child_of(&b.gain);
    if (losses)
        b.order.loss = child_of(&b.loss);
    b.order.behind = (unsigned)gains + losses;
    rows[0] = b.order;
    if (gains)
        rows[n++] = b.gain;
    if (losses)
        rows[n++] = b.loss;
    CHECK(perps_orders_add(db, rows, n));
    b.order.id = rows[0].id;
    return b;
}

static struct perps_order again(const struct perps_order *o)
{
    struct perps_order got = { .id = 0 };

    CHECK(perps_orders_get(db, a, o->agent_id, o->cloid, &got) == LOOKUP_FOUND);
    CHECK(o->id == 0 || got.id == o->id);
    return got;
}

static bool child_is(const struct perps_child *c, const struct perps_order *o)
{
    return c->status == o->status && c->trigger == o->trigger &&
           memcmp(c->cloid, o->cloid, sizeof c->cloid) == 0;
}

static void an_order_is_kept_whole(void)
{
    struct bracket b = new_bracket(100, true, false);
    struct perps_order o = b.order, got = again(&o), behind[PERPS_CHILDREN_MAX];

    CHECK_STR(got.asset, "ETH");
    CHECK(got.sells && got.tif == PERPS_ALO && got.size == o.size && got.price == o.price &&
          got.leverage == 5);
    CHECK(got.isolated && !got.is_market && !got.reduce_only && got.oid == 0 && got.created_ms != 0 &&
          !got.final);
    CHECK(got.behind == 1 && child_is(&got.gain, &b.gain) && got.loss.status == 0);
    CHECK(perps_orders_behind(db, a, &got, behind) == 1 && behind[0].role == PERPS_TAKE_PROFIT);
    CHECK(child_is(&got.gain, &behind[0]) && behind[0].gain.status == 0);
    CHECK(perps_orders_of_execution(db, a, o.execution_id, &got) == LOOKUP_FOUND && got.id == o.id);
    CHECK(perps_orders_get(db, a, 101, o.cloid, &got) == LOOKUP_NONE); /* another agent's */
    CHECK(perps_orders_get(db, a, 0, o.cloid, &got) == LOOKUP_FOUND);
}

static int64_t total_kept(const struct agent *agent)
{
    return NUMBER("SELECT perps_orders FROM agents WHERE id = %llu", (unsigned long long)agent->id);
}

static bool is_shown(const struct perps_order *s, const struct perps_order *o)
{
    return memcmp(s->cloid, o->cloid, sizeof o->cloid) == 0;
}

static enum db_update placed(uint64_t execution_id)
{
    struct order_move m;

    return order_states_placed(db, ORDERS_OF_PERPS, execution_id, &m);
}

static enum db_update rejected(uint64_t execution_id)
{
    struct order_move m;

    return order_states_rejected(db, ORDERS_OF_PERPS, execution_id, "CODE", "why", &m);
}

static void pages_are_filtered(void)
{
    const struct page all = { 10, 0 }, second = { 1, 1 }, beyond = { 10, 5 };
    struct perps_filter f = { .status = 0 };
    struct perps_order first = new_order(200, PERPS_ORDER, 0), last = new_order(200, PERPS_ORDER, 0);
    struct perps_order list[10];
    uint64_t total;

    CHECK(perps_orders_page(db, a, 200, &f, &all, list) == 2);
    CHECK(is_shown(&list[0], &last) && is_shown(&list[1], &first));
    CHECK(perps_orders_page(db, a, 200, &f, &second, list) == 1 && is_shown(&list[0], &first));
    CHECK(perps_orders_page(db, a, 200, &f, &beyond, list) == 0);
    f.created.since_ms = 1000;
    CHECK(perps_orders_page(db, a, 200, &f, &all, list) == 2 && perps_orders_count(db, 200, &f, &total) &&
          total == 2);
    f.created = (struct list_period){ .until_ms = 1000 };
    CHECK(perps_orders_page(db, a, 200, &f, &all, list) == 0 && perps_orders_count(db, 200, &f, &total) &&
          total == 0);
    f.created.until_ms = 0;
    f.asset = "SOL";
    CHECK(perps_orders_page(db, a, 200, &f, &all, list) == 0);
    CHECK(perps_orders_count(db, 200, &f, &total) && total == 0);
    f.asset = "ETH";
    f.status = ORDER_OPEN;
    CHECK(perps_orders_page(db, a, 200, &f, &all, list) == 0);
    CHECK(placed(first.execution_id) == UPDATED);
    CHECK(perps_orders_page(db, a, 200, &f, &all, list) == 1 && is_shown(&list[0], &first));
    CHECK(perps_orders_count(db, 200, &f, &total) && total == 1);
}

static bool list_open(uint64_t agent, int want, struct perps_order *list)
{
    const struct page all = { 10, 0 };
    const struct perps_filter f = { .status = ORDER_OPEN };
    uint64_t total;

    return perps_orders_page(db, a, agent, &f, &all, list) == want &&
           perps_orders_count(db, agent, &f, &total) && total == (uint64_t)want;
}

static void triggers_of_filled_orders_are_open(void)
{
    struct bracket both = new_bracket(260, true, true);
    struct perps_order list[10];

    CHECK(RAW("UPDATE perps_orders SET status = %d WHERE agent_id = 260", ORDER_OPEN));
    CHECK(list_open(260, 1, list) && is_shown(&list[0], &both.order));
    CHECK(RAW("UPDATE perps_orders SET status = %d WHERE agent_id = 260 AND role = %d", ORDER_FILLED,
              PERPS_ORDER));
    CHECK(list_open(260, 2, list) && list[0].role == PERPS_STOP_LOSS && list[1].role == PERPS_TAKE_PROFIT);
    CHECK(list[0].trigger == both.loss.trigger && list[1].trigger == both.gain.trigger);
    CHECK(RAW("UPDATE perps_orders SET status = %d WHERE agent_id = 260 AND role = %d", ORDER_CANCELLED,
              PERPS_STOP_LOSS));
    CHECK(list_open(260, 1, list) && list[0].role == PERPS_TAKE_PROFIT);
}

static void a_page_has_what_lists_show(void)
{
    const struct page all = { 10, 0 };
    const struct perps_filter f = { .status = 0 };
    struct perps_order lone = new_order(250, PERPS_ORDER, 0), list[10];
    struct bracket both = new_bracket(250, true, true), last = new_bracket(250, false, true);
    const struct perps_order *o = &both.order;

    CHECK(rejected(lone.execution_id) == UPDATED);
    CHECK(perps_orders_page(db, a, 250, &f, &all, list) == 3);
    CHECK(list[0].gain.status == 0 && child_is(&list[0].loss, &last.loss));
    CHECK(is_shown(&list[1], o) && child_is(&list[1].gain, &both.gain) &&
          child_is(&list[1].loss, &both.loss));
    CHECK(list[1].role == PERPS_ORDER && list[1].sells && list[1].tif == PERPS_ALO &&
          list[1].size == o->size && list[1].price == o->price && list[1].leverage == 5 && list[1].isolated &&
          list[1].created_ms != 0 && list[1].updated_ms != 0);
    CHECK_STR(list[1].asset, "ETH");
    CHECK(is_shown(&list[2], &lone) && list[2].gain.status == 0 && list[2].loss.status == 0 &&
          list[2].status == ORDER_REJECTED);
    CHECK_STR(list[2].error_message, "why");
}

/* The order shows each status of its triggers. */
static void an_order_shows_what_becomes_of_its_children(void)
{
    struct bracket b = new_bracket(260, true, true);
    struct perps_order filled = b.order, loss, now;

    CHECK(RAW("UPDATE perps_orders SET status = %d, take_profit_status = IF(role = 0, %d, NULL),"
              " stop_loss_status = take_profit_status WHERE execution_id = %llu",
              ORDER_WAITING, ORDER_WAITING, (unsigned long long)b.order.execution_id));
    CHECK(perps_orders_begin(db, 0, b.order.execution_id) == UPDATED);
    now = again(&b.order);
    CHECK(now.gain.status == ORDER_PENDING && now.loss.status == ORDER_PENDING);
    filled.status = ORDER_FILLED; /* a poll sees that before the venue's answer is recorded */
    CHECK(perps_orders_record(db, &b.order, &filled) == UPDATED);
    CHECK(placed(b.order.execution_id) == UPDATED);
    now = again(&b.order);
    CHECK(now.status == ORDER_FILLED && now.gain.status == ORDER_OPEN && now.loss.status == ORDER_OPEN);
    loss = b.loss = again(&b.loss);
    loss.status = ORDER_FILLED;
    CHECK(perps_orders_record(db, &b.loss, &loss) == UPDATED &&
          perps_orders_record(db, &b.loss, &loss) == UNCHANGED);
    now = again(&b.order);
    CHECK(now.gain.status == ORDER_OPEN && now.loss.status == ORDER_FILLED && now.status == ORDER_FILLED);
    CHECK(again(&b.gain).status == ORDER_OPEN);
}

static void triggers_are_added_with_their_order(void)
{
    struct agent agent = new_agent(NULL);
    struct perps_order model = new_order(agent.id, PERPS_ORDER, 0), rows[PERPS_ORDERS_AT_ONCE],
                       behind[PERPS_CHILDREN_MAX], got;
    uint64_t execution_id = ++last_execution;
    int64_t before = total_kept(&agent);

    for (unsigned i = 0; i < PERPS_ORDERS_AT_ONCE; i++) {
        rows[i] = model;
        rows[i].execution_id = execution_id;
        rows[i].role = (enum perps_role)i;
        rows[i].behind = i == 0 ? PERPS_CHILDREN_MAX : 0;
        rows[i].trigger = 1000 * i;
        rand_bytes(rows[i].cloid, sizeof rows[i].cloid);
    }
    CHECK(perps_orders_add(db, rows, PERPS_ORDERS_AT_ONCE) && total_kept(&agent) == before + 1);
    CHECK(perps_orders_of_execution(db, a, execution_id, &got) == LOOKUP_FOUND && got.id == rows[0].id);
    CHECK(perps_orders_behind(db, a, &got, behind) == PERPS_CHILDREN_MAX);
    for (unsigned i = 0; i < PERPS_CHILDREN_MAX; i++) {
        CHECK(behind[i].role == rows[1 + i].role && behind[i].trigger == rows[1 + i].trigger);
        CHECK(memcmp(behind[i].cloid, rows[1 + i].cloid, sizeof behind[i].cloid) == 0);
    }
}

static void orders_awaiting_approval_are_not_shown(void)
{
    struct perps_filter f = { .status = 0 };
    const struct page all = { 10, 0 };
    struct perps_order o = new_order(300, PERPS_ORDER, 0), got, *followed, list[10];

    CHECK(
        RAW("UPDATE perps_orders SET status = %d WHERE id = %llu", ORDER_WAITING, (unsigned long long)o.id));
    CHECK(perps_orders_get(db, a, 300, o.cloid, &got) == LOOKUP_NONE);
    CHECK(perps_orders_page(db, a, 300, &f, &all, list) == 0);
    CHECK(perps_orders_followed(db, a, o.wallet_id, &followed) == 0);
    CHECK(perps_orders_begin(db, 300, o.execution_id) == UPDATED &&
          perps_orders_begin(db, 300, o.execution_id) == UNCHANGED);
    CHECK(again(&o).status == ORDER_PENDING && perps_orders_followed(db, a, o.wallet_id, &followed) == 1);
    CHECK(perps_orders_page(db, a, 300, &f, &all, list) == 1);
}

static void all_that_are_shown_are_counted(void)
{
    struct agent agent = new_agent(NULL);
    struct perps_order o = new_order(agent.id, PERPS_ORDER, 0), waits = {
        .execution_id = ++last_execution, .agent_id = agent.id, .asset = "ETH", .status = ORDER_WAITING
    };

    (void)new_order(agent.id, PERPS_STOP_LOSS, o.execution_id);
    CHECK(total_kept(&agent) == 1);
    rand_bytes(waits.cloid, sizeof waits.cloid);
    CHECK(perps_orders_add(db, &waits, 1) && total_kept(&agent) == 1);
    CHECK(perps_orders_begin(db, agent.id, waits.execution_id) == UPDATED && total_kept(&agent) == 2);
    CHECK(perps_orders_begin(db, agent.id, waits.execution_id) == UNCHANGED && total_kept(&agent) == 2);
    CHECK(rejected(o.execution_id) == UPDATED && total_kept(&agent) == 2);
    CHECK(agents_by_id(db, a, agent.id, &agent) == LOOKUP_FOUND && agent.perps_orders == 2);
}

/* With what stands behind it. */
static void orders_are_placed_or_rejected_once(void)
{
    struct bracket b = new_bracket(400, false, true);
    struct perps_order o = b.order, stop = b.loss, got;

    CHECK(rejected(o.execution_id) == UPDATED);
    got = again(&o);
    CHECK(got.status == ORDER_REJECTED && got.final && again(&stop).status == ORDER_REJECTED);
    CHECK(got.loss.status == ORDER_REJECTED);
    CHECK_STR(got.error_message, "why");
    CHECK(rejected(o.execution_id) == UNCHANGED);
    CHECK(placed(o.execution_id) == UPDATED); /* it turns up after all */
    got = again(&o);
    CHECK(got.status == ORDER_OPEN && !got.final && got.error_message == NULL);
    CHECK(again(&stop).status == ORDER_OPEN && got.loss.status == ORDER_OPEN);
    CHECK(placed(o.execution_id) == UNCHANGED);
}

static void polls_are_recorded_once(void)
{
    struct perps_order was = new_order(500, PERPS_ORDER, 0), now = was;

    now.status = ORDER_FILLED;
    now.oid = 77;
    now.filled = was.size;
    now.paid = 9;
    now.fee = -3;
    CHECK(perps_orders_record(db, &was, &now) == UPDATED && perps_orders_record(db, &was, &now) == UNCHANGED);
    CHECK(again(&was).oid == 77 && again(&was).fee == -3 && again(&was).paid == 9);
    CHECK(order_states_cancel_request(db, ORDERS_OF_PERPS, was.id) == UNCHANGED);
}

static void a_cancel_is_recorded_once(void)
{
    struct perps_order o = new_order(600, PERPS_ORDER, 0);
    int64_t first;

    CHECK(order_states_cancel_request(db, ORDERS_OF_PERPS, o.id) == UPDATED);
    first = again(&o).cancel_requested_ms;
    CHECK(first != 0 && order_states_cancel_request(db, ORDERS_OF_PERPS, o.id) == UPDATED &&
          again(&o).cancel_requested_ms == first);
}

static void accounts_are_due_by_time(void)
{
    struct agent agent = new_agent(NULL);
    struct wallet w = new_wallet(&agent, "0x0000000000000000000000000000000000009999", WALLET_EVM);
    struct uuid owner = uuid_random();
    struct perps_due *due, now;
    bool soon;

    CHECK(perps_accounts_due_in(db, w.id, 1000, &soon) == LOOKUP_NONE && !soon);
    CHECK(perps_accounts_add(db, w.id) == UPDATED && perps_accounts_add(db, w.id) == UNCHANGED);
    CHECK(perps_accounts_due_in(db, w.id, 1000, &soon) == LOOKUP_FOUND && !soon);
    CHECK(order_leases_due(db, ORDERS_OF_PERPS, w.id, 30000));
    CHECK(perps_accounts_due_in(db, w.id, 1000, &soon) == LOOKUP_FOUND && !soon);
    CHECK(perps_accounts_due_in(db, w.id, 60000, &soon) == LOOKUP_FOUND && soon);
    CHECK(order_leases_due(db, ORDERS_OF_PERPS, w.id, 0) &&
          order_leases_claim(db, ORDERS_OF_PERPS, &owner, 30, 10) == 1);
    CHECK(perps_accounts_claimed(db, a, &owner, &due) == 1 && due[0].wallet.id == w.id &&
          due[0].funding_ms == 0);
    CHECK(perps_accounts_read(db, w.id, due[0].fills_since_ms + 5000, 0, true));
    CHECK(perps_accounts_get(db, w.id, &now) == LOOKUP_FOUND && now.funding_ms != 0);
    CHECK(now.fills_since_ms == due[0].fills_since_ms + 5000 &&
          now.funding_since_ms == due[0].funding_since_ms);
    CHECK(perps_accounts_read(db, w.id, due[0].fills_since_ms, 0, false)); /* what is read stays so */
    CHECK(perps_accounts_get(db, w.id, &now) == LOOKUP_FOUND &&
          now.fills_since_ms == due[0].fills_since_ms + 5000);
}

/* ---- the past ---- */

static void trades_and_payments_are_kept_once(void)
{
    const struct page all = { 10, 0 };
    struct perps_fill f = { .wallet_id = 7,
                            .agent_id = 700,
                            .trade = 1,
                            .oid = 5,
                            .asset = "BTC",
                            .price = 6000000000000,
                            .size = 10000000,
                            .fee = -2,
                            .gain = -9,
                            .at_ms = 1790000000000 };
    struct perps_payment p = { .wallet_id = 7,
                               .agent_id = 700,
                               .asset = "BTC",
                               .rate = -5,
                               .size = -10000000,
                               .amount = -60,
                               .at_ms = 1790000000000 },
                         payments[10];
    struct perps_fill got[10];
    struct perps_traded t;
    const struct perps_past any = { NULL, { 0 } }, btc = { "BTC", { 0 } }, eth = { "ETH", { 0 } },
                            from = { NULL, { .since_ms = f.at_ms } },
                            before = { NULL, { .until_ms = f.at_ms } },
                            before_payment = { NULL, { .until_ms = p.at_ms } };
    uint64_t total, *known;

    CHECK(perps_fills_put(db, &f) == UPDATED && perps_fills_put(db, &f) == UNCHANGED);
    f.trade = UINT64_MAX;
    f.cloid[3] = 1;
    f.liquidation = true;
    CHECK(perps_fills_put(db, &f) == UPDATED);
    CHECK(perps_fills_of(db, 7, 5, &t) && t.size == 20000000 && t.paid == 1200000000000 && t.fee == -4);
    CHECK(perps_fills_of(db, 8, 5, &t) && t.size == 0 && t.paid == 0);
    CHECK(perps_fills_known(db, a, 700, 7, f.at_ms, &known) == 2 &&
          known[0] + known[1] == 0 /* 1 and the last */);
    CHECK(perps_fills_known(db, a, 700, 7, f.at_ms + 1, &known) == 0);
    CHECK(perps_fills_known(db, a, 700, 8, f.at_ms, &known) == 0);
    CHECK(perps_fills_page(db, 700, &btc, &all, got, &total) == 2 && total == 2);
    CHECK(got[0].trade == UINT64_MAX && got[0].liquidation && got[0].cloid[3] == 1 && got[1].gain == -9);
    CHECK(perps_fills_page(db, 700, &eth, &all, got, &total) == 0 && total == 0);
    CHECK(perps_fills_page(db, 700, &from, &all, got, &total) == 2 && total == 2);
    CHECK(perps_fills_page(db, 700, &before, &all, got, &total) == 0 && total == 0);
    CHECK(perps_payments_put(db, &p) == UPDATED && perps_payments_put(db, &p) == UNCHANGED);
    CHECK(perps_payments_page(db, 700, &any, &all, payments, &total) == 1 && total == 1);
    CHECK(perps_payments_page(db, 700, &before_payment, &all, payments, &total) == 0 && total == 0);
    CHECK(payments[0].rate == -5 && payments[0].size == -10000000 && payments[0].amount == -60);
}

static void trades_of_what_is_followed_are_summed(void)
{
    struct perps_order was = new_order(720, PERPS_ORDER, 0), now = was,
                       other = new_order(720, PERPS_ORDER, 0);
    struct perps_fill f = { .wallet_id = was.wallet_id,
                            .agent_id = 720,
                            .trade = 1,
                            .oid = 77,
                            .asset = "ETH",
                            .price = 300000000000,
                            .size = 20000000,
                            .fee = 3,
                            .at_ms = 1790000000000 };
    struct perps_traded *t;

    CHECK(other.oid == 0 && perps_fills_put(db, &f) == UPDATED);
    CHECK(perps_fills_of_followed(db, a, was.wallet_id, &t) == 0);
    now.oid = 77;
    CHECK(perps_orders_record(db, &was, &now) == UPDATED);
    f.trade = 2;
    CHECK(perps_fills_put(db, &f) == UPDATED);
    CHECK(perps_fills_of_followed(db, a, was.wallet_id, &t) == 1);
    CHECK(t[0].oid == 77 && t[0].size == 40000000 && t[0].paid == 120000000000 && t[0].fee == 6);
    now.final = true;
    CHECK(perps_orders_record(db, &was, &now) == UPDATED);
    CHECK(perps_fills_of_followed(db, a, was.wallet_id, &t) == 0);
}

STORE_TEST_MAIN(TEST(an_order_that_never_rests_is_awaited_to_its_end), TEST(an_order_is_kept_whole),
                TEST(pages_are_filtered), TEST(triggers_of_filled_orders_are_open),
                TEST(a_page_has_what_lists_show), TEST(an_order_shows_what_becomes_of_its_children),
                TEST(all_that_are_shown_are_counted), TEST(triggers_are_added_with_their_order),
                TEST(orders_awaiting_approval_are_not_shown), TEST(orders_are_placed_or_rejected_once),
                TEST(polls_are_recorded_once), TEST(a_cancel_is_recorded_once),
                TEST(accounts_are_due_by_time), TEST(trades_and_payments_are_kept_once),
                TEST(trades_of_what_is_followed_are_summed))
