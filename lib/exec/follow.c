#include "exec/follow.h"

#include "base/fault.h"
#include "exec/bridge.h"
#include "exec/chain_ops.h"
#include "exec/kind.h"
#include "exec/outcome.h"
#include "exec/venue.h"
#include "exec/venue_request.h"
#include "net/call.h"
#include "policy/approval_decision.h"
#include "service/conf.h"
#include "store/bridges.h"
#include "store/executions.h"
#include "store/requests.h"
#include "store/transactions.h"
#include "store/wallets.h"

enum {
    BATCH = 256, /* executions that are claimed at once */
    LEASE_S = 30,
    DEADLINE_MS = 5000,
    SEND_MS = 3000,
};

/* ---- batches ---- */

static bool is_doubted(const struct tracked *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->txs[i].block_number != 0 && (w->txs[i].kind == TX_CANCEL || !w->txs[i].effect.succeeded))
            return true;
    return w->execution->status == EXEC_FAILED;
}

/* Effects that were claimed, transactions or requests: by execution. */
struct effects {
    const void *list; /* of structs of `size` bytes that begin with their effect */
    size_t size;
    unsigned count, at;
};

static const struct effect *effect_next(const struct effects *e)
{
    return e->at == e->count ? NULL : (const void *)((const char *)e->list + e->at * e->size);
}

/* Executions come in the order of their ids. Of each, the first is at e->at less the count that is returned.
 */
static unsigned effects_of(struct effects *e, uint64_t execution_id)
{
    const struct effect *next;
    unsigned n = 0;

    while ((next = effect_next(e)) != NULL && next->execution_id <= execution_id) {
        n += next->execution_id == execution_id;
        e->at++;
    }
    return n;
}

/* The rows that a pass has claimed. */
struct claimed {
    struct execution *list;
    struct transaction *txs;
    struct venue_request *requests;
    struct bridge *bridges; /* by execution */
    struct wallet *wallets; /* of all of these, by id */
    unsigned count, tx_count, request_count, bridge_count, wallet_count;
};

static struct effects claimed_txs(const struct claimed *c)
{
    return (struct effects){ .list = c->txs, .size = sizeof *c->txs, .count = c->tx_count };
}

static struct effects claimed_requests(const struct claimed *c)
{
    return (struct effects){ .list = c->requests, .size = sizeof *c->requests, .count = c->request_count };
}

/* Those that have settled are not looked at any more: what is recorded of them holds. */
static void tracked_set_settled(struct tracked *w)
{
    w->chain = NULL;
    w->known = true;
    for (unsigned i = 0; i < w->count; i++)
        if (w->txs[i].effect.state == EFFECT_SETTLED)
            w->observations[i] = (struct observation){ .block = w->txs[i].block_number,
                                                       .succeeded = w->txs[i].effect.succeeded,
                                                       .confirmed = true,
                                                       .settled = true };
}

static void tracked_add_txs(struct tracked *w, struct transaction *txs, unsigned n, struct arena *a)
{
    w->chain = n == 0 ? NULL : chain_by_id(w->execution->from.chain_id);
    w->txs = txs;
    w->observations = ARENA_ARRAY(a, struct observation, n + 1);
    w->count = n;
    w->spend = 0;
    for (unsigned i = 0; i < n; i++)
        if (txs[i].kind == TX_SPEND || (txs[i].kind == TX_APPROVAL && txs[w->spend].kind != TX_SPEND))
            w->spend = i; /* what they are for comes last; only an allowance is taken back behind it */
    w->doubted = is_doubted(w);
    w->known = n == 0;
    if (w->execution->follow == FOLLOW_BRIDGE)
        tracked_set_settled(w);
}

static void tracked_add_requests(struct tracked *w, struct venue_request *requests, unsigned n,
                                 struct arena *a)
{
    w->requests = requests;
    w->request_observations = ARENA_ARRAY(a, struct request_observation, n + 1);
    w->request_count = n;
}

static int bridge_order(const void *x, const void *y)
{
    const struct bridge *a = x, *b = y;

    return a->execution_id < b->execution_id ? -1 : a->execution_id > b->execution_id;
}

