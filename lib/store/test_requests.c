#include "store/test_store.h"

static struct venue_request new_request(uint64_t execution_id, uint8_t key, uint64_t nonce)
{
    struct venue_request r = { .effect = { .execution_id = execution_id, .wallet_id = 3 },
                               .venue = "exchange",
                               .signing_key = (const uint8_t *)"public key",
                               .signing_key_len = 10,
                               .has_nonce = nonce != 0,
                               .nonce = nonce,
                               .body = (const uint8_t *)"{\"order\":1}",
                               .body_len = 11,
                               .expires_ms = 1800000000123 };

    memset(r.venue_key, key, sizeof r.venue_key);
    return r;
}

static void requests_are_kept_and_counted(void)
{
    struct execution s = new_swap(87, 3);
    struct venue_request first = new_request(s.id, 1, 5), second = new_request(s.id, 2, 0), *got;
    struct broadcast refusal = { .said = BROADCAST_REFUSED };

    CHECK(requests_of(db, a, s.id, &got) == 0 && got == NULL);
    CHECK(requests_add(db, &first) && first.effect.id != 0 && first.effect.state == EFFECT_OPEN);
    second.expires_ms = 0;
    CHECK(requests_add(db, &second) && requests_of(db, a, s.id, &got) == 2);
    CHECK(got[0].effect.id == first.effect.id && got[0].effect.execution_id == s.id &&
          got[0].effect.wallet_id == 3);
    CHECK_STR(got[0].venue, "exchange");
    CHECK(memcmp(got[0].venue_key, first.venue_key, sizeof first.venue_key) == 0);
    CHECK(got[0].signing_key_len == 10 && memcmp(got[0].signing_key, "public key", 10) == 0);
    CHECK(got[0].has_nonce && got[0].nonce == 5 && got[0].expires_ms == 1800000000123);
    CHECK(got[0].body_len == 11 && memcmp(got[0].body, first.body, 11) == 0);
    CHECK(got[0].effect.state == EFFECT_OPEN && got[0].effect.broadcasts == 0 && !got[0].effect.accepted &&
          got[0].effect.created_ms != 0);
    CHECK(!got[1].has_nonce && got[1].expires_ms == 0);

    CHECK(got[0].unknown_ms == 0);
    refusal.id = second.effect.id;
    CHECK(requests_broadcast(db, &(struct broadcast){ .id = first.effect.id, .said = BROADCAST_ACCEPTED }));
    CHECK(requests_broadcast(db, &refusal) && requests_broadcast(db, &refusal));
    CHECK(requests_of(db, a, s.id, &got) == 2 && got[0].effect.accepted && got[0].effect.broadcasts == 1);
    CHECK(got[0].effect.state == EFFECT_INCLUDED && got[1].effect.state == EFFECT_OPEN);
    CHECK(got[1].effect.broadcasts == 2 && got[1].effect.refusals == 2 &&
          got[1].effect.said == BROADCAST_REFUSED);
}

static void a_venue_has_a_request_once(void)
{
    struct execution s = new_swap(87, 3), other = new_swap(87, 3);
    struct venue_request r = new_request(s.id, 3, 6), again = new_request(other.id, 3, 7);

    CHECK(requests_add(db, &r));
    CHECK(!requests_add(db, &again) && db_duplicate(db)); /* its key */
    again = new_request(other.id, 4, 6);
    CHECK(!requests_add(db, &again) && db_duplicate(db)); /* its signer's nonce */
    again.signing_key = (const uint8_t *)"another";
    again.signing_key_len = 7;
    CHECK(requests_add(db, &again));
    again = new_request(other.id, 4, 6);
    snprintf(again.venue, sizeof again.venue, "elsewhere");
    CHECK(requests_add(db, &again));
}

