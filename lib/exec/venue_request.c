#include "exec/venue_request.h"

#include <string.h>

#include "base/fault.h"
#include "base/incident.h"
#include "exec/kind.h"
#include "exec/venue.h"
#include "store/executions.h"
#include "store/requests.h"

enum {
    SEND_AGAIN_MS = 5000,
    OVER_MS = 10000,               /* how much the clocks of hosts and venues may differ */
    AGREE_MS = 2000,               /* between two answers: reads of a venue lag behind its writes */
    HELD_LEAST_MS = 2 * 60 * 1000, /* from when a venue takes something again */
    HELD_MORE_MS = 10 * 60 * 1000,
};

/* ---- consequences of the observations ---- */

/* Refused so often that only its recorded state can be its end. */
static bool request_is_refused_for_good(const struct venue_request *r)
{
    const struct venue *v = r->effect.refusals < REFUSALS ? NULL : venue_of(r->venue);

    return v != NULL && v->refuses_for_good;
}

/* The venue refuses it from now on or, where it knows no end, it is not sent any more. */
static bool request_is_over(const struct tracked *w, const struct venue_request *r)
{
    int64_t end_ms = r->expires_ms != 0 ? r->expires_ms : w->execution->valid_until_ms;

    return w->now_ms > end_ms + OVER_MS || request_is_refused_for_good(r);
}

/* A step that never will have done its part. */
static bool step_is_hopeless(const struct tracked *w, unsigned i)
{
    int winner = place_winner(w, i);

    if (w->txs[i].kind == TX_CANCEL)
        return false;
    if (winner < 0)
        return w->observations[i].foreign || w->observations[i].expired;
    return w->observations[winner].settled && seen_before(w, (unsigned)winner) &&
           (w->txs[winner].kind == TX_CANCEL || !w->observations[winner].succeeded);
}

/* It was never sent, and never will be, since a step before it is hopeless. */
static bool request_is_stranded(const struct tracked *w, const struct effect *e)
{
    bool hopeless = false;

    for (unsigned i = 0; i < w->count && !hopeless; i++)
        hopeless = step_is_hopeless(w, i);
    return hopeless && e->state == EFFECT_OPEN && e->broadcasts == 0;
}

static bool request_was_taken(const struct effect *e)
{
    return e->accepted || e->state == EFFECT_INCLUDED || e->state == EFFECT_SETTLED;
}

static enum effect_state state_unknown(const struct tracked *w, const struct venue_request *r)
{
    const struct effect *e = &r->effect;

    if (request_was_taken(e) || !request_is_over(w, r) || r->unknown_ms == 0)
        return e->state;
    return w->now_ms - r->unknown_ms >= AGREE_MS ? EFFECT_LOST : e->state;
}

enum effect_state request_state(const struct tracked *w, unsigned i)
{
    const struct venue_request *r = &w->requests[i];
    const struct effect *e = &r->effect;

    if (w->request_observations[i].says != VENUE_FILLED && request_is_stranded(w, e))
        return EFFECT_LOST;
    switch (w->request_observations[i].says) {
    case VENUE_HAS:
        return e->state == EFFECT_SETTLED ? EFFECT_SETTLED : EFFECT_INCLUDED;
    case VENUE_FILLED:
    case VENUE_REFUSED:
        return EFFECT_SETTLED;
    case VENUE_EXPIRED:
        return request_was_taken(e) ? EFFECT_SETTLED : EFFECT_LOST;
    case VENUE_DROPPED:
        return e->state == EFFECT_INCLUDED ? EFFECT_OPEN : state_unknown(w, r);
    case VENUE_UNKNOWN:
        return state_unknown(w, r);
    case VENUE_OUTDATED:
    case VENUE_UNAVAILABLE:
        break;
    }
    return e->state;
}

bool request_is_filled(const struct tracked *w, unsigned i)
{
    const struct effect *e = &w->requests[i].effect;

    return w->request_observations[i].says == VENUE_FILLED || (e->state == EFFECT_SETTLED && e->succeeded);
}

