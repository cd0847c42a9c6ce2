#include "predict/order_record.c"

#include "store/policies.h"
#include "store/test_store.h"

enum { SHARES = 20000000, HALF = SHARES / 2 };

static uint8_t hashes;

/* Open, of an agent with a callback. */
static struct order new_order(const struct agent *agent)
{
    struct execution x = new_swap(agent->id, 1);
    struct order o = { .execution_id = x.id,
                       .agent_id = agent->id,
                       .wallet_id = 1,
                       .has_hash = true,
                       .market = "512347",
                       .token = u256_from_u64(91),
                       .outcome = "Yes",
                       .question = "Will it rain?",
                       .type = ORDER_GTC,
                       .price = 4000,
                       .size = 2000,
                       .fee_rate = 50000000,
                       .fee_exponent = 1 };
    struct order_move placed;

    placed = (struct order_move){ .agent_id = o.agent_id };
    memset(o.hash, ++hashes, sizeof o.hash);
    CHECK(orders_add(db, &o) &&
          order_states_placed(db, ORDERS_OF_PREDICTION, o.execution_id, &placed) == UPDATED &&
          order_moves_count(db, &placed, 1));
    return o;
}

static struct order reread_order(const struct order *o)
{
    struct order now = { .execution_id = 0 };

    CHECK(orders_of_execution(db, a, o->execution_id, &now) == LOOKUP_FOUND);
    return now;
}

static struct order_poll poll_seen(const struct order *o, enum clob_order_status status, uint64_t matched)
{
    struct order_poll poll = { .order = o };
    struct fill *fills;
    int n = fills_of(db, a, &o->execution_id, 1, &fills);

    for (int i = 0; i < n; i++)
        fills_add(a, &poll.fills, &fills[i]);
    poll.observation.says = ORDER_SEEN;
    poll.observation.at_venue = (struct clob_order){ .status = status, .size = SHARES, .matched = matched };
    CHECK(db_clock_ms(db, &poll.observation.now_ms));
    return poll;
}

static bool record(struct order_poll *polls, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        polls[i].observation.fills = &polls[i].fills;
    return order_polls_record(db, a, polls, n);
}

static bool last_event_is(const struct agent *agent, const char *type)
{
    const struct event_filter any = { .type = NULL };
    const struct page newest = { .limit = 1 };
    struct event e;
    uint64_t total;

    return events_page(db, a, agent->id, &any, &newest, &e, &total) == 1 && strcmp(e.type, type) == 0;
}

/* Whether the event that would tell of it says so. */
static bool tells(struct order_poll *poll, const char *text)
{
    const char *body;

    poll->observation.fills = &poll->fills;
    body = order_news(a, poll).event_body;
    return body != NULL && strstr(body, text) != NULL;
}

static uint64_t events_of(const struct agent *agent)
{
    const struct event_filter any = { .type = NULL };
    const struct page newest = { .limit = 1 };
    struct event e;
    uint64_t total = 0;

    CHECK(events_page(db, a, agent->id, &any, &newest, &e, &total) >= 0);
    return total;
}

/* Half is matched, its settlement fails, all is matched and settled: each is told once. */
static void events_are_sent_once(void)
{
    struct agent agent = new_agent("https://agent.example/hook");
    struct order first = new_order(&agent), o = reread_order(&first);
    struct fill half = { .trade = "t1",
                         .size = HALF,
                         .paid = 4000000,
                         .price = 4000,
                         .state = FILL_MATCHED,
                         .at_ms = 1700000000000 },
                whole = { .trade = "t2",
                          .size = SHARES,
                          .paid = 7800000,
                          .price = 3900,
                          .state = FILL_CONFIRMED,
                          .has_tx = true,
                          .at_ms = 1700000001000 };
    struct order_poll poll = poll_seen(&o, CLOB_LIVE, HALF);

    fills_merge(a, &o, &poll.fills, &half);
    CHECK(record(&poll, 1) && events_of(&agent) == 1);
    CHECK(last_event_is(&agent, "order.partially_filled"));
    CHECK(tells(&poll, "\"filled\":10,\"averagePrice\":0.4,"));
    CHECK(tells(&poll, "\"settled\":false}"));
    CHECK(!record(&poll, 1) && events_of(&agent) == 1); /* it is not as it was */

    o = reread_order(&first);
    CHECK(o.status == ORDER_OPEN && o.matched == HALF && o.paid == 4000000 && o.settled == 0);
    poll = poll_seen(&o, CLOB_LIVE, 0);
    half.state = FILL_FAILED;
    fills_merge(a, &o, &poll.fills, &half);
    CHECK(record(&poll, 1) && events_of(&agent) == 2);
    CHECK(last_event_is(&agent, "order.partially_filled"));
    CHECK(tells(&poll, "\"filled\":0,\"averagePrice\":0,"));
    CHECK(tells(&poll, "\"settled\":true,\"corrected\":true}"));

    o = reread_order(&first);
    poll = poll_seen(&o, CLOB_MATCHED, SHARES);
    fills_merge(a, &o, &poll.fills, &whole);
    CHECK(record(&poll, 1) && events_of(&agent) == 3);
    CHECK(last_event_is(&agent, "order.filled"));
    CHECK(tells(&poll, "\"status\":\"filled\",\"filled\":20,\"averagePrice\":0.39,"));
    o = reread_order(&first);
    CHECK(o.status == ORDER_FILLED && o.final && o.settled == SHARES && o.paid == 7800000);
    poll = poll_seen(&o, CLOB_MATCHED, SHARES);
    CHECK(poll.fills.count == 2 && poll.fills.list[1].fee == 237900);
    CHECK(record(&poll, 1) && events_of(&agent) == 3);
}

