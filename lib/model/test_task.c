#include "base/test.h"
#include "model/task.c"

static void states_have_words_in_both_versions(void)
{
    for (enum task_state s = TASK_SUBMITTED; s <= TASK_CANCELED; s++) {
        enum task_state got;

        CHECK(task_state_parse(&got, TASK_V03, task_state_text(TASK_V03, s)) && got == s);
        CHECK(task_state_parse(&got, TASK_V10, task_state_text(TASK_V10, s)) && got == s);
        CHECK(!task_state_parse(&got, TASK_V03, task_state_text(TASK_V10, s)));
    }
    CHECK_STR(task_state_text(TASK_V03, TASK_INPUT_REQUIRED), "input-required");
    CHECK_STR(task_state_text(TASK_V10, TASK_INPUT_REQUIRED), "TASK_STATE_INPUT_REQUIRED");
}

static void final_states_of_tasks(void)
{
    CHECK(!task_state_ends(TASK_SUBMITTED) && !task_state_ends(TASK_WORKING));
    CHECK(!task_state_ends(TASK_INPUT_REQUIRED) && task_state_ends(TASK_COMPLETED));
    CHECK(task_state_ends(TASK_FAILED) && task_state_ends(TASK_REJECTED) && task_state_ends(TASK_CANCELED));
}

static void tasks_follow_their_execution(void)
{
    CHECK(task_state_of(EXEC_PENDING) == TASK_SUBMITTED);
    CHECK(task_state_of(EXEC_SUBMITTED) == TASK_WORKING);
    CHECK(task_state_of(EXEC_PROCESSING) == TASK_WORKING);
    CHECK(task_state_of(EXEC_COMPLETED) == TASK_COMPLETED);
    CHECK(task_state_of(EXEC_FAILED) == TASK_FAILED);
    CHECK(task_state_of(EXEC_EXPIRED) == TASK_FAILED);
}

TEST_MAIN(TEST(states_have_words_in_both_versions), TEST(final_states_of_tasks),
          TEST(tasks_follow_their_execution))
