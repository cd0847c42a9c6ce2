#include "swap/execute.h"

#include <string.h>

#include "base/clock.h"
#include "base/fault.h"
#include "base/log.h"
#include "chain/evm/addr.h"
#include "codec/rand.h"
#include "exec/broadcast.h"
#include "exec/evm/plan.h"
#include "exec/evm/sign.h"
#include "exec/wallet.h"
#include "policy/approval.h"
#include "policy/decide.h"
#include "policy/value.h"
#include "signer/client.h"
#include "store/approvals.h"
#include "store/audit.h"
#include "store/executions.h"
#include "store/quotes.h"
#include "store/trading_halts.h"
#include "store/transactions.h"
#include "store/wallets.h"
#include "swap/impact.h"
#include "swap/outlay.h"
#include "swap/plan.h"
#include "swap/quote.h"

enum {
    SEND_WAIT_MS = 3000,
    HANDS_OFF_S = 4,
    APPROVALS_MAX = 20,
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
    const struct approval *approved; /* goes on with its swap in place of taking a quote; NULL: none */
    struct outlay outlay;
    /* set anew by each run */
    const struct err *refusal; /* with TX_ROLLBACK */
    bool stale;                /* likewise: what the chain said is too old by now */
    struct execute_result *out;
    struct transaction txs[PLAN_MAX_STEPS];
};

/* ---- what the wallet can pay ---- */

static bool covers(struct u256 have, struct u256 a, struct u256 b)
{
    struct u256 sum;

    return u256_add(&sum, a, b) && u256_cmp(have, sum) >= 0;
}

static const char *input_text(const struct commit_job *job, struct u256 raw)
{
    const struct token_ref *t = &job->quote->from;

    return arena_printf(job->arena, "%s %s", amount_text(job->arena, (struct amount){ raw, t->decimals }),
                        t->symbol);
}

/* At hand is what swaps under way leave. */
static const struct err *too_poor(const struct commit_job *job, struct u256 balance, struct u256 reserved)
{
    struct u256 left;

    if (!u256_sub(&left, balance, reserved))
        left = U256_ZERO;
    return err_hint(job->arena, &E_BALANCE,
                    arena_printf(job->arena,
                                 "Wallet %s has %s at hand on %s, %s needed: fund it or lower the amount",
                                 job->wallet->ref.address, input_text(job, left), job->plan->chain->key,
                                 input_text(job, job->quote->amount_in)));
}

static const struct err *check_native(const struct commit_job *job, const struct reservation *r)
{
    struct u256 value, fees, with_value;

    if (!plan_native_cost(job->plan, job->state, &value, &fees) ||
        !covers(job->state->native_balance, r->native, value))
        return too_poor(job, job->state->native_balance, r->native);
    if (!u256_add(&with_value, r->native, value) || !covers(job->state->native_balance, with_value, fees))
        return &E_GAS;
    return NULL;
}

/* Balance less what unsettled transactions may still take must cover the swap and its fees. */
static const struct err *check_funds(const struct commit_job *job, const struct reservation *r)
{
    const struct plan *p = job->plan;

    if (!p->leaves.native && !covers(job->state->token_balance, r->token, p->leaves.amount))
        return too_poor(job, job->state->token_balance, r->token);
    return check_native(job, r);
}

/* ---- the transaction ---- */

static struct execution new_swap(const struct commit_job *job)
{
    const struct quote *q = job->quote;
    struct execution s = {
        .id = job->approved != NULL ? job->approved->execution_id : 0,
        .agent_id = q->agent_id,
        .wallet_id = job->wallet->id,
        .kind = KIND_SWAP,
        .once = q->id,
        .status = EXEC_PENDING,
        .follow = FOLLOW_IN_FLIGHT,
        .from = q->from,
        .to = q->to,
        .amount_in = q->amount_in,
        .expected_out = q->amount_out,
        .min_out = q->min_out,
        .valid_until_ms = job->plan->deadline * 1000,
    };

    memcpy(s.venue, q->provider, sizeof s.venue);
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
    struct execution *s = &job->out->swap;
    int added;

