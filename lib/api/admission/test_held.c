#include "api/admission/held.c"
#include "base/test.h"

/* What was released, in place of the database. */
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
    struct held *h = held_new(2);

    held_own(h, 1, NULL);
    held_key(h, &run);
    held_own(h, 0, NULL);
    CHECK(keys == 0 && tasks == 0); /* another's */
    held_own(h, 1, NULL);
    CHECK(keys == 1 && tasks == 0);
    held_own(h, 1, NULL);
    CHECK(keys == 1); /* once */
    held_key(h, &run);
    held_task(h, 9, &id);
    held_nothing(h);
    held_own(h, 1, NULL);
    CHECK(keys == 1 && tasks == 0); /* over in time */
    held_key(h, &run);
    held_task(h, 9, &id);
    broken = true;
    held_own(h, 1, NULL);
    CHECK(keys == 2 && tasks == 1);
    held_free(h);
}

static void nobody_takes_over_from_a_job(void)
{
    held_key(NULL, NULL);
    held_task(NULL, 0, NULL);
    held_nothing(NULL);
}

TEST_MAIN(TEST(a_successor_lets_go_of_what_was_held), TEST(nobody_takes_over_from_a_job))