static bool seems_lost(const struct tracked *w, unsigned i)
{
    const struct venue_request *r = &w->requests[i];

    enum venue_says says = w->request_observations[i].says;

    return (says == VENUE_UNKNOWN || says == VENUE_DROPPED) && r->effect.state == EFFECT_OPEN &&
           !r->effect.accepted && r->unknown_ms == 0 && request_is_over(w, r);
}

/* The first of the two answers that agree. */
static bool first_unknown(const struct tracked *w, unsigned i)
{
    return seems_lost(w, i) && (w->requests[i].expires_ms != 0 || w->request_observations[i].cancelled);
}

static bool request_moves(const struct tracked *w, unsigned i)
{
    const struct effect *e = &w->requests[i].effect;

    return request_state(w, i) != e->state ||
           (e->state == EFFECT_SETTLED && request_is_filled(w, i) != e->succeeded);
}

/* The id of what fills it is told when it is seen; its own id when it is sent. */
static const char *filling_ref(const struct request_observation *s, const struct venue_request *r)
{
    bool new = s->says == VENUE_FILLED && s->venue_ref != NULL &&strcmp(s->venue_ref, r->venue_ref) != 0;

    return new ? s->venue_ref : NULL;
}

/* A transaction that was not known, or what fills it. */
static bool request_tells(const struct tracked *w, unsigned i)
{
    const struct request_observation *s = &w->request_observations[i];
    const struct venue_request *r = &w->requests[i];

    return (s->tx_hash.len != 0 && !tx_hash_equal(&s->tx_hash, &r->tx_hash)) || filling_ref(s, r) != NULL;
}

bool request_is_news(const struct tracked *w, unsigned i)
{
    return request_moves(w, i) || request_tells(w, i) || first_unknown(w, i);
}

static enum broadcast_result request_said(const struct request_observation *s)
{
    switch (s->says) {
    case VENUE_HAS:
    case VENUE_FILLED:
        return BROADCAST_ACCEPTED;
    case VENUE_REFUSED:
    case VENUE_EXPIRED:
    case VENUE_OUTDATED:
        return BROADCAST_REFUSED;
    case VENUE_DROPPED:
    case VENUE_UNKNOWN:
    case VENUE_UNAVAILABLE:
        break;
    }
    return BROADCAST_UNKNOWN;
}

static bool ref_record(struct db *db, uint64_t id, const struct request_observation *s)
{
    return s->venue_ref == NULL || requests_told(db, id, s->venue_ref, &s->tx_hash);
}

static bool sending_record(struct db *db, uint64_t id, const struct request_observation *s)
{
    const struct broadcast b = { .id = id, .said = request_said(s) };

    return ref_record(db, id, s) && requests_broadcast(db, &b);
}

/* Records that it was sent, and how it ended with that. */
static enum db_update ending_record(struct db *db, const struct tracked *w, unsigned i)
{
    const struct request_observation *s = &w->request_observations[i];
    const struct effect *e = &w->requests[i].effect;
    const struct broadcast b = { .id = e->id, .said = request_said(s) };

    return ref_record(db, e->id, s) ? requests_answered(db, e, request_is_filled(w, i), &b) : DB_ERROR;
}

enum db_update request_record(struct db *db, const struct tracked *w, unsigned i)
{
    const struct request_observation *s = &w->request_observations[i];
    const struct effect *e = &w->requests[i].effect;

    if (request_tells(w, i) && !requests_told(db, e->id, filling_ref(s, &w->requests[i]), &s->tx_hash))
        return DB_ERROR;
    if (s->sent)
        return ending_record(db, w, i);
    if (request_moves(w, i))
        return requests_move(db, e, request_state(w, i), request_is_filled(w, i));
    return first_unknown(w, i) && !requests_unknown(db, e->id) ? DB_ERROR : UPDATED;
}

/* ---- looking ---- */

/* A request that ended well has ended, and so has one that another replaces; any other may turn out to have
 * been filled, as long as it is looked at. */
static bool request_is_asked(const struct tracked *w, unsigned i)
{
    const struct effect *e = &w->requests[i].effect;

    if (e->state == EFFECT_RENEWED)
        return false;
    return e->state != EFFECT_SETTLED || (!e->succeeded && w->execution->follow == FOLLOW_ONCE_MORE);
}

