#include "store/test_store.h"

static enum idem_state key_take(const struct idem_run *run, struct idem_answer *answer)
{
    return idempotency_take(db, a, run, 30, QUOTA_NONE, answer);
}

static void a_key_is_taken_once(void)
{
    struct idem_run one = idem_run(1, 1), again = idem_run(1, 1), other = idem_run(1, 2),
                    far = idem_run(2, 2);
    struct idem_answer answer = { 201, "{\"a\":1}" }, got = { 0, NULL };

    CHECK(key_take(&one, &got) == IDEM_BEGUN && key_take(&far, &got) == IDEM_BEGUN);
    CHECK(key_take(&again, &got) == IDEM_RUNNING && key_take(&other, &got) == IDEM_OTHER);
    CHECK(idempotency_record(db, &again, &answer, 0) == DONE_NOT); /* not its run */
    CHECK(idempotency_record(db, &one, &answer, 5) == DONE);
    CHECK(key_take(&again, &got) == IDEM_RUNNING); /* it may still be bettered */
    answer.body = "{\"a\":2}";
    CHECK(idempotency_record(db, &one, &answer, 0) == DONE);
    CHECK(key_take(&again, &got) == IDEM_RECORDED && got.status == 201);
    CHECK_STR(got.body, "{\"a\":2}");
    CHECK(key_take(&other, &got) == IDEM_OTHER);
    CHECK(idempotency_drop(db, &one) && key_take(&again, &got) == IDEM_RECORDED); /* what is recorded stays */
    CHECK(idempotency_drop(db, &far) && key_take(&far, &got) == IDEM_BEGUN);
}

static void a_lease_runs_out(void)
{
    struct idem_run dead = idem_run(3, 1), next = idem_run(3, 1), other = idem_run(3, 2);
    struct idem_answer answer = { 200, "{}" }, got;

    CHECK(key_take(&dead, &got) == IDEM_BEGUN);
    CHECK(raw("UPDATE idempotency SET lease_until = UTC_TIMESTAMP(3)"));
    CHECK(key_take(&other, &got) == IDEM_OTHER && key_take(&next, &got) == IDEM_BEGUN);
    CHECK(idempotency_record(db, &dead, &answer, 0) == DONE_NOT); /* too late */
    CHECK(idempotency_drop(db, &dead) && idempotency_record(db, &next, &answer, 0) == DONE);
}

static void recorded_answers_go_after_a_day(void)
{
    struct idem_run one = idem_run(4, 1), other = idem_run(4, 2);
    struct idem_answer answer = { 200, "{}" }, got;

    CHECK(key_take(&one, &got) == IDEM_BEGUN && idempotency_record(db, &one, &answer, 0) == DONE);
    CHECK(NUMBER("SELECT MIN(expires_at) > UTC_TIMESTAMP(3) + INTERVAL 1439 MINUTE FROM idempotency") == 1);
    CHECK(idempotency_expire(db, 10) == 0);
    CHECK(raw("UPDATE idempotency SET expires_at = UTC_TIMESTAMP(3), lease_until = UTC_TIMESTAMP(3)"));
    CHECK(key_take(&other, &got) == IDEM_BEGUN); /* free for anything */
    CHECK(idempotency_expire(db, 1) == 1 && idempotency_expire(db, 100) > 0);
    CHECK(NUMBER("SELECT COUNT(*) FROM idempotency") == 1);
}

STORE_TEST_MAIN(TEST(a_key_is_taken_once), TEST(a_lease_runs_out), TEST(recorded_answers_go_after_a_day))
