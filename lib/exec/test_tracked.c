#include "base/test.h"
#include "exec/tracked.c"

static struct transaction at(uint64_t chain_id, uint64_t nonce)
{
    return (struct transaction){ .chain_id = chain_id, .has_nonce = true, .nonce = nonce };
}

static void transactions_with_one_nonce_compete(void)
{
    const struct transaction one = at(1, 5), rival = at(1, 5), next = at(1, 6), elsewhere = at(10, 5);
    const struct transaction free = { .chain_id = 1 }, other = { .chain_id = 1 }, zero = at(1, 0);

    CHECK(txs_compete(&one, &rival) && !txs_compete(&one, &next) && !txs_compete(&one, &elsewhere));
    CHECK(txs_compete(&free, &free)); /* a transaction without a nonce has a place of its own */
    CHECK(!txs_compete(&free, &other) && !txs_compete(&free, &zero) && !txs_compete(&zero, &free));
}

static void included_transactions_win_their_place(void)
{
    struct transaction txs[] = { { .chain_id = 1 }, { .chain_id = 1 }, at(1, 0), at(1, 0) };
    struct observation observations[] = { { .block = 0 }, { .block = 7 }, { .block = 0 }, { .block = 8 } };
    const struct tracked w = { .txs = txs, .observations = observations, .count = 4 };

    CHECK(place_winner(&w, 0) < 0 && place_winner(&w, 1) == 1);
    CHECK(place_winner(&w, 2) == 3 && place_winner(&w, 3) == 3);
    CHECK(first_of_place(&w, 0) && first_of_place(&w, 1) && first_of_place(&w, 2) && !first_of_place(&w, 3));
}

TEST_MAIN(TEST(transactions_with_one_nonce_compete), TEST(included_transactions_win_their_place))