unsigned requests_ask(const struct ctx *ctx, struct arena *a, struct tracked *w, unsigned n,
                      struct call *calls, struct request_question *out)
{
    unsigned asked = 0;

    for (; n > 0; w++, n--)
        for (unsigned i = 0; i < w->request_count; i++) {
            const struct venue_request *r = &w->requests[i];
            const struct venue *v = venue_of(r->venue);

            if (!request_is_asked(w, i))
                continue;
            if (v->ask_status(&calls[asked], ctx, r, a)) {
                out[asked] = (struct request_question){ .tracked = w, .i = i, .call = &calls[asked] };
                asked++;
            }
            if (v->ask_proof != NULL && v->ask_proof(&calls[asked], ctx, r, a)) {
                out[asked] =
                    (struct request_question){ .tracked = w, .i = i, .proof = true, .call = &calls[asked] };
                asked++;
            }
        }
    return asked;
}

void requests_read(struct arena *a, const struct request_question *q, unsigned n)
{
    for (; n > 0; q++, n--) {
        const struct venue_request *r = &q->tracked->requests[q->i];
        const struct venue *v = venue_of(r->venue);
        struct request_observation *s = &q->tracked->request_observations[q->i];

        (q->proof ? v->read_proof : v->read_status)(q->call, r, a, s);
        if (v->forgets && r->effect.state == EFFECT_INCLUDED && s->says == VENUE_UNKNOWN)
            s->says = VENUE_FILLED;
        call_free(q->call);
    }
}

/* ---- sending ---- */

/* Attempts at one place share its winner; a cancel that fills a gap is no step. */
static bool steps_confirmed(const struct tracked *w)
{
    for (unsigned i = 0; i < w->count; i++) {
        int winner = place_winner(w, i);

        if (w->txs[i].kind == TX_CANCEL)
            continue;
        if (winner < 0 || w->txs[winner].kind == TX_CANCEL || !w->observations[winner].confirmed ||
            !w->observations[winner].succeeded)
            return false;
    }
    return true;
}

static bool is_its_turn(const struct tracked *w, unsigned i)
{
    for (unsigned j = 0; j < i; j++)
        if (!request_is_filled(w, j) && w->requests[j].effect.state != EFFECT_RENEWED)
            return false;
    return steps_confirmed(w);
}

static bool request_is_due(const struct tracked *w, unsigned i)
{
    const struct venue_request *r = &w->requests[i];
    const struct effect *e = &r->effect;

    return request_state(w, i) == EFFECT_OPEN && !e->accepted && e->refusals < REFUSALS &&
           w->now_ms < w->execution->valid_until_ms && (r->expires_ms == 0 || w->now_ms < r->expires_ms) &&
           w->now_ms - e->broadcast_ms > SEND_AGAIN_MS && is_its_turn(w, i);
}

struct request_answer {
    uint64_t id;
    const struct request_observation *observation;
};

/* Should the request be lost, an agent wants to know more than that. */
static bool refusal_record(struct db *db, uint64_t id, const struct request_observation *s)
{
    return request_said(s) != BROADCAST_REFUSED || s->why == NULL ||
           requests_refused(db, id, s->why->code, s->why->text);
}

static enum tx_verdict request_broadcast_tx(struct db *db, void *arg)
{
    const struct request_answer *answer = arg;

    return sending_record(db, answer->id, answer->observation) &&
                   refusal_record(db, answer->id, answer->observation)
               ? TX_COMMIT
               : TX_FAILED;
}

/* Records the reply, here too. False: it was not recorded. */
static bool request_broadcast(const struct ctx *ctx, struct venue_request *r,
                              const struct request_observation *s)
{
    enum broadcast_result said = request_said(s);
    struct request_answer answer = { r->effect.id, s };

    if (STEP("offer.record", db_transact(ctx->db, request_broadcast_tx, &answer), TX_UNKNOWN) != TX_DONE)
        return false;
    r->effect.accepted = said == BROADCAST_ACCEPTED;
    r->effect.refusals += said == BROADCAST_REFUSED;
    if (r->effect.accepted)
        r->effect.state = EFFECT_INCLUDED;
    else
        log_repeated("request_rejected", "", "msg=\"request not taken\" execution=%llu venue=%s says=%d",
                     (unsigned long long)r->effect.execution_id, r->venue, (int)s->says);
    return true;
}

