#include "base/test.h"
#include "store/db.h"

#define db_transact fake_transact
static enum tx_result fake_transact(struct db *db, tx_fn *fn, void *arg);

#include "exec/outcome.c"
#include "exec/test_scene.h"

static struct follow_outcome outcome_now(struct tracked *w)
{
    const struct verdict v = verdict_by_spend(w);

    return outcome_of(w, &v);
}

/* The subject of the move, and the hash that is shown: never a cancel's. */
static void moves_show_the_included_transaction(void)
{
    struct scene s;
    struct execution_move m;

    scene_begin(&s, EXEC_SUBMITTED);
    scene_add(&s, TX_SPEND, NONCE, 0, false);
    scene_add(&s, TX_SPEND, NONCE, 1, true);
    m = outcome_now(&s.tracked).move;
    CHECK(m.id == 7 && m.agent_id == 8 && m.kind == KIND_SWAP);
    CHECK(m.from == EXEC_SUBMITTED && m.to == EXEC_COMPLETED && m.tx_hash == &s.txs[1].hash);

    scene_begin(&s, EXEC_SUBMITTED);
    scene_add(&s, TX_SPEND, NONCE, 0, false);
    scene_add(&s, TX_CANCEL, NONCE, 1, true);
    m = outcome_now(&s.tracked).move;
    CHECK(m.to == EXEC_FAILED && m.tx_hash == NULL);
}

/* Nothing at first sight; what is, is looked at once more. */
static void failures_settle_after_one_more_poll(void)
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
        { EXEC_COMPLETED, 1, false, true, false, FOLLOW_NOT }, /* reverted, in another block than at first */
        { EXEC_FAILED, 1, false, true, false, FOLLOW_ONCE_MORE },
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
            scene_first_observation(&s);
        o = outcome_now(&s.tracked);
        CHECK(o.move.settles == rows[i].settled && o.move.next == rows[i].next);
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
        s.tracked.now_ms = rows[i].age_ms;
        o = outcome_now(&s.tracked);
        CHECK((o.move.to == EXEC_COMPLETED) == rows[i].corrected && o.move.settles == rows[i].settled);
        CHECK(o.move.next == FOLLOW_NOT && (!rows[i].corrected || o.move.tx_hash == &s.txs[0].hash));
    }
}

/* The chain is left alone once the deposit has settled, and its bridge once that has; what may still pay is
 * never given up. */
