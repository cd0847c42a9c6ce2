#include "model/task.h"

#include <string.h>

static const struct {
    const char *v03, *v10;
} texts[] = {
    [TASK_SUBMITTED] = { "submitted", "TASK_STATE_SUBMITTED" },
    [TASK_WORKING] = { "working", "TASK_STATE_WORKING" },
    [TASK_INPUT_REQUIRED] = { "input-required", "TASK_STATE_INPUT_REQUIRED" },
    [TASK_COMPLETED] = { "completed", "TASK_STATE_COMPLETED" },
    [TASK_FAILED] = { "failed", "TASK_STATE_FAILED" },
    [TASK_REJECTED] = { "rejected", "TASK_STATE_REJECTED" },
    [TASK_CANCELED] = { "canceled", "TASK_STATE_CANCELED" },
};

const char *task_state_text(enum task_version v, enum task_state s)
{
    return v == TASK_V03 ? texts[s].v03 : texts[s].v10;
}

bool task_state_parse(enum task_state *out, enum task_version v, const char *text)
{
    for (enum task_state s = TASK_SUBMITTED; s <= TASK_CANCELED; s++) {
        if (strcmp(text, task_state_text(v, s)) != 0)
            continue;
        *out = s;
        return true;
    }
    return false;
}

bool task_state_ends(enum task_state s)
{
    return s >= TASK_COMPLETED;
}

bool task_state_is_own(enum task_state s)
{
    return s == TASK_INPUT_REQUIRED || s == TASK_REJECTED || s == TASK_CANCELED;
}

enum task_state task_state_of(enum exec_status s)
{
    switch (s) {
    case EXEC_PENDING:
        return TASK_SUBMITTED;
    case EXEC_SUBMITTED:
    case EXEC_PROCESSING:
        return TASK_WORKING;
    case EXEC_COMPLETED:
        return TASK_COMPLETED;
    case EXEC_FAILED:
    case EXEC_EXPIRED:
        break;
    }
    return TASK_FAILED;
}