static bool request_post_once(const struct ctx *ctx, struct arena *a, const struct venue_request *r,
                              unsigned deadline_ms, struct request_observation *out)
{
    const struct venue *v = venue_of(r->venue);
    struct call call;

    *out = (struct request_observation){ .says = VENUE_UNAVAILABLE };
    if (FAULT("offer.post.before") || !v->ask_send(&call, ctx, r, a))
        return false;
    (void)calls_run(ctx->net, &call, 1, deadline_ms);
    v->read_send(&call, r, a, out);
    call_free(&call);
    return !FAULT("offer.post.after");
}

/* False: it could not be sent. */
static bool request_post(const struct ctx *ctx, struct arena *a, const struct venue_request *r,
                         unsigned deadline_ms, struct request_observation *out)
{
    return request_post_once(ctx, a, r, deadline_ms, out) &&
           (!out->again || request_post_once(ctx, a, r, deadline_ms, out));
}

struct renewal {
    const struct venue *venue;
    const struct effect *old;
    struct venue_request *renewed;
};

static enum tx_verdict request_renew_tx(struct db *db, void *arg)
{
    const struct renewal *n = arg;
    enum db_update moved = requests_renew(db, n->old);

    if (moved != UPDATED)
        return moved == UNCHANGED ? TX_ROLLBACK : TX_FAILED;
    return requests_add(db, n->renewed) && n->venue->renewed(db, n->renewed) ? TX_COMMIT : TX_FAILED;
}

/* Puts another request in the place of one that is outdated, once it is stored. */
static bool request_renew(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                          struct venue_request *r)
{
    struct venue_request renewed = *r;
    const struct renewal n = { venue_of(r->venue), &r->effect, &renewed };

    renewed.effect =
        (struct effect){ .execution_id = r->effect.execution_id, .wallet_id = r->effect.wallet_id };
    if (n.venue->renew == NULL || !n.venue->renew(ctx, a, w, r, &renewed) ||
        STEP("request.renew", db_transact(ctx->db, request_renew_tx, (void *)&n), TX_UNKNOWN) != TX_DONE)
        return false;
    *r = renewed;
    return true;
}

/* An outdated request whose bytes were never sent before cannot have been taken: another request replaces it,
 * once, and is refused if it is outdated too. */
static bool request_post_renewed(const struct ctx *ctx, struct arena *a, struct tracked *w, unsigned i,
                                 unsigned deadline_ms, struct request_observation *s)
{
    struct venue_request *r = &w->requests[i];

    if (!request_renew(ctx, a, &w->wallet, r) || !request_post(ctx, a, r, deadline_ms, s))
        return false;
    if (s->says == VENUE_OUTDATED)
        s->says = VENUE_REFUSED;
    (void)request_broadcast(ctx, r, s);
    return true;
}

/* ---- while a venue takes nothing ---- */

struct hold {
    const struct tracked *tracked;
    unsigned first;
    int64_t more_ms;
};

static enum tx_verdict hold_tx(struct db *db, void *arg)
{
    const struct hold *h = arg;
    const struct tracked *w = h->tracked;

    for (unsigned i = h->first; i < w->request_count; i++)
        if (w->requests[i].effect.state == EFFECT_OPEN &&
            !requests_live_until(db, w->requests[i].effect.id, w->requests[i].expires_ms + h->more_ms))
            return TX_FAILED;
    return executions_valid_until(db, w->execution->id, w->execution->valid_until_ms + h->more_ms)
               ? TX_COMMIT
               : TX_FAILED;
}

