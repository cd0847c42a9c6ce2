#include "api/admission/worker_leases.c"
#include "base/test.h"

/* The released leases, in place of the database. */
static unsigned keys, tasks;
static bool broken;

bool idempotency_release(struct db *db, const struct idem_run *run)
{
    (void)db;
    CHECK(run->agent_id == 7);
    keys++;
    return !broken;
}

bool tasks_release(struct db *db, uint64_t seq, const struct uuid *run)
{
    (void)db, (void)run;
    CHECK(seq == 9);
    tasks++;
    return !broken;
}

static void a_successor_lets_go_of_what_was_held(void)
{
    const struct idem_run run = { .agent_id = 7 };
    const struct uuid id = uuid_random();
    struct worker_leases *l = worker_leases_new(2);

    worker_leases_inherit(l, 1, NULL);
    worker_leases_hold_key(l, &run);
    worker_leases_inherit(l, 0, NULL);
    CHECK(keys == 0 && tasks == 0); /* another's */
    worker_leases_inherit(l, 1, NULL);
    CHECK(keys == 1 && tasks == 0);
    worker_leases_inherit(l, 1, NULL);
    CHECK(keys == 1); /* once */
    worker_leases_hold_key(l, &run);
    worker_leases_hold_task(l, 9, &id);
    worker_leases_drop(l);
    worker_leases_inherit(l, 1, NULL);
    CHECK(keys == 1 && tasks == 0); /* over in time */
    worker_leases_hold_key(l, &run);
    worker_leases_hold_task(l, 9, &id);
    broken = true;
    worker_leases_inherit(l, 1, NULL);
    CHECK(keys == 2 && tasks == 1);
    worker_leases_free(l);
}

static void jobs_need_no_worker_leases(void)
{
    worker_leases_hold_key(NULL, NULL);
    worker_leases_hold_task(NULL, 0, NULL);
    worker_leases_drop(NULL);
}

TEST_MAIN(TEST(a_successor_lets_go_of_what_was_held), TEST(jobs_need_no_worker_leases))
