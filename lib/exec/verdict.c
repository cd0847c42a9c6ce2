#include "exec/verdict.h"

#include "exec/bridge.h"
#include "exec/venue_request.h"

static const char REORGANISED[] = "its block was reorganised away";
static const char EXPIRED[] = "Not included in time, and no block takes it any more";
static const char FOREIGN[] = "The wallet's nonce was used by a transaction from elsewhere";

static void verdict_fail(struct verdict *v, const char *code, const char *message)
{
    v->to = EXEC_FAILED;
    v->error_code = code;
    v->error_message = message;
    v->why = message;
}

static bool any_accepted(const struct tracked *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->txs[i].kind == TX_SPEND && w->txs[i].effect.accepted)
            return true;
    return false;
}

static bool any_foreign(const struct tracked *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->observations[i].foreign)
            return true;
    return false;
}

/* Nodes will never take one of its steps. */
static bool any_refused(const struct tracked *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->txs[i].kind != TX_CANCEL && w->txs[i].effect.refusals >= REFUSALS)
            return true;
    return false;
}

static bool is_final(enum exec_status s)
{
    return s == EXEC_COMPLETED || s == EXEC_FAILED;
}

/* While the cancel may still be reorganised away nothing has failed, but nothing is completed either. */
static void judge_cancel(const struct tracked *w, unsigned i, struct verdict *v)
{
    if (!w->observations[i].settled || !seen_before(w, i)) {
        if (w->execution->status != EXEC_COMPLETED)
            return;
        v->to = EXEC_PROCESSING;
        v->why = REORGANISED;
    } else if (any_foreign(w)) {
        verdict_fail(v, "CONFLICT", FOREIGN);
    } else if (any_refused(w)) {
        verdict_fail(v, "SIMULATION_REVERTED",
                     "No node would take the transaction; its nonce was taken back");
    } else {
        verdict_fail(v, "QUOTE_EXPIRED", "Not included in time; its nonce was taken back");
    }
}

static void judge_delivered(const struct tracked *w, const struct observation *s, struct verdict *v)
{
    const struct bridge_observation *b = &w->bridge_observation;
    bool settled = v->delivery == DELIVERY_REPORTED || (b->shown && b->settled);

    v->done = b->next.state == BRIDGE_DONE;
    v->settled = v->done && settled && s->settled;
    v->lost = !v->done && settled;
    v->owed = !settled;
    if (!s->confirmed)
        return;
    v->to = EXEC_COMPLETED;
    v->why = v->delivery == DELIVERY_PROVEN ? "delivered" : "delivered, as its bridge says";
    if (!v->done)
        verdict_fail(v, "BRIDGE_REFUNDED", "The bridge paid back what it had taken");
}

/* Told before, and nothing was delivered since. */
static bool has_failed(const struct tracked *w)
{
    return w->execution->status == EXEC_FAILED && w->execution->follow == FOLLOW_BRIDGE &&
           w->bridge->delivery == DELIVERY_NONE;
}

/* The deposit is in a block, and worth nothing by itself. What a bridge provider says against its bridge
 * counts when it has said so for long, and ends nothing: it may pay after all. */
static void judge_bridge(const struct tracked *w, const struct observation *s, struct verdict *v)
{
    v->to = EXEC_PROCESSING;
    v->why = "in a block";
    v->owed = true;
    v->delivery = bridge_delivery_of(w);
    if (v->delivery != DELIVERY_NONE) {
        judge_delivered(w, s, v);
    } else if (s->confirmed && (bridge_fails(w) || has_failed(w))) {
        verdict_fail(v, "BRIDGE_FAILED",
                     w->bridge_observation.in_part
                         ? "The bridge has paid back less than it had taken"
                         : "The bridge says that it failed, and nothing has come back");
    }
}

/* Carried out anew in another block, where something else may have come of it. */
static bool is_done_anew(const struct tracked *w, unsigned i)
{
    const struct transaction *t = &w->txs[i];

    return w->execution->status == EXEC_COMPLETED &&
           (w->observations[i].otherwise ||
            (t->block_number != 0 && t->block_number != w->observations[i].block));
}

static void judge_spend(const struct tracked *w, unsigned i, struct verdict *v)
{
    const struct observation *s = &w->observations[i];

    if (w->bridge != NULL && s->succeeded) {
        judge_bridge(w, s, v);
        return;
    }
    v->done = s->succeeded;
    v->settled = s->succeeded && s->settled;
    if (s->confirmed && s->succeeded && is_done_anew(w, i)) {
        v->to = EXEC_PROCESSING;
        v->why = REORGANISED;
    } else if (s->confirmed && s->succeeded) {
        v->to = EXEC_COMPLETED;
        v->why = "confirmed";
    } else if (s->confirmed && seen_before(w, i)) {
        if (s->why != NULL)
            verdict_fail(v, s->why->code, s->why->text);
        else
            verdict_fail(v, "SIMULATION_REVERTED", "The transaction was included and reverted");
    } else if (!s->confirmed || !is_final(w->execution->status)) {
        v->to = EXEC_PROCESSING;
        v->why = "in a block";
    }
}

