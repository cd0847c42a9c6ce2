#include "exec/commit.h"

#include <string.h>

#include "base/clock.h"
#include "base/fault.h"
#include "base/incident.h"
#include "base/log.h"
#include "chain/unavailable.h"
#include "exec/broadcast.h"
#include "exec/commit_approval.h"
#include "exec/elsewhere.h"
#include "exec/kind.h"
#include "exec/outcome.h"
#include "exec/spend_facts.h"
#include "exec/venue.h"
#include "exec/venue_request.h"
#include "exec/wallet.h"
#include "policy/decide.h"
#include "policy/value.h"
#include "signer/client.h"
#include "store/approvals.h"
#include "store/bridges.h"
#include "store/executions.h"
#include "store/requests.h"
#include "store/signing_nonces.h"
#include "store/trading_halts.h"

enum {
    SEND_WAIT_MS = 3000,
    HANDS_OFF_S = 4,
    /* Less than any chain takes to settle a transaction: what a balance does not show yet is still counted as
     * unsettled then. */
    STATE_GOOD_MS = 4000,
    TRIES = 3,
};

static enum tx_verdict commit_refuse(struct commit *c, const struct err *e)
{
    c->refusal = e;
    return TX_ROLLBACK;
}

/* Its agent was deleted meanwhile: an agent's request has lost its key, the operator's names no wallet. */
static enum tx_verdict commit_refuse_gone(struct commit *c)
{
    return commit_refuse(c, c->operator_mac != NULL ? &E_WALLET_NOT_FOUND : &E_UNAUTHORIZED);
}

/* ---- the wallet's funds ---- */

static bool funds_cover(struct u256 have, struct u256 a, struct u256 b)
{
    struct u256 sum;

    return u256_add(&sum, a, b) && u256_cmp(have, sum) >= 0;
}

static const char *leaves_text(const struct commit *c, struct u256 raw)
{
    const struct token_ref *t = &c->plan->leaves.token;

    return arena_printf(c->arena, "%s %s", amount_text(c->arena, (struct amount){ raw, t->decimals }),
                        t->symbol);
}

/* The balance available is the rest that executions in progress leave. */
static const struct err *balance_short(const struct commit *c, struct u256 balance, struct u256 reserved)
{
    struct u256 left;

    if (!u256_sub(&left, balance, reserved))
        left = U256_ZERO;
    return err_hint(c->arena, &E_BALANCE,
                    arena_printf(c->arena,
                                 "Wallet %s has %s at hand on %s, %s needed: fund it or lower the amount",
                                 c->wallet->ref.address, leaves_text(c, left), c->plan->chain->key,
                                 leaves_text(c, c->plan->leaves.amount)));
}

static const struct err *check_native(const struct commit *c, const struct reservation *r)
{
    struct u256 value, fees, with_value;

    if (!c->family->cost(c->plan, &c->state, &value, &fees) ||
        !funds_cover(c->state.native_balance, r->native, value))
        return balance_short(c, c->state.native_balance, r->native);
    if (!u256_add(&with_value, r->native, value) || !funds_cover(c->state.native_balance, with_value, fees))
        return &E_GAS;
    return NULL;
}

/* Balance less what unsettled transactions may still take must cover what leaves, and the fees. Where nothing
 * leaves, nothing of the token has to be there. */
static const struct err *check_funds(const struct commit *c, const struct reservation *r)
{
    const struct plan_amount *leaves = &c->plan->leaves;

    if (c->plan->count == 0)
        return NULL;
    if (!plan_only_allows(c->plan) && !leaves->native && !u256_is_zero(leaves->amount) &&
        !funds_cover(c->state.token_balance, r->token, leaves->amount))
        return balance_short(c, c->state.token_balance, r->token);
    return check_native(c, r);
}

/* Whether it would be another decision, if what is reserved had been taken already. */
static bool reservation_decides(const struct commit *c, const struct reservation *r)
{
    static const struct reservation none;

    return !reservation_is_none(r) &&
           (c->hooks->fit != NULL || (check_funds(c, r) != NULL && check_funds(c, &none) == NULL));
}