    if (!wallets_nonce_set(db, job->wallet->id, p->chain->id, nonce + p->count))
        return -1;
    *s = new_swap(job);
    added = s->id != 0 ? executions_begin(db, s, HANDS_OFF_S) : executions_add(db, s, HANDS_OFF_S);
    if (added <= 0)
        return added;
    for (unsigned i = 0; i < p->count; i++) {
        job->txs[i].execution_id = s->id;
        if (!transactions_add(db, &job->txs[i]))
            return -1;
    }
    return 1;
}

static bool audit(struct db *db, const struct commit_job *job, const char *act, const struct uuid *approval)
{
    char id[APPROVAL_ID_TEXT_LEN + 1];
    struct audit_act what = { .by = "agent", .act = act, .agent = &job->wallet->ref.agent };

    approval_id_text(id, approval);
    what.detail = arena_printf(job->arena, "{\"approval\":\"%s\",\"swap\":%llu}", id,
                               (unsigned long long)job->out->swap.id);
    return audit_write(db, &what);
}

/* The swap and its request for approval instead of anything signed. 1, 0 the agent was deleted meanwhile, -1
 * the database failed. */
static int store_request(struct db *db, struct commit_job *job, const struct err *why)
{
    struct execute_result *out = job->out;
    struct approval ap = { .agent_id = job->quote->agent_id, .slippage = job->quote->slippage };
    int added;

    out->swap = new_swap(job);
    out->swap.valid_until_ms = clock_ms() + APPROVAL_LIFETIME_S * 1000LL;
    added = executions_add(db, &out->swap, APPROVAL_LIFETIME_S);
    if (added <= 0)
        return added;
    rand_bytes(ap.id.bytes, sizeof ap.id.bytes);
    ap.execution_id = out->swap.id;
    ap.why = arena_strndup(job->arena, why->hint, 300);
    if (!approvals_add(db, &ap) || !audit(db, job, "approval.request", &ap.id))
        return -1;
    out->awaits = true;
    out->approval = ap.id;
    out->approval_expires_ms = ap.expires_ms;
    return 1;
}

/* 1, 0 somebody else has it or its time is over, -1. */
static int take(struct db *db, const struct commit_job *job)
{
    if (job->approved != NULL)
        return approvals_move(db, job->approved, APPROVAL_USED);
    return quotes_take(db, &job->quote->id, job->quote->agent_id);
}

static enum tx_verdict request_approval(struct db *db, struct commit_job *job, const struct err *why)
{
    int64_t waiting = approvals_count(db, job->quote->agent_id);
    int stored;

    if (waiting >= APPROVALS_MAX)
        return refuse(job, &E_APPROVAL_COUNT);
    stored = waiting < 0 ? -1 : store_request(db, job, why);
    return stored > 0 ? TX_COMMIT : stored < 0 ? TX_FAILED : refuse(job, &E_UNAUTHORIZED);
}

static enum tx_verdict sign_and_store(struct db *db, struct commit_job *job, uint64_t nonce, bool counts)
{
    int stored;

    if (!STEP("execute.sign", sign_all(job, nonce), false))
        return refuse(job, signer_limited(job->ctx->signer) ? &E_OPERATOR_LIMIT : &E_SWAP_EXECUTION);
    stored = STEP("execute.store", store_all(db, job, nonce), -1);
    if (stored <= 0)
        return stored < 0 ? TX_FAILED : refuse(job, &E_UNAUTHORIZED);
    if ((counts && !policy_count_spend(db, &job->outlay, job->out->swap.id)) ||
        (job->approved != NULL &&
         (!approval_used(db, job->approved) || !audit(db, job, "approval.use", &job->approved->id))))
        return TX_FAILED;
    return TX_COMMIT;
}

/* Under the wallet's lock. */
static enum tx_verdict decide(struct db *db, struct commit_job *job)
{
    struct reservation reserved;
    const struct err *e;
    uint64_t nonce;

