#include "store/test_store.h"

/* The second has what the first has, and more. */
static const struct address_bytes TOKEN = { { 1 }, 20 }, OTHER_TOKEN = { { 1 }, 32 };

static struct transaction with_token(struct transaction t, struct address_bytes token, uint64_t amount)
{
    t.token = token;
    t.spender = (struct address_bytes){ { 9 }, 20 };
    t.token_amount = u256_from_u64(amount);
    return t;
}

static void transactions_are_kept(void)
{
    struct execution s = new_swap(91, 601);
    struct transaction late = add_tx(with_token(new_tx(&s, 8, TX_SPEND, 5, 100), TOKEN, 30));
    struct transaction early = add_tx(new_tx(&s, 7, TX_APPROVAL, 5, 0)), again = early, *got;
    struct broadcast offer = { .id = late.effect.id, .said = BROADCAST_ACCEPTED };

    CHECK(!transactions_add(db, &again) && db_duplicate(db)); /* the same hash */
    CHECK(transactions_of(db, a, s.id, &got) == 2);
    CHECK(got[0].effect.id == early.effect.id && got[1].effect.id == late.effect.id); /* by nonce */
    CHECK(got[1].raw_len == 5 && memcmp(got[1].raw, "\2\0raw", 5) == 0);
    CHECK(tx_hash_equal(&got[1].hash, &late.hash) && got[1].gas_limit == 10 && is(got[1].max_fee, 5));
    CHECK(got[1].effect.state == EFFECT_OPEN && got[1].kind == TX_SPEND && is(got[1].value, 100));
    CHECK(address_bytes_equal(&got[1].token, &TOKEN) && address_bytes_equal(&got[1].spender, &late.spender));
    CHECK(is(got[1].token_amount, 30) && got[1].leg == LEG_SOURCE && got[1].has_nonce && got[1].expiry == 0);
    CHECK(got[0].token.len == 0 && got[0].spender.len == 0 && got[0].effect.broadcasts == 0 &&
          !got[0].effect.accepted && got[0].effect.broadcast_ms == 0);

    CHECK(transactions_broadcast(db, &offer));
    offer = (struct broadcast){ .id = late.effect.id, .said = BROADCAST_NO_FUNDS };
    CHECK(transactions_broadcast(db, &offer));
    CHECK(transactions_of(db, a, s.id, &got) == 2 && got[1].effect.broadcasts == 2 && got[1].effect.accepted);
    CHECK(got[1].effect.refusals == 1 && got[1].effect.broadcast_ms != 0 && got[0].effect.broadcasts == 0);

    CHECK(transactions_in_block(db, late.effect.id, 50, false));
    CHECK(transactions_of(db, a, s.id, &got) == 2 && got[1].effect.state == EFFECT_INCLUDED &&
          got[1].block_number == 50);
    CHECK(!got[1].effect.succeeded);
    CHECK(transactions_in_block(db, late.effect.id, 0, false));
    CHECK(transactions_of(db, a, s.id, &got) == 2 && got[1].effect.state == EFFECT_OPEN &&
          got[1].block_number == 0);
    CHECK(transactions_of(db, a, 999999, &got) == 0);
}

/* By settled approvals alone, each once, the newest first. */
static void granted_allowances_are_listed(void)
{
    static const struct address_bytes SECOND = { { 2 }, 20 }, THIRD = { { 3 }, 20 };
    static const struct {
        enum tx_kind kind;
        const struct address_bytes *token;
        bool settles;
    } rows[] = { { TX_APPROVAL, &TOKEN, true },
                 { TX_SPEND, &THIRD, true },
                 { TX_APPROVAL, &SECOND, true },
                 { TX_APPROVAL, &THIRD, false },
                 { TX_APPROVAL, &TOKEN, true } };
    struct execution s = new_swap(93, 693);
    struct address_bytes got[3];

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct transaction t = add_tx(with_token(new_tx(&s, i, rows[i].kind, 5, 0), *rows[i].token, 1));

        CHECK(!rows[i].settles || transactions_settled(db, &t, 50, true));
    }
    CHECK(transactions_allowed(db, 693, 1, got, 3) == 2);
    CHECK(address_bytes_equal(&got[0], &TOKEN) && address_bytes_equal(&got[1], &SECOND));
    CHECK(transactions_allowed(db, 693, 1, got, 1) == 1 && transactions_allowed(db, 693, 10, got, 3) == 0);
}

