#include "store/test_store.h"

static struct idem_found there;

static enum idem_state key_take(const struct idem_run *run, struct idem_answer *answer)
{
    enum idem_state state = idempotency_take(db, a, run, 30, QUOTA_NONE, &there);

    *answer = there.answer;
    return state;
}

static void a_key_is_taken_once(void)
{
    struct idem_run one = idem_run(1, 1), again = idem_run(1, 1), other = idem_run(1, 2),
                    far = idem_run(2, 2);
    struct idem_answer answer = { 201, "{\"a\":1}" }, got = { 0, NULL };

    CHECK(key_take(&one, &got) == IDEM_BEGUN && key_take(&far, &got) == IDEM_BEGUN);
    CHECK(key_take(&again, &got) == IDEM_RUNNING && key_take(&other, &got) == IDEM_OTHER);
    CHECK(idempotency_record(db, &again, &answer, 0) == UNCHANGED); /* not its run */
    CHECK(idempotency_record(db, &one, &answer, 5) == UPDATED);
    CHECK(key_take(&again, &got) == IDEM_RUNNING); /* it may still be bettered */
    answer.body = "{\"a\":2}";
    CHECK(idempotency_record(db, &one, &answer, 0) == UPDATED);
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
    CHECK(idempotency_record(db, &dead, &answer, 0) == UNCHANGED); /* too late */
    CHECK(idempotency_drop(db, &dead) && idempotency_record(db, &next, &answer, 0) == UPDATED);
}

static void recorded_answers_go_after_a_day(void)
{
    struct idem_run one = idem_run(4, 1), other = idem_run(4, 2);
    struct idem_answer answer = { 200, "{}" }, got;

    CHECK(key_take(&one, &got) == IDEM_BEGUN && idempotency_record(db, &one, &answer, 0) == UPDATED);
    CHECK(NUMBER("SELECT MIN(expires_at) > UTC_TIMESTAMP(3) + INTERVAL 1439 MINUTE FROM idempotency") == 1);
    CHECK(idempotency_expire(db, 10) == 0);
    CHECK(raw("UPDATE idempotency SET expires_at = UTC_TIMESTAMP(3), lease_until = UTC_TIMESTAMP(3)"));
    CHECK(key_take(&other, &got) == IDEM_BEGUN); /* free for anything */
    CHECK(idempotency_expire(db, 1) == 1 && idempotency_expire(db, 100) > 0);
    CHECK(NUMBER("SELECT COUNT(*) FROM idempotency") == 1);
}

/* As a program of before writes and takes over a row. */
static bool older_take_over(uint8_t scope, uint8_t body)
{
    return raw(arena_printf(
        a,
        "UPDATE idempotency SET fingerprint = REPEAT(CHAR(%u), 32), lease_owner = REPEAT('o', 16),"
        " status = NULL, body = NULL, lease_until = UTC_TIMESTAMP(3)"
        " WHERE scope = REPEAT(CHAR(%u), 32)",
        body, scope));
}

static void the_same_terms_are_the_same_request(void)
{
    struct idem_run one = idem_run(5, 1), fresh = idem_run(5, 2), other = idem_run(5, 3),
                    blind = idem_run(5, 4);
    struct idem_answer answer = { 200, "{\"swap_id\":7}" }, got;

    one.has_terms = fresh.has_terms = other.has_terms = true;
    one.terms[0] = fresh.terms[0] = 1;
    other.terms[0] = 2;
    CHECK(key_take(&one, &got) == IDEM_BEGUN && key_take(&fresh, &got) == IDEM_RUNNING);
    CHECK(there.running && got.body == NULL && key_take(&other, &got) == IDEM_OTHER && there.running);
    CHECK(idempotency_record(db, &one, &answer, 5) == UPDATED);
    CHECK(key_take(&fresh, &got) == IDEM_RUNNING && got.body != NULL); /* known before it is final */
    CHECK(idempotency_record(db, &one, &answer, 0) == UPDATED);
    CHECK(key_take(&fresh, &got) == IDEM_RECORDED && key_take(&blind, &got) == IDEM_OTHER);
    CHECK(key_take(&other, &got) == IDEM_OTHER && !there.running);
    CHECK_STR(got.body, answer.body);
    /* another agent's key is another key */
    fresh.agent_id = 43;
    CHECK(key_take(&fresh, &got) == IDEM_BEGUN);
}

static void an_older_program_leaves_no_terms_behind(void)
{
    struct idem_run one = idem_run(6, 1), same = idem_run(6, 2), olders = idem_run(6, 9);
    struct idem_answer answer = { 200, "{}" }, got;

    one.has_terms = same.has_terms = true;
    CHECK(key_take(&one, &got) == IDEM_BEGUN && older_take_over(6, 9));
    CHECK(key_take(&same, &got) == IDEM_OTHER && key_take(&one, &got) == IDEM_OTHER);
    CHECK(key_take(&olders, &got) == IDEM_BEGUN); /* its lease is over, and the body is its own */
    CHECK(idempotency_record(db, &olders, &answer, 0) == UPDATED && key_take(&same, &got) == IDEM_OTHER);
}

static void unfinished_answers_are_continued(void)
{
    struct idem_run one = idem_run(7, 1), next = idem_run(7, 1), late = idem_run(7, 1);
    struct idem_answer waits = { 202, "{\"approval_id\":\"ap\"}" }, done = { 200, "{}" }, got;

    CHECK(key_take(&one, &got) == IDEM_BEGUN && idempotency_record(db, &one, &waits, 0) == UPDATED);
    CHECK(key_take(&next, &got) == IDEM_RECORDED && got.status == 202);
    CHECK(idempotency_go_on(db, &next, &there.owner, 30) == UPDATED);
    CHECK(idempotency_go_on(db, &late, &there.owner, 30) == UNCHANGED &&
          key_take(&late, &got) == IDEM_RUNNING);
    /* refused: it waits as before, at once */
    CHECK(idempotency_drop(db, &next) && key_take(&late, &got) == IDEM_RECORDED && got.status == 202);
    CHECK(idempotency_go_on(db, &late, &there.owner, 30) == UPDATED);
    CHECK(idempotency_record(db, &late, &done, 0) == UPDATED);
    CHECK(key_take(&one, &got) == IDEM_RECORDED && got.status == 200);
}

STORE_TEST_MAIN(TEST(the_same_terms_are_the_same_request), TEST(an_older_program_leaves_no_terms_behind),
                TEST(unfinished_answers_are_continued), TEST(a_key_is_taken_once), TEST(a_lease_runs_out),
                TEST(recorded_answers_go_after_a_day))
