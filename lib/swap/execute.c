#include "swap/execute.h"

#include <string.h>

#include "core/clock.h"
#include "core/fault.h"
#include "core/log.h"
#include "signer/client.h"
#include "store/quotes.h"
#include "store/stops.h"
#include "store/swaps.h"
#include "store/wallets.h"
#include "swap/offer.h"
#include "swap/plan.h"
#include "swap/sign.h"

enum {
    SEND_WAIT_MS = 3000,
    HANDS_OFF_S = 4,
    /* Less than any chain takes to settle a transaction: what a balance does not show yet is still counted as
     * unsettled then. */
    STATE_GOOD_MS = 4000,
    TRIES = 3,
};

struct commit_job {
    const struct ctx *ctx;
    struct arena *arena;
    const struct quote *quote;
    const struct wallet *wallet;
    const struct plan *plan;
    const struct chain_state *state;
    const struct commit_note *note;
    /* set anew by each run */
    const struct err *refusal; /* with TX_ROLLBACK */
    bool quote_gone;           /* likewise: it was no longer there to take */
    bool stale;                /* likewise: what the chain said is too old by now */
    struct swap swap;
    struct swap_tx txs[PLAN_MAX_STEPS];
};

/* ---- what the wallet can pay ---- */

static bool covers(struct u256 have, struct u256 a, struct u256 b)
{
    struct u256 sum;

    return u256_add(&sum, a, b) && u256_cmp(have, sum) >= 0;
}

static const struct err *check_native(const struct commit_job *job, const struct reservation *r)
{
    struct u256 value, fees, with_value;

    if (!plan_native_cost(job->plan, job->state, &value, &fees) ||
        !covers(job->state->native_balance, r->native, value))
        return &E_BALANCE;
    if (!u256_add(&with_value, r->native, value) || !covers(job->state->native_balance, with_value, fees))
        return &E_GAS;
    return NULL;
}

/* Balance less what unsettled transactions may still take must cover the swap and its fees. */
static const struct err *check_funds(const struct commit_job *job, const struct reservation *r)
{
    const struct step *swap = &job->plan->steps[job->plan->count - 1];

    if (swap->has_token && !covers(job->state->token_balance, r->token, swap->token_amount))
        return &E_BALANCE;
    return check_native(job, r);
}

/* ---- the transaction ---- */

static struct swap new_swap(const struct commit_job *job)
{
    const struct quote *q = job->quote;
    struct swap s = {
        .agent_id = q->agent_id,
        .wallet_id = job->wallet->id,
        .quote_id = q->id,
        .status = SWAP_PENDING,
        .in_flight = true,
        .from = q->from,
        .to = q->to,
        .amount_in = q->amount_in,
        .expected_out = q->amount_out,
        .min_out = q->min_out,
        .valid_until_ms = job->plan->deadline * 1000,
    };

    memcpy(s.provider, q->provider, sizeof s.provider);
    return s;
}

static enum tx_verdict refuse(struct commit_job *job, const struct err *e)
{
    job->refusal = e;
    return TX_ROLLBACK;
}

static bool sign_all(struct commit_job *job, uint64_t nonce)
{
    for (unsigned i = 0; i < job->plan->count; i++)
        if (!sign_step(job->ctx, job->arena, job->wallet, job->plan->chain, &job->state->fees, nonce + i,
                       &job->plan->steps[i], &job->txs[i]))
            return false;
    return true;
}

/* 1, 0 the agent was deleted meanwhile, -1 the database failed. */
static int store_all(struct db *db, struct commit_job *job, uint64_t nonce)
{
    const struct plan *p = job->plan;
    int added;

    if (!wallets_nonce_set(db, job->wallet->id, p->chain->id, nonce + p->count))
        return -1;
    job->swap = new_swap(job);
    added = swaps_add(db, &job->swap, HANDS_OFF_S);
    if (added <= 0)
        return added;
    for (unsigned i = 0; i < p->count; i++) {
        job->txs[i].swap_id = job->swap.id;
        if (!swaps_add_tx(db, &job->txs[i]))
            return -1;
    }
    return 1;
}