/* ---- the transaction ---- */

static bool request_begin(struct db *db, struct commit *c, unsigned i)
{
    const struct plan_request *p = &c->plan->requests[i];
    struct venue_request *r = &c->requests[i];

    *r = (struct venue_request){ .effect.wallet_id = c->wallet->id,
                                 .signing_key = p->signing_key,
                                 .signing_key_len = p->signing_key_len,
                                 .has_nonce = p->venue->has_nonces,
                                 .expires_ms =
                                     p->valid_ms != 0 ? c->locked.asked_ms + p->valid_ms : p->expires_ms,
                                 .order = p->order };
    (void)snprintf(r->venue, sizeof r->venue, "%s", p->venue->name);
    return !r->has_nonce || signing_nonces_next(db, r->signing_key, r->signing_key_len, &r->nonce);
}

/* Reserves nonces of transactions and requests; the caller holds the wallet's lock, so no other gets them. */
static bool nonces_reserve(struct db *db, struct commit *c)
{
    const struct plan *p = c->plan;

    for (unsigned i = 0; i < p->request_count; i++)
        if (!request_begin(db, c, i))
            return false;
    c->nonce = c->locked.next_nonce > c->state.nonce ? c->locked.next_nonce : c->state.nonce;
    return true;
}

/* More transactions than these, of which nothing is on record, have been sent from no wallet of ours: each
 * place below such a count would be filled and paid for. */
static bool nonce_is_ahead(const struct commit *c)
{
    enum { AHEAD_MAX = 64 };

    return c->plan->count > 0 && c->state.nonce_alone && c->state.nonce > c->locked.next_nonce + AHEAD_MAX;
}

static const struct err *nonce_refusal(const struct commit *c)
{
    log_repeated("nonce_ahead",
                 arena_printf(c->arena, "chain=%s wallet=%s", c->plan->chain->key, c->plan->wallet),
                 "msg=\"one node alone counts more transactions of a wallet than were signed\" counted=%llu"
                 " known=%llu",
                 (unsigned long long)c->state.nonce, (unsigned long long)c->locked.next_nonce);
    return err_hint(
        c->arena, &E_UPSTREAM,
        arena_printf(c->arena,
                     "A node of the chain '%s' counts %llu transactions of this wallet, and %llu are known "
                     "here: nothing was signed, retry with backoff",
                     c->plan->chain->key, (unsigned long long)c->state.nonce,
                     (unsigned long long)c->locked.next_nonce));
}

static bool sign_steps(struct commit *c)
{
    const struct plan *p = c->plan;
    struct signing in = {
        .wallet = c->wallet, .chain = p->chain, .plan = p, .fees = &c->state.fees, .by = c->operator_mac
    };

    for (unsigned i = 0; i < p->count; i++) {
        in.step = &p->steps[i];
        in.nonce = c->nonce + i;
        in.proof = in.step->proof;
        in.proof_len = in.step->proof_len;
        in.far_wallet = i == p->spend ? c->far_wallet : NULL;
        in.to = i == p->spend ? c->record : NULL;
        if (!c->family->sign(c->ctx, c->arena, &in, &c->txs[i]))
            return false;
    }
    return true;
}

static bool sign_requests(struct commit *c)
{
    struct request_signing in = { .wallet = c->wallet, .plan = c->plan };

    for (unsigned i = 0; i < c->plan->request_count; i++) {
        in.request = &c->plan->requests[i];
        in.nonce = c->requests[i].nonce;
        in.expires_ms = c->requests[i].expires_ms;
        if (!in.request->venue->sign(c->ctx, c->arena, &in, &c->requests[i]))
            return false;
    }
    return true;
}