    if (!STEP("nonce.reserve",
              wallets_nonce(db, job->wallet->id, job->plan->chain->id, job->state->nonce, &nonce), false) ||
        !transactions_reserved(db, job->wallet->id, job->plan->chain->id, job->state->block,
                               evm_addr_or_zero(job->plan->leaves.token.address).bytes, &reserved))
        return TX_FAILED;
    job->stale = clock_mono_ms() - job->state->asked_ms > STATE_GOOD_MS;
    if (job->stale)
        return refuse(job, &E_SWAP_EXECUTION);
    e = check_funds(job, &reserved);
    if (e != NULL)
        return refuse(job, e);
    switch (policy_decide(db, job->arena, &job->outlay, &e)) {
    case POLICY_FREE:
        return sign_and_store(db, job, nonce, false);
    case POLICY_ALLOWS:
        return sign_and_store(db, job, nonce, true);
    case POLICY_ASKS:
        return request_approval(db, job, e);
    case POLICY_REFUSES:
        return refuse(job, e);
    case POLICY_BROKEN:
        break;
    }
    return TX_FAILED;
}

/* Locks in the order stop, quote (or approval), wallet, nonce, agent. */
static enum tx_verdict commit_tx(struct db *db, void *arg)
{
    struct commit_job *job = arg;
    enum tx_verdict verdict;
    int stopped, taken, locked, noted;

    job->refusal = NULL;
    job->stale = job->out->awaits = false;
    stopped = trading_halts_hold(db, job->quote->agent_id);
    if (stopped != 0)
        return stopped < 0 ? TX_FAILED : refuse(job, &E_PAUSED);
    taken = STEP("quote.take", take(db, job), -1);
    if (taken <= 0)
        return taken < 0 ? TX_FAILED : TX_ROLLBACK;
    locked = wallets_lock(db, job->wallet->id);
    if (locked <= 0)
        return locked < 0 ? TX_FAILED : refuse(job, &E_UNAUTHORIZED); /* deleted meanwhile */
    verdict = decide(db, job);
    if (verdict != TX_COMMIT || job->note == NULL)
        return verdict;
    noted = job->note->fn(job->note->arg, job->out);
    return noted > 0 ? TX_COMMIT : noted < 0 ? TX_FAILED : refuse(job, &E_IN_PROGRESS);
}

/* ---- around it ---- */

/* The quote after a check failed: whoever consumed it, or is about to, wins over expiry, expiry over
 * everything else. */
static const struct err *recheck(const struct ctx *ctx, const struct quote *q, const struct err *e,
                                 struct execute_result *out)
{
    struct quote now;
    int found = quotes_get_free(ctx->db, &q->id, q->agent_id, &now);

