#include "base/test.h"
#include "exec/bridge.h"
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
    struct verdict v = verdict_by_spend(&s->tracked);

    CHECK(v.to == r->to);
    if (v.to != r->to)
        fprintf(stderr, "from %s to %s\n", exec_status_text(r->from), exec_status_text(v.to));
    CHECK((v.error_code == NULL) == (r->code == NULL));
    if (r->code != NULL && v.error_code != NULL)
        CHECK_STR(v.error_code, r->code);
    CHECK((v.error_code == NULL) == (v.error_message == NULL));
    CHECK(v.to == r->from || v.why != NULL);
}

static void verdicts_of_swaps(void)
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
        /* a foreign transaction has used the nonce */
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

/* A first observation counts for a swap, and not against it. */
static void failures_are_polled_twice(void)
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
        scene_first_observation(&s);
        belongs(&s, &rows[i]);
    }
}

/* An observation that another node, asked at the same poll, does not show is not believed either. */
static void disputed_observations_do_not_count(void)
{
    static const struct row rows[] = {
        { EXEC_SUBMITTED, HEAD - 1, false, true, false, 0, EXEC_PROCESSING, NULL },
        { EXEC_SUBMITTED, 0, false, true, false, 1, EXEC_SUBMITTED, NULL },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;

        scene_set(&s, &rows[i]);
        s.observations[0].disputed = s.observations[1].disputed = true;
        belongs(&s, &rows[i]);
    }
}