static void tracked_add_bridge(struct tracked *w, const struct claimed *c)
{
    const struct bridge key = { .execution_id = w->execution->id };

    if (c->bridge_count > 0)
        w->bridge = bsearch(&key, c->bridges, c->bridge_count, sizeof key, bridge_order);
    if (w->bridge != NULL)
        w->bridge_observation.next = *w->bridge;
}

/* An execution cannot be followed without effects or without its bridge, on chains, at venues or of a kind
 * that this program does not know. */
static bool can_follow(const struct tracked *w)
{
    const struct execution *x = w->execution;

    for (unsigned i = 0; i < w->request_count; i++)
        if (venue_of(w->requests[i].venue) == NULL)
            return false;
    return w->count + w->request_count > 0 &&
           (w->count == 0 || chain_ops_of(chain_by_id(x->from.chain_id)) != NULL) &&
           execution_has_bridge(x) == (w->bridge != NULL) && exec_kind_of(x->kind) != NULL;
}

/* Tracks the executions that can be followed. Returns how many. */
static unsigned watches_make(struct tracked *w, const struct claimed *c, struct arena *a)
{
    struct effects txs = claimed_txs(c), requests = claimed_requests(c);
    unsigned made = 0;

    for (unsigned i = 0; i < c->count; i++) {
        unsigned ntxs = effects_of(&txs, c->list[i].id), nrequests = effects_of(&requests, c->list[i].id);

        w[made] = (struct tracked){ .execution = &c->list[i] };
        tracked_add_txs(&w[made], c->txs + (txs.at - ntxs), ntxs, a);
        tracked_add_requests(&w[made], c->requests + (requests.at - nrequests), nrequests, a);
        tracked_add_bridge(&w[made], c);
        made += can_follow(&w[made]);
    }
    return made;
}

static int tracked_order(const void *x, const void *y)
{
    const struct tracked *a = x, *b = y;

    if (a->chain != b->chain)
        return a->chain < b->chain ? -1 : 1;
    if (a->doubted != b->doubted)
        return a->doubted ? 1 : -1;
    if (a->execution->agent_id != b->execution->agent_id)
        return a->execution->agent_id < b->execution->agent_id ? -1 : 1;
    return a->execution->id < b->execution->id ? -1 : 1;
}

/* A node is asked about each transaction, and for the nonce of each wallet that has one. */
static unsigned chain_batch_questions_about(const struct chain_batch *s, const struct tracked *w)
{
    if (!chain_ops_of(w->chain)->has_nonces)
        return w->count;
    for (const struct tracked *other = s->w; other < s->w + s->count; other++)
        if (other->wallet.id == w->wallet.id)
            return w->count;
    return w->count + 1;
}

/* Makes batches of the executions that are on a chain. */
static unsigned chain_batches_make(struct chain_batch *s, struct tracked *w, unsigned n)
{
    unsigned made = 0, questions = 0;

    qsort(w, n, sizeof *w, tracked_order);
    for (unsigned i = 0; i < n; i++) {
        struct chain_batch *last = made > 0 ? &s[made - 1] : NULL;

        if (w[i].chain == NULL)
            continue;
        if (last == NULL || last->chain != w[i].chain || last->doubted != w[i].doubted ||
            questions + chain_batch_questions_about(last, &w[i]) > chain_ops_of(w[i].chain)->poll_questions) {
            last = &s[made++];
            *last = (struct chain_batch){ .chain = w[i].chain, .doubted = w[i].doubted, .w = &w[i] };
            questions = 0;
        }
        questions += chain_batch_questions_about(last, &w[i]);
        last->count++;
    }
    return made;
}

/* ---- one pass ---- */

struct follow_pass {
    struct tracked *watches;
    struct chain_batch *chain_batches;
    struct request_question *questions;
    struct bridge_question *bridge_questions;
    unsigned count, chain_batch_count, question_count, bridge_question_count;
};

/* All chains, venues and bridge providers at once: what one of them keeps silent about does not hold up the
 * others.
 */
