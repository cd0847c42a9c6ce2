#include "exec/outcome.h"

#include <string.h>

#include "base/fault.h"
#include "base/log.h"
#include "base/metrics.h"
#include "exec/bridge.h"
#include "exec/chain_ops.h"
#include "exec/changes.h"
#include "exec/kind.h"
#include "exec/notify.h"
#include "exec/venue_request.h"
#include "exec/verdict.h"
#include "store/executions.h"
#include "store/transactions.h"

enum {
    REVIEWED_FOR_MS = 24 * 3600 * 1000,
    GROUP_MAX = EXECUTIONS_AT_ONCE, /* recorded at once: their agents are locked for about 10 ms */
};

struct follow_outcome {
    struct tracked *tracked;
    struct arena *arena;
    struct execution_move move; /* to the same status: none; what it settles counts all the same */
    struct u256 arrived;
};

static bool status_is_final(enum exec_status s)
{
    return s == EXEC_COMPLETED || s == EXEC_FAILED;
}

/* Nothing of it can change any more. */
static bool all_settled(const struct tracked *w)
{
    if (w->unfinished)
        return false;
    for (unsigned i = 0; i < w->request_count; i++)
        if (request_state(w, i) < EFFECT_SETTLED)
            return false;
    for (unsigned i = 0; i < w->count; i++) {
        int winner = place_winner(w, i);

        if (!w->observations[i].foreign && !w->observations[i].expired &&
            (winner < 0 || !w->observations[winner].settled))
            return false;
    }
    return true;
}

/* For executions that only requests carry out: the last transaction that a venue has reported. */
static const struct tx_hash *request_tx_hash(const struct tracked *w)
{
    for (unsigned i = w->request_count; w->count == 0 && i-- > 0;) {
        if (w->request_observations[i].tx_hash.len != 0)
            return &w->request_observations[i].tx_hash;
        if (w->requests[i].tx_hash.len != 0)
            return &w->requests[i].tx_hash;
    }
    return NULL;
}

static struct execution_move move_of(const struct tracked *w, const struct verdict *v)
{
    bool shown = v->by >= 0 && w->txs[v->by].kind != TX_CANCEL;

    return (struct execution_move){
        .id = w->execution->id,
        .kind = w->execution->kind,
        .agent_id = w->execution->agent_id,
        .from = w->execution->status,
        .to = v->to,
        .why = v->why,
        .tx_hash = shown ? &w->txs[v->by].hash : request_tx_hash(w),
        .fee = shown && w->observations[v->by].has_fee ? &w->observations[v->by].fee : NULL,
        .error_code = v->error_code,
        .error_message = v->error_message,
        .untasked = w->execution->untasked,
    };
}

/* At the one more poll of a settled failure: completed, if that is so for good; in progress again, if its
 * bridge may still pay. */
static struct execution_move correction_of(const struct tracked *w, const struct verdict *v)
{
    const struct verdict corrected = { .to = EXEC_COMPLETED,
                                       .why = "corrected: it had succeeded",
                                       .by = v->by };
    const struct verdict goes_on = { .to = EXEC_PROCESSING,
                                     .why = "corrected: its bridge goes on",
                                     .by = v->by };
    const struct verdict same = { .to = w->execution->status, .by = -1 };

    if (v->settled)
        return move_of(w, &corrected);
    return move_of(w, v->owed && v->to != EXEC_FAILED && all_settled(w) ? &goes_on : &same);
}

/* The poll was worth it when it has shown something that stays; some day it is given up. */
static bool is_reviewed(const struct tracked *w, const struct verdict *v)
{
    if (v->owed)
        return all_settled(w);
    if (v->done)
        return v->settled;
    return v->by >= 0 || v->lost || w->now_ms - w->execution->valid_until_ms > REVIEWED_FOR_MS;
}

/* The state reported before proves nothing: it has to be seen now. */
static bool is_proven(const struct verdict *v)
{
    return v->to == EXEC_COMPLETED ? v->settled : v->error_code != NULL;
}

/* Whether it ends the present way of following: a bridge is followed in another way. */
static bool ends_following(const struct tracked *w, const struct verdict *v)
{
    return v->owed ? w->execution->follow != FOLLOW_BRIDGE : status_is_final(v->to) && is_proven(v);
}

