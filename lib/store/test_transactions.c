#include "store/test_store.h"

static const uint8_t TOKEN[20] = { 1 }, OTHER_TOKEN[20] = { 2 };

static struct transaction with_token(struct transaction t, const uint8_t token[static 20], uint64_t amount)
{
    t.has_token = true;
    memcpy(t.token, token, sizeof t.token);
    memset(t.spender, 9, sizeof t.spender);
    t.token_amount = u256_from_u64(amount);
    return t;
}

static void transactions_are_kept(void)
{
    struct execution s = new_swap(91, 601);
    struct transaction late = add_tx(with_token(new_tx(&s, 8, TX_SPEND, 5, 100), TOKEN, 30));
    struct transaction early = add_tx(new_tx(&s, 7, TX_APPROVAL, 5, 0)), again = early, *got;
    struct broadcast offer = { .id = late.id, .said = BROADCAST_ACCEPTED };

    CHECK(!transactions_add(db, &again) && db_duplicate(db)); /* the same hash */
    CHECK(transactions_of(db, a, s.id, &got) == 2);
    CHECK(got[0].id == early.id && got[1].id == late.id); /* by nonce */
    CHECK(got[1].raw_len == 5 && memcmp(got[1].raw, "\2\0raw", 5) == 0);
    CHECK(memcmp(got[1].hash, late.hash, 32) == 0 && got[1].gas_limit == 10 && is(got[1].max_fee, 5));
    CHECK(got[1].state == EFFECT_OPEN && got[1].kind == TX_SPEND && is(got[1].value, 100));
    CHECK(got[1].has_token && got[1].token[0] == 1 && got[1].spender[0] == 9 && is(got[1].token_amount, 30));
    CHECK(!got[0].has_token && got[0].offers == 0 && !got[0].accepted && got[0].offered_ms == 0);

    CHECK(transactions_broadcast(db, &offer));
    offer = (struct broadcast){ .id = late.id, .said = BROADCAST_NO_FUNDS };
    CHECK(transactions_broadcast(db, &offer));
    CHECK(transactions_of(db, a, s.id, &got) == 2 && got[1].offers == 2 && got[1].accepted);
    CHECK(got[1].refusals == 1 && got[1].offered_ms != 0 && got[0].offers == 0);

    CHECK(transactions_in_block(db, late.id, 50, false));
    CHECK(transactions_of(db, a, s.id, &got) == 2 && got[1].state == EFFECT_INCLUDED &&
          got[1].block_number == 50);
    CHECK(!got[1].succeeded);
    CHECK(transactions_in_block(db, late.id, 0, false));
    CHECK(transactions_of(db, a, s.id, &got) == 2 && got[1].state == EFFECT_OPEN && got[1].block_number == 0);
    CHECK(transactions_of(db, a, 999999, &got) == 0);
}

static void one_of_a_nonce_wins(void)
{
    struct execution s = new_swap(92, 602);
    struct transaction first = add_tx(new_tx(&s, 3, TX_SPEND, 5, 0)),
                       second = add_tx(new_tx(&s, 3, TX_SPEND, 6, 0));
    struct transaction other = add_tx(new_tx(&s, 4, TX_SPEND, 5, 0)), *got;

    CHECK(transactions_nonce_known(db, 602, 1, 3) == 1 && transactions_nonce_known(db, 602, 1, 5) == 0);
    CHECK(transactions_nonce_known(db, 602, 8453, 3) == 0 && transactions_nonce_known(db, 603, 1, 3) == 0);
    CHECK(transactions_in_block(db, second.id, 49, true) && transactions_settled(db, &second, 50, true));
    CHECK(transactions_of(db, a, s.id, &got) == 3);
    CHECK(got[0].id == first.id && got[0].state == EFFECT_LOST && got[1].state == EFFECT_SETTLED &&
          got[1].succeeded);
    CHECK(got[2].id == other.id && got[2].state == EFFECT_OPEN);
    CHECK(transactions_in_block(db, second.id, 60, true)); /* what is settled does not move any more */
    CHECK(transactions_nonce_lost(db, 602, 1, 4));
    CHECK(transactions_of(db, a, s.id, &got) == 3 && got[1].block_number == 50 &&
          got[2].state == EFFECT_LOST);
    CHECK(transactions_nonce_known(db, 602, 1, 4) == 1);
    /* unless it was another one after all */
    CHECK(transactions_settled(db, &first, 51, false));
    CHECK(transactions_of(db, a, s.id, &got) == 3 && got[0].state == EFFECT_SETTLED &&
          got[0].block_number == 51);
    CHECK(!got[0].succeeded && got[1].state == EFFECT_LOST && got[1].block_number == 50 && got[1].succeeded);
}