static bool store_effects(struct db *db, struct commit *c, uint64_t execution_id)
{
    for (unsigned i = 0; i < c->plan->count; i++) {
        c->txs[i].effect.execution_id = execution_id;
        if (!transactions_add(db, &c->txs[i]))
            return false;
    }
    for (unsigned i = 0; i < c->plan->request_count; i++) {
        c->requests[i].effect.execution_id = execution_id;
        if (!requests_add(db, &c->requests[i]))
            return false;
    }
    /* If the plan names no recipient, the bridge pays the wallet itself. */
    const struct plan_bridge *p = c->plan->bridge;
    const struct step *deposit = &c->plan->steps[c->plan->spend];
    struct bridge b = { .execution_id = execution_id, .far_block = c->far_block };

    if (p == NULL)
        return true;
    (void)snprintf(b.bridge_provider, sizeof b.bridge_provider, "%s", p->bridge_provider);
    (void)snprintf(b.recipient, sizeof b.recipient, "%s",
                   c->plan->recipient != NULL ? c->plan->recipient : c->plan->wallet);
    b.reference = p->reference;
    b.deadline_ms = p->deadline * 1000;
    b.seconds = p->seconds;
    b.proof = deposit->proof;
    b.proof_len = deposit->proof_len;
    return bridges_add(db, &b);
}

static enum db_update store_execution(struct db *db, struct execution *x)
{
    if (x->id != 0)
        return executions_begin(db, x, HANDS_OFF_S);
    return executions_add(db, x, HANDS_OFF_S) ? UPDATED : DB_ERROR;
}

/* UNCHANGED: the agent was deleted meanwhile. */
static enum db_update store_signed(struct db *db, struct commit *c)
{
    const struct plan *p = c->plan;
    struct execution *x = &c->out->execution;
    struct execution_move begun = { .kind = c->terms.kind,
                                    .agent_id = c->terms.agent_id,
                                    .from = c->terms.id != 0 ? EXEC_PENDING : 0,
                                    .to = EXEC_PENDING };
    enum db_update stored;

    if (p->count > 0 && !wallets_nonce_set(db, c->wallet->id, p->chain->id, c->nonce + p->count))
        return DB_ERROR;
    *x = c->terms;
    stored = store_execution(db, x);
    if (stored != UPDATED)
        return stored;
    begun.id = x->id;
    return store_effects(db, c, x->id) ? executions_count(db, &begun, 1) : DB_ERROR;
}

static enum tx_verdict sign_and_store(struct db *db, struct commit *c, bool counts)
{
    enum db_update stored;
    enum lookup twin = LOOKUP_NONE;

    if (!STEP("execute.sign", sign_steps(c) && sign_requests(c), false))
        return commit_refuse(c, signer_limited(c->ctx->signer) ? &E_OPERATOR_LIMIT : c->failure);
    /* Without nonces, the same trade with the same blockhash is the same transaction, which a chain carries
     * out once. */
    for (unsigned i = 0; twin == LOOKUP_NONE && i < c->plan->count; i++)
        if (!c->txs[i].has_nonce)
            twin = transactions_hash_known(db, &c->txs[i].hash);
    if (twin != LOOKUP_NONE)
        return twin == LOOKUP_ERROR ? TX_FAILED : commit_refuse(c, &E_DUPLICATE_TX);
    stored = STEP("execute.store", store_signed(db, c), DB_ERROR);
    if (stored != UPDATED)
        return stored == DB_ERROR ? TX_FAILED : commit_refuse_gone(c);
    if ((counts && !policy_count_spend(db, &c->spend_facts, c->out->execution.id)) ||
        (c->approved != NULL && !commit_approval_used(db, c)))
        return TX_FAILED;
    return TX_COMMIT;
}

/* There was no policy before the transaction, and one that has been made since would show in the turn. */
static bool is_unlimited(const struct commit *c)
{
    return c->spend_facts.unlimited && c->locked.turn == c->wallet->turn;
}

static enum tx_verdict consult_policies(struct db *db, struct commit *c)
{
    const struct err *e;

    if (c->kind->policies == POLICIES_NONE || is_unlimited(c))
        return sign_and_store(db, c, false);
    switch (policy_decide(db, c->arena, &c->spend_facts, &e)) {
    case POLICY_FREE:
        return sign_and_store(db, c, false);
    case POLICY_ALLOWS:
        return sign_and_store(db, c,
                              c->kind->policies == POLICIES_COUNT || c->kind->policies == POLICIES_DEBT);
    case POLICY_ASKS:
        return commit_approval_request(db, c, e);
    case POLICY_REFUSES:
        return commit_refuse(c, e);
    case POLICY_BROKEN:
        break;
    }
    return TX_FAILED;
}