/* An order that another process has changed is not recorded, but the others are. */
static void orders_are_recorded_together_or_each(void)
{
    enum { MANY = GROUP_MAX + 4 };
    struct agent agent = new_agent("https://agent.example/hook");
    struct order orders[MANY], changed;
    struct order_poll polls[MANY];

    for (unsigned i = 0; i < MANY; i++) {
        orders[i] = new_order(&agent);
        orders[i] = reread_order(&orders[i]);
        polls[i] = poll_seen(&orders[i], CLOB_ENDED, 0);
    }
    CHECK(order_states_cancel_request(db, ORDERS_OF_PREDICTION, orders[0].execution_id) == UPDATED);
    changed = orders[3];
    changed.matched = 1;
    CHECK(orders_record(db, &orders[3], &changed) == UPDATED);
    CHECK(!record(polls, MANY) && events_of(&agent) == MANY - 1);
    for (unsigned i = 0; i < MANY; i++)
        CHECK(reread_order(&orders[i]).status == (i == 3 ? ORDER_OPEN : ORDER_CANCELLED));
    CHECK(last_event_is(&agent, "order.cancelled"));
    agent = reread(&agent, agents_made);
    CHECK(agent.orders[ORDER_OPEN] == 1 && agent.orders[ORDER_CANCELLED] == MANY - 1);
}

static void a_miss_is_no_event(void)
{
    struct agent agent = new_agent("https://agent.example/hook");
    struct order first = new_order(&agent), o = reread_order(&first);
    struct order_poll poll = poll_seen(&o, CLOB_LIVE, 0);

    poll.observation.says = ORDER_UNKNOWN;
    CHECK(record(&poll, 1));
    o = reread_order(&first);
    CHECK(o.missed == 1 && o.polled_ms != 0 && o.status == ORDER_OPEN && events_of(&agent) == 0);
    poll = poll_seen(&o, CLOB_LIVE, 0);
    CHECK(record(&poll, 1) && reread_order(&first).missed == 0);
}

static bool spent(uint64_t wallet_id, uint64_t usd)
{
    struct spend *list;
    int64_t now_ms;

    return spends_list(db, a, wallet_id, &list, &now_ms) == 1 && list->part * 1000 / list->whole == usd;
}

/* The part that policies counted beyond the fills is returned. */
static void unfilled_amounts_leave_policies(void)
{
    struct agent agent = new_agent("https://agent.example/hook");
    struct order first = new_order(&agent), o = reread_order(&first);
    struct order_poll poll = poll_seen(&o, CLOB_ENDED, HALF);
    struct u256 usd = u256_from_u64(1000);
    struct spend_new spend = {
        .execution_id = o.execution_id, .agent_id = agent.id, .wallet_id = 77, .usd = &usd, .ether = &usd
    };

    CHECK(spends_add(db, &spend) && spent(77, 1000));
    CHECK(record(&poll, 1) && reread_order(&first).status == ORDER_CANCELLED && spent(77, 500));
    o = reread_order(&first);
    poll = poll_seen(&o, CLOB_LIVE, HALF); /* it is back */
    CHECK(record(&poll, 1) && reread_order(&first).status == ORDER_OPEN && spent(77, 1000));
}

STORE_TEST_MAIN(TEST(events_are_sent_once), TEST(orders_are_recorded_together_or_each),
                TEST(a_miss_is_no_event), TEST(unfilled_amounts_leave_policies))
