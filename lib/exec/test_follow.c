#include "base/test.h"
#include "exec/follow.c"
#include "exec/test_scene.h"

static void who_is_doubted(void)
{
    struct scene s;

    scene_begin(&s, EXEC_PROCESSING);
    scene_add(&s, TX_SPEND, NONCE, 50, true);
    CHECK(!is_doubted(&s.watch));
    s.txs[0].effect.succeeded = false;
    CHECK(is_doubted(&s.watch));
    s.txs[0].effect.succeeded = true;
    scene_add(&s, TX_CANCEL, NONCE, 0, false);
    CHECK(!is_doubted(&s.watch));
    s.txs[1].block_number = 50;
    CHECK(is_doubted(&s.watch));
    scene_begin(&s, EXEC_FAILED);
    CHECK(is_doubted(&s.watch));
}

/* Neighbours in one list become one watch each; what cannot be followed is left out. */
static void transactions_find_their_swaps(void)
{
    struct arena *a = arena_new();
    struct execution swaps[] = { { .id = 3, .kind = KIND_SWAP, .from = { .chain_id = 1 } },
                                 { .id = 5, .kind = KIND_SWAP, .from = { .chain_id = 1 } },
                                 { .id = 6, .kind = KIND_SWAP, .from = { .chain_id = 999 } },
                                 { .id = 7, .kind = KIND_TRANSFER + 1, .from = { .chain_id = 1 } },
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
    struct watch w[5 + 1];

    CHECK(watches_make(w, swaps, 5, txs, 7, a) == 2);
    CHECK(w[0].execution == &swaps[0] && w[0].count == 3 && w[0].txs == &txs[1] && w[0].spend == 1);
    CHECK(w[1].execution == &swaps[4] && w[1].count == 1 && w[1].txs == &txs[6] && w[1].spend == 0);
    CHECK(w[1].chain == chain_by_id(8453) && w[0].sights[2].block == 0);
    CHECK(watches_make(w, swaps, 0, txs, 7, a) == 0 && watches_make(w, swaps, 5, txs, 0, a) == 0);
    arena_free(a);
}

TEST_MAIN(TEST(who_is_doubted), TEST(transactions_find_their_swaps))