static void bridges_are_followed_until_paid(void)
{
    static const struct {
        enum exec_status from;
        enum exec_follow follow;
        uint64_t block; /* of the deposit */
        enum bridge_state said;
        bool patient, paid, final; /* as its chain shows */
        enum exec_status to;
        bool settles;
        enum exec_follow next;
    } rows[] = {
        { EXEC_PROCESSING, FOLLOW_IN_FLIGHT, HEAD, 1, 0, 0, 0, EXEC_PROCESSING, false, FOLLOW_BRIDGE },
        { EXEC_PROCESSING, FOLLOW_IN_FLIGHT, 1, 1, 0, 0, 0, EXEC_PROCESSING, true, FOLLOW_BRIDGE },
        { EXEC_PROCESSING, FOLLOW_BRIDGE, 1, 1, 0, 0, 0, EXEC_PROCESSING, false, FOLLOW_BRIDGE },
        { EXEC_PROCESSING, FOLLOW_BRIDGE, 1, BRIDGE_DONE, 0, 1, 0, EXEC_COMPLETED, false, FOLLOW_BRIDGE },
        { EXEC_COMPLETED, FOLLOW_BRIDGE, 1, BRIDGE_DONE, 0, 1, 1, EXEC_COMPLETED, true, FOLLOW_NOT },
        { EXEC_PROCESSING, FOLLOW_IN_FLIGHT, 1, BRIDGE_DONE, 0, 1, 1, EXEC_COMPLETED, true, FOLLOW_NOT },
        { EXEC_PROCESSING, FOLLOW_IN_FLIGHT, HEAD - 1, BRIDGE_DONE, 0, 1, 1, EXEC_COMPLETED, false,
          FOLLOW_NOT },
        { EXEC_PROCESSING, FOLLOW_BRIDGE, 1, BRIDGE_REFUNDED, 0, 1, 0, EXEC_FAILED, false, FOLLOW_BRIDGE },
        { EXEC_FAILED, FOLLOW_BRIDGE, 1, BRIDGE_REFUNDED, 0, 1, 1, EXEC_FAILED, true, FOLLOW_ONCE_MORE },
        { EXEC_PROCESSING, FOLLOW_BRIDGE, 1, BRIDGE_FAILED, 1, 0, 0, EXEC_FAILED, false, FOLLOW_BRIDGE },
        { EXEC_FAILED, FOLLOW_BRIDGE, 1, BRIDGE_FAILED, 1, 0, 0, EXEC_FAILED, false, FOLLOW_BRIDGE },
        { EXEC_FAILED, FOLLOW_BRIDGE, 1, BRIDGE_DONE, 0, 1, 1, EXEC_PROCESSING, false, FOLLOW_BRIDGE },
        /* looked at once more */
        { EXEC_FAILED, FOLLOW_ONCE_MORE, 1, BRIDGE_FAILED, 1, 0, 0, EXEC_FAILED, true, FOLLOW_BRIDGE },
        { EXEC_FAILED, FOLLOW_ONCE_MORE, 1, BRIDGE_UNDER_WAY, 0, 0, 0, EXEC_PROCESSING, true, FOLLOW_BRIDGE },
        { EXEC_FAILED, FOLLOW_ONCE_MORE, HEAD - 1, BRIDGE_UNKNOWN, 0, 0, 0, EXEC_FAILED, false, FOLLOW_NOT },
        { EXEC_FAILED, FOLLOW_ONCE_MORE, 1, BRIDGE_DONE, 0, 1, 1, EXEC_COMPLETED, true, FOLLOW_NOT },
        { EXEC_FAILED, FOLLOW_ONCE_MORE, 1, BRIDGE_REFUNDED, 0, 1, 1, EXEC_FAILED, true, FOLLOW_NOT },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bridge b = { .asks = 1 };
        struct follow_outcome o;
        struct scene s;

        scene_begin(&s, rows[i].from);
        s.swap.follow = rows[i].follow;
        scene_add(&s, TX_SPEND, NONCE, rows[i].block, true);
        s.tracked.now_ms = BRIDGE_PATIENCE_MS + 1;
        s.tracked.bridge = &b;
        s.tracked.bridge_observation = (struct bridge_observation){ .due = true,
                                                                    .shown = rows[i].paid,
                                                                    .paid = rows[i].paid,
                                                                    .confirmed = rows[i].paid,
                                                                    .settled = rows[i].final };
        s.tracked.bridge_observation.next.state = rows[i].said;
        s.tracked.bridge_observation.next.since_ms = rows[i].patient ? 1 : s.tracked.now_ms;
        o = outcome_now(&s.tracked);
        if (o.move.to != rows[i].to || o.move.settles != rows[i].settles ||
            (o.move.settles && o.move.next != rows[i].next))
            fprintf(stderr, "row %zu: %s %d %d\n", i, exec_status_text(o.move.to), o.move.settles,
                    (int)o.move.next);
        CHECK(o.move.to == rows[i].to && o.move.settles == rows[i].settles);
        CHECK(!o.move.settles || o.move.next == rows[i].next);
    }
}

static void executions_settle_with_their_last_effect(void)
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
        CHECK(all_settled(&s.tracked) == rows[i].settled);
    }
}

/* There is no receipt to wait for. */
static void foreign_nonces_settle_without_a_receipt(void)
{
    struct scene s;

    scene_begin(&s, EXEC_FAILED);
    scene_add(&s, TX_APPROVAL, NONCE - 1, 0, false);
    scene_add(&s, TX_SPEND, NONCE, 0, false);
    scene_add(&s, TX_CANCEL, NONCE, 1, true);
    CHECK(!all_settled(&s.tracked));
    s.observations[0].foreign = true;
    CHECK(all_settled(&s.tracked));
}