static void pass_ask(const struct ctx *ctx, struct arena *a, struct follow_pass *p, unsigned requests)
{
    unsigned questions = REQUEST_QUESTIONS * requests;
    struct call *calls = ARENA_ARRAY(a, struct call, p->chain_batch_count + questions + p->count + 1);
    unsigned asked = 0;

    for (unsigned i = 0; i < p->chain_batch_count; i++)
        if (chain_ops_of(p->chain_batches[i].chain)->poll_begin(ctx, a, &p->chain_batches[i], &calls[asked]))
            p->chain_batches[i].call = &calls[asked++];
    p->questions = ARENA_ARRAY(a, struct request_question, questions + 1);
    p->question_count = requests_ask(ctx, a, p->watches, p->count, &calls[asked], p->questions);
    asked += p->question_count;
    p->bridge_questions = ARENA_ARRAY(a, struct bridge_question, p->count + 1);
    p->bridge_question_count = bridges_ask(ctx, a, p->watches, p->count, &calls[asked], p->bridge_questions);
    (void)calls_run(ctx->net, calls, asked + p->bridge_question_count, DEADLINE_MS);
}

/* Acts on the observations of its chain: the chain's part first, since requests wait for it. */
static void tracked_act(const struct ctx *ctx, struct arena *a, struct tracked *w)
{
    const struct chain_ops *family = chain_ops_of(w->chain);
    bool in_flight = w->execution->follow == FOLLOW_IN_FLIGHT;

    if (family != NULL)
        family->poll_closely(ctx, a, w);
    if (family != NULL && in_flight)
        family->repair(ctx, a, w);
    if (in_flight) {
        requests_hold(ctx, a, w);
        requests_send(ctx, a, w, SEND_MS, false);
        requests_cancel(ctx, a, w, SEND_MS);
    }
}

static void chain_batch_follow(const struct ctx *ctx, struct arena *a, struct chain_batch *s)
{
    const struct chain_ops *family = chain_ops_of(s->chain);

    if (s->call == NULL)
        return;
    family->poll_end(ctx, a, s);
    for (struct tracked *w = s->w; w < s->w + s->count; w++)
        if (w->known)
            tracked_act(ctx, a, w);
    outcomes_record(ctx, a, s->w, s->count);
    family->poll_free(s);
}

/* Follows executions without a chain to look at: bridges that are followed alone are recorded together, and
 * requests one after another, since each may be sent. */
static void chainless_follow(const struct ctx *ctx, struct arena *a, struct tracked *w, unsigned n)
{
    unsigned at_once;

    for (unsigned i = 0; i < n; i += at_once) {
        at_once = 1;
        if (w[i].bridge == NULL)
            tracked_act(ctx, a, &w[i]);
        while (w[i].bridge != NULL && i + at_once < n && w[i + at_once].bridge != NULL &&
               w[i + at_once].doubted == w[i].doubted)
            at_once++;
        outcomes_record(ctx, a, &w[i], at_once);
    }
}

static void watches_follow(const struct ctx *ctx, struct arena *a, struct tracked *w, unsigned n,
                           unsigned requests)
{
    struct follow_pass p = { .watches = w,
                             .count = n,
                             .chain_batches = ARENA_ARRAY(a, struct chain_batch, n + 1) };
    unsigned chainless = 0;

    p.chain_batch_count = chain_batches_make(p.chain_batches, w, n);
    if (FAULT("poll.ask"))
        return;
    pass_ask(ctx, a, &p, requests);
    requests_read(a, p.questions, p.question_count);
    bridges_read(a, p.bridge_questions, p.bridge_question_count);
    bridges_poll(ctx, a, w, n);
    for (unsigned i = 0; i < p.chain_batch_count; i++)
        chain_batch_follow(ctx, a, &p.chain_batches[i]);
    while (chainless < n && w[chainless].chain == NULL)
        chainless++;
    chainless_follow(ctx, a, w, chainless);
}

/* Queries by the execution's id: another process may have claimed it by the time when its effects are
 * read. */
static bool has_no_effects(const struct ctx *ctx, struct arena *a, uint64_t execution_id)
{
    struct venue_request *requests;
    struct transaction *txs;

    return transactions_of(ctx->db, a, execution_id, &txs) == 0 &&
           requests_of(ctx->db, a, execution_id, &requests) == 0;
}