/* The arrived amount is read once more. */
static void transactions_in_another_block_are_judged_anew(void)
{
    static const struct {
        uint64_t recorded;
        bool otherwise;
        enum exec_status to;
    } rows[] = { { HEAD - 1, false, EXEC_COMPLETED },
                 { HEAD - 2, false, EXEC_PROCESSING },
                 { HEAD - 1, true, EXEC_PROCESSING },
                 { 0, false, EXEC_COMPLETED } };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row r = { EXEC_COMPLETED, HEAD - 1, true, true, false, 0, rows[i].to, NULL };
        struct scene s;

        scene_set(&s, &r);
        s.txs[0].block_number = rows[i].recorded;
        s.observations[0].otherwise = rows[i].otherwise;
        belongs(&s, &r);
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
static void refusals_for_good_need_repetition(void)
{
    struct transaction txs[] = { { .kind = TX_APPROVAL }, { .kind = TX_SPEND }, { .kind = TX_CANCEL } };
    struct tracked w = { .txs = txs, .count = 3 };

    txs[1].effect.refusals = REFUSALS - 1;
    txs[2].effect.refusals = REFUSALS;
    CHECK(!any_refused(&w));
    txs[1].effect.refusals = REFUSALS;
    CHECK(any_refused(&w));
    txs[1].effect.refusals = 0;
    txs[0].effect.refusals = REFUSALS;
    CHECK(any_refused(&w));
}

static void refused_transactions_do_not_fail_as_expired(void)
{
    struct scene s;

    scene_begin(&s, EXEC_PENDING);
    scene_add(&s, TX_SPEND, NONCE, 0, false);
    scene_add(&s, TX_CANCEL, NONCE, 1, true);
    s.txs[0].effect.refusals = REFUSALS;
    CHECK(verdict_by_spend(&s.tracked).to == EXEC_FAILED);
    CHECK_STR(verdict_by_spend(&s.tracked).error_code, "SIMULATION_REVERTED");
}

/* The approval before it says nothing about the swap; of several attempts the one in a block counts. */
static void the_nonce_of_the_swap_decides(void)
{
    struct scene s;

    scene_begin(&s, EXEC_SUBMITTED);
    scene_add(&s, TX_APPROVAL, NONCE - 1, 1, true);
    scene_add(&s, TX_SPEND, NONCE, 0, false);
    CHECK(verdict_by_spend(&s.tracked).to == EXEC_SUBMITTED);

    scene_begin(&s, EXEC_SUBMITTED);
    scene_add(&s, TX_APPROVAL, NONCE - 1, 1, false);
    scene_add(&s, TX_SPEND, NONCE, HEAD - 1, true);
    CHECK(verdict_by_spend(&s.tracked).to == EXEC_COMPLETED);

    scene_begin(&s, EXEC_SUBMITTED);
    scene_add(&s, TX_SPEND, NONCE, 0, false);
    scene_add(&s, TX_SPEND, NONCE, HEAD - 1, true);
    CHECK(verdict_by_spend(&s.tracked).to == EXEC_COMPLETED);
    CHECK(verdict_by_spend(&s.tracked).by == 1 && verdict_by_spend(&s.tracked).done);

    scene_begin(&s, EXEC_SUBMITTED);
    scene_add(&s, TX_CANCEL, NONCE, 0, false);
    scene_add(&s, TX_SPEND, NONCE, HEAD - 1, false);
    CHECK(verdict_by_spend(&s.tracked).to == EXEC_FAILED);
    CHECK_STR(verdict_by_spend(&s.tracked).error_message, "The transaction was included and reverted");
}

/* The swap behind it did not fail for being late. */
static void an_approval_whose_nonce_went_elsewhere(void)
{
    struct scene s;

    scene_begin(&s, EXEC_SUBMITTED);
    scene_add(&s, TX_APPROVAL, NONCE - 1, 0, false);
    scene_add(&s, TX_SPEND, NONCE, 0, false);
    scene_add(&s, TX_CANCEL, NONCE, 1, true);
    CHECK_STR(verdict_by_spend(&s.tracked).error_code, "QUOTE_EXPIRED");
    s.observations[0].foreign = true;
    CHECK(verdict_by_spend(&s.tracked).to == EXEC_FAILED);
    CHECK_STR(verdict_by_spend(&s.tracked).error_code, "CONFLICT");
}

/* The chain's blocks have to prove it: until then the use of its nonce proves nothing. */
static void expired_transactions_fail(void)
{
    for (enum exec_status from = EXEC_PENDING; from <= EXEC_FAILED; from++) {
        enum exec_status to = from == EXEC_COMPLETED ? EXEC_PROCESSING : EXEC_FAILED;
        struct scene s;
        struct verdict v;

        scene_begin(&s, from);
        scene_add(&s, TX_SPEND, 0, 0, false);
        s.txs[0].has_nonce = false;
        s.txs[0].effect.accepted = true;
        s.observations[0].taken = true;
        v = verdict_by_spend(&s.tracked);
        CHECK(v.to == from && !v.lost && v.error_code == NULL);
        s.observations[0].expired = true;
        v = verdict_by_spend(&s.tracked);
        CHECK(v.to == to && v.lost && !v.done && v.by == -1);
        CHECK(v.to == from || (v.why != NULL && exec_may_move(from, v.to)));
        CHECK(from != EXEC_COMPLETED || v.error_code == NULL);
        if (from == EXEC_COMPLETED)
            continue;
        CHECK_STR(v.error_code, "QUOTE_EXPIRED");
        CHECK_STR(v.error_message, "Not included in time, and no block takes it any more");
    }
}

/* The verdict is about the swap only: a step before it is not what it failed for. */
static void an_approval_that_no_block_takes(void)
{
    struct scene s;

    scene_begin(&s, EXEC_SUBMITTED);
    scene_add(&s, TX_APPROVAL, 0, 0, false);
    scene_add(&s, TX_SPEND, 0, 0, false);
    s.txs[0].has_nonce = s.txs[1].has_nonce = false;
    s.observations[0].expired = s.observations[0].taken = true;
    CHECK(verdict_by_spend(&s.tracked).to == EXEC_SUBMITTED && !verdict_by_spend(&s.tracked).lost);
    s.observations[1].foreign = true;
    CHECK_STR(verdict_by_spend(&s.tracked).error_code, "CONFLICT");
}

/* The reason comes from the chain; not for a success, nor before the failure is deep enough and was seen
 * twice. */
static void why_a_swap_failed(void)
{
    struct scene s;
    struct verdict v;

    scene_begin(&s, EXEC_PROCESSING);
    scene_add(&s, TX_SPEND, NONCE, HEAD - 1, false);
    s.observations[0].why = &E_PRICE_MOVED;
    v = verdict_by_spend(&s.tracked);
    CHECK(v.to == EXEC_FAILED && !v.lost && v.by == 0);
    CHECK_STR(v.error_code, E_PRICE_MOVED.code);
    CHECK_STR(v.error_message, E_PRICE_MOVED.text);
    CHECK_STR(v.why, E_PRICE_MOVED.text);
    scene_first_observation(&s);
    CHECK(verdict_by_spend(&s.tracked).to == EXEC_PROCESSING);
    scene_begin(&s, EXEC_SUBMITTED);
    scene_add(&s, TX_SPEND, NONCE, HEAD, false);
    s.observations[0].why = &E_PRICE_MOVED;
    v = verdict_by_spend(&s.tracked);
    CHECK(v.to == EXEC_PROCESSING && v.error_code == NULL);
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

/* For every state that a node can show, the move is one of the table, or the store would end the program. */
static void every_move_is_allowed(void)
{
    for (unsigned n = 0; n < 5 * 6 * 6 * 8 * 4; n++) {
        struct row r = row_of(n / 4);
        struct scene s;
        struct verdict v;

        scene_set(&s, &r);
        if (n & 2)
            scene_first_observation(&s);
        if (n % 2 != 0)
            scene_take_nonce(&s, r.foreign);
        v = verdict_by_spend(&s.tracked);
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
    struct request_observation observations[2];
};

static void requests_scene_begin(struct requests_scene *s, enum exec_status from)
{
    scene_begin(&s->scene, from);
    memset(s->requests, 0, sizeof s->requests);
    memset(s->observations, 0, sizeof s->observations);
    s->scene.tracked.requests = s->requests;
    s->scene.tracked.request_observations = s->observations;
}

static void requests_scene_add(struct requests_scene *s, enum effect_state state, enum venue_says says)
{
    unsigned i = s->scene.tracked.request_count++;

    s->requests[i].effect.state = state;
    s->observations[i].says = says;
}

static void verdicts_of_orders(void)
{
    static const struct {
        enum exec_status from;
        enum effect_state state;
        enum venue_says says;
        enum exec_status to;
        bool done, lost;
    } rows[] = {
        { EXEC_PENDING, EFFECT_OPEN, VENUE_UNAVAILABLE, EXEC_PENDING, false, false },
        { EXEC_PENDING, EFFECT_OPEN, VENUE_UNKNOWN, EXEC_PENDING, false, false },
        { EXEC_PENDING, EFFECT_OPEN, VENUE_HAS, EXEC_SUBMITTED, false, false },
        { EXEC_SUBMITTED, EFFECT_INCLUDED, VENUE_HAS, EXEC_SUBMITTED, false, false },
        { EXEC_SUBMITTED, EFFECT_INCLUDED, VENUE_UNKNOWN, EXEC_SUBMITTED, false, false },
        { EXEC_PENDING, EFFECT_OPEN, VENUE_FILLED, EXEC_COMPLETED, true, false },
        { EXEC_SUBMITTED, EFFECT_INCLUDED, VENUE_FILLED, EXEC_COMPLETED, true, false },
        { EXEC_SUBMITTED, EFFECT_INCLUDED, VENUE_REFUSED, EXEC_FAILED, false, true },
        { EXEC_SUBMITTED, EFFECT_INCLUDED, VENUE_EXPIRED, EXEC_FAILED, false, true },
        { EXEC_PENDING, EFFECT_OPEN, VENUE_EXPIRED, EXEC_FAILED, false, true },
        { EXEC_FAILED, EFFECT_LOST, VENUE_UNAVAILABLE, EXEC_FAILED, false, false },
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
        v = verdict_by_requests(&s.scene.tracked);
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
    requests_scene_add(&s, EFFECT_OPEN, VENUE_UNAVAILABLE);
    CHECK(verdict_by_requests(&s.scene.tracked).to == EXEC_PENDING);
    s.observations[1].says = VENUE_HAS;
    CHECK(verdict_by_requests(&s.scene.tracked).to == EXEC_SUBMITTED);
    s.observations[1].says = VENUE_FILLED;
    CHECK(verdict_by_requests(&s.scene.tracked).to == EXEC_COMPLETED);
    s.observations[0] = (struct request_observation){ .says = VENUE_REFUSED, .why = &E_BALANCE };
    s.observations[1].says = VENUE_UNAVAILABLE;
    CHECK_STR(verdict_by_requests(&s.scene.tracked).error_code, E_BALANCE.code);
}

/* A request that never came so far because of the transactions in front of it says so. */
static void an_order_behind_what_failed(void)
{
    struct requests_scene s;

    requests_scene_begin(&s, EXEC_PENDING);
    requests_scene_add(&s, EFFECT_LOST, VENUE_UNKNOWN);
    CHECK_STR(verdict_by_requests(&s.scene.tracked).error_code, "UPSTREAM_ERROR");
    scene_add(&s.scene, TX_APPROVAL, NONCE, 1, false);
    CHECK_STR(verdict_by_requests(&s.scene.tracked).error_code, "SIMULATION_REVERTED");
    s.scene.observations[0] = (struct observation){ .foreign = true };
    CHECK_STR(verdict_by_requests(&s.scene.tracked).error_code, "CONFLICT");
}

static void an_order_behind_what_was_taken_back(void)
{
    struct requests_scene s;

    requests_scene_begin(&s, EXEC_PENDING);
    requests_scene_add(&s, EFFECT_LOST, VENUE_UNKNOWN);
    scene_add(&s.scene, TX_APPROVAL, NONCE, 0, false);
    scene_add(&s.scene, TX_CANCEL, NONCE, HEAD, true);
    CHECK_STR(verdict_by_requests(&s.scene.tracked).error_code, "UPSTREAM_ERROR");
    s.scene.observations[1] = scene_observation(1, true);
    CHECK_STR(verdict_by_requests(&s.scene.tracked).error_code, "QUOTE_EXPIRED");
    s.scene.txs[0].effect.refusals = REFUSALS;
    CHECK_STR(verdict_by_requests(&s.scene.tracked).error_code, "SIMULATION_REVERTED");
}

static void every_move_of_an_order_is_allowed(void)
{
    for (enum exec_status from = EXEC_PENDING; from <= EXEC_FAILED; from++)
        for (enum effect_state state = EFFECT_OPEN; state <= EFFECT_LOST; state++)
            for (enum venue_says says = VENUE_UNAVAILABLE; says <= VENUE_EXPIRED; says++) {
                struct requests_scene s;
                struct verdict v;

                requests_scene_begin(&s, from);
                requests_scene_add(&s, state, says);
                s.requests[0].effect.succeeded = from == EXEC_COMPLETED;
                s.requests[0].effect.state = from == EXEC_COMPLETED ? EFFECT_SETTLED : state;
                v = verdict_by_requests(&s.scene.tracked);
                CHECK(v.to == from || exec_may_move(from, v.to));
                CHECK(v.to != EXEC_COMPLETED || v.done);
            }
}

/* ---- with a bridge ---- */

enum { SHALLOW = HEAD, DEEP = HEAD - 1, SETTLED = 1 }; /* blocks of its deposit */

struct bridge_row {
    enum exec_status from;
    uint64_t block; /* of the deposit */
    enum bridge_state said;
    bool patient; /* the bridge provider has said so for an hour */
    enum bridge_delivery before;
    enum { NOT_SHOWN, SHOWN_NOWHERE, SHOWN_PAID, SHOWN_OTHER } shows;
    enum { YOUNG_BLOCK, CONFIRMED, FINAL } depth; /* of what it shows */
    enum exec_status to;
    const char *code;
    enum bridge_delivery delivery;
    bool owed;
};

static void bridge_set(struct scene *s, struct bridge *b, const struct bridge_row *r)
{
    struct bridge_observation *observation = &s->tracked.bridge_observation;

    scene_begin(s, r->from);
    scene_add(s, TX_SPEND, NONCE, r->block, true);
    s->txs[0].effect.accepted = true;
    s->tracked.now_ms = 2 * (int64_t)BRIDGE_PATIENCE_MS;
    *b = (struct bridge){ .delivery = r->before, .out_block = r->before == DELIVERY_PROVEN ? 70 : 0 };
    s->tracked.bridge = b;
    observation->due = true;
    observation->next = *b;
    observation->next.state = r->said;
    observation->next.out_tx.len = 32;
    observation->next.since_ms = s->tracked.now_ms - (r->patient ? BRIDGE_PATIENCE_MS : 1);
    observation->shown = r->shows != NOT_SHOWN;
    observation->paid = r->shows == SHOWN_PAID;
    observation->block = r->shows == SHOWN_PAID || r->shows == SHOWN_OTHER ? 70 : 0;
    observation->confirmed = r->depth >= CONFIRMED;
    observation->settled = r->depth == FINAL;
}

static void bridge_belongs(const struct scene *s, const struct bridge_row *r, size_t i)
{
    struct verdict v = verdict_by_spend(&s->tracked);

    if (v.to != r->to || v.delivery != r->delivery || v.owed != r->owed)
        fprintf(stderr, "row %zu: to %s delivery %d owed %d\n", i, exec_status_text(v.to), (int)v.delivery,
                v.owed);
    CHECK(v.to == r->to && v.delivery == r->delivery && v.owed == r->owed);
    CHECK((v.error_code == NULL) == (r->code == NULL));
    if (r->code != NULL && v.error_code != NULL)
        CHECK_STR(v.error_code, r->code);
    CHECK(v.to == r->from || v.why != NULL);
}

/* By what the far chain shows, and by the bridge provider's word only where there is no other evidence. */
static void verdicts_of_bridges(void)
{
    static const struct bridge_row rows[] = {
        /* the deposit alone completes nothing */
        { EXEC_SUBMITTED, SHALLOW, BRIDGE_UNKNOWN, 0, 0, NOT_SHOWN, 0, EXEC_PROCESSING, NULL, 0, true },
        { EXEC_PENDING, SETTLED, BRIDGE_UNKNOWN, 0, 0, NOT_SHOWN, 0, EXEC_PROCESSING, NULL, 0, true },
        { EXEC_PROCESSING, SETTLED, BRIDGE_UNDER_WAY, 1, 0, NOT_SHOWN, 0, EXEC_PROCESSING, NULL, 0, true },
        /* said to be done, and the chain shows nothing, or something else */
        { EXEC_PROCESSING, SETTLED, BRIDGE_DONE, 0, 0, NOT_SHOWN, 0, EXEC_PROCESSING, NULL, 0, true },
        { EXEC_PROCESSING, SETTLED, BRIDGE_DONE, 1, 0, NOT_SHOWN, 0, EXEC_PROCESSING, NULL, 0, true },
        { EXEC_PROCESSING, SETTLED, BRIDGE_DONE, 1, 0, SHOWN_NOWHERE, 0, EXEC_PROCESSING, NULL, 0, true },
        { EXEC_PROCESSING, SETTLED, BRIDGE_DONE, 1, 0, SHOWN_OTHER, FINAL, EXEC_PROCESSING, NULL, 0, true },
        /* shown: both blocks have to be deep enough */
        { EXEC_PROCESSING, SETTLED, BRIDGE_DONE, 0, 0, SHOWN_PAID, YOUNG_BLOCK, EXEC_PROCESSING, NULL, 0,
          true },
        { EXEC_PROCESSING, SHALLOW, BRIDGE_DONE, 0, 0, SHOWN_PAID, FINAL, EXEC_PROCESSING, NULL,
          DELIVERY_PROVEN, false },
        { EXEC_PROCESSING, DEEP, BRIDGE_DONE, 0, 0, SHOWN_PAID, CONFIRMED, EXEC_COMPLETED, NULL,
          DELIVERY_PROVEN, true },
        { EXEC_PROCESSING, SETTLED, BRIDGE_DONE, 0, 0, SHOWN_PAID, FINAL, EXEC_COMPLETED, NULL,
          DELIVERY_PROVEN, false },
        /* proven: a chain that is silent takes nothing back, and one that shows it is gone, the second time
         */
        { EXEC_COMPLETED, SETTLED, BRIDGE_DONE, 0, DELIVERY_PROVEN, NOT_SHOWN, 0, EXEC_COMPLETED, NULL,
          DELIVERY_PROVEN, true },
        { EXEC_COMPLETED, SETTLED, BRIDGE_DONE, 0, DELIVERY_PROVEN, SHOWN_NOWHERE, 0, EXEC_COMPLETED, NULL,
          DELIVERY_PROVEN, true },
        { EXEC_COMPLETED, SETTLED, BRIDGE_DONE, 0, DELIVERY_PROVEN, SHOWN_PAID, YOUNG_BLOCK, EXEC_PROCESSING,
          NULL, 0, true },
        /* it goes back: only what was proven stays */
        { EXEC_PROCESSING, SETTLED, BRIDGE_UNDER_WAY, 0, 0, SHOWN_PAID, FINAL, EXEC_PROCESSING, NULL, 0,
          true },
        /* paid back */
        { EXEC_PROCESSING, SETTLED, BRIDGE_REFUNDED, 1, 0, NOT_SHOWN, 0, EXEC_PROCESSING, NULL, 0, true },
        { EXEC_PROCESSING, SETTLED, BRIDGE_REFUNDED, 1, 0, SHOWN_OTHER, FINAL, EXEC_PROCESSING, NULL, 0,
          true },
        { EXEC_PROCESSING, SETTLED, BRIDGE_REFUNDED, 0, 0, SHOWN_PAID, CONFIRMED, EXEC_FAILED,
          "BRIDGE_REFUNDED", DELIVERY_PROVEN, true },
        { EXEC_FAILED, SETTLED, BRIDGE_REFUNDED, 0, DELIVERY_PROVEN, SHOWN_PAID, FINAL, EXEC_FAILED,
          "BRIDGE_REFUNDED", DELIVERY_PROVEN, false },
        /* it has failed, as its bridge provider says */
        { EXEC_PROCESSING, SETTLED, BRIDGE_FAILED, 0, 0, NOT_SHOWN, 0, EXEC_PROCESSING, NULL, 0, true },
        { EXEC_PROCESSING, SHALLOW, BRIDGE_FAILED, 1, 0, NOT_SHOWN, 0, EXEC_PROCESSING, NULL, 0, true },
        { EXEC_PROCESSING, SETTLED, BRIDGE_FAILED, 1, 0, NOT_SHOWN, 0, EXEC_FAILED, "BRIDGE_FAILED", 0,
          true },
        { EXEC_FAILED, SETTLED, BRIDGE_UNDER_WAY, 0, 0, NOT_SHOWN, 0, EXEC_PROCESSING, NULL, 0, true },
        /* by its word alone */
        { EXEC_COMPLETED, SETTLED, BRIDGE_DONE, 0, DELIVERY_REPORTED, NOT_SHOWN, 0, EXEC_COMPLETED, NULL,
          DELIVERY_REPORTED, false },
        /* the deposit is gone again */
        { EXEC_PROCESSING, 0, BRIDGE_DONE, 0, 0, SHOWN_PAID, FINAL, EXEC_SUBMITTED, NULL, 0, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;
        struct bridge b;

        bridge_set(&s, &b, &rows[i]);
        bridge_belongs(&s, &rows[i], i);
    }
}

/* One poll may have been at a node that has forgotten it. */
static void vanished_payments_are_polled_twice(void)
{
    const struct bridge_row row = {
        EXEC_COMPLETED,  SETTLED, BRIDGE_DONE, 0,   DELIVERY_PROVEN, SHOWN_NOWHERE, 0,
        EXEC_PROCESSING, NULL,    0,           true
    };
    struct scene s;
    struct bridge b;

    bridge_set(&s, &b, &row);
    b.out_block = 0; /* as the first poll has recorded it */
    bridge_belongs(&s, &row, 0);
}

/* Without a node of the far chain a delivery is believed at once, and coin that the chain cannot tell when it
 * was said for an hour; a refund never is. */
static void reported_deliveries_count_without_a_node(void)
{
    static const struct {
        enum bridge_state said;
        bool patient, unverifiable, amount_unknown, named;
        enum bridge_delivery delivery;
    } rows[] = {
        { BRIDGE_DONE, false, true, false, true, DELIVERY_REPORTED },
        { BRIDGE_DONE, false, false, true, true, DELIVERY_NONE },
        { BRIDGE_DONE, true, false, true, true, DELIVERY_REPORTED },
        { BRIDGE_DONE, true, false, false, false, DELIVERY_NONE },
        { BRIDGE_REFUNDED, false, true, false, true, DELIVERY_NONE },
        { BRIDGE_REFUNDED, true, true, false, true, DELIVERY_NONE },
        { BRIDGE_REFUNDED, true, false, true, true, DELIVERY_NONE },
        { BRIDGE_REFUNDED, true, false, false, false, DELIVERY_NONE },
        { BRIDGE_UNDER_WAY, true, true, true, true, DELIVERY_NONE },
        { BRIDGE_FAILED, true, true, true, true, DELIVERY_NONE },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct bridge_row row = {
            .from = EXEC_PROCESSING, .block = SETTLED, .said = rows[i].said, .patient = rows[i].patient
        };
        struct scene s;
        struct bridge b;

        bridge_set(&s, &b, &row);
        s.tracked.bridge_observation.unverifiable = rows[i].unverifiable;
        s.tracked.bridge_observation.amount_unknown = rows[i].amount_unknown;
        s.tracked.bridge_observation.next.out_tx.len = rows[i].named ? 32 : 0;
        CHECK(bridge_delivery_of(&s.tracked) == rows[i].delivery);
        s.tracked.bridge_observation.due = false; /* it is not its turn: nothing is new */
        CHECK(bridge_delivery_of(&s.tracked) == DELIVERY_NONE);
    }
}

/* A bridge reported as failed stays so while nothing comes; a partial refund is reported as failed in the
 * end, and both are still followed. */
static void failed_bridges_are_still_followed(void)
{
    static const struct {
        enum exec_status from;
        enum exec_follow follow;
        enum bridge_state said;
        bool patient, in_part, amount_unknown;
        enum exec_status to;
    } rows[] = {
        { EXEC_FAILED, FOLLOW_BRIDGE, BRIDGE_FAILED, true, false, false, EXEC_FAILED },
        { EXEC_FAILED, FOLLOW_BRIDGE, BRIDGE_UNDER_WAY, false, false, false, EXEC_FAILED },
        { EXEC_FAILED, FOLLOW_IN_FLIGHT, BRIDGE_UNDER_WAY, false, false, false, EXEC_PROCESSING },
        { EXEC_PROCESSING, FOLLOW_BRIDGE, BRIDGE_REFUNDED, false, true, false, EXEC_PROCESSING },
        { EXEC_PROCESSING, FOLLOW_BRIDGE, BRIDGE_REFUNDED, true, true, false, EXEC_FAILED },
        { EXEC_PROCESSING, FOLLOW_BRIDGE, BRIDGE_REFUNDED, true, false, true, EXEC_FAILED },
        { EXEC_PROCESSING, FOLLOW_BRIDGE, BRIDGE_REFUNDED, true, false, false, EXEC_PROCESSING },
        { EXEC_PROCESSING, FOLLOW_BRIDGE, BRIDGE_DONE, true, false, true, EXEC_COMPLETED },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct bridge_row row = {
            .from = rows[i].from, .block = SETTLED, .said = rows[i].said, .patient = rows[i].patient
        };
        struct verdict v;
        struct scene s;
        struct bridge b;

        bridge_set(&s, &b, &row);
        s.swap.follow = rows[i].follow;
        s.tracked.bridge_observation.in_part = rows[i].in_part;
        s.tracked.bridge_observation.amount_unknown = rows[i].amount_unknown;
        v = verdict_by_spend(&s.tracked);
        CHECK(v.to == rows[i].to && v.owed == (v.to != EXEC_COMPLETED));
        if (v.to == EXEC_FAILED)
            CHECK_STR(v.error_code, "BRIDGE_FAILED");
    }
}

/* A deposit that fails has no bridge. */
static void a_deposit_that_reverts(void)
{
    const struct bridge_row row = {
        .from = EXEC_PROCESSING, .block = SETTLED, .said = BRIDGE_DONE, .shows = SHOWN_PAID, .depth = FINAL
    };
    struct scene s;
    struct bridge b;

    bridge_set(&s, &b, &row);
    s.txs[0].effect.succeeded = s.observations[0].succeeded = false;
    CHECK(verdict_by_spend(&s.tracked).to == EXEC_FAILED && !verdict_by_spend(&s.tracked).owed);
    CHECK_STR(verdict_by_spend(&s.tracked).error_code, "SIMULATION_REVERTED");
}

static struct bridge_row bridge_row_of(unsigned n)
{
    static const uint64_t blocks[] = { 0, SHALLOW, DEEP, SETTLED };
    struct bridge_row r = { .from = (enum exec_status)(EXEC_PENDING + n % 5) };

    n /= 5;
    r.block = blocks[n % 4];
    n /= 4;
    r.said = (enum bridge_state)(n % 5);
    n /= 5;
    r.before = (enum bridge_delivery)(n % 3);
    n /= 3;
    r.shows = n % 4;
    n /= 4;
    r.depth = n % 3;
    n /= 3;
    r.patient = n & 1;
    return r;
}

static void every_move_of_a_bridge_is_allowed(void)
{
    for (unsigned n = 0; n < 5 * 4 * 5 * 3 * 4 * 3 * 2; n++) {
        const struct bridge_row r = bridge_row_of(n);
        struct scene s;
        struct bridge b;
        struct verdict v;

        bridge_set(&s, &b, &r);
        v = verdict_by_spend(&s.tracked);
        CHECK(v.to == r.from || exec_may_move(r.from, v.to));
        CHECK((v.to == EXEC_FAILED) == (v.error_code != NULL) || v.to == r.from);
        CHECK(v.to != EXEC_COMPLETED || v.to == r.from || v.delivery != DELIVERY_NONE);
        CHECK(!v.settled || v.delivery != DELIVERY_NONE);
    }
}

TEST_MAIN(TEST(verdicts_of_bridges), TEST(vanished_payments_are_polled_twice),
          TEST(reported_deliveries_count_without_a_node), TEST(failed_bridges_are_still_followed),
          TEST(a_deposit_that_reverts), TEST(every_move_of_a_bridge_is_allowed), TEST(verdicts_of_swaps),
          TEST(failures_are_polled_twice), TEST(disputed_observations_do_not_count),
          TEST(transactions_in_another_block_are_judged_anew), TEST(absence_proves_nothing),
          TEST(refusals_for_good_need_repetition), TEST(refused_transactions_do_not_fail_as_expired),
          TEST(the_nonce_of_the_swap_decides), TEST(an_approval_whose_nonce_went_elsewhere),
          TEST(expired_transactions_fail), TEST(an_approval_that_no_block_takes), TEST(why_a_swap_failed),
          TEST(every_move_is_allowed), TEST(verdicts_of_orders), TEST(an_order_after_another),
          TEST(an_order_behind_what_failed), TEST(an_order_behind_what_was_taken_back),
          TEST(every_move_of_an_order_is_allowed))
