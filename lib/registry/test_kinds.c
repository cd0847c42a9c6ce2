#include "base/test.h"
#include "registry/kinds.c"

static void every_kind_is_told(void)
{
    for (enum exec_kind_id id = KIND_SWAP; id <= KIND_TRANSFER; id++) {
        const struct exec_kind *k = exec_kind_of(id);

        CHECK(k->name != NULL && k->event_completed != NULL && k->event_failed != NULL);
        CHECK(k->verdict != NULL && k->view != NULL && k->sentence != NULL && k->done != 0);
    }
}

static void what_a_task_says(void)
{
    for (enum exec_kind_id id = KIND_SWAP; id <= KIND_TRANSFER; id++) {
        CHECK(task_state_of(id, EXEC_PENDING) == TASK_SUBMITTED);
        CHECK(task_state_of(id, EXEC_SUBMITTED) == TASK_WORKING);
        CHECK(task_state_of(id, EXEC_PROCESSING) == TASK_WORKING);
        CHECK(task_state_of(id, EXEC_COMPLETED) == TASK_COMPLETED);
        CHECK(task_state_of(id, EXEC_FAILED) == TASK_FAILED);
        CHECK(task_state_of(id, EXEC_EXPIRED) == TASK_FAILED);
    }
}

TEST_MAIN(TEST(every_kind_is_told), TEST(what_a_task_says))