static void one_transaction_of_a_nonce_wins(void)
{
    struct execution s = new_swap(92, 602);
    struct transaction first = add_tx(new_tx(&s, 3, TX_SPEND, 5, 0)),
                       second = add_tx(new_tx(&s, 3, TX_SPEND, 6, 0));
    struct transaction other = add_tx(new_tx(&s, 4, TX_SPEND, 5, 0)), *got;

    CHECK(transactions_nonce_known(db, 602, 1, 3) == LOOKUP_FOUND &&
          transactions_nonce_known(db, 602, 1, 5) == LOOKUP_NONE);
    CHECK(transactions_nonce_known(db, 602, 8453, 3) == LOOKUP_NONE &&
          transactions_nonce_known(db, 603, 1, 3) == LOOKUP_NONE);
    CHECK(transactions_in_block(db, second.effect.id, 49, true) &&
          transactions_settled(db, &second, 50, true));
    CHECK(transactions_of(db, a, s.id, &got) == 3);
    CHECK(got[0].effect.id == first.effect.id && got[0].effect.state == EFFECT_LOST &&
          got[1].effect.state == EFFECT_SETTLED && got[1].effect.succeeded);
    CHECK(got[2].effect.id == other.effect.id && got[2].effect.state == EFFECT_OPEN);
    CHECK(transactions_in_block(db, second.effect.id, 60, true)); /* what is settled does not move any more */
    CHECK(transactions_nonce_lost(db, 602, 1, 4));
    CHECK(transactions_of(db, a, s.id, &got) == 3 && got[1].block_number == 50 &&
          got[2].effect.state == EFFECT_LOST);
    CHECK(transactions_nonce_known(db, 602, 1, 4) == LOOKUP_FOUND);
    /* unless it was another one after all */
    CHECK(transactions_settled(db, &first, 51, false));
    CHECK(transactions_of(db, a, s.id, &got) == 3 && got[0].effect.state == EFFECT_SETTLED &&
          got[0].block_number == 51);
    CHECK(!got[0].effect.succeeded && got[1].effect.state == EFFECT_LOST && got[1].block_number == 50 &&
          got[1].effect.succeeded);
}

static const struct unplaced_list NOWHERE;

/* The amounts that may still leave the wallet: of one nonce the most expensive attempt, of included
 * transactions only the part that the balances do not show yet. */
static void unsettled_transactions_reserve_funds(void)
{
    struct execution s = new_swap(93, 604), elsewhere = new_swap(93, 605);
    struct transaction mined, t;
    struct reservation r;

    CHECK(transactions_reserved(db, 604, 1, 0, &TOKEN, &NOWHERE, &r) && is(r.native, 0) && is(r.token, 0));
    (void)add_tx(new_tx(&s, 0, TX_APPROVAL, 1, 0));                              /* 10 */
    (void)add_tx(with_token(new_tx(&s, 10, TX_SPEND, 5, 100), TOKEN, 30));       /* 150 */
    (void)add_tx(with_token(new_tx(&s, 10, TX_SPEND, 7, 100), TOKEN, 30));       /* 170 instead */
    (void)add_tx(new_tx(&s, 10, TX_CANCEL, 9, 0));                               /* 90, less */
    (void)add_tx(with_token(new_tx(&s, 11, TX_APPROVAL, 5, 0), TOKEN, 40));      /* 50; spends none */
    (void)add_tx(with_token(new_tx(&s, 12, TX_SPEND, 5, 0), OTHER_TOKEN, 1000)); /* 50 */
    mined = add_tx(with_token(new_tx(&s, 13, TX_SPEND, 100, 0), TOKEN, 5));      /* 1000 */
    t = add_tx(new_tx(&s, 14, TX_SPEND, 1000, 0));
    CHECK(transactions_in_block(db, t.effect.id, 1, true) && transactions_settled(db, &t, 1, true));
    (void)add_tx(with_token(new_tx(&elsewhere, 10, TX_SPEND, 1000, 0), TOKEN, 1000));
    t = with_token(new_tx(&s, 10, TX_SPEND, 1000, 0), TOKEN, 1000);
    t.chain_id = 8453;
    (void)add_tx(t);

    CHECK(transactions_reserved(db, 604, 1, 60, &TOKEN, &NOWHERE, &r) &&
          is(r.native, 10 + 170 + 50 + 50 + 1000));
    CHECK(is(r.token, 30 + 5));
    CHECK(transactions_in_block(db, mined.effect.id, 50, true));
    CHECK(transactions_reserved(db, 604, 1, 49, &TOKEN, &NOWHERE, &r) && is(r.native, 1280) &&
          is(r.token, 35));
    CHECK(transactions_reserved(db, 604, 1, 50, &TOKEN, &NOWHERE, &r) && is(r.native, 280) &&
          is(r.token, 30));
    CHECK(transactions_in_block(db, mined.effect.id, 0, true)); /* and again when its block is gone */
    CHECK(transactions_reserved(db, 604, 1, 60, &TOKEN, &NOWHERE, &r) && is(r.native, 1280) &&
          is(r.token, 35));
    CHECK(transactions_reserved(db, 604, 1, 60, &OTHER_TOKEN, &NOWHERE, &r) && is(r.token, 1000));
}