    if (found < 0)
        return e != NULL ? e : &E_SWAP_EXECUTION;
    if (found == 0)
        return &E_QUOTE_NOT_FOUND;
    if (now.consumed) {
        if (executions_by_once(ctx->db, q->agent_id, &q->id, &out->lost_to_swap) < 0)
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
    const struct err *e = wallet_find(ctx, agent->id, WALLET_EVM, address, w);

    return e == &E_INTERNAL ? &E_SWAP_EXECUTION : e;
}

/* Balances first: a wallet that cannot pay fails the trial too, and should hear the plain reason. */
static const struct err *judge(const struct commit_job *job)
{
    static const struct reservation none;
    const struct err *e = check_funds(job, &none);

    if (e != NULL || (e = plan_verdict(job->plan, job->state)) != NULL)
        return e;
    return impact_check(job->ctx, job->arena, job->quote, swap_plan_impact(job->ctx, job->quote, job->state));
}

/* The connection died during COMMIT: what is recorded decides. */
static bool recorded(const struct commit_job *job)
{
    struct transaction *txs;
    uint64_t id = 0;
    int n;

    if (executions_by_once(job->ctx->db, job->quote->agent_id, &job->quote->id, &id) != 1 ||
        id != job->out->swap.id)
        return false;
    if (job->approved == NULL)
        return true;
    /* Its swap was there before; that these bytes are its own was not. */
    n = transactions_of(job->ctx->db, job->arena, id, &txs);
    return n > 0 && memcmp(txs[0].hash, job->txs[0].hash, sizeof txs[0].hash) == 0;
}

/* What an approval that cannot be used now is answered with; NULL while it waits. */
static const struct err *approval_state(const struct approval *ap, struct execute_result *out)
{
    switch (ap->state) {
    case APPROVAL_WAITING:
        if (ap->expired)
            break;
        out->awaits = true;
        out->approval = ap->id;
        out->approval_expires_ms = ap->expires_ms;
        return NULL;
    case APPROVAL_GRANTED:
        return ap->expired ? &E_APPROVAL_EXPIRED : NULL;
    case APPROVAL_DENIED:
        return &E_APPROVAL_DENIED;
    case APPROVAL_USED:
        out->lost_to_swap = ap->execution_id;
        return &E_APPROVAL_NOT_FOUND;
    case APPROVAL_LAPSED:
        break;
    }
    return &E_APPROVAL_EXPIRED;
}

/* The approval after a check failed: whoever used it wins over everything else. */
static const struct err *recheck_approval(const struct commit_job *job, const struct err *e)
{
    struct execute_result now = { .lost_to_swap = 0 };
    struct approval ap;
    const struct err *state;
    int found = approvals_get(job->ctx->db, job->arena, job->approved->agent_id, &job->approved->id, &ap);

    if (found == 0)
        return &E_APPROVAL_NOT_FOUND;
    state = found < 0 ? NULL : approval_state(&ap, &now);
    job->out->lost_to_swap = now.lost_to_swap;
    return state != NULL ? state : e != NULL ? e : &E_SWAP_EXECUTION;
}

static const struct err *refused(const struct commit_job *job, const struct err *e)
{
    return job->approved != NULL ? recheck_approval(job, e) : recheck(job->ctx, job->quote, e, job->out);
}

static const struct err *commit(struct commit_job *job)
{
    switch (STEP("execute.commit", db_transact(job->ctx->db, commit_tx, job), TX_UNKNOWN)) {
    case TX_DONE:
        return NULL;
    case TX_REFUSED:
        return refused(job, job->refusal);
    case TX_UNKNOWN:
        return recorded(job) ? NULL : &E_SWAP_EXECUTION;
    case TX_BROKEN:
        break;
    }
    return &E_SWAP_EXECUTION;
}

static void send(struct commit_job *job)
{
    struct execution *s = &job->out->swap;
    bool accepted;

    if (!STEP("execute.send",
              broadcast_txs(job->ctx, job->arena, job->plan->chain, s, job->txs, job->plan->count,
                            SEND_WAIT_MS, &accepted),
              false))
        return; /* pending: the poller goes on */
    if (accepted) {
        s->status = EXEC_SUBMITTED;
        s->has_tx_hash = true;
        memcpy(s->tx_hash, job->txs[job->plan->spend].hash, sizeof s->tx_hash);
    }
}

/* Prices that policies want to know are asked for here, as it may take a node. */
static const struct err *value(struct commit_job *job)
{
    struct outlay *o = &job->outlay;

    if (!swap_outlay(o, job->arena, job->quote, job->wallet, job->plan, job->state))
        return &E_GAS;
    o->approved = job->approved != NULL;
    return policy_value(job->ctx, job->arena, o) ? NULL : &E_SWAP_EXECUTION;
}

/* From the plan to the commit. `stale` is set when the way there took so long that it has to be gone again.
 */
static const struct err *execute_once(struct commit_job *job, struct plan *plan, struct chain_state *state)
{
    const struct err *e;

    job->stale = false;
    if ((e = swap_plan_make(plan, job->ctx, job->arena, job->quote, job->wallet->ref.address,
                            clock_seconds() + PLAN_VALID_FOR_S)) != NULL ||
        (e = plan_try(job->ctx, job->arena, plan, state)) != NULL || (e = judge(job)) != NULL ||
        (e = value(job)) != NULL)
        return refused(job, e);
    return commit(job);
}

/* From the quote in hand to its transactions on their way. */
static const struct err *run(struct commit_job *job, struct plan *plan, struct chain_state *state)
{
    const struct err *e = execute_once(job, plan, state);

    for (unsigned try = 1; try < TRIES && job->stale; try++)
        e = execute_once(job, plan, state);
    if (e == NULL && !job->out->awaits)
        send(job);
    return e;
}

const struct err *swap_execute(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                               const char *quote_id, const char *wallet_address, struct ppm max_impact,
                               const struct commit_note *note, struct execute_result *out)
{
    struct quote q;
    struct wallet w;
    struct plan plan;
    struct chain_state state;
    struct commit_job job = { ctx, a, &q, &w, &plan, &state, note, .out = out };
    const struct err *e;

    *out = (struct execute_result){ .lost_to_swap = 0 };
    if ((e = find_quote(ctx, agent, quote_id, &q)) != NULL)
        return e;
    if (q.consumed || q.expired)
        return recheck(ctx, &q, NULL, out);
    if (max_impact.value != PPM_NONE)
        q.max_impact = max_impact;
    if ((e = find_wallet(ctx, agent, wallet_address, &w)) != NULL)
        return recheck(ctx, &q, e, out);
    return run(&job, &plan, &state);
}

/* ---- going on after an approval ---- */

static const struct err *find_approval(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                       const char *text, struct approval *ap)
{
    struct uuid id;
    int found = approval_id_parse(&id, text) ? approvals_get(ctx->db, a, agent->id, &id, ap) : 0;

    if (found < 0)
        return &E_SWAP_EXECUTION;
    return found == 0 ? &E_APPROVAL_NOT_FOUND : NULL;
}

/* The same trade at the price of now. Never less than was approved may arrive, and more where the price has
 * become better. */
static const struct err *quote_again(const struct ctx *ctx, struct arena *a, const struct execution *s,
                                     struct ppm slippage, struct ppm max_impact, const struct wallet *w,
                                     struct quote *q)
{
    const struct chain *from = chain_by_id(s->from.chain_id), *to = chain_by_id(s->to.chain_id);
    struct quote first;
    struct quote_in in = { .from_token = s->from.address,
                           .to_token = s->to.address,
                           .amount = amount_text(a, (struct amount){ s->amount_in, s->from.decimals }),
                           .wallet_address = w->ref.address,
                           .slippage = slippage.value,
                           .max_impact = max_impact.value };
    struct offers offers;
    const struct err *e;