/* An execution without effects waited for an approval, and is looked at when the time for it is over. */
static void unsigned_end(const struct ctx *ctx, struct arena *a, const struct claimed *c)
{
    struct effects txs = claimed_txs(c), requests = claimed_requests(c);

    for (unsigned i = 0; i < c->count; i++)
        if (effects_of(&txs, c->list[i].id) + effects_of(&requests, c->list[i].id) == 0 &&
            has_no_effects(ctx, a, c->list[i].id))
            approval_lapse(ctx->db, a, &c->list[i]);
}

static bool any_bridge(const struct execution *list, int n)
{
    for (int i = 0; i < n; i++)
        if (execution_has_bridge(&list[i]))
            return true;
    return false;
}

/* Skips the query for requests if no venue takes any, and the one for bridges if all executions stay on one
 * chain. */
static bool claimed_read(struct db *db, struct arena *a, const struct uuid *owner, struct claimed *out)
{
    int n = executions_claimed(db, a, owner, &out->list), txs = transactions_claimed(db, a, owner, &out->txs),
        wallets = wallets_claimed(db, a, owner, &out->wallets),
        requests = venues[0] == NULL ? 0 : requests_claimed(db, a, owner, &out->requests),
        bridges = any_bridge(out->list, n) ? bridges_claimed(db, a, owner, &out->bridges) : 0;

    if (n < 0 || txs < 0 || wallets < 0 || requests < 0 || bridges < 0)
        return false;
    out->count = (unsigned)n;
    out->tx_count = (unsigned)txs;
    out->request_count = (unsigned)requests;
    out->bridge_count = (unsigned)bridges;
    out->wallet_count = (unsigned)wallets;
    return true;
}

static int wallet_order(const void *x, const void *y)
{
    const struct wallet *a = x, *b = y;

    return a->id < b->id ? -1 : a->id > b->id;
}

/* Those whose wallet is gone are left out: nothing can be done for them, and they must not hold up the
 * others. How many are left. */
static unsigned tracked_wallets_set(struct tracked *w, unsigned n, const struct claimed *c)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < n; i++) {
        const struct wallet key = { .id = w[i].execution->wallet_id };
        const struct wallet *found =
            c->wallet_count > 0 ? bsearch(&key, c->wallets, c->wallet_count, sizeof key, wallet_order) : NULL;

        if (found == NULL)
            continue;
        w[kept] = w[i];
        w[kept++].wallet = *found;
    }
    return kept;
}

static bool claimed_follow(const struct ctx *ctx, struct arena *a, const struct uuid *owner)
{
    struct claimed c = { .count = 0 };
    struct tracked *w;
    int64_t now_ms;
    unsigned made;

    if (!claimed_read(ctx->db, a, owner, &c) || !db_clock_ms(ctx->db, &now_ms))
        return false;
    unsigned_end(ctx, a, &c);
    w = ARENA_ARRAY(a, struct tracked, c.count + 1);
    made = watches_make(w, &c, a);
    for (unsigned i = 0; i < made; i++)
        w[i].now_ms = now_ms;
    made = tracked_wallets_set(w, made, &c);
    watches_follow(ctx, a, w, made, c.request_count);
    return true;
}

int follow_due(const struct ctx *ctx, bool (*stopping)(void))
{
    const unsigned recheck_s = ctx->conf->recheck_s;
    struct arena *a = arena_new();
    struct uuid done, owner = uuid_random();
    int64_t n = STEP("poll.claim", executions_claim(ctx->db, &owner, LEASE_S, BATCH), -1);
    int sum = 0;
    bool ok = true;

    while (ok && n > 0) {
        sum += (int)n;
        ok = claimed_follow(ctx, a, &owner);
        arena_reset(a);
        if (!ok || n < BATCH || stopping())
            break;
        done = owner;
        owner = uuid_random();
        n = STEP("poll.release", executions_claim_next(ctx->db, &done, recheck_s, &owner, LEASE_S, BATCH),
                 -1);
    }
    arena_free(a);
    if (n > 0)
        ok = STEP("poll.release", executions_release(ctx->db, &owner, recheck_s), false) && ok;
    return ok && n >= 0 ? sum : -1;
}