/* In no block. That a receipt is missing says nothing while the place counts as used. */
static void judge_absence(const struct tracked *w, struct verdict *v)
{
    enum exec_status from = w->execution->status;
    const struct observation *s = &w->observations[w->spend];

    v->lost = s->foreign || s->expired;
    if (s->expired) {
        verdict_fail(v, "QUOTE_EXPIRED", EXPIRED);
    } else if (v->lost) {
        verdict_fail(v, "CONFLICT", FOREIGN);
    } else if (!s->taken && (is_final(from) || (from == EXEC_PROCESSING && any_accepted(w)))) {
        v->to = is_final(from) ? EXEC_PROCESSING : EXEC_SUBMITTED;
        v->why = REORGANISED;
    }
}

/* An execution that was reported as final goes back through processing. */
static void retract_first(const struct tracked *w, struct verdict *v)
{
    if (!is_final(w->execution->status) || v->to == w->execution->status)
        return;
    v->to = EXEC_PROCESSING;
    v->why = REORGANISED;
    v->error_code = v->error_message = NULL;
}

struct verdict verdict_by_spend(const struct tracked *w)
{
    struct verdict v = { .to = w->execution->status, .by = place_winner(w, w->spend) };

    if (v.by < 0)
        judge_absence(w, &v);
    else if (w->txs[v.by].kind == TX_CANCEL)
        judge_cancel(w, (unsigned)v.by, &v);
    else
        judge_spend(w, (unsigned)v.by, &v);
    retract_first(w, &v);
    return v;
}

/* ---- by requests ---- */

static bool any_step_failed(const struct tracked *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->txs[i].kind != TX_CANCEL && w->observations[i].settled && !w->observations[i].succeeded)
            return true;
    return false;
}

static bool any_step_cancelled(const struct tracked *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->txs[i].kind == TX_CANCEL && w->observations[i].settled && w->observations[i].succeeded)
            return true;
    return false;
}

/* It never came so far that the venue had it. */
static void judge_lost(const struct tracked *w, unsigned i, struct verdict *v)
{
    const struct venue_request *r = &w->requests[i];
    const struct err *why = w->request_observations[i].why;

    if (any_foreign(w))
        verdict_fail(v, "CONFLICT", FOREIGN);
    else if (any_step_failed(w))
        verdict_fail(v, "SIMULATION_REVERTED",
                     "A transaction that had to come first was included and reverted");
    else if (any_step_cancelled(w) && any_refused(w))
        verdict_fail(v, "SIMULATION_REVERTED",
                     "No node would take a transaction that had to come first; its nonce was taken back");
    else if (any_step_cancelled(w))
        verdict_fail(
            v, "QUOTE_EXPIRED",
            "A transaction that had to come first was not included in time; its nonce was taken back");
    else if (why != NULL)
        verdict_fail(v, why->code, why->text);
    else if (r->refusal != NULL)
        verdict_fail(v, r->refusal_code, r->refusal);
    else
        verdict_fail(v, "UPSTREAM_ERROR", "The venue did not take the request in time");
}

static void judge_refused(const struct request_observation *s, struct verdict *v)
{
    if (s->why != NULL)
        verdict_fail(v, s->why->code, s->why->text);
    else if (s->says == VENUE_EXPIRED)
        verdict_fail(v, "UPSTREAM_ERROR", "The request expired at the venue");
    else
        verdict_fail(v, "UPSTREAM_ERROR", "The venue refused the request");
}

/* An execution that was reported as failed may turn up after all; it goes back through processing. */
static void judge_taken(const struct tracked *w, struct verdict *v)
{
    if (w->execution->status == EXEC_PENDING) {
        v->to = EXEC_SUBMITTED;
        v->why = "the venue took it";
    } else if (w->execution->status == EXEC_FAILED) {
        v->to = EXEC_PROCESSING;
        v->why = "the venue has it after all";
    }
}

static void judge_request(const struct tracked *w, unsigned i, struct verdict *v)
{
    switch (request_state(w, i)) {
    case EFFECT_OPEN:
        break;
    case EFFECT_INCLUDED:
        judge_taken(w, v);
        break;
    case EFFECT_SETTLED:
        judge_refused(&w->request_observations[i], v);
        break;
    case EFFECT_LOST:
    case EFFECT_RENEWED:
        judge_lost(w, i, v);
        break;
    }
    v->lost = v->to == EXEC_FAILED && w->request_observations[i].says != VENUE_UNAVAILABLE;
}

struct verdict verdict_by_requests(const struct tracked *w)
{
    struct verdict v = { .to = w->execution->status, .by = -1 };
    unsigned i = 0;

    while (i < w->request_count && (request_is_filled(w, i) || w->requests[i].effect.state == EFFECT_RENEWED))
        i++;
    if (i < w->request_count) {
        judge_request(w, i, &v);
        return v;
    }
    v.done = v.settled = true;
    v.to = EXEC_COMPLETED;
    v.why = "the venue carried it out";
    return v;
}

struct verdict verdict_by_all(const struct tracked *w)
{
    struct verdict steps;

    if (w->count == 0)
        return verdict_by_requests(w);
    steps = verdict_by_spend(w);
    if (w->request_count == 0 || !steps.done || !w->observations[steps.by].confirmed)
        return steps;
    return verdict_by_requests(w);
}