/* A transaction that a node shows in a block, recorded or not, has no reservation any more, nor have its
 * competitors, where the balances are of that block or a later one. */
static void included_transactions_reserve_nothing(void)
{
    struct execution s = new_swap(96, 610);
    struct transaction t, recorded;
    struct unplaced_list u;
    struct reservation r;

    (void)add_tx(with_token(new_tx(&s, 10, TX_SPEND, 5, 100), TOKEN, 30)); /* 150 */
    t = add_tx(with_token(new_tx(&s, 10, TX_SPEND, 7, 100), TOKEN, 30));   /* 170 instead */
    (void)add_tx(with_token(new_tx(&s, 11, TX_SPEND, 5, 0), TOKEN, 4));    /* 50 */
    recorded = add_tx(with_token(new_tx(&s, 12, TX_SPEND, 1, 0), TOKEN, 1));
    CHECK(transactions_in_block(db, recorded.effect.id, 40, true));
    CHECK(transactions_unplaced(db, a, 610, 1, &u) && u.count == 3);
    CHECK(u.list[1].id == t.effect.id && tx_hash_equal(&u.list[1].hash, &t.hash) && u.list[1].block == 0);
    CHECK(transactions_reserved(db, 610, 1, 60, &TOKEN, &u, &r) && is(r.native, 220) && is(r.token, 34));
    u.list[1].block = 60;
    CHECK(transactions_reserved(db, 610, 1, 59, &TOKEN, &u, &r) && is(r.native, 220) && is(r.token, 34));
    CHECK(transactions_reserved(db, 610, 1, 60, &TOKEN, &u, &r) && is(r.native, 50) && is(r.token, 4));
    u.list[2].block = 58;
    CHECK(transactions_reserved(db, 610, 1, 60, &TOKEN, &u, &r) && reservation_is_none(&r));
    CHECK(transactions_unplaced(db, a, 610, 8453, &u) && u.count == 0);
}

/* A transaction of a chain without nonces, with long ids and a last block height. */
static struct transaction without_nonce(const struct execution *s, uint64_t amount)
{
    struct transaction t = with_token(new_tx(s, 0, TX_SPEND, 1, 100), TOKEN, amount);

    t.has_nonce = false;
    t.expiry = 250000000;
    t.hash.len = TX_HASH_MAX;
    rand_bytes(t.hash.bytes, t.hash.len);
    t.spender.len = ADDRESS_BYTES_MAX;
    memset(t.spender.bytes, 'x', t.spender.len);
    return t;
}