/* There is no receipt of a transaction that no block takes any more. */
static void expired_transactions_settle_without_a_receipt(void)
{
    struct scene s;
    struct follow_outcome o;

    scene_begin(&s, EXEC_SUBMITTED);
    s.swap.follow = FOLLOW_IN_FLIGHT;
    scene_add(&s, TX_SPEND, 0, 0, false);
    s.txs[0].has_nonce = false;
    s.observations[0].taken = true;
    o = outcome_now(&s.tracked);
    CHECK(!all_settled(&s.tracked) && !o.move.settles && o.move.to == EXEC_SUBMITTED);
    s.observations[0].expired = true;
    o = outcome_now(&s.tracked);
    CHECK(all_settled(&s.tracked) && o.move.settles && o.move.next == FOLLOW_ONCE_MORE);
    CHECK(o.move.to == EXEC_FAILED && o.move.tx_hash == NULL);
    CHECK_STR(o.move.error_code, "QUOTE_EXPIRED");
}

static void changed_observations_are_news(void)
{
    struct scene s;

    scene_begin(&s, EXEC_PROCESSING);
    scene_add(&s, TX_SPEND, NONCE, 50, true);
    s.txs[0].effect.state = EFFECT_OPEN;
    CHECK(any_news(&s.tracked));
    s.txs[0].block_number = 50;
    s.txs[0].effect.state = EFFECT_INCLUDED;
    CHECK(!any_news(&s.tracked));
    s.txs[0].effect.succeeded = false;
    CHECK(any_news(&s.tracked));
    s.txs[0].effect.succeeded = true;
    s.observations[0].block = 51;
    CHECK(any_news(&s.tracked));
    s.observations[0].block = 0;
    CHECK(any_news(&s.tracked));
    s.observations[0].taken = true; /* the receipt is missing, no more */
    CHECK(!any_news(&s.tracked));
    s.observations[0].taken = false;
    s.txs[0].effect.state = EFFECT_SETTLED;
    CHECK(!any_news(&s.tracked));
}

/* ---- many at once ---- */

static enum tx_result group_comes_to, of_one;
static unsigned groups, ones;

static enum tx_result fake_transact(struct db *db, tx_fn *fn, void *arg)
{
    const struct outcome_group *g = arg;

    (void)db;
    CHECK(fn == group_record_tx);
    groups += g->n > 1;
    ones += g->n == 1;
    return g->n > 1 ? group_comes_to : of_one;
}

/* Outcomes that cannot be recorded together are recorded one by one. */
static void many_are_recorded_at_once(void)
{
    enum { N = GROUP_MAX + 1 };
    static const struct {
        enum tx_result group, one;
        unsigned ones, moved;
    } rows[] = {
        { TX_DONE, TX_BROKEN, 0, N - 1 },
        { TX_REFUSED, TX_DONE, N - 1, N - 1 },
        { TX_BROKEN, TX_REFUSED, N - 1, 0 },
        { TX_UNKNOWN, TX_DONE, 0, 0 }, /* the next poll tells */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *a = arena_new();
        struct ctx ctx = { .db = NULL };
        struct tracked w[N];
        struct scene s[N];
        unsigned moved = 0;

        group_comes_to = rows[i].group;
        of_one = rows[i].one;
        groups = ones = 0;
        for (unsigned j = 0; j < N; j++) {
            scene_begin(&s[j], EXEC_SUBMITTED);
            scene_add(&s[j], TX_SPEND, NONCE, HEAD, true);
            w[j] = s[j].tracked;
            w[j].known = j != 1;
        }
        outcomes_record(&ctx, a, w, N);
        for (unsigned j = 0; j < N; j++)
            moved += s[j].swap.status == EXEC_PROCESSING;
        CHECK(groups == 1 && ones == rows[i].ones && moved == rows[i].moved);
        arena_free(a);
    }
}

TEST_MAIN(TEST(many_are_recorded_at_once), TEST(moves_show_the_included_transaction),
          TEST(failures_settle_after_one_more_poll), TEST(failures_are_looked_at_once_more),
          TEST(bridges_are_followed_until_paid), TEST(executions_settle_with_their_last_effect),
          TEST(foreign_nonces_settle_without_a_receipt), TEST(expired_transactions_settle_without_a_receipt),
          TEST(changed_observations_are_news))
