#include "exec/commit.h"

#include <string.h>

#include "base/clock.h"
#include "base/fault.h"
#include "exec/broadcast.h"
#include "exec/commit_approval.h"
#include "exec/outlay.h"
#include "exec/wallet.h"
#include "policy/decide.h"
#include "policy/value.h"
#include "signer/client.h"
#include "store/approvals.h"
#include "store/executions.h"
#include "store/trading_halts.h"
#include "store/wallets.h"

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

/* ---- what the wallet can pay ---- */

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

/* At hand is what executions under way leave. */
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

/* Balance less what unsettled transactions may still take must cover what leaves, and the fees. */
static const struct err *check_funds(const struct commit *c, const struct reservation *r)
{
    const struct plan_amount *leaves = &c->plan->leaves;

    if (!leaves->native && !funds_cover(c->state.token_balance, r->token, leaves->amount))
        return balance_short(c, c->state.token_balance, r->token);
    return check_native(c, r);
}

/* ---- the transaction ---- */

static bool sign_steps(struct commit *c, uint64_t nonce)
{
    const struct plan *p = c->plan;
    struct signing in = {
        .wallet = c->wallet, .chain = p->chain, .plan = p, .fees = &c->state.fees, .by = c->operator_mac
    };

    for (unsigned i = 0; i < p->count; i++) {
        in.step = &p->steps[i];
        in.nonce = nonce + i;
        if (!c->family->sign(c->ctx, c->arena, &in, &c->txs[i]))
            return false;
    }
    return true;
}

/* 1, 0 the agent was deleted meanwhile, -1 the database failed. */
static int store_signed(struct db *db, struct commit *c, uint64_t nonce)
{
    const struct plan *p = c->plan;
    struct execution *x = &c->out->execution;
    int added;

    if (!wallets_nonce_set(db, c->wallet->id, p->chain->id, nonce + p->count))
        return -1;
    *x = c->terms;
    added = x->id != 0 ? executions_begin(db, x, HANDS_OFF_S) : executions_add(db, x, HANDS_OFF_S);
    if (added <= 0)
        return added;
    for (unsigned i = 0; i < p->count; i++) {
        c->txs[i].effect.execution_id = x->id;
        if (!transactions_add(db, &c->txs[i]))
            return -1;
    }
    return 1;
}

static enum tx_verdict sign_and_store(struct db *db, struct commit *c, uint64_t nonce, bool counts)
{
    int stored;

    if (!STEP("execute.sign", sign_steps(c, nonce), false))
        return commit_refuse(c, signer_limited(c->ctx->signer) ? &E_OPERATOR_LIMIT : c->failure);
    stored = STEP("execute.store", store_signed(db, c, nonce), -1);
    if (stored <= 0)
        return stored < 0 ? TX_FAILED : commit_refuse_gone(c);
    if ((counts && !policy_count_spend(db, &c->outlay, c->out->execution.id)) ||
        (c->approved != NULL && !commit_approval_used(db, c)))
        return TX_FAILED;
    return TX_COMMIT;
}

static enum tx_verdict consult_policies(struct db *db, struct commit *c, uint64_t nonce)
{
    const struct err *e;

    if (c->operator_mac != NULL)
        return sign_and_store(db, c, nonce, false);
    switch (policy_decide(db, c->arena, &c->outlay, &e)) {
    case POLICY_FREE:
        return sign_and_store(db, c, nonce, false);
    case POLICY_ALLOWS:
        return sign_and_store(db, c, nonce, true);
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
    struct reservation reserved;
    const struct err *e = NULL;
    uint64_t nonce;

    if (!STEP("nonce.reserve", wallets_nonce(db, c->wallet->id, p->chain->id, c->state.nonce, &nonce),
              false) ||
        !wallet_reserved(db, c->wallet, p, &c->state, &reserved))
        return TX_FAILED;
    c->stale = clock_mono_ms() - c->state.asked_ms > STATE_GOOD_MS;
    if (c->stale)
        return commit_refuse(c, c->failure);
    if (c->hooks->fit != NULL)
        e = c->hooks->fit(c, &reserved);
    if (e == NULL)
        e = check_funds(c, &reserved);
    return e != NULL ? commit_refuse(c, e) : consult_policies(db, c, nonce);
}

/* 1, 0 somebody else has it or its time is over, -1. */
static int take_once(struct db *db, const struct commit *c)
{
    if (c->approved != NULL)
        return approvals_move(db, c->approved, APPROVAL_USED);
    return c->hooks->take != NULL ? c->hooks->take(c, db) : 1;
}

/* Locks in the order halt, quote (or approval), wallet, nonce, agent. */
static enum tx_verdict commit_in_tx(struct db *db, void *arg)
{
    struct commit *c = arg;
    enum tx_verdict verdict;
    enum found halted = FOUND_NONE, locked;
    int taken, noted;

