/* exec_may_move, approval_may_move
 * @bounds all paths of up to 8 moves
 * @shows what is expired, denied, used or lapsed stays so; what was once more than pending never expires; a
 * completed execution fails by way of processing alone
 * @unwind 9
 * @with model/approval.c
 */
#include "model/execution.c"
#include "proof.h"

#include "model/approval.h"

enum { MOVES = 8 };

static enum exec_status any_status(void)
{
    ANY(enum exec_status, status);

    SUPPOSE(status >= EXEC_PENDING && status <= EXEC_EXPIRED);
    return status;
}

static enum approval_state any_approval(void)
{
    ANY(enum approval_state, state);

    SUPPOSE(state >= APPROVAL_WAITING && state <= APPROVAL_LAPSED);
    return state;
}

static void check_executions(void)
{
    enum exec_status at = EXEC_PENDING;
    bool left = false;

    for (unsigned i = 0; i < MOVES; i++) {
        enum exec_status to = any_status();

        SUPPOSE(exec_may_move(at, to));
        MUST(at != to && at != EXEC_EXPIRED && to != EXEC_PENDING);
        MUST(!(left && to == EXEC_EXPIRED));
        MUST(!(at == EXEC_COMPLETED && to != EXEC_PROCESSING));
        left = true;
        at = to;
    }
}

static void check_approvals(void)
{
    enum approval_state at = APPROVAL_WAITING;
    bool granted = false;

    for (unsigned i = 0; i < MOVES; i++) {
        enum approval_state to = any_approval();

        if (!approval_may_move(at, to))
            return;
        MUST(at != APPROVAL_DENIED && at != APPROVAL_USED && at != APPROVAL_LAPSED && to != APPROVAL_WAITING);
        MUST(to != APPROVAL_USED || granted);
        granted = granted || to == APPROVAL_GRANTED;
        at = to;
    }
}

void harness(void)
{
    ANY(bool, executions);

    if (executions)
        check_executions();
    else
        check_approvals();
}