/* Under the wallet's lock. */
static enum tx_verdict commit_locked(struct db *db, struct commit *c)
{
    const struct plan *p = c->plan;
    struct reservation reserved = { U256_ZERO, U256_ZERO };
    const struct err *e = NULL;

    if (!STEP("nonce.reserve", nonces_reserve(db, c), false) ||
        (p->count > 0 && !wallet_reserved(db, c->wallet, p, &c->state, &reserved)))
        return TX_FAILED;
    c->stale = clock_mono_ms() - c->state.asked_ms > STATE_GOOD_MS;
    if (c->stale)
        return commit_refuse(c, c->failure);
    if (nonce_is_ahead(c))
        return commit_refuse(c, nonce_refusal(c));
    c->contested = !c->looks_up && p->count > 0 && reservation_decides(c, &reserved);
    if (c->contested)
        return commit_refuse(c, c->failure);
    if (c->hooks->locked != NULL)
        e = c->hooks->locked(c);
    if (e == NULL && c->hooks->fit != NULL)
        e = c->hooks->fit(c, &reserved);
    if (e == NULL)
        e = check_funds(c, &reserved);
    if (e == c->failure) /* it could not be told: tried again if that may pass */
        return TX_FAILED;
    return e != NULL ? commit_refuse(c, e) : consult_policies(db, c);
}

/* UNCHANGED: another execution has taken it, or it has expired. */
static enum db_update take_once(struct db *db, const struct commit *c)
{
    if (c->approved != NULL)
        return approvals_move(db, c->approved, APPROVAL_USED);
    return c->hooks->take != NULL ? c->hooks->take(c, db) : UPDATED;
}

static enum lookup commit_halted(struct db *db, const struct commit *c)
{
    switch (c->any_halt ? HALTED_BY_ANY : c->kind->halts) {
    case HALTED_BY_ANY:
        return trading_halts_hold(db, c->wallet->agent_id);
    case HALTED_BY_ALL:
        return trading_halts_hold(db, HALT_ALL);
    case HALTED_NEVER:
        break;
    }
    return LOOKUP_NONE;
}

/* Locks in the order halt, quote (or approval), wallet, nonce, agent. */
static enum tx_verdict commit_in_tx(struct db *db, void *arg)
{
    struct commit *c = arg;
    enum tx_verdict verdict;
    enum lookup halted, locked;
    enum db_update taken, noted;

    c->refusal = NULL;
    c->stale = c->contested = c->out->awaits = false;
    halted = commit_halted(db, c);
    if (halted != LOOKUP_NONE)
        return halted == LOOKUP_ERROR ? TX_FAILED : commit_refuse(c, &E_PAUSED);
    taken = STEP("quote.take", take_once(db, c), DB_ERROR);
    if (taken != UPDATED)
        return taken == DB_ERROR ? TX_FAILED : TX_ROLLBACK;
    locked = wallets_lock(db, c->wallet->id, c->plan->count > 0 ? c->plan->chain->id : 0, &c->locked);
    if (locked != LOOKUP_FOUND)
        return locked == LOOKUP_ERROR ? TX_FAILED : commit_refuse_gone(c);
    if (c->approved == NULL)
        c->terms.created_ms = c->locked.asked_ms;
    verdict = commit_locked(db, c);
    if (verdict != TX_COMMIT)
        return verdict;
    if (c->hooks->store != NULL && !STEP("market.store", c->hooks->store(c, db), false))
        return TX_FAILED;
    if (c->note == NULL)
        return TX_COMMIT;
    noted = c->note->fn(c->note->arg, c->out);
    return noted == UPDATED ? TX_COMMIT : noted == DB_ERROR ? TX_FAILED : commit_refuse(c, &E_IN_PROGRESS);
}

/* ---- around it ---- */

