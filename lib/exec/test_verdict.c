#include "base/test.h"
#include "exec/test_scene.h"
#include "exec/verdict.c"

struct row {
    enum exec_status from;
    uint64_t block; /* of the swap's transaction; 0: in none */
    bool succeeded, accepted, foreign;
    uint64_t cancel_block; /* of a cancel with the same nonce; 0: in none */
    enum exec_status to;
    const char *code;
};

static void scene_set(struct scene *s, const struct row *r)
{
    scene_begin(s, r->from);
    scene_add(s, TX_SPEND, NONCE, r->block, r->succeeded);
    s->txs[0].effect.accepted = r->accepted;
    scene_add(s, TX_CANCEL, NONCE, r->cancel_block, true);
    if (r->foreign)
        scene_take_nonce(s, true);
}

static void belongs(const struct scene *s, const struct row *r)
{
    struct verdict v = verdict_by_spend(&s->watch);

    CHECK(v.to == r->to);
    if (v.to != r->to)
        fprintf(stderr, "from %s to %s\n", exec_status_text(r->from), exec_status_text(v.to));
    CHECK((v.error_code == NULL) == (r->code == NULL));
    if (r->code != NULL && v.error_code != NULL)
        CHECK_STR(v.error_code, r->code);
    CHECK((v.error_code == NULL) == (v.error_message == NULL));
    CHECK(v.to == r->from || v.why != NULL);
}

