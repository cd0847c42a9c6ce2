#include "base/test.h"
#include "operator/admin_executions.c"

static void next_actions_follow_from_the_state(void)
{
    static const struct {
        enum exec_status status;
        enum exec_follow follow;
        enum effect_state state; /* 0: it has no transaction */
        enum broadcast_result said;
        bool approval, leased;
        int64_t at_ms;
        const char *next;
    } rows[] = {
        { EXEC_PENDING, FOLLOW_IN_FLIGHT, 0, 0, true, false, 3000, "waits for the operator's approval" },
        { EXEC_COMPLETED, FOLLOW_NOT, EFFECT_SETTLED, BROADCAST_ACCEPTED, false, false, 0, "nothing" },
        { EXEC_FAILED, FOLLOW_ONCE_MORE, EFFECT_LOST, BROADCAST_REFUSED, false, false, 1000,
          "its failure is held" },
        { EXEC_PROCESSING, FOLLOW_BRIDGE, EFFECT_SETTLED, BROADCAST_ACCEPTED, false, false, 2000,
          "its bridge" },
        { EXEC_PENDING, FOLLOW_IN_FLIGHT, EFFECT_OPEN, BROADCAST_UNKNOWN, false, false, 1000,
          "no node has said" },
        { EXEC_SUBMITTED, FOLLOW_IN_FLIGHT, EFFECT_OPEN, BROADCAST_ACCEPTED, false, false, 1000,
          "nodes have its" },
        { EXEC_SUBMITTED, FOLLOW_IN_FLIGHT, EFFECT_OPEN, BROADCAST_UNDERPRICED, false, false, 1000,
          "its transaction bids" },
        { EXEC_SUBMITTED, FOLLOW_IN_FLIGHT, EFFECT_OPEN, BROADCAST_NO_FUNDS, false, false, 1000,
          "its wallet cannot" },
        { EXEC_SUBMITTED, FOLLOW_IN_FLIGHT, EFFECT_OPEN, BROADCAST_REFUSED, false, false, 1000,
          "nodes refuse" },
        { EXEC_SUBMITTED, FOLLOW_IN_FLIGHT, EFFECT_OPEN, BROADCAST_ACCEPTED, false, true, 0,
          "a job is at work" },
        { EXEC_PROCESSING, FOLLOW_IN_FLIGHT, EFFECT_INCLUDED, BROADCAST_ACCEPTED, false, false, 1000,
          "its transactions are in" },
        { EXEC_COMPLETED, FOLLOW_IN_FLIGHT, EFFECT_INCLUDED, BROADCAST_ACCEPTED, false, false, 1000,
          "its transaction is watched" },
        { EXEC_PENDING, FOLLOW_IN_FLIGHT, 0, 0, false, false, 1000, "its venue" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct execution x = { .status = rows[i].status,
                               .follow = rows[i].follow,
                               .has_approval = rows[i].approval,
                               .approval_expires_ms = 3000 };
        struct transaction tx = { .effect = { .state = rows[i].state, .said = rows[i].said } };
        struct execution_due due = { 1000, 2000, rows[i].leased };
        int64_t at_ms;
        const char *next = execution_next(&x, &tx, rows[i].state != 0, &due, &at_ms);

        CHECK(strncmp(next, rows[i].next, strlen(rows[i].next)) == 0);
        CHECK(at_ms == rows[i].at_ms);
    }
}

TEST_MAIN(TEST(next_actions_follow_from_the_state))