static void chains_without_nonces(void)
{
    struct execution s = new_swap(95, 608);
    struct transaction first = add_tx(without_nonce(&s, 30)), second = add_tx(without_nonce(&s, 5)), *got;
    struct transaction destination = without_nonce(&s, 1), numbered = new_tx(&s, 0, TX_SPEND, 1, 0);
    struct reservation r;

    destination.leg = LEG_DESTINATION;
    destination.hash.len = 0; /* not signed yet */
    destination = add_tx(destination);
    numbered = add_tx(numbered);
    CHECK(transactions_of(db, a, s.id, &got) == 4);
    CHECK(!got[0].has_nonce && got[0].effect.id == first.effect.id && got[1].effect.id == second.effect.id);
    CHECK(got[2].has_nonce && got[2].nonce == 0 && got[2].expiry == 0);
    CHECK(got[3].leg == LEG_DESTINATION && got[3].hash.len == 0);
    CHECK(got[0].expiry == 250000000 && tx_hash_equal(&got[0].hash, &first.hash));
    CHECK(address_bytes_equal(&got[0].spender, &first.spender));

    /* each may be carried out in parallel to the others */
    CHECK(transactions_reserved(db, 608, 1, 0, &TOKEN, &NOWHERE, &r) && is(r.native, 3 * 110 + 10) &&
          is(r.token, 36));
    CHECK(transactions_settled(db, &second, 50, true) && transactions_of(db, a, s.id, &got) == 4);
    CHECK(got[1].effect.state == EFFECT_SETTLED && got[1].block_number == 50 && got[1].effect.succeeded);
    CHECK(got[0].effect.state == EFFECT_OPEN && got[2].effect.state == EFFECT_OPEN &&
          got[3].effect.state == EFFECT_OPEN);
}

static enum effect_state state_of(const struct transaction *t)
{
    struct transaction *got;
    unsigned n = (unsigned)transactions_of(db, a, t->effect.execution_id, &got);

    for (unsigned i = 0; i < n; i++)
        if (got[i].effect.id == t->effect.id)
            return got[i].effect.state;
    CHECK(false);
    return EFFECT_OPEN;
}

/* A lost transaction reserves nothing any more; a settled one cannot be lost. */
static void lost_transactions_reserve_nothing(void)
{
    struct execution s = new_swap(96, 609);
    struct transaction open = add_tx(without_nonce(&s, 30)), other = add_tx(without_nonce(&s, 5)),
                       included = add_tx(without_nonce(&s, 3)), settled = add_tx(without_nonce(&s, 2));
    struct reservation r;

    CHECK(transactions_in_block(db, included.effect.id, 49, true));
    CHECK(transactions_settled(db, &settled, 50, true));
    CHECK(transactions_reserved(db, 609, 1, 0, &TOKEN, &NOWHERE, &r) && is(r.token, 38));
    CHECK(transactions_lost(db, open.effect.id) && state_of(&open) == EFFECT_LOST);
    CHECK(state_of(&other) == EFFECT_OPEN && state_of(&included) == EFFECT_INCLUDED);
    CHECK(transactions_reserved(db, 609, 1, 0, &TOKEN, &NOWHERE, &r) && is(r.token, 8) &&
          is(r.native, 2 * 110));
    CHECK(transactions_lost(db, included.effect.id) && state_of(&included) == EFFECT_LOST);
    CHECK(transactions_lost(db, settled.effect.id) && state_of(&settled) == EFFECT_SETTLED);
    CHECK(transactions_lost(db, open.effect.id) && state_of(&open) == EFFECT_LOST);
    CHECK(transactions_lost(db, 999999) && state_of(&other) == EFFECT_OPEN);
    /* unless a block took it after all */
    CHECK(transactions_settled(db, &open, 51, true) && state_of(&open) == EFFECT_SETTLED);
}

static void sums_that_do_not_fit_are_refused(void)
{
    struct execution s = new_swap(94, 606);
    struct transaction t = new_tx(&s, 1, TX_SPEND, 1, 0);
    struct reservation r;

    t.value = (struct u256){ { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } };
    (void)add_tx(t);
    CHECK(!transactions_reserved(db, 606, 1, 0, &TOKEN, &NOWHERE, &r));
}

STORE_TEST_MAIN(TEST(transactions_are_kept), TEST(granted_allowances_are_listed),
                TEST(one_transaction_of_a_nonce_wins), TEST(unsettled_transactions_reserve_funds),
                TEST(included_transactions_reserve_nothing), TEST(chains_without_nonces),
                TEST(lost_transactions_reserve_nothing), TEST(sums_that_do_not_fit_are_refused))