/* Locks in the order stop, quote, wallet, nonce, agent. */
static enum tx_verdict commit_tx(struct db *db, void *arg)
{
    struct commit_job *job = arg;
    const struct step *swap = &job->plan->steps[job->plan->count - 1];
    struct reservation reserved;
    const struct err *e;
    uint64_t nonce;
    int stopped, taken, locked, stored, noted;

    job->refusal = NULL;
    job->quote_gone = job->stale = false;
    stopped = stops_hold(db, job->quote->agent_id);
    if (stopped != 0)
        return stopped < 0 ? TX_FAILED : refuse(job, &E_PAUSED);
    taken = STEP("quote.take", quotes_take(db, &job->quote->id, job->quote->agent_id), -1);
    if (taken < 0)
        return TX_FAILED;
    if (taken == 0) {
        job->quote_gone = true;
        return TX_ROLLBACK;
    }
    locked = wallets_lock(db, job->wallet->id);
    if (locked <= 0)
        return locked < 0 ? TX_FAILED : refuse(job, &E_UNAUTHORIZED); /* deleted meanwhile */
    if (!STEP("nonce.reserve",
              wallets_nonce(db, job->wallet->id, job->plan->chain->id, job->state->nonce, &nonce), false) ||
        !swaps_reserved(db, job->wallet->id, job->plan->chain->id, job->state->block, swap->token.bytes,
                        &reserved))
        return TX_FAILED;
    job->stale = clock_mono_ms() - job->state->asked_ms > STATE_GOOD_MS;
    if (job->stale)
        return refuse(job, &E_SWAP_EXECUTION);
    e = check_funds(job, &reserved);
    if (e != NULL)
        return refuse(job, e);
    if (!STEP("execute.sign", sign_all(job, nonce), false))
        return refuse(job, signer_limited(job->ctx->signer) ? &E_OPERATOR_LIMIT : &E_SWAP_EXECUTION);
    stored = STEP("execute.store", store_all(db, job, nonce), -1);
    if (stored <= 0)
        return stored < 0 ? TX_FAILED : refuse(job, &E_UNAUTHORIZED);
    noted = job->note == NULL ? 1 : job->note->fn(job->note->arg, &job->swap);
    if (noted <= 0)
        return noted < 0 ? TX_FAILED : refuse(job, &E_IN_PROGRESS);
    return TX_COMMIT;
}

/* ---- around it ---- */

/* The quote after a check failed: whoever consumed it, or is about to, wins over expiry, expiry over
 * everything else. */
static const struct err *recheck(const struct ctx *ctx, const struct quote *q, const struct err *e,
                                 struct execution *out)
{
    struct quote now;
    int found = quotes_get_free(ctx->db, &q->id, q->agent_id, &now);

    if (found < 0)
        return e != NULL ? e : &E_SWAP_EXECUTION;
    if (found == 0)
        return &E_QUOTE_NOT_FOUND;
    if (now.consumed) {
        if (swaps_by_quote(ctx->db, q->agent_id, &q->id, &out->lost_to_swap) < 0)
            return &E_SWAP_EXECUTION;
        return &E_QUOTE_NOT_FOUND;
    }
    if (now.expired)
        return &E_QUOTE_EXPIRED_EXECUTE;
    return e != NULL ? e : &E_SWAP_EXECUTION;
}

static const struct err *find_quote(const struct ctx *ctx, const struct agent *agent, const char *quote_id,
                                    struct quote *q)
{
    struct uuid id;
    int found;

    if (!quote_id_parse(&id, quote_id))
        return &E_QUOTE_NOT_FOUND;
    found = quotes_get(ctx->db, &id, agent->id, q);
    if (found < 0)
        return &E_SWAP_EXECUTION;
    return found == 0 ? &E_QUOTE_NOT_FOUND : NULL;
}