    c->refusal = NULL;
    c->stale = c->out->awaits = false;
    if (c->operator_mac == NULL)
        halted = trading_halts_hold(db, c->wallet->agent_id);
    if (halted != FOUND_NONE)
        return halted == FOUND_FAILED ? TX_FAILED : commit_refuse(c, &E_PAUSED);
    taken = STEP("quote.take", take_once(db, c), -1);
    if (taken <= 0)
        return taken < 0 ? TX_FAILED : TX_ROLLBACK;
    locked = wallets_lock(db, c->wallet->id);
    if (locked != FOUND_ONE)
        return locked == FOUND_FAILED ? TX_FAILED : commit_refuse_gone(c);
    verdict = commit_locked(db, c);
    if (verdict != TX_COMMIT || c->note == NULL)
        return verdict;
    noted = c->note->fn(c->note->arg, c->out);
    return noted > 0 ? TX_COMMIT : noted < 0 ? TX_FAILED : commit_refuse(c, &E_IN_PROGRESS);
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

/* The connection died during COMMIT: what is recorded decides. */
static bool is_recorded(const struct commit *c)
{
    struct transaction *txs;
    uint64_t id = 0;
    int n;

    if (executions_by_once(c->ctx->db, c->wallet->agent_id, &c->terms.once, &id) != FOUND_ONE ||
        id != c->out->execution.id)
        return false;
    if (c->approved == NULL)
        return true;
    /* The execution was there before; whether these bytes became its own shows in their hash. */
    n = transactions_of(c->ctx->db, c->arena, id, &txs);
    return n > 0 && tx_hash_equal(&txs[0].hash, &c->txs[0].hash);
}

static const struct err *commit_transact(struct commit *c)
{
    switch (STEP("execute.commit", db_transact(c->ctx->db, commit_in_tx, c), TX_UNKNOWN)) {
    case TX_DONE:
        return NULL;
    case TX_REFUSED:
        return commit_explain(c, c->refusal);
    case TX_UNKNOWN:
        return is_recorded(c) ? NULL : c->failure;
    case TX_BROKEN:
        break;
    }
    return c->failure;
}

/* Balances first: a wallet that cannot pay fails the trial too, and its owner should be told the plain
 * reason. */
static const struct err *check_state(const struct commit *c)
{
    static const struct reservation none;
    const struct err *e = NULL;

    if (c->hooks->fit == NULL)
        e = check_funds(c, &none);
    if (e == NULL)
        e = plan_verdict(c->plan, &c->state);
    if (e == NULL && c->hooks->check != NULL)
        e = c->hooks->check(c);
    return e;
}

/* Before the transaction, since the prices that policies need may come from a node. */
static const struct err *value_outlay(struct commit *c)
{
    struct outlay *o = &c->outlay;

    if (c->operator_mac != NULL)
        return NULL;
    *o = (struct outlay){
        .agent_id = c->wallet->agent_id,
        .wallet_id = c->wallet->id,
        .venue = c->terms.venue,
        .slippage = c->slippage,
        .approved = c->approved != NULL,
    };
    if (!outlay_of_plan(o, c->arena, c->plan, &c->state))
        return &E_GAS;
    return policy_value(c->ctx, c->arena, o) ? NULL : c->failure;
}

/* Sets c->stale when it took so long to reach the transaction that the chain has to be asked again. */
static const struct err *commit_once(struct commit *c)
{
    const struct err *e;

    c->stale = false;
    if ((e = c->family->try_plan(c->ctx, c->arena, c->plan, &c->state)) != NULL ||
        (e = check_state(c)) != NULL || (e = value_outlay(c)) != NULL)
        return commit_explain(c, e);
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
    t->valid_until_ms = c->plan->deadline * 1000;
}

const struct err *commit_run(struct commit *c)
{
    const struct err *e;

    complete_terms(c);
    c->family = family_of(c->plan->chain);
    if (c->family == NULL)
        return c->failure;
    e = commit_once(c);
    for (unsigned try = 1; try < TRIES && c->stale; try++)
        e = commit_once(c);
    return e;
}

void commit_send(struct commit *c)
{
    struct execution *x = &c->out->execution;
    bool accepted;

    if (c->out->awaits || !STEP("execute.send",
                                broadcast_txs(c->ctx, c->arena, c->plan->chain, x, c->txs, c->plan->count,
                                              SEND_WAIT_MS, &accepted),
                                false))
        return; /* pending: the follower goes on */
    if (accepted) {
        x->status = EXEC_SUBMITTED;
        x->tx_hash = c->txs[c->plan->spend].hash;
    }
}
