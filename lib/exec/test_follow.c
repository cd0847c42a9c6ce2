#include "base/test.h"

#define venue_of venue_of_tests
#include "exec/follow.c"
#include "exec/test_scene.h"

const struct venue *venue_of(const char *name)
{
    static const struct venue exchange = { .name = "exchange" };

    return strcmp(name, exchange.name) == 0 ? &exchange : NULL;
}

static void executions_with_evidence_of_failure_are_doubted(void)
{
    struct scene s;

    scene_begin(&s, EXEC_PROCESSING);
    scene_add(&s, TX_SPEND, NONCE, 50, true);
    CHECK(!is_doubted(&s.tracked));
    s.txs[0].effect.succeeded = false;
    CHECK(is_doubted(&s.tracked));
    s.txs[0].effect.succeeded = true;
    scene_add(&s, TX_CANCEL, NONCE, 0, false);
    CHECK(!is_doubted(&s.tracked));
    s.txs[1].block_number = 50;
    CHECK(is_doubted(&s.tracked));
    scene_begin(&s, EXEC_FAILED);
    CHECK(is_doubted(&s.tracked));
}

/* Neighbours in one list become one tracked execution each; what cannot be followed is left out. */
static void transactions_find_their_swaps(void)
{
    struct arena *a = arena_new();
    struct execution swaps[] = { { .id = 3, .kind = KIND_SWAP, .from = { .chain_id = 1 } },
                                 { .id = 5, .kind = KIND_SWAP, .from = { .chain_id = 1 } },
                                 { .id = 6, .kind = KIND_SWAP, .from = { .chain_id = 999 } },
                                 { .id = 7, .kind = KIND_PERPS_WITHDRAWAL + 1, .from = { .chain_id = 1 } },
                                 { .id = 9, .kind = KIND_SWAP, .from = { .chain_id = 8453 } } };
    struct transaction txs[] = {
        { .effect = { .execution_id = 2 }, .has_nonce = true, .nonce = 1 },
        { .effect = { .execution_id = 3 }, .has_nonce = true, .nonce = 40, .kind = TX_APPROVAL },
        { .effect = { .execution_id = 3 }, .has_nonce = true, .nonce = 41, .kind = TX_SPEND },
        { .effect = { .execution_id = 3 }, .has_nonce = true, .nonce = 41, .kind = TX_CANCEL },
        { .effect = { .execution_id = 6 }, .has_nonce = true, .nonce = 7, .kind = TX_SPEND },
        { .effect = { .execution_id = 7 }, .has_nonce = true, .nonce = 43, .kind = TX_SPEND },
        { .effect = { .execution_id = 9 }, .has_nonce = true, .nonce = 8, .kind = TX_SPEND },
    };
    struct claimed c = { .list = swaps, .count = 5, .txs = txs, .tx_count = 7 };
    struct tracked w[5 + 1];

    CHECK(watches_make(w, &c, a) == 2);
    CHECK(w[0].execution == &swaps[0] && w[0].count == 3 && w[0].txs == &txs[1] && w[0].spend == 1);
    CHECK(w[1].execution == &swaps[4] && w[1].count == 1 && w[1].txs == &txs[6] && w[1].spend == 0);
    CHECK(w[1].chain == chain_by_id(8453) && w[0].observations[2].block == 0);
    c.count = 0;
    CHECK(watches_make(w, &c, a) == 0);
    c = (struct claimed){ .list = swaps, .count = 5 };
    CHECK(watches_make(w, &c, a) == 0);
    arena_free(a);
}

/* An approval after the spending step is a revocation; without a spending step the approval is the
 * purpose. */
static void the_spending_step_is_recognised(void)
{
    struct arena *a = arena_new();
    struct execution x = { .id = 3, .kind = KIND_LEND_REPAY, .from = { .chain_id = 1 } };
    struct transaction txs[] = { { .kind = TX_SPEND },
                                 { .kind = TX_APPROVAL },
                                 { .kind = TX_SPEND },
                                 { .kind = TX_CANCEL },
                                 { .kind = TX_APPROVAL } };
    struct tracked w = { .execution = &x };

    tracked_add_txs(&w, txs, 5, a);
    CHECK(w.spend == 2);
    tracked_add_txs(&w, &txs[3], 2, a);
    CHECK(w.spend == 1);
    tracked_add_txs(&w, &txs[1], 2, a);
    CHECK(w.spend == 1);
    arena_free(a);
}

/* With requests alone an execution is on no chain; at a venue that is not known nothing is concluded. */
static void requests_find_their_executions(void)
{
    struct arena *a = arena_new();
    struct execution list[] = { { .id = 3, .kind = KIND_SWAP, .from = { .chain_id = 999 } },
                                { .id = 5, .kind = KIND_SWAP, .from = { .chain_id = 1 } },
                                { .id = 6, .kind = KIND_SWAP, .from = { .chain_id = 1 } },
                                { .id = 7, .kind = KIND_SWAP, .from = { .chain_id = 8453 } } };
    struct transaction txs[] = { { .effect.execution_id = 5, .kind = TX_APPROVAL },
                                 { .effect.execution_id = 7, .kind = TX_SPEND } };
    struct venue_request requests[] = { { .effect.execution_id = 3, .venue = "exchange" },
                                        { .effect.execution_id = 3, .venue = "exchange" },
                                        { .effect.execution_id = 5, .venue = "exchange" },
                                        { .effect.execution_id = 6, .venue = "elsewhere" } };
    struct claimed c = {
        .list = list, .count = 4, .txs = txs, .tx_count = 2, .requests = requests, .request_count = 4
    };
    struct chain_batch chain_batches[4];
    struct tracked w[4 + 1];

    CHECK(watches_make(w, &c, a) == 3);
    CHECK(w[0].chain == NULL && w[0].count == 0 && w[0].request_count == 2 && w[0].requests == requests);
    CHECK(w[1].chain == chain_by_id(1) && w[1].count == 1 && w[1].requests == &requests[2]);
    CHECK(w[1].request_count == 1 && w[1].request_observations[0].says == VENUE_UNAVAILABLE);
    CHECK(w[2].execution == &list[3] && w[2].count == 1 && w[2].request_count == 0);
    CHECK(chain_batches_make(chain_batches, w, 3) == 2 && chain_batches[0].count == 1 &&
          chain_batches[1].count == 1);
    arena_free(a);
}

