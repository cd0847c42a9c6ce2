#include "store/queues.h"

#include "store/test_store.h"

static void swaps_under_way_by_chain_and_state(void)
{
    struct agent agent = new_agent(NULL);
    struct wallet w = new_wallet(&agent, "0x1", WALLET_EVM);
    struct execution first = new_swap(agent.id, w.id), second = new_swap(agent.id, w.id),
                     done = new_swap(agent.id, w.id), waits = new_swap(agent.id, w.id);
    struct swaps_in_state *list;

    CHECK(RAW("UPDATE executions SET created_at = UTC_TIMESTAMP(3) - INTERVAL 100 SECOND WHERE id = %d",
              (int)first.id));
    CHECK(RAW("UPDATE executions SET status = 3, from_chain = 8453, in_flight = 3 WHERE id = %d",
              (int)second.id));
    CHECK(RAW("UPDATE executions SET status = 4 WHERE id = %d", (int)done.id));
    CHECK(RAW(
        "UPDATE executions SET approval_id = RPAD('x', 16, 'x'), due_at = UTC_TIMESTAMP(3) + INTERVAL 1 DAY WHERE id = %d",
        (int)waits.id));
    CHECK(queues_swaps(db, a, &list) == 2);
    CHECK(list[0].chain_id == 1 && list[0].status == EXEC_PENDING && list[0].count == 1 &&
          list[0].oldest_s >= 100 && list[0].oldest_s < 200);
    CHECK(list[1].chain_id == 8453 && list[1].status == EXEC_PROCESSING && list[1].count == 1);
}

static void queues_tell_how_long_the_oldest_waits(void)
{
    struct agent agent = new_agent("https://a.example/hook");
    struct queue all[QUEUES];
    const struct queue *q = &all[QUEUE_WEBHOOKS];

    CHECK(queues_read(db, a, all) && q->waiting == 0 && q->oldest_s == 0 && q->overdue_s == 0);
    CHECK(all[QUEUE_APPROVALS].waiting == 0 && all[QUEUE_ORDERS].waiting == 0);
    CHECK(events_add(db, agent.id, "swap.failed", "{}") && events_add(db, agent.id, "swap.failed", "{}"));
    CHECK(raw("UPDATE webhook_events SET created_at = UTC_TIMESTAMP(3) - INTERVAL 300 SECOND,"
              " next_at = UTC_TIMESTAMP(3) + INTERVAL 100 SECOND, last_error = 'could not connect'"
              " ORDER BY seq LIMIT 1"));
    CHECK(queues_read(db, a, all) && q->waiting == 2);
    CHECK(q->oldest_s >= 300 && q->oldest_s < 360 && q->overdue_s < 60);
    CHECK_STR(q->url, "https://a.example/hook");
    CHECK_STR(q->error, "could not connect");
    CHECK(raw("UPDATE webhook_events SET next_at = UTC_TIMESTAMP(3) - INTERVAL 200 SECOND"));
    CHECK(queues_read(db, a, all) && q->overdue_s >= 200);
}

static void executions_awaiting_approval_count_as_approvals(void)
{
    struct agent agent = new_agent(NULL);
    struct wallet w = new_wallet(&agent, "0x2", WALLET_EVM);
    struct execution waits = new_swap(agent.id, w.id);
    struct queue before[QUEUES], now[QUEUES];

    CHECK(queues_read(db, a, before));
    CHECK(RAW(
        "UPDATE executions SET approval_id = RPAD('y', 16, 'y'), due_at = UTC_TIMESTAMP(3) + INTERVAL 1 DAY WHERE id = %d",
        (int)waits.id));
    CHECK(queues_read(db, a, now) && now[QUEUE_SWAPS].waiting + 1 == before[QUEUE_SWAPS].waiting);
}

STORE_TEST_MAIN(TEST(swaps_under_way_by_chain_and_state), TEST(queues_tell_how_long_the_oldest_waits),
                TEST(executions_awaiting_approval_count_as_approvals))