static void where_a_swap_belongs(void)
{
    static const struct row rows[] = {
        /* nothing seen */
        { EXEC_PENDING, 0, false, false, false, 0, EXEC_PENDING, NULL },
        { EXEC_PENDING, 0, false, true, false, 0, EXEC_PENDING, NULL },
        { EXEC_SUBMITTED, 0, false, true, false, 0, EXEC_SUBMITTED, NULL },
        /* in a block, not deep enough */
        { EXEC_PENDING, HEAD, true, false, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_SUBMITTED, HEAD, true, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_SUBMITTED, HEAD, false, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_PROCESSING, HEAD, true, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_SUBMITTED, HEAD + 1, true, true, false, 0, EXEC_PROCESSING, NULL },
        /* deep enough */
        { EXEC_PENDING, HEAD - 1, true, false, false, 0, EXEC_COMPLETED, NULL },
        { EXEC_SUBMITTED, HEAD - 1, true, true, false, 0, EXEC_COMPLETED, NULL },
        { EXEC_PROCESSING, HEAD - 1, true, true, false, 0, EXEC_COMPLETED, NULL },
        { EXEC_PROCESSING, 1, true, true, false, 0, EXEC_COMPLETED, NULL },
        { EXEC_SUBMITTED, HEAD - 1, false, true, false, 0, EXEC_FAILED, "SIMULATION_REVERTED" },
        { EXEC_PROCESSING, HEAD - 1, false, true, false, 0, EXEC_FAILED, "SIMULATION_REVERTED" },
        { EXEC_COMPLETED, HEAD - 1, true, true, false, 0, EXEC_COMPLETED, NULL },
        { EXEC_FAILED, HEAD - 1, false, true, false, 0, EXEC_FAILED, "SIMULATION_REVERTED" },
        /* reorganised away */
        { EXEC_PROCESSING, 0, false, true, false, 0, EXEC_SUBMITTED, NULL },
        { EXEC_PROCESSING, 0, false, false, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_COMPLETED, 0, false, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_COMPLETED, HEAD, true, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_COMPLETED, HEAD - 1, false, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_COMPLETED, 0, false, true, true, 0, EXEC_PROCESSING, NULL },
        { EXEC_FAILED, 0, false, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_FAILED, HEAD, false, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_FAILED, HEAD - 1, true, true, false, 0, EXEC_PROCESSING, NULL },
        /* taken back: only what cannot come back any more is a failure */
        { EXEC_PENDING, 0, false, false, false, HEAD, EXEC_PENDING, NULL },
        { EXEC_SUBMITTED, 0, false, true, false, HEAD - SETTLE + 2, EXEC_SUBMITTED, NULL },
        { EXEC_SUBMITTED, 0, false, true, false, HEAD - SETTLE + 1, EXEC_FAILED, "QUOTE_EXPIRED" },
        { EXEC_PENDING, 0, false, false, false, HEAD - SETTLE + 1, EXEC_FAILED, "QUOTE_EXPIRED" },
        { EXEC_PROCESSING, 0, false, true, false, HEAD - SETTLE + 1, EXEC_FAILED, "QUOTE_EXPIRED" },
        { EXEC_FAILED, 0, false, true, false, HEAD - SETTLE + 1, EXEC_FAILED, "QUOTE_EXPIRED" },
        { EXEC_COMPLETED, 0, false, true, false, HEAD, EXEC_PROCESSING, NULL },
        { EXEC_COMPLETED, 0, false, true, false, HEAD - SETTLE + 1, EXEC_PROCESSING, NULL },
        /* the nonce went to somebody else's transaction */
        { EXEC_PENDING, 0, false, false, true, 0, EXEC_FAILED, "CONFLICT" },
        { EXEC_SUBMITTED, 0, false, true, true, 0, EXEC_FAILED, "CONFLICT" },
        { EXEC_PROCESSING, 0, false, true, true, 0, EXEC_FAILED, "CONFLICT" },
        { EXEC_FAILED, 0, false, true, true, 0, EXEC_FAILED, "CONFLICT" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;

        scene_set(&s, &rows[i]);
        belongs(&s, &rows[i]);
    }
}

/* What is seen for the first time speaks for a swap, and not against it. */
static void what_is_not_believed_at_once(void)
{
    static const struct row rows[] = {
        { EXEC_SUBMITTED, HEAD - 1, true, true, false, 0, EXEC_COMPLETED, NULL },
        { EXEC_SUBMITTED, HEAD - 1, false, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_PROCESSING, 1, false, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_COMPLETED, HEAD - 1, false, true, false, 0, EXEC_COMPLETED, NULL },
        { EXEC_FAILED, HEAD - 1, true, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_PENDING, 0, false, false, false, 1, EXEC_PENDING, NULL },
        { EXEC_SUBMITTED, 0, false, true, false, 1, EXEC_SUBMITTED, NULL },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;

        scene_set(&s, &rows[i]);
        scene_first_sight(&s);
        belongs(&s, &rows[i]);
    }
}

/* While the nonce counts as used a receipt that is missing says nothing. */
static void absence_proves_nothing(void)
{
    for (enum exec_status from = EXEC_PENDING; from <= EXEC_FAILED; from++) {
        struct row r = { from, 0, false, true, false, 0, from, NULL };
        struct scene s;

        scene_set(&s, &r);
        scene_take_nonce(&s, false);
        belongs(&s, &r);
    }
}

/* One refusal may be a node that lags behind; a refused cancel says nothing about the swap. */
static void what_nodes_will_never_take(void)
{
    struct transaction txs[] = { { .kind = TX_APPROVAL }, { .kind = TX_SPEND }, { .kind = TX_CANCEL } };
    struct watch w = { .txs = txs, .count = 3 };

    txs[1].effect.refusals = REFUSALS - 1;
    txs[2].effect.refusals = REFUSALS;
    CHECK(!any_refused(&w));
    txs[1].effect.refusals = REFUSALS;
    CHECK(any_refused(&w));
    txs[1].effect.refusals = 0;
    txs[0].effect.refusals = REFUSALS;
    CHECK(any_refused(&w));
}

static void what_nodes_refused_is_no_expiry(void)
{
    struct scene s;

    scene_begin(&s, EXEC_PENDING);
    scene_add(&s, TX_SPEND, NONCE, 0, false);
    scene_add(&s, TX_CANCEL, NONCE, 1, true);
    s.txs[0].effect.refusals = REFUSALS;
    CHECK(verdict_by_spend(&s.watch).to == EXEC_FAILED);
    CHECK_STR(verdict_by_spend(&s.watch).error_code, "SIMULATION_REVERTED");
}

/* The approval before it says nothing about the swap; of several attempts the one in a block counts. */
static void the_nonce_of_the_swap_decides(void)
{
    struct scene s;

    scene_begin(&s, EXEC_SUBMITTED);
    scene_add(&s, TX_APPROVAL, NONCE - 1, 1, true);
    scene_add(&s, TX_SPEND, NONCE, 0, false);
    CHECK(verdict_by_spend(&s.watch).to == EXEC_SUBMITTED);

    scene_begin(&s, EXEC_SUBMITTED);
    scene_add(&s, TX_APPROVAL, NONCE - 1, 1, false);
    scene_add(&s, TX_SPEND, NONCE, HEAD - 1, true);
    CHECK(verdict_by_spend(&s.watch).to == EXEC_COMPLETED);

    scene_begin(&s, EXEC_SUBMITTED);
    scene_add(&s, TX_SPEND, NONCE, 0, false);
    scene_add(&s, TX_SPEND, NONCE, HEAD - 1, true);
    CHECK(verdict_by_spend(&s.watch).to == EXEC_COMPLETED);
    CHECK(verdict_by_spend(&s.watch).by == 1 && verdict_by_spend(&s.watch).done);

    scene_begin(&s, EXEC_SUBMITTED);
    scene_add(&s, TX_CANCEL, NONCE, 0, false);
    scene_add(&s, TX_SPEND, NONCE, HEAD - 1, false);
    CHECK(verdict_by_spend(&s.watch).to == EXEC_FAILED);
    CHECK_STR(verdict_by_spend(&s.watch).error_message, "The transaction was included and reverted");
}

/* The swap behind it did not fail for being late. */
static void an_approval_whose_nonce_went_elsewhere(void)
{
    struct scene s;

    scene_begin(&s, EXEC_SUBMITTED);
    scene_add(&s, TX_APPROVAL, NONCE - 1, 0, false);
    scene_add(&s, TX_SPEND, NONCE, 0, false);
    scene_add(&s, TX_CANCEL, NONCE, 1, true);
    CHECK_STR(verdict_by_spend(&s.watch).error_code, "QUOTE_EXPIRED");
    s.sights[0].foreign = true;
    CHECK(verdict_by_spend(&s.watch).to == EXEC_FAILED);
    CHECK_STR(verdict_by_spend(&s.watch).error_code, "CONFLICT");
}

static struct row row_of(unsigned n)
{
    static const uint64_t blocks[] = { 0, 1, HEAD - SETTLE + 1, HEAD - 1, HEAD, HEAD + 1 };
    enum { BLOCKS = sizeof blocks / sizeof blocks[0] };
    struct row r = { .from = (enum exec_status)(EXEC_PENDING + n % 5) };

    n /= 5;
    r.block = blocks[n % BLOCKS];
    n /= BLOCKS;
    r.cancel_block = blocks[n % BLOCKS];
    n /= BLOCKS;
    r.succeeded = n & 1;
    r.accepted = n & 2;
    r.foreign = n & 4;
    return r;
}

/* Whatever a node shows, the move is one of the table, or the store would end the program. */
static void every_move_is_allowed(void)
{
    for (unsigned n = 0; n < 5 * 6 * 6 * 8 * 4; n++) {
        struct row r = row_of(n / 4);
        struct scene s;
        struct verdict v;

        scene_set(&s, &r);
        if (n & 2)
            scene_first_sight(&s);
        if (n % 2 != 0)
            scene_take_nonce(&s, r.foreign);
        v = verdict_by_spend(&s.watch);
        CHECK(v.to == r.from || exec_may_move(r.from, v.to));
        CHECK(v.to != EXEC_FAILED || (v.error_code != NULL || v.to == r.from));
        CHECK(v.to != EXEC_COMPLETED || v.to == r.from || (r.block != 0 && r.succeeded));
        CHECK(v.to == EXEC_FAILED || v.error_code == NULL);
    }
}

/* ---- by requests ---- */

struct requests_scene {
    struct scene scene;
    struct venue_request requests[2];
    struct request_sight sights[2];
};

static void requests_scene_begin(struct requests_scene *s, enum exec_status from)
{
    scene_begin(&s->scene, from);
    memset(s->requests, 0, sizeof s->requests);
    memset(s->sights, 0, sizeof s->sights);
    s->scene.watch.requests = s->requests;
    s->scene.watch.request_sights = s->sights;
}

static void requests_scene_add(struct requests_scene *s, enum effect_state state, enum venue_says says)
{
    unsigned i = s->scene.watch.request_count++;

    s->requests[i].effect.state = state;
    s->sights[i].says = says;
}

static void where_an_order_belongs(void)
{
    static const struct {
        enum exec_status from;
        enum effect_state state;
        enum venue_says says;
        enum exec_status to;
        bool done, lost;
    } rows[] = {
        { EXEC_PENDING, EFFECT_OPEN, VENUE_SILENT, EXEC_PENDING, false, false },
        { EXEC_PENDING, EFFECT_OPEN, VENUE_UNKNOWN, EXEC_PENDING, false, false },
        { EXEC_PENDING, EFFECT_OPEN, VENUE_HAS, EXEC_SUBMITTED, false, false },
        { EXEC_SUBMITTED, EFFECT_INCLUDED, VENUE_HAS, EXEC_SUBMITTED, false, false },
        { EXEC_SUBMITTED, EFFECT_INCLUDED, VENUE_UNKNOWN, EXEC_SUBMITTED, false, false },
        { EXEC_PENDING, EFFECT_OPEN, VENUE_FILLED, EXEC_COMPLETED, true, false },
        { EXEC_SUBMITTED, EFFECT_INCLUDED, VENUE_FILLED, EXEC_COMPLETED, true, false },
        { EXEC_SUBMITTED, EFFECT_INCLUDED, VENUE_REFUSED, EXEC_FAILED, false, true },
        { EXEC_SUBMITTED, EFFECT_INCLUDED, VENUE_EXPIRED, EXEC_FAILED, false, true },
        { EXEC_PENDING, EFFECT_OPEN, VENUE_EXPIRED, EXEC_FAILED, false, true },
        { EXEC_FAILED, EFFECT_LOST, VENUE_SILENT, EXEC_FAILED, false, false },
        { EXEC_FAILED, EFFECT_LOST, VENUE_UNKNOWN, EXEC_FAILED, false, true },
        { EXEC_FAILED, EFFECT_LOST, VENUE_HAS, EXEC_PROCESSING, false, false },
        { EXEC_PROCESSING, EFFECT_INCLUDED, VENUE_HAS, EXEC_PROCESSING, false, false },
        { EXEC_FAILED, EFFECT_SETTLED, VENUE_FILLED, EXEC_COMPLETED, true, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct requests_scene s;
        struct verdict v;

        requests_scene_begin(&s, rows[i].from);
        requests_scene_add(&s, rows[i].state, rows[i].says);
        v = verdict_by_requests(&s.scene.watch);
        CHECK(v.to == rows[i].to && v.by == -1 && (v.to == rows[i].from || v.why != NULL));
        CHECK(v.done == rows[i].done && v.settled == rows[i].done && v.lost == rows[i].lost);
        CHECK((v.to == EXEC_FAILED) == (v.error_code != NULL));
    }
}

/* The first that was not carried out decides: those behind it are never sent. */
static void an_order_after_another(void)
{
    struct requests_scene s;

    requests_scene_begin(&s, EXEC_PENDING);
    requests_scene_add(&s, EFFECT_OPEN, VENUE_FILLED);
    requests_scene_add(&s, EFFECT_OPEN, VENUE_SILENT);
    CHECK(verdict_by_requests(&s.scene.watch).to == EXEC_PENDING);
    s.sights[1].says = VENUE_HAS;
    CHECK(verdict_by_requests(&s.scene.watch).to == EXEC_SUBMITTED);
    s.sights[1].says = VENUE_FILLED;
    CHECK(verdict_by_requests(&s.scene.watch).to == EXEC_COMPLETED);
    s.sights[0] = (struct request_sight){ .says = VENUE_REFUSED, .why = &E_BALANCE };
    s.sights[1].says = VENUE_SILENT;
    CHECK_STR(verdict_by_requests(&s.scene.watch).error_code, E_BALANCE.code);
}

/* A request that never came so far because of the transactions in front of it says so. */
static void an_order_behind_what_failed(void)
{
    struct requests_scene s;

    requests_scene_begin(&s, EXEC_PENDING);
    requests_scene_add(&s, EFFECT_LOST, VENUE_UNKNOWN);
    CHECK_STR(verdict_by_requests(&s.scene.watch).error_code, "UPSTREAM_ERROR");
    scene_add(&s.scene, TX_APPROVAL, NONCE, 1, false);
    CHECK_STR(verdict_by_requests(&s.scene.watch).error_code, "SIMULATION_REVERTED");
    s.scene.sights[0] = (struct sight){ .foreign = true };
    CHECK_STR(verdict_by_requests(&s.scene.watch).error_code, "CONFLICT");
}

static void every_move_of_an_order_is_allowed(void)
{
    for (enum exec_status from = EXEC_PENDING; from <= EXEC_FAILED; from++)
        for (enum effect_state state = EFFECT_OPEN; state <= EFFECT_LOST; state++)
            for (enum venue_says says = VENUE_SILENT; says <= VENUE_EXPIRED; says++) {
                struct requests_scene s;
                struct verdict v;

                requests_scene_begin(&s, from);
                requests_scene_add(&s, state, says);
                s.requests[0].effect.succeeded = from == EXEC_COMPLETED;
                s.requests[0].effect.state = from == EXEC_COMPLETED ? EFFECT_SETTLED : state;
                v = verdict_by_requests(&s.scene.watch);
                CHECK(v.to == from || exec_may_move(from, v.to));
                CHECK(v.to != EXEC_COMPLETED || v.done);
            }
}

TEST_MAIN(TEST(where_a_swap_belongs), TEST(what_is_not_believed_at_once), TEST(absence_proves_nothing),
          TEST(what_nodes_will_never_take), TEST(what_nodes_refused_is_no_expiry),
          TEST(the_nonce_of_the_swap_decides), TEST(an_approval_whose_nonce_went_elsewhere),
          TEST(every_move_is_allowed), TEST(where_an_order_belongs), TEST(an_order_after_another),
          TEST(an_order_behind_what_failed), TEST(every_move_of_an_order_is_allowed))
