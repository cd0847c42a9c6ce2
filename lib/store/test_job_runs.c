#include "store/job_runs.h"
#include "store/test_store.h"

static void the_last_of_each_is_known(void)
{
    struct job_run *runs;
    int64_t now;

    CHECK(job_runs_list(db, a, &runs) == 0);
    CHECK(job_runs_note(db, "swap-poll", true) && job_runs_note(db, "agent-purge", false));
    CHECK(db_clock_ms(db, &now) && job_runs_list(db, a, &runs) == 2);
    CHECK_STR(runs[0].job, "agent-purge");
    CHECK(runs[0].done_ms == 0 && now - runs[0].failed_ms < 60000);
    CHECK_STR(runs[1].job, "swap-poll");
    CHECK(runs[1].failed_ms == 0 && now - runs[1].done_ms < 60000);
    CHECK(job_runs_note(db, "agent-purge", true) && job_runs_list(db, a, &runs) == 2);
    CHECK(runs[0].done_ms >= runs[0].failed_ms && runs[0].failed_ms != 0);
}

STORE_TEST_MAIN(TEST(the_last_of_each_is_known))