static struct follow_outcome outcome_of(struct tracked *w, const struct verdict *v)
{
    struct follow_outcome o = { .tracked = w };

    if (w->execution->follow == FOLLOW_ONCE_MORE) {
        o.move = correction_of(w, v);
        o.move.settles = is_reviewed(w, v);
        o.move.next = v->owed ? FOLLOW_BRIDGE : FOLLOW_NOT;
    } else {
        o.move = move_of(w, v);
        o.move.settles = ends_following(w, v) && all_settled(w);
        o.move.next = v->owed ? FOLLOW_BRIDGE : v->to == EXEC_FAILED ? FOLLOW_ONCE_MORE : FOLLOW_NOT;
    }
    return o;
}

/* ---- writing it down ---- */

/* A missing answer is no news: a receipt may be missing while the place counts as used. */
static bool is_news(const struct tracked *w, unsigned i)
{
    const struct transaction *t = &w->txs[i];
    const struct observation *s = &w->observations[i];

    if (t->effect.state > EFFECT_INCLUDED || s->taken)
        return false;
    return t->block_number != s->block ||
           (s->block != 0 && (t->effect.state == EFFECT_OPEN || t->effect.succeeded != s->succeeded));
}

static bool any_news(const struct tracked *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (is_news(w, i))
            return true;
    for (unsigned i = 0; i < w->request_count; i++)
        if (request_is_news(w, i))
            return true;
    return w->bridge_observation.due;
}

/* UNCHANGED: another process has recorded something else. */
static enum db_update promises_record(struct db *db, const struct tracked *w)
{
    enum db_update recorded = w->bridge_observation.due ? bridge_record(db, w) : UPDATED;

    for (unsigned i = 0; i < w->request_count && recorded == UPDATED; i++)
        if (request_is_news(w, i))
            recorded = request_record(db, w, i);
    return recorded;
}

/* If it `settles`, transactions in a block are recorded as settled. */
static bool observations_record(struct db *db, const struct tracked *w, bool settles)
{
    for (unsigned i = 0; i < w->count; i++) {
        const struct observation *s = &w->observations[i];

        if (is_news(w, i) && !(settles && s->block != 0) &&
            !transactions_in_block(db, w->txs[i].effect.id, s->block, s->succeeded))
            return false;
    }
    return true;
}

/* Records effects that have settled before. */
static bool settled_record(struct db *db, const struct tracked *w, enum exec_follow next)
{
    const struct execution *x = w->execution;

    if (w->chain == NULL)
        return true;
    for (unsigned i = 0; i < w->count; i++) {
        const struct observation *s = &w->observations[i];

        if (s->block != 0 && !transactions_settled(db, &w->txs[i], s->block, s->succeeded))
            return false;
        if (s->foreign && !transactions_nonce_lost(db, x->wallet_id, w->chain->id, w->txs[i].nonce))
            return false;
        if (s->expired && !transactions_lost(db, w->txs[i].effect.id))
            return false;
    }
    return next == FOLLOW_ONCE_MORE || chain_ops_of(w->chain)->follow_end(db, w);
}

struct outcome_group {
    struct follow_outcome *list; /* sorted by agent */
    unsigned n;                  /* up to GROUP_MAX */
};

static bool outcome_moves(const struct follow_outcome *o)
{
    return o->move.to != o->move.from;
}

static unsigned group_moves(const struct outcome_group *g, struct execution_move *out)
{
    unsigned n = 0;

    for (unsigned i = 0; i < g->n; i++)
        if (outcome_moves(&g->list[i]))
            out[n++] = g->list[i].move;
    return n;
}

/* Settles the outcomes of executions that have been in `from`, and stay there. */
static enum db_update group_settle(struct db *db, const struct outcome_group *g, enum exec_status from,
                                   enum exec_follow next)
{
    uint64_t ids[GROUP_MAX];
    unsigned n = 0;

    for (unsigned i = 0; i < g->n; i++)
        if (!outcome_moves(&g->list[i]) && g->list[i].move.settles && g->list[i].move.from == from &&
            g->list[i].move.next == next)
            ids[n++] = g->list[i].move.id;
    return n == 0 ? UPDATED : executions_settle(db, ids, n, from, next);
}

