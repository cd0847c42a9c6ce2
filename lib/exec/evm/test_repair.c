#include "base/test.h"
#include "exec/evm/repair.c"

enum { NOW = 1000000 };

static struct transaction txs[] = {
    { .has_nonce = true,
      .nonce = 4,
      .kind = TX_APPROVAL,
      .max_fee = { { 100 } },
      .priority_fee = { { 10 } } },
    { .has_nonce = true, .nonce = 5, .kind = TX_SPEND, .max_fee = { { 200 } }, .priority_fee = { { 20 } } },
    { .has_nonce = true, .nonce = 5, .kind = TX_SPEND, .max_fee = { { 300 } }, .priority_fee = { { 15 } } },
    { .has_nonce = true, .nonce = 5, .kind = TX_CANCEL, .max_fee = { { 250 } }, .priority_fee = { { 30 } } },
};
static struct observation observations[4];
static struct evm_seen seen;
static struct execution swap = { .kind = KIND_SWAP };

static struct tracked fresh(void)
{
    memset(observations, 0, sizeof observations);
    seen = (struct evm_seen){ .at_receipts = 0 };
    for (size_t i = 0; i < 4; i++) {
        txs[i].effect.refusals = 0;
        txs[i].effect.accepted = false;
        txs[i].effect.said = BROADCAST_UNKNOWN;
        txs[i].effect.created_ms = NOW;
    }
    return (struct tracked){
        .execution = &swap, .txs = txs, .observations = observations, .count = 4, .spend = 2, .seen = &seen
    };
}

static void attempts_at_a_nonce(void)
{
    struct tracked w = fresh();

    CHECK(first_of_place(&w, 0) && first_of_place(&w, 1));
    CHECK(!first_of_place(&w, 2) && !first_of_place(&w, 3));
    CHECK(attempt_count(&w, 0, false) == 1 && attempt_count(&w, 0, true) == 0);
    CHECK(attempt_count(&w, 1, false) == 2 && attempt_count(&w, 1, true) == 1);
    CHECK(attempt_latest(&w, 0, false) == &txs[0] && attempt_latest(&w, 0, true) == NULL);
    CHECK(attempt_latest(&w, 1, false) == &txs[2] && attempt_latest(&w, 1, true) == &txs[3]);
}

/* Each of both from whichever attempt bid most: the replacement has to exceed them all. */
static void the_dearest_bid(void)
{
    struct tracked w = fresh();
    struct fees f = bid_highest(&w, 1);

    CHECK(u256_cmp(f.max_fee, u256_from_u64(300)) == 0 && u256_cmp(f.priority_fee, u256_from_u64(30)) == 0);
    f = bid_highest(&w, 0);
    CHECK(u256_cmp(f.max_fee, u256_from_u64(100)) == 0 && u256_cmp(f.priority_fee, u256_from_u64(10)) == 0);
}

static void included_nonces_are_recognised(void)
{
    struct tracked w = fresh();

    CHECK(!nonce_in_block(&w, 4) && !nonce_in_block(&w, 5));
    observations[3].block = 9;
    CHECK(!nonce_in_block(&w, 4) && nonce_in_block(&w, 5) && !nonce_in_block(&w, 6));
}

static void stuck_attempts_are_replaced_after_a_minute(void)
{
    struct tracked w = fresh();

    seen.nonces = 5;
    txs[2].effect.accepted = true;
    CHECK(!bids_too_little(&w, 1, NOW + 60000));
    CHECK(bids_too_little(&w, 1, NOW + 60001));
    seen.nonces = 4; /* it waits for the approval before it, which is what has to be dearer */
    CHECK(!bids_too_little(&w, 1, NOW + 60001));
    txs[0].effect.accepted = true;
    CHECK(bids_too_little(&w, 0, NOW + 60001));
    seen.nonces = 5;
    txs[2].effect.accepted = false; /* no node has it: the same bytes again */
    CHECK(!bids_too_little(&w, 1, NOW + 60001));
}

/* An attempt that a node calls underpriced is replaced before a minute is over, even if earlier nonces are
 * missing. */
static void underpriced_attempts_are_replaced_early(void)
{
    struct tracked w = fresh();

    seen.nonces = 4;
    txs[2].effect.said = BROADCAST_UNDERPRICED; /* the second attempt: two seconds */
    CHECK(!bids_too_little(&w, 1, NOW + 2000) && bids_too_little(&w, 1, NOW + 2001));
    txs[2].effect.said = BROADCAST_REFUSED; /* more money does not help */
    CHECK(!bids_too_little(&w, 1, NOW + 2001));
}