const struct err *commit_explain(struct commit *c, const struct err *e)
{
    if (c->approved != NULL)
        return commit_approval_explain(c, e);
    if (c->hooks->explain != NULL)
        return c->hooks->explain(c, e);
    return e != NULL ? e : c->failure;
}

/* Whether the execution has these very effects, by the first of them. */
static bool effects_recorded(const struct commit *c, uint64_t id)
{
    struct transaction *txs;
    struct venue_request *requests;

    if (c->plan->count > 0)
        return transactions_of(c->ctx->db, c->arena, id, &txs) > 0 &&
               tx_hash_equal(&txs[0].hash, &c->txs[0].hash);
    return requests_of(c->ctx->db, c->arena, id, &requests) > 0 &&
           memcmp(requests[0].venue_key, c->requests[0].venue_key, sizeof requests[0].venue_key) == 0;
}

/* The connection died during COMMIT: what is recorded decides. */
static bool is_recorded(const struct commit *c)
{
    uint64_t id = 0;

    if (executions_by_once(c->ctx->db, c->wallet->agent_id, &c->terms.once, &id) != LOOKUP_FOUND ||
        id != c->out->execution.id)
        return false;
    /* With an approval the execution was there before. */
    return c->approved == NULL || effects_recorded(c, id);
}

static const struct err *commit_transact(struct commit *c)
{
    switch (STEP("execute.commit", db_transact(c->ctx->db, commit_in_tx, c), TX_UNKNOWN)) {
    case TX_DONE:
        return NULL;
    case TX_REFUSED:
        return c->contested ? c->failure : commit_explain(c, c->refusal);
    case TX_UNKNOWN:
        return is_recorded(c) ? NULL : c->failure;
    case TX_BROKEN:
        break;
    }
    return c->failure;
}

/* A simulation that was run on what the wallet was before its last transaction refuses nothing. */
static const struct err *check_tx_simulation(const struct commit *c)
{
    const struct err *e = plan_verdict(c->arena, c->plan, &c->state);

    if (e != NULL || c->hooks->check == NULL)
        return e;
    e = c->hooks->check(c);
    return e != NULL && c->state.behind ? chain_behind(c->arena, c->plan->chain) : e;
}

/* Balances first: a wallet that cannot pay fails the simulation too, and its owner should be told the plain
 * reason. */
static const struct err *check_state(const struct commit *c)
{
    static const struct reservation none;
    const struct err *e = c->hooks->fit == NULL ? check_funds(c, &none) : NULL;

    return e != NULL ? e : check_tx_simulation(c);
}

/* Before the transaction, since the prices that policies need may come from a node. */
static const struct err *value_spend_facts(struct commit *c)
{
    struct spend_facts *o = &c->spend_facts;

    if (c->kind->policies == POLICIES_NONE)
        return NULL;
    *o = (struct spend_facts){
        .agent_id = c->wallet->agent_id,
        .wallet_id = c->wallet->id,
        .kind = c->terms.kind,
        .venue = c->terms.venue,
        .slippage = c->slippage,
        .approved = c->approved != NULL,
        .unlimited = c->wallet->unlimited,
    };
    if (c->hooks->spend_facts != NULL)
        c->hooks->spend_facts(c, o);
    if (!spend_facts_of_plan(o, c->arena, c->plan, &c->state))
        return &E_GAS;
    return policy_value(c->ctx, c->arena, o) ? NULL : c->failure;
}

/* Plans without steps are bounded by the signed requests themselves. */
static const struct err *try_steps(struct commit *c)
{
    if (c->plan->count > 0)
        return c->family->try_plan(c->ctx, c->arena, c->plan, &c->state);
    c->state = (struct chain_state){ .asked_ms = clock_mono_ms(), .unverified = true };
    return NULL;
}

/* Before anything is signed: what the far chain shows up to there cannot be what the bridge pays. */
static const struct err *far_block_ask(struct commit *c)
{
    const struct chain *far = chain_by_id(c->plan->arrives.token.chain_id);
    const struct chain_ops *family = c->plan->bridge == NULL ? NULL : chain_ops_of(far);

    c->far_block = 0;
    if (family == NULL)
        return NULL;
    return family->newest_block(c->ctx, c->arena, far, &c->far_block) == LOOKUP_ERROR
               ? chain_unavailable(c->ctx, c->arena, far)
               : NULL;
}