/* UNCHANGED: another process has moved one of them since it was looked at, and no process would follow it any
 * more. */
static enum db_update group_settle_all(struct db *db, const struct outcome_group *g)
{
    static const enum exec_follow nexts[] = { FOLLOW_NOT, FOLLOW_ONCE_MORE, FOLLOW_BRIDGE };
    enum db_update settled = UPDATED;

    for (size_t i = 0; i < sizeof nexts / sizeof nexts[0]; i++)
        for (enum exec_status from = EXEC_PENDING; settled == UPDATED && from <= EXEC_FAILED; from++)
            settled = group_settle(db, g, from, nexts[i]);
    return settled;
}

static bool outcome_write(struct db *db, const struct follow_outcome *o)
{
    return observations_record(db, o->tracked, o->move.settles) &&
           changes_record(db, o->arena, o->tracked, outcome_moves(o), status_is_final(o->move.to)) &&
           (!o->move.settles || STEP("swap.settle", settled_record(db, o->tracked, o->move.next), false));
}

static bool moves_have_kind(const struct execution_move *moves, unsigned n, enum exec_kind_id kind)
{
    while (n > 0 && moves[n - 1].kind != kind)
        n--;
    return n > 0;
}

/* Applies the moves of one kind to its market's rows. */
static bool kind_follow(struct db *db, enum exec_kind_id kind, const struct execution_move *moves, unsigned n)
{
    const struct exec_kind *k = exec_kind_of(kind);
    struct execution_move own[GROUP_MAX];
    unsigned count = 0;

    if (k->moved == NULL)
        return true;
    for (unsigned i = 0; i < n; i++)
        if (moves[i].kind == kind)
            own[count++] = moves[i];
    return STEP("market.move", k->moved(db, own, count), false);
}

static bool moves_follow(struct db *db, const struct execution_move *moves, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (!moves_have_kind(moves, i, moves[i].kind) && !kind_follow(db, moves[i].kind, moves, n))
            return false;
    return true;
}

static enum tx_verdict group_record_tx(struct db *db, void *arg)
{
    const struct outcome_group *g = arg;
    struct execution_move moves[GROUP_MAX];
    unsigned n = group_moves(g, moves);
    enum db_update moved = n > 0 ? STEP("swap.move", executions_move(db, moves, n), DB_ERROR) : UPDATED;

    if (moved == UPDATED)
        moved = group_settle_all(db, g);
    for (unsigned i = 0; i < g->n && moved == UPDATED; i++)
        moved = promises_record(db, g->list[i].tracked);
    if (moved == DB_ERROR)
        return TX_FAILED;
    if (moved == UNCHANGED)
        return TX_ROLLBACK; /* another process moved it, or a promise of it: look again next time */
    for (unsigned i = 0; i < g->n; i++)
        if (!outcome_write(db, &g->list[i]))
            return TX_FAILED;
    if (!moves_follow(db, moves, n))
        return TX_FAILED;
    /* Executions of a deleted agent go on, without totals. */
    if (n == 0)
        return TX_COMMIT;
    if (executions_count(db, moves, n) == DB_ERROR)
        return TX_FAILED;
    for (unsigned i = 0; i < g->n && moved == UPDATED; i++)
        moved = bridge_recheck(db, g->list[i].arena, g->list[i].tracked);
    if (moved == UNCHANGED)
        return TX_ROLLBACK;
    return moved == UPDATED && executions_notify(db, g->list[0].arena, moves, n) ? TX_COMMIT : TX_FAILED;
}

/* The last request is what the execution is for. */
static bool requests_brought(struct u256 *out, const struct tracked *w)
{
    const struct request_observation *last =
        w->request_count == 0 ? NULL : &w->request_observations[w->request_count - 1];

    if (last == NULL || !last->has_brought)
        return false;
    *out = last->brought;
    return true;
}