static void attempts_have_a_limit(void)
{
    struct transaction many[9];
    struct observation none[9] = { { 0 } };
    struct tracked w = { .execution = &swap, .txs = many, .observations = none, .count = 8, .seen = &seen };
    struct fees before;

    seen = (struct evm_seen){ .nonces = 5 };
    for (size_t i = 0; i < 9; i++)
        many[i] = (struct transaction){
            .has_nonce = true,
            .nonce = 5,
            .kind = TX_SPEND,
            .effect = { .accepted = true, .created_ms = NOW },
            .max_fee = { { 800 } },
        };
    CHECK(!bids_too_little(&w, 0, NOW + 60001));
    many[7].effect.said = BROADCAST_UNDERPRICED;
    CHECK(!bids_too_little(&w, 0, NOW + 1000000));
    w.count = 7;
    CHECK(bids_too_little(&w, 0, NOW + 60001));
    /* cancels have attempts of their own, at growing distances, and do not get dearer for ever */
    many[7].kind = many[8].kind = TX_CANCEL;
    w.count = 9;
    CHECK(attempt_count(&w, 0, true) == 2 && attempt_count(&w, 0, false) == 7);
    many[8].effect.said = BROADCAST_REFUSED;
    CHECK(!is_refused_since(&many[8], 2, NOW + 2000) && is_refused_since(&many[8], 2, NOW + 2001));
    CHECK(!is_refused_since(&many[8], 50, NOW + 4000000) && is_refused_since(&many[8], 50, NOW + 4100000));
    many[8].effect.said = BROADCAST_NO_FUNDS; /* the same bytes do when there is money */
    CHECK(!is_refused_since(&many[8], 2, NOW + 1000000));
    CHECK(u256_cmp(next_fees(&w, 0, 7, &evm_seen(&w)->head.fees).max_fee, u256_from_u64(900)) == 0);
    before = next_fees(&w, 0, ATTEMPTS_MAX, &evm_seen(&w)->head.fees);
    CHECK(u256_cmp(before.max_fee, u256_from_u64(800)) == 0);
    seen.head.fees.max_fee = u256_from_u64(5000);
    CHECK(u256_cmp(next_fees(&w, 0, ATTEMPTS_MAX, &evm_seen(&w)->head.fees).max_fee, u256_from_u64(5000)) ==
          0);
}

static void executions_refused_for_good_are_given_up(void)
{
    struct tracked w = fresh();

    seen.nonces = 4;
    txs[1].effect.refusals = REFUSALS - 1;
    CHECK(!is_given_up(&w));
    txs[1].effect.refusals = REFUSALS;
    CHECK(is_given_up(&w));
    txs[2].effect.accepted = true; /* another attempt is with a node */
    CHECK(!is_given_up(&w));
    txs[2].effect.refusals = REFUSALS;
    CHECK(is_given_up(&w));
    txs[1].effect.refusals = txs[2].effect.refusals = 0;
    txs[3].effect.refusals = REFUSALS; /* a cancel says nothing about the swap */
    CHECK(!is_given_up(&w));
}

static void executions_with_a_foreign_nonce_are_given_up(void)
{
    struct tracked w = fresh();

    seen.nonces = 4;
    CHECK(!is_given_up(&w) && !nonce_is_used(&w, 0));
    seen.nonces = 5; /* taken, by whomever */
    CHECK(!is_given_up(&w) && nonce_is_used(&w, 0) && !nonce_is_used(&w, 1));
    observations[0].foreign = true;
    CHECK(is_given_up(&w) && !nonce_is_used(&w, 1));
    txs[0].effect.refusals = REFUSALS; /* "nonce too low", and the like */
    observations[0].foreign = false;
    CHECK(!is_given_up(&w));
}

static void fillers_of_nonce_gaps_are_recognised(void)
{
    struct tracked w = fresh();
    struct transaction filled[] = { { .has_nonce = true, .nonce = 2, .kind = TX_CANCEL },
                                    { .has_nonce = true, .nonce = 3, .kind = TX_CANCEL },
                                    { .has_nonce = true, .nonce = 4, .kind = TX_APPROVAL },
                                    { .has_nonce = true, .nonce = 4, .kind = TX_CANCEL } };

    CHECK(first_own(&w) == 0 && !is_filler(&w, 0) && !is_filler(&w, 1));
    w.txs = filled;
    CHECK(first_own(&w) == 2 && is_filler(&w, 0) && is_filler(&w, 1) && !is_filler(&w, 2));
}

/* All of it in blocks: nothing is asked, nothing is written, no connection is needed. */
static void nothing_to_repair(void)
{
    static const struct ctx nothing = { .conf = NULL };
    struct tracked w = fresh();

    observations[0].block = observations[1].block = 9;
    evm_repair(&nothing, NULL, &w);
    CHECK(!observations[0].foreign && !observations[3].foreign);
}

TEST_MAIN(TEST(attempts_at_a_nonce), TEST(the_dearest_bid), TEST(included_nonces_are_recognised),
          TEST(stuck_attempts_are_replaced_after_a_minute), TEST(underpriced_attempts_are_replaced_early),
          TEST(attempts_have_a_limit), TEST(executions_refused_for_good_are_given_up),
          TEST(executions_with_a_foreign_nonce_are_given_up), TEST(fillers_of_nonce_gaps_are_recognised),
          TEST(nothing_to_repair))