/* What may still leave the wallet: of one nonce the dearest attempt, of what is in a block only what the
 * balances do not show yet. */
static void what_is_reserved(void)
{
    struct execution s = new_swap(93, 604), elsewhere = new_swap(93, 605);
    struct transaction mined, t;
    struct reservation r;

    CHECK(transactions_reserved(db, 604, 1, 0, TOKEN, &r) && is(r.native, 0) && is(r.token, 0));
    (void)add_tx(new_tx(&s, 0, TX_APPROVAL, 1, 0));                              /* 10 */
    (void)add_tx(with_token(new_tx(&s, 10, TX_SPEND, 5, 100), TOKEN, 30));       /* 150 */
    (void)add_tx(with_token(new_tx(&s, 10, TX_SPEND, 7, 100), TOKEN, 30));       /* 170 instead */
    (void)add_tx(new_tx(&s, 10, TX_CANCEL, 9, 0));                               /* 90, less */
    (void)add_tx(with_token(new_tx(&s, 11, TX_APPROVAL, 5, 0), TOKEN, 40));      /* 50; spends none */
    (void)add_tx(with_token(new_tx(&s, 12, TX_SPEND, 5, 0), OTHER_TOKEN, 1000)); /* 50 */
    mined = add_tx(with_token(new_tx(&s, 13, TX_SPEND, 100, 0), TOKEN, 5));      /* 1000 */
    t = add_tx(new_tx(&s, 14, TX_SPEND, 1000, 0));
    CHECK(transactions_in_block(db, t.id, 1, true) && transactions_settled(db, &t, 1, true));
    (void)add_tx(with_token(new_tx(&elsewhere, 10, TX_SPEND, 1000, 0), TOKEN, 1000));
    t = with_token(new_tx(&s, 10, TX_SPEND, 1000, 0), TOKEN, 1000);
    t.chain_id = 8453;
    (void)add_tx(t);

    CHECK(transactions_reserved(db, 604, 1, 60, TOKEN, &r) && is(r.native, 10 + 170 + 50 + 50 + 1000));
    CHECK(is(r.token, 30 + 5));
    CHECK(transactions_in_block(db, mined.id, 50, true));
    CHECK(transactions_reserved(db, 604, 1, 49, TOKEN, &r) && is(r.native, 1280) && is(r.token, 35));
    CHECK(transactions_reserved(db, 604, 1, 50, TOKEN, &r) && is(r.native, 280) && is(r.token, 30));
    CHECK(transactions_in_block(db, mined.id, 0, true)); /* and again when its block is gone */
    CHECK(transactions_reserved(db, 604, 1, 60, TOKEN, &r) && is(r.native, 1280) && is(r.token, 35));
    CHECK(transactions_reserved(db, 604, 1, 60, OTHER_TOKEN, &r) && is(r.token, 1000));
}

static void sums_that_do_not_fit_are_refused(void)
{
    struct execution s = new_swap(94, 606);
    struct transaction t = new_tx(&s, 1, TX_SPEND, 1, 0);
    struct reservation r;

    t.value = (struct u256){ { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } };
    (void)add_tx(t);
    CHECK(!transactions_reserved(db, 606, 1, 0, TOKEN, &r));
}

STORE_TEST_MAIN(TEST(transactions_are_kept), TEST(one_of_a_nonce_wins), TEST(what_is_reserved),
                TEST(sums_that_do_not_fit_are_refused))