static void request_hold(const struct ctx *ctx, struct tracked *w, unsigned first, int64_t until_ms)
{
    struct hold h = { w, first, until_ms + HELD_MORE_MS - w->requests[first].expires_ms };

    if (db_transact(ctx->db, hold_tx, &h) != TX_DONE)
        return;
    w->execution->valid_until_ms += h.more_ms;
    for (unsigned i = first; i < w->request_count; i++) {
        w->requests[i].expires_ms += h.more_ms;
        if (w->request_observations[i].says == VENUE_EXPIRED) /* it was judged by the end that it had */
            w->request_observations[i] = (struct request_observation){ .says = VENUE_UNAVAILABLE };
    }
}

/* Nothing of it may be under way, and it is what the others wait for. */
static bool request_waits(const struct tracked *w, unsigned i)
{
    const struct effect *e = &w->requests[i].effect;
    enum venue_says says = w->request_observations[i].says;

    return exec_kind_of(w->execution->kind)->waits && e->state == EFFECT_OPEN && !e->accepted &&
           says != VENUE_HAS && says != VENUE_FILLED && says != VENUE_REFUSED && is_its_turn(w, i);
}

void requests_hold(const struct ctx *ctx, struct arena *a, struct tracked *w)
{
    for (unsigned i = 0; i < w->request_count; i++) {
        const struct venue *v = venue_of(w->requests[i].venue);
        int64_t until_ms = v->held_until != NULL && request_waits(w, i) ? v->held_until(ctx, a) : 0;

        if (until_ms != 0 && w->requests[i].expires_ms < until_ms + HELD_LEAST_MS)
            request_hold(ctx, w, i, until_ms);
    }
}

/* False: it cannot be sent as it is. */
static bool request_prolong(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                            struct venue_request *r)
{
    const struct venue *v = venue_of(r->venue);
    struct venue_request longer = *r;
    enum db_update signed_anew = v->prolong == NULL ? UNCHANGED : v->prolong(ctx, a, w, r, &longer);

    if (signed_anew == UPDATED && requests_sign_anew(ctx->db, &longer) == UPDATED) {
        *r = longer;
        return true;
    }
    return signed_anew == UNCHANGED;
}

/* The first answer to the first bytes says how they ended, and nothing waits for their being recorded as
 * sent: one transaction records both. */
static bool request_has_ended(const struct tracked *w, unsigned i, const struct request_observation *s)
{
    return i + 1 == w->request_count && (s->says == VENUE_FILLED || s->says == VENUE_REFUSED);
}

void requests_send(const struct ctx *ctx, struct arena *a, struct tracked *w, unsigned deadline_ms,
                   bool first)
{
    for (unsigned i = 0; i < w->request_count; i++) {
        struct request_observation s;
        struct venue_request *r = &w->requests[i];
        bool recorded;

        if (!request_is_due(w, i) || !request_prolong(ctx, a, &w->wallet, r) ||
            !request_post(ctx, a, r, deadline_ms, &s))
            continue;
        if (first && request_has_ended(w, i, &s)) {
            s.sent = true;
            w->request_observations[i] = s;
            continue;
        }
        recorded = request_broadcast(ctx, r, &s);
        if (first && s.says == VENUE_OUTDATED &&
            (!recorded || !request_post_renewed(ctx, a, w, i, deadline_ms, &s)))
            continue;
        if (request_said(&s) == BROADCAST_ACCEPTED || (first && request_said(&s) == BROADCAST_REFUSED))
            w->request_observations[i] = s;
    }
}

/* ---- cancelling ---- */

static bool request_cancel(const struct ctx *ctx, struct arena *a, const struct venue_request *r,
                           unsigned deadline_ms)
{
    const struct venue *v = venue_of(r->venue);
    struct call call;
    bool answered;

    if (v->ask_cancel == NULL || !v->ask_cancel(&call, ctx, r, a))
        return false;
    (void)calls_run(ctx->net, &call, 1, deadline_ms);
    answered = v->read_cancel(&call, r, a);
    call_free(&call);
    return answered;
}

void requests_cancel(const struct ctx *ctx, struct arena *a, struct tracked *w, unsigned deadline_ms)
{
    for (unsigned i = 0; i < w->request_count; i++)
        if (w->requests[i].expires_ms == 0 && seems_lost(w, i))
            w->request_observations[i].cancelled = request_cancel(ctx, a, &w->requests[i], deadline_ms);
}