/* The amount of the bought token that arrived. False: not known. */
static bool outcome_arrived(struct u256 *out, const struct tracked *w, const struct verdict *v)
{
    if (w->bridge == NULL && v->by < 0)
        return requests_brought(out, w);
    if (w->bridge == NULL)
        return chain_ops_of(w->chain)->arrived(out, w, (unsigned)v->by);
    *out = w->bridge_observation.next.arrived_amount;
    return w->bridge_observation.next.arrived.chain_id == 0 && !u256_is_zero(*out);
}

/* False: nothing is new. */
static bool outcome_make(struct follow_outcome *o, struct arena *a, struct tracked *w)
{
    const struct verdict v = exec_kind_of(w->execution->kind)->verdict(w);

    *o = outcome_of(w, &v);
    o->arena = a;
    if (w->bridge != NULL)
        bridge_judged(w, v.delivery);
    if (o->move.to == EXEC_COMPLETED && outcome_arrived(&o->arrived, w, &v))
        o->move.amount_out = &o->arrived;
    return outcome_moves(o) || o->move.settles || any_news(w);
}

const char *const swap_failure_codes[] = { "BRIDGE_FAILED", "BRIDGE_REFUNDED",     "CONFLICT",
                                           "QUOTE_EXPIRED", "SIMULATION_REVERTED", "UPSTREAM_ERROR",
                                           "OTHER" };
enum { OTHER_CODE = sizeof swap_failure_codes / sizeof swap_failure_codes[0] - 1 };

metric_scale swap_scale = { 5, 10, 20, 30, 60, 120, 300, 900, 3600, 14400, 86400 };

static const char *failure_code(const char *code)
{
    size_t i = 0;

    while (i < OTHER_CODE && strcmp(swap_failure_codes[i], code) != 0)
        i++;
    return swap_failure_codes[i];
}

static void swap_count(const struct follow_outcome *o)
{
    const struct tracked *w = o->tracked;
    const struct chain *c = chain_by_id(w->execution->from.chain_id);
    int64_t took_ms = w->now_ms - w->execution->created_ms;
    uint64_t took_s = took_ms > 0 ? (uint64_t)took_ms / 1000 : 0;

    if (c != NULL && o->move.to == EXEC_COMPLETED) {
        metric_add(METRIC("swaps_completed_total", c->key), 1);
        metric_observe(METRIC("swap_seconds"), swap_scale, took_s);
        metric_observe(METRIC("swap_seconds", c->key), swap_scale, took_s);
    } else if (c != NULL && o->move.to == EXEC_FAILED) {
        metric_add(METRIC("swaps_failed_total", c->key), 1);
        metric_add(METRIC("swap_failures_total", failure_code(o->move.error_code)), 1);
    }
}

static void outcome_recorded(const struct follow_outcome *o)
{
    const struct execution_move *m = &o->move;
    struct execution *x = o->tracked->execution;

    if (!outcome_moves(o))
        return;
    log_info("execution_moved", "execution=%llu from=%s to=%s why=\"%s\"", (unsigned long long)m->id,
             exec_status_text(m->from), exec_status_text(m->to), m->why);
    if (m->kind == KIND_SWAP)
        swap_count(o);
    x->status = m->to;
    x->error_code = m->error_code;
    x->error_message = m->error_message;
}

/* One that cannot be recorded must not keep the others from it. */
static void group_record(struct db *db, struct outcome_group *g)
{
    enum tx_result result = STEP("poll.record", db_transact(db, group_record_tx, g), TX_UNKNOWN);

    for (unsigned i = 0; i < g->n; i++) {
        struct outcome_group one = { .list = &g->list[i], .n = 1 };

        if (result == TX_DONE)
            outcome_recorded(&g->list[i]);
        else if (result != TX_UNKNOWN && g->n > 1)
            group_record(db, &one);
    }
}

void outcomes_record(const struct ctx *ctx, struct arena *a, struct tracked *w, unsigned n)
{
    struct outcome_group g = { .list = ARENA_ARRAY(a, struct follow_outcome, GROUP_MAX) };

    for (unsigned i = 0; i < n; i++) {
        g.n += w[i].known && outcome_make(&g.list[g.n], a, &w[i]);
        if (g.n < GROUP_MAX && i + 1 < n)
            continue;
        if (g.n > 0)
            group_record(ctx->db, &g);
        g.n = 0;
    }
}
