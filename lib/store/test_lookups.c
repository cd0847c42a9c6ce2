#include "store/lookups.h"

#include "base/log.h"
#include "store/test_store.h"

static void events_are_found_across_agents(void)
{
    struct agent agent = new_agent("https://a.example/"), other = new_agent("https://b.example/");
    struct event *events;
    uint64_t owner;

    CHECK(raw("DELETE FROM webhook_events"));
    CHECK(events_add(db, agent.id, "swap.failed", "{}") && events_add(db, other.id, "swap.completed", "{}"));
    CHECK(lookup_events(db, a, 0, (enum event_status)0, 10, &events) == 2);
    CHECK(events[0].agent_id == other.id && events[1].agent_id == agent.id && events[0].next_ms > 0);
    CHECK(lookup_event_agent(db, events[1].id, &owner) == LOOKUP_FOUND && owner == agent.id);
    CHECK(lookup_event_agent(db, uuid_random(), &owner) == LOOKUP_NONE);
    CHECK(events_fail_pending(db, agent.id, true, "away"));
    CHECK(lookup_events(db, a, 0, EVENT_FAILED, 10, &events) == 1 && events[0].agent_id == agent.id);
    CHECK(lookup_events(db, a, other.id, EVENT_FAILED, 10, &events) == 0);
    CHECK(lookup_events(db, a, 0, (enum event_status)0, 1, &events) == 1);
}

/* Its beginning is told once, whether it was written down or not. */
static void a_history_begins_with_the_execution(void)
{
    struct agent agent = new_agent(NULL);
    struct execution s = new_swap(agent.id, 1), got;
    struct execution_step *steps;

    CHECK(move(&s, EXEC_PENDING, EXEC_FAILED) == 1);
    for (int old = 0; old < 2; old++) {
        CHECK(lookup_history(db, a, s.id, &steps) == 2 && steps[0].from == 0 && steps[0].to == EXEC_PENDING);
        CHECK_STR(steps[0].why, "accepted");
        CHECK(executions_get(db, a, agent.id, s.id, &got) == LOOKUP_FOUND &&
              steps[0].at_ms == got.created_ms);
        CHECK(steps[1].from == EXEC_PENDING && steps[1].to == EXEC_FAILED);
        CHECK_STR(steps[1].why, "test");
        CHECK(RAW("INSERT INTO execution_history (execution_id, from_status, to_status, why, created_at)"
                  " VALUES (%d, 0, 1, 'accepted', UTC_TIMESTAMP(3))",
                  (int)s.id));
    }
}

static void executions_are_found_by_agent_and_request(void)
{
    struct agent agent = new_agent(NULL), other = new_agent(NULL);
    struct wallet w = new_wallet(&agent, "0x1", WALLET_EVM), v = new_wallet(&other, "0x2", WALLET_EVM);
    struct execution first, second, third;
    const char *request_id;
    uint64_t *ids;

    log_id("mine-1");
    first = new_swap(agent.id, w.id);
    log_id(NULL);
    second = new_swap(other.id, v.id);
    third = new_swap(agent.id, w.id);
    CHECK(lookup_executions(db, a, 0, PICK_ANY, 10, &ids) == 3 && ids[0] == third.id && ids[1] == second.id);
    CHECK(lookup_executions(db, a, agent.id, PICK_ANY, 10, &ids) == 2 && ids[0] == third.id &&
          ids[1] == first.id);
    CHECK(lookup_executions(db, a, agent.id, PICK_FAILED, 10, &ids) == 0);
    CHECK(lookup_request_executions(db, a, "mine-1", 10, &ids) == 1 && ids[0] == first.id);
    CHECK(lookup_request_executions(db, a, "mine", 10, &ids) == 0);
    CHECK(lookup_request(db, a, first.id, &request_id) == LOOKUP_FOUND);
    CHECK_STR(request_id, "mine-1");
    CHECK(lookup_request(db, a, second.id, &request_id) == LOOKUP_FOUND && request_id == NULL);
    CHECK(lookup_wallet_agents(db, a, "0x2", 10, &ids) == 1 && ids[0] == other.id);
}

STORE_TEST_MAIN(TEST(executions_are_found_by_agent_and_request), TEST(events_are_found_across_agents),
                TEST(a_history_begins_with_the_execution))
