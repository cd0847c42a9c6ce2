#include "store/monitor.h"

#include "store/test_store.h"
#include "store/trading_halts.h"

static void swaps_under_way_by_chain_and_state(void)
{
    struct agent agent = new_agent(NULL);
    struct wallet w = new_wallet(&agent, "0x1", WALLET_EVM);
    struct execution first = new_swap(agent.id, w.id), second = new_swap(agent.id, w.id),
                     done = new_swap(agent.id, w.id), waits = new_swap(agent.id, w.id);
    struct swaps_standing *list;

    CHECK(RAW("UPDATE executions SET created_at = UTC_TIMESTAMP(3) - INTERVAL 100 SECOND WHERE id = %d",
              (int)first.id));
    CHECK(RAW("UPDATE executions SET status = 3, from_chain = 8453, in_flight = 3 WHERE id = %d",
              (int)second.id));
    CHECK(RAW("UPDATE executions SET status = 4 WHERE id = %d", (int)done.id));
    CHECK(RAW(
        "UPDATE executions SET approval_id = RPAD('x', 16, 'x'), due_at = UTC_TIMESTAMP(3) + INTERVAL 1 DAY WHERE id = %d",
        (int)waits.id));
    CHECK(monitor_swaps(db, a, &list) == 2);
    CHECK(list[0].chain_id == 1 && list[0].status == EXEC_PENDING && list[0].count == 1 &&
          list[0].oldest_s >= 100 && list[0].oldest_s < 200);
    CHECK(list[1].chain_id == 8453 && list[1].status == EXEC_PROCESSING && list[1].count == 1);
}

static void queues_with_the_age_of_the_oldest(void)
{
    struct agent agent = new_agent("https://agent.example/hook");
    struct queue_standing q;

    CHECK(monitor_events(db, &q) && q.count == 0 && q.oldest_s == 0);
    CHECK(events_add(db, agent.id, "swap.completed", "{}") && events_add(db, agent.id, "swap.failed", "{}"));
    CHECK(RAW(
        "UPDATE webhook_events SET created_at = UTC_TIMESTAMP(3) - INTERVAL 100 SECOND ORDER BY seq LIMIT 1"));
    CHECK(monitor_events(db, &q) && q.count == 2 && q.oldest_s >= 100 && q.oldest_s < 200);
    CHECK(monitor_approvals(db, &q) && q.count == 0);
}

static void stops_of_agents_and_of_all(void)
{
    struct agent agent = new_agent(NULL), other = new_agent(NULL);
    struct halts_standing h;

    CHECK(monitor_halts(db, &h) && !h.all && h.stopped == 0 && h.banned == 0);
    CHECK(trading_halts_set(db, agent.id, HALT_TRADING, true) &&
          trading_halts_set(db, other.id, HALT_ACCESS, true));
    CHECK(monitor_halts(db, &h) && !h.all && h.stopped == 1 && h.banned == 1);
    CHECK(trading_halts_set(db, HALT_ALL, HALT_TRADING, true) && monitor_halts(db, &h) && h.all);
    CHECK(trading_halts_set(db, HALT_ALL, HALT_TRADING, false) && monitor_halts(db, &h) && !h.all);
}

STORE_TEST_MAIN(TEST(swaps_under_way_by_chain_and_state), TEST(queues_with_the_age_of_the_oldest),
                TEST(stops_of_agents_and_of_all))