/* Sets c->stale when it took so long to reach the transaction that the chain has to be asked again, and
 * c->contested when what is in blocks by now has to be looked up first. */
static const struct err *commit_once(struct commit *c)
{
    const struct err *e;

    c->stale = c->contested = false;
    if ((e = far_block_ask(c)) != NULL || (e = try_steps(c)) != NULL || (e = check_state(c)) != NULL ||
        (e = value_spend_facts(c)) != NULL)
        return commit_explain(c, e);
    if (c->looks_up)
        wallet_place(c->ctx, c->arena, c->wallet, c->plan, &c->state);
    if (plan_rounds_shares(c->plan, &c->state))
        c->terms.expected_out = c->terms.min_out = c->state.arrives;
    return commit_transact(c);
}

static void complete_terms(struct commit *c)
{
    struct execution *t = &c->terms;

    t->id = c->approved != NULL ? c->approved->execution_id : 0;
    t->agent_id = c->wallet->agent_id;
    t->wallet_id = c->wallet->id;
    t->status = EXEC_PENDING;
    t->follow = FOLLOW_IN_FLIGHT;
    t->created_ms = c->out->execution.created_ms;
    t->valid_until_ms = c->plan->deadline * 1000;
}

/* Runs outside of the transaction, since it asks chains. It looks for the missing asset on other chains. */
static const struct err *refusal_complete(struct commit *c, const struct err *e)
{
    bool lacks_coin = err_is(e, &E_GAS);

    if (c->plan->count == 0 || (!lacks_coin && !err_is(e, &E_BALANCE)))
        return e;
    return elsewhere_explain(c->ctx, c->arena, c->wallet->ref.address, c->plan->chain,
                             lacks_coin ? c->plan->chain->native : c->plan->leaves.token.symbol, e);
}

const struct err *commit_run(struct commit *c)
{
    const struct err *e;

    complete_terms(c);
    c->family = chain_ops_of(c->plan->chain);
    c->kind = exec_kind_of(c->terms.kind);
    if (c->family == NULL && c->plan->count > 0)
        return c->failure;
    e = commit_once(c);
    for (unsigned try = 1; c->contested || (try < TRIES && c->stale); try++) {
        c->looks_up = c->looks_up || c->contested;
        e = commit_once(c);
    }
    return e == NULL ? NULL : refusal_complete(c, e);
}

static bool send_txs(struct commit *c)
{
    struct execution *x = &c->out->execution;
    bool accepted;

    if (!broadcast_txs(c->ctx, c->arena, c->plan->chain, x, c->txs, c->plan->count, SEND_WAIT_MS, &accepted))
        return false;
    if (accepted) {
        x->status = EXEC_SUBMITTED;
        x->tx_hash = c->txs[c->plan->spend].hash;
    }
    return true;
}

/* Each answer is a poll: what it proves is recorded as the follower would. */
static bool send_requests(struct commit *c)
{
    struct request_observation observations[PLAN_MAX_REQUESTS] = { { .says = VENUE_UNAVAILABLE } };
    struct tracked w = { .execution = &c->out->execution,
                         .wallet = *c->wallet,
                         .requests = c->requests,
                         .request_observations = observations,
                         .request_count = c->plan->request_count,
                         .now_ms = clock_ms(),
                         .known = true };

    requests_send(c->ctx, c->arena, &w, SEND_WAIT_MS, true);
    outcomes_record(c->ctx, c->arena, &w, 1);
    for (unsigned i = 0; i < w.request_count; i++)
        c->out->more = c->out->more || observations[i].more;
    return true;
}

/* Requests behind transactions wait for these to be confirmed, so they are left to the follower too. */
void commit_send(struct commit *c)
{
    c->out->execution.untasked = c->note == NULL && c->approved == NULL;
    if (!c->out->awaits)
        (void)STEP("execute.send", c->plan->count > 0 ? send_txs(c) : send_requests(c), false);
}