    if (from == NULL || to == NULL)
        return &E_SWAP_EXECUTION;
    in.from_chain = from->key;
    in.to_chain = to->key;
    if (max_impact.value == PPM_NONE && quotes_get(ctx->db, &s->once, s->agent_id, &first) == 1)
        in.max_impact = first.max_impact.value;
    if ((e = quote_make(ctx, a, s->agent_id, &in, q, &offers)) != NULL)
        return e;
    if (u256_cmp(q->amount_out, s->min_out) < 0)
        return &E_PRICE_MOVED;
    if (u256_cmp(q->min_out, s->min_out) < 0)
        q->min_out = s->min_out;
    q->id = s->once;
    return NULL;
}

const struct err *swap_execute_approved(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                        const char *approval_id, struct ppm max_impact,
                                        const struct commit_note *note, struct execute_result *out)
{
    struct quote q;
    struct wallet w;
    struct plan plan;
    struct chain_state state;
    struct approval ap;
    struct commit_job job = { ctx, a, &q, &w, &plan, &state, note, .approved = &ap, .out = out };
    const struct err *e;

    *out = (struct execute_result){ .lost_to_swap = 0 };
    if ((e = find_approval(ctx, a, agent, approval_id, &ap)) != NULL)
        return e;
    if (executions_get(ctx->db, a, agent->id, ap.execution_id, &out->swap) != 1 ||
        wallets_get(ctx->db, out->swap.wallet_id, &w) != 1)
        return &E_SWAP_EXECUTION;
    if ((e = approval_state(&ap, out)) != NULL || out->awaits)
        return e;
    if ((e = quote_again(ctx, a, &out->swap, ap.slippage, max_impact, &w, &q)) != NULL)
        return refused(&job, e);
    return run(&job, &plan, &state);
}