static const struct err *find_wallet(const struct ctx *ctx, const struct agent *agent, const char *address,
                                     struct wallet *w)
{
    char text[EVM_ADDR_TEXT_LEN + 1];
    struct evm_addr parsed;
    int found;

    if (address != NULL) { /* stored with its checksum, named in any case */
        if (!evm_addr_parse(&parsed, address))
            return &E_WALLET_NOT_FOUND;
        evm_addr_text(text, parsed);
        address = text;
    }
    found = wallets_pick(ctx->db, agent->id, WALLET_EVM, address, w);
    if (found < 0)
        return &E_SWAP_EXECUTION;
    return found == 0 ? &E_WALLET_NOT_FOUND : NULL;
}

/* Balances first: a wallet that cannot pay fails the trial too, and should hear the plain reason. */
static const struct err *judge(const struct commit_job *job)
{
    static const struct reservation none;
    const struct err *e = check_funds(job, &none);

    return e != NULL ? e : plan_verdict(job->plan, job->state);
}

static const struct err *commit(struct commit_job *job, struct execution *out)
{
    enum tx_result result = STEP("execute.commit", db_transact(job->ctx->db, commit_tx, job), TX_UNKNOWN);
    uint64_t id = 0;

    switch (result) {
    case TX_DONE:
        return NULL;
    case TX_REFUSED:
        return recheck(job->ctx, job->quote, job->refusal, out);
    case TX_UNKNOWN:
        /* The connection died during COMMIT: what is recorded decides. */
        if (swaps_by_quote(job->ctx->db, job->quote->agent_id, &job->quote->id, &id) == 1 &&
            id == job->swap.id)
            return NULL;
        return &E_SWAP_EXECUTION;
    case TX_BROKEN:
        break;
    }
    return &E_SWAP_EXECUTION;
}

static void send(struct commit_job *job, struct execution *out)
{
    bool accepted;

    out->swap = job->swap;
    if (!STEP("execute.send",
              offer_txs(job->ctx, job->arena, job->plan->chain, &job->swap, job->txs, job->plan->count,
                        SEND_WAIT_MS, &accepted),
              false))
        return; /* pending: the poller goes on */
    if (accepted) {
        out->swap.status = SWAP_SUBMITTED;
        out->swap.has_tx_hash = true;
        memcpy(out->swap.tx_hash, job->txs[job->plan->count - 1].hash, sizeof out->swap.tx_hash);
    }
}

/* From the plan to the commit. `stale` is set when the way there took so long that it has to be gone again.
 */
static const struct err *execute_once(struct commit_job *job, struct plan *plan, struct chain_state *state,
                                      struct execution *out)
{
    const struct err *e;

    if ((e = plan_make(plan, job->arena, job->quote, job->wallet->ref.address,
                       clock_seconds() + VALID_FOR_S)) != NULL ||
        (e = plan_try(job->ctx, job->arena, plan, state)) != NULL || (e = judge(job)) != NULL)
        return recheck(job->ctx, job->quote, e, out);
    return commit(job, out);
}

const struct err *swap_execute(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                               const char *quote_id, const char *wallet_address,
                               const struct commit_note *note, struct execution *out)
{
    struct quote q;
    struct wallet w;
    struct plan plan;
    struct chain_state state;
    struct commit_job job = { ctx, a, &q, &w, &plan, &state, note, .refusal = NULL };
    const struct err *e;

    *out = (struct execution){ .lost_to_swap = 0 };
    if ((e = find_quote(ctx, agent, quote_id, &q)) != NULL)
        return e;
    if (q.consumed || q.expired)
        return recheck(ctx, &q, NULL, out);
    if ((e = find_wallet(ctx, agent, wallet_address, &w)) != NULL)
        return recheck(ctx, &q, e, out);
    for (unsigned try = 0; try < TRIES && (try == 0 || job.stale); try++) {
        job.stale = false;
        e = execute_once(&job, &plan, &state, out);
    }
    if (e != NULL)
        return e;
    send(&job, out);
    return NULL;
}