/* Each move is from the state that was seen: of two programs one is too late. */
static void requests_end_once(void)
{
    struct uuid owner = uuid_random();
    struct execution s = new_swap(88, 3);
    struct venue_request r = new_request(s.id, 5, 0), lost = new_request(s.id, 6, 0), *got;
    const struct effect seen = { .id = 0 };

    CHECK(requests_add(db, &r) && requests_add(db, &lost));
    CHECK(requests_unknown(db, lost.effect.id));
    CHECK(requests_move(db, &r.effect, EFFECT_INCLUDED, false) == UPDATED);
    CHECK(requests_move(db, &r.effect, EFFECT_LOST, false) == UNCHANGED);
    CHECK(requests_move(db, &lost.effect, EFFECT_LOST, false) == UPDATED &&
          requests_move(db, &seen, EFFECT_LOST, false) == UNCHANGED);
    CHECK(requests_of(db, a, s.id, &got) == 2 && got[0].effect.state == EFFECT_INCLUDED &&
          got[1].effect.state == EFFECT_LOST && got[0].unknown_ms == 0 && got[1].unknown_ms != 0);
    CHECK(requests_move(db, &got[0].effect, EFFECT_SETTLED, false) == UPDATED);
    CHECK(RAW("UPDATE executions SET due_at = UTC_TIMESTAMP(3) - INTERVAL 1 DAY WHERE id = %d", (int)s.id));
    CHECK(executions_claim(db, &owner, 30, 1) == 1 && requests_claimed(db, a, &owner, &got) == 2);
    CHECK(got[0].effect.state == EFFECT_SETTLED && !got[0].effect.succeeded &&
          got[1].effect.state == EFFECT_LOST);
    /* Both turn up after all. */
    CHECK(requests_move(db, &got[0].effect, EFFECT_SETTLED, true) == UPDATED &&
          requests_move(db, &got[1].effect, EFFECT_INCLUDED, false) == UPDATED);
    CHECK(requests_claimed(db, a, &owner, &got) == 2 && got[0].effect.succeeded &&
          got[1].effect.state == EFFECT_INCLUDED);
    CHECK(executions_release(db, &owner, 60));
}

static void a_venue_tells_more(void)
{
    struct execution s = new_swap(90, 4);
    struct venue_request r = new_request(s.id, 8, 0), newer = new_request(s.id, 9, 0), got;
    const struct tx_hash hash = { { 1, 2 }, 32 };

    r.effect.wallet_id = newer.effect.wallet_id = 4;
    CHECK(requests_last(db, a, 4, "exchange", &got) == LOOKUP_NONE);
    CHECK(requests_add(db, &newer) && requests_add(db, &r));
    CHECK(requests_last(db, a, 4, "elsewhere", &got) == LOOKUP_NONE);
    CHECK(requests_last(db, a, 4, "exchange", &got) == LOOKUP_FOUND && got.effect.id == r.effect.id);
    CHECK_STR(got.venue_ref, "");
    CHECK(got.tx_hash.len == 0);
    CHECK(requests_told(db, r.effect.id, "its own", NULL) && requests_told(db, r.effect.id, NULL, &hash));
    CHECK(requests_last(db, a, 4, "exchange", &got) == LOOKUP_FOUND && tx_hash_equal(&got.tx_hash, &hash));
    CHECK_STR(got.venue_ref, "its own");
    CHECK(requests_broadcast(db, &(struct broadcast){ .id = r.effect.id, .said = BROADCAST_ACCEPTED }));
    CHECK(requests_last(db, a, 4, "exchange", &got) == LOOKUP_FOUND && got.effect.accepted);
    CHECK(requests_move(db, &got.effect, EFFECT_OPEN, false) == UPDATED);
    CHECK(requests_last(db, a, 4, "exchange", &got) == LOOKUP_FOUND && !got.effect.accepted);
    CHECK_STR(got.venue_ref, "");
}

STORE_TEST_MAIN(TEST(requests_are_kept_and_counted), TEST(a_venue_has_a_request_once),
                TEST(requests_end_once), TEST(a_venue_tells_more))