/* Without the row of its bridge nothing may be concluded from a deposit; what has settled is not looked at.
 */
static void bridges_find_their_executions(void)
{
    struct arena *a = arena_new();
    struct execution list[] = {
        { .id = 3, .kind = KIND_SWAP, .from.chain_id = 1, .to.chain_id = 8453, .follow = FOLLOW_IN_FLIGHT },
        { .id = 5, .kind = KIND_SWAP, .from.chain_id = 1, .to.chain_id = 8453, .follow = FOLLOW_IN_FLIGHT },
        { .id = 6, .kind = KIND_SWAP, .from.chain_id = 1, .to.chain_id = 1, .follow = FOLLOW_IN_FLIGHT },
        { .id = 7, .kind = KIND_SWAP, .from.chain_id = 1, .to.chain_id = 8453, .follow = FOLLOW_BRIDGE },
    };
    struct transaction txs[] = {
        { .effect = { .execution_id = 3 }, .kind = TX_SPEND },
        { .effect = { .execution_id = 5 }, .kind = TX_SPEND },
        { .effect = { .execution_id = 6 }, .kind = TX_SPEND },
        { .effect = { .execution_id = 7, .state = EFFECT_LOST }, .kind = TX_SPEND, .block_number = 8 },
        { .effect = { .execution_id = 7, .state = EFFECT_SETTLED, .succeeded = true },
          .kind = TX_SPEND,
          .block_number = 9 },
    };
    struct bridge bridges[] = { { .execution_id = 5 }, { .execution_id = 7, .state = BRIDGE_UNDER_WAY } };
    struct claimed c = {
        .list = list, .count = 4, .txs = txs, .tx_count = 5, .bridges = bridges, .bridge_count = 2
    };
    struct tracked w[4 + 1];

    CHECK(any_bridge(list, 4) && !any_bridge(&list[2], 1) && watches_make(w, &c, a) == 3);
    CHECK(w[0].bridge == &bridges[0] && w[0].chain != NULL && !w[0].known);
    CHECK(w[1].execution == &list[2] && w[1].bridge == NULL && w[1].chain != NULL);
    CHECK(w[2].bridge == &bridges[1] && w[2].chain == NULL && w[2].known);
    CHECK(w[2].bridge_observation.next.state == BRIDGE_UNDER_WAY && !w[2].bridge_observation.due);
    CHECK(w[2].observations[0].block == 0 && w[2].observations[1].block == 9 && w[2].observations[1].settled);
    arena_free(a);
}

/* An execution whose wallet is gone does not hold up the others. */
static void wallets_find_their_executions(void)
{
    struct execution list[] = { { .id = 3, .wallet_id = 12 },
                                { .id = 5, .wallet_id = 11 },
                                { .id = 6, .wallet_id = 12 } };
    struct wallet wallets[] = { { .id = 10 }, { .id = 12 } };
    struct tracked w[] = { { .execution = &list[0] }, { .execution = &list[1] }, { .execution = &list[2] } };
    const struct claimed c = { .wallets = wallets, .wallet_count = 2 }, none = { .count = 0 };

    CHECK(tracked_wallets_set(w, 3, &c) == 2);
    CHECK(w[0].execution == &list[0] && w[1].execution == &list[2]);
    CHECK(w[0].wallet.id == 12 && w[1].wallet.id == 12);
    CHECK(tracked_wallets_set(w, 2, &none) == 0);
}

/* The number of looks that `n` executions of as many wallets take, with a transaction each. */
static unsigned polls_at(const char *chain, unsigned n)
{
    static struct execution list[BATCH];
    static struct tracked w[BATCH];
    static struct chain_batch chain_batches[BATCH];

    for (unsigned i = 0; i < n; i++) {
        list[i] = (struct execution){ .id = i };
        w[i] = (struct tracked){
            .execution = &list[i], .chain = chain_find(chain), .wallet.id = i + 1, .count = 1
        };
    }
    return chain_batches_make(chain_batches, w, n);
}

static void polls_are_as_large_as_the_family_allows(void)
{
    CHECK(polls_at("ethereum", 48) == 1 && polls_at("ethereum", 49) == 2);
    CHECK(polls_at("solana", 256) == 1);
}

TEST_MAIN(TEST(executions_with_evidence_of_failure_are_doubted), TEST(transactions_find_their_swaps),
          TEST(the_spending_step_is_recognised), TEST(requests_find_their_executions),
          TEST(bridges_find_their_executions), TEST(wallets_find_their_executions),
          TEST(polls_are_as_large_as_the_family_allows))
