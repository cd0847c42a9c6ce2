#include "base/test.h"
#include "exec/follow.c"
#include "exec/test_scene.h"

static struct follow_outcome outcome_now(struct watch *w)
{
    const struct verdict v = verdict_by_spend(w);

    return outcome_of(w, &v);
}

/* What the move is about, and whose hash is shown: never a cancel's. */
static void what_a_move_says(void)
{
    struct scene s;
    struct execution_move m;

    scene_begin(&s, EXEC_SUBMITTED);
    scene_add(&s, TX_SPEND, NONCE, 0, false);
    scene_add(&s, TX_SPEND, NONCE, 1, true);
    m = outcome_now(&s.watch).move;
    CHECK(m.id == 7 && m.agent_id == 8 && m.kind == KIND_SWAP);
    CHECK(m.from == EXEC_SUBMITTED && m.to == EXEC_COMPLETED && m.tx_hash == &s.txs[1].hash);

    scene_begin(&s, EXEC_SUBMITTED);
    scene_add(&s, TX_SPEND, NONCE, 0, false);
    scene_add(&s, TX_CANCEL, NONCE, 1, true);
    m = outcome_now(&s.watch).move;
    CHECK(m.to == EXEC_FAILED && m.tx_hash == NULL);
}

/* Nothing at first sight; what is, is looked at once more. */
static void how_failures_are_settled(void)
{
    static const struct {
        enum exec_status from;
        uint64_t block;
        bool succeeded, fresh, settled;
        enum exec_follow next;
    } rows[] = {
        { EXEC_PROCESSING, 1, true, true, true, FOLLOW_NOT },
        { EXEC_COMPLETED, 1, true, false, true, FOLLOW_NOT },
        { EXEC_COMPLETED, HEAD - SETTLE + 2, true, false, false, FOLLOW_NOT },
        { EXEC_SUBMITTED, 1, false, true, false, FOLLOW_NOT },
        { EXEC_PROCESSING, 1, false, false, true, FOLLOW_ONCE_MORE },
        { EXEC_FAILED, 1, false, false, true, FOLLOW_ONCE_MORE },
        { EXEC_FAILED, HEAD - SETTLE + 2, false, false, false, FOLLOW_ONCE_MORE },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;
        struct follow_outcome o;

        scene_begin(&s, rows[i].from);
        s.swap.follow = FOLLOW_IN_FLIGHT;
        scene_add(&s, TX_SPEND, NONCE, rows[i].block, rows[i].succeeded);
        if (rows[i].fresh)
            scene_first_sight(&s);
        o = outcome_now(&s.watch);
        CHECK(o.settle == rows[i].settled && o.next == rows[i].next);
    }
}

static void failures_are_looked_at_once_more(void)
{
    static const struct {
        uint64_t swap, cancel; /* blocks */
        bool succeeded, foreign;
        int64_t age_ms;
        bool corrected, settled;
    } rows[] = {
        { 0, 0, false, false, 0, false, false }, /* the node shows nothing: later again */
        { 1, 0, false, false, 0, false, true },
        { 0, 1, false, false, 0, false, true },
        { 0, 0, false, true, 0, false, true },
        { 1, 0, true, false, 0, true, true },
        { HEAD - SETTLE + 2, 0, true, false, 0, false, false },
        { HEAD - SETTLE + 1, 0, true, false, 0, true, true },
        { 0, 0, false, false, REVIEWED_FOR_MS + 1, false, true },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;
        struct follow_outcome o;

        scene_begin(&s, EXEC_FAILED);
        s.swap.follow = FOLLOW_ONCE_MORE;
        scene_add(&s, TX_SPEND, NONCE, rows[i].swap, rows[i].succeeded);
        scene_add(&s, TX_CANCEL, NONCE, rows[i].cancel, true);
        if (rows[i].foreign)
            scene_take_nonce(&s, true);
        s.watch.now_ms = rows[i].age_ms;
        o = outcome_now(&s.watch);
        CHECK((o.move.to == EXEC_COMPLETED) == rows[i].corrected && o.settle == rows[i].settled);
        CHECK(o.next == FOLLOW_NOT && (!rows[i].corrected || o.move.tx_hash == &s.txs[0].hash));
    }
}

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

static void when_it_is_settled(void)
{
    static const struct {
        uint64_t approval, swap, again; /* blocks of the approval, and of two attempts at the swap */
        bool settled;
    } rows[] = {
        { 0, 0, 0, false },
        { 1, 1, 0, true },
        { 1, 0, 1, true },
        { 1, 0, 0, false },
        { 0, 1, 0, false },
        { HEAD - SETTLE + 1, HEAD - SETTLE + 1, 0, true },
        { HEAD - SETTLE + 2, HEAD - SETTLE + 1, 0, false },
        { HEAD - SETTLE + 1, HEAD - SETTLE + 2, 0, false },
        { 1, HEAD + 1, 0, false }, /* a block that the node does not know yet has no depth */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;

        scene_begin(&s, EXEC_COMPLETED);
        scene_add(&s, TX_APPROVAL, NONCE - 1, rows[i].approval, true);
        scene_add(&s, TX_SPEND, NONCE, rows[i].swap, true);
        scene_add(&s, TX_SPEND, NONCE, rows[i].again, true);
        CHECK(all_settled(&s.watch) == rows[i].settled);
    }
}

/* There is no receipt to wait for. */
static void what_went_elsewhere_is_settled(void)
{
    struct scene s;

    scene_begin(&s, EXEC_FAILED);
    scene_add(&s, TX_APPROVAL, NONCE - 1, 0, false);
    scene_add(&s, TX_SPEND, NONCE, 0, false);
    scene_add(&s, TX_CANCEL, NONCE, 1, true);
    CHECK(!all_settled(&s.watch));
    s.sights[0].foreign = true;
    CHECK(all_settled(&s.watch));
}

static void what_is_news(void)
{
    struct scene s;

    scene_begin(&s, EXEC_PROCESSING);
    scene_add(&s, TX_SPEND, NONCE, 50, true);
    s.txs[0].effect.state = EFFECT_OPEN;
    CHECK(any_news(&s.watch));
    s.txs[0].block_number = 50;
    s.txs[0].effect.state = EFFECT_INCLUDED;
    CHECK(!any_news(&s.watch));
    s.txs[0].effect.succeeded = false;
    CHECK(any_news(&s.watch));
    s.txs[0].effect.succeeded = true;
    s.sights[0].block = 51;
    CHECK(any_news(&s.watch));
    s.sights[0].block = 0;
    CHECK(any_news(&s.watch));
    s.sights[0].taken = true; /* the receipt is missing, no more */
    CHECK(!any_news(&s.watch));
    s.sights[0].taken = false;
    s.txs[0].effect.state = EFFECT_SETTLED;
    CHECK(!any_news(&s.watch));
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

TEST_MAIN(TEST(what_a_move_says), TEST(how_failures_are_settled), TEST(failures_are_looked_at_once_more),
          TEST(who_is_doubted), TEST(when_it_is_settled), TEST(what_went_elsewhere_is_settled),
          TEST(what_is_news), TEST(transactions_find_their_swaps))
