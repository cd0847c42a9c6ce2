#include "transfer/transfer.h"

#include <string.h>

#include "base/clock.h"
#include "base/fault.h"
#include "chain/evm/abi.h"
#include "exec/broadcast.h"
#include "exec/evm/plan.h"
#include "store/executions.h"
#include "store/transactions.h"
#include "store/wallets.h"

enum { SEND_WAIT_MS = 3000, HANDS_OFF_S = 4 };
#define SEL_TRANSFER 0xa9059cbbu /* too large for an enumerator */

struct sweep_job {
    const struct sweep *sweep;
    const struct token *token;
    struct plan plan;
    struct chain_state state;
    /* set anew by each run */
    const struct err *refusal; /* with TX_ROLLBACK */
    struct execution *swap;
    struct transaction tx;
};

static struct token_ref named(const struct chain *c, const struct token *t)
{
    struct token_ref out = { .chain_id = c->id, .decimals = t->decimals };

    (void)snprintf(out.symbol, sizeof out.symbol, "%s", t->symbol);
    (void)snprintf(out.address, sizeof out.address, "%s", t->address_text);
    return out;
}

/* The transfer of so much, as the plan's only step; what a trial said about gas stays. */
static void set_transfer(struct sweep_job *job, struct u256 amount)
{
    struct step *s = &job->plan.steps[0];
    struct buf data = BUF_INIT(128);
    uint64_t gas_limit = s->gas_limit;

    *s = (struct step){ .kind = TX_SPEND, .gas_limit = gas_limit };
    job->plan.count = 1;
    job->plan.leaves.amount = amount;
    if (token_is_native(job->token)) {
        s->to = evm_addr_print(job->sweep->arena, job->sweep->to);
        s->value = amount;
        return;
    }
    abi_selector(&data, SEL_TRANSFER);
    abi_addr(&data, job->sweep->to);
    abi_u256(&data, amount);
    s->to = s->token = job->token->address_text;
    s->spender = evm_addr_print(job->sweep->arena, job->sweep->to);
    s->token_amount = amount;
    s->data = arena_memdup(job->sweep->arena, data.data, data.len);
    s->data_len = data.len;
    buf_free(&data);
}

/* What no transaction under way may still take, less the fees where it is the coin. */
static const struct err *fit(struct sweep_job *job, const struct reservation *r)
{
    const struct chain_state *st = &job->state;
    struct u256 value, fees, left, amount;

    if (!plan_native_cost(&job->plan, st, &value, &fees) || !u256_sub(&left, st->native_balance, r->native) ||
        !u256_sub(&left, left, fees))
        return &E_GAS;
    if (token_is_native(job->token))
        amount = left;
    else if (!u256_sub(&amount, st->token_balance, r->token))
        return &E_BALANCE;
    if (u256_is_zero(amount))
        return &E_BALANCE;
    set_transfer(job, amount);
    return NULL;
}

static void fill_swap(struct sweep_job *job)
{
    const struct plan_amount *leaves = &job->plan.leaves;

    *job->swap = (struct execution){
        .agent_id = job->sweep->wallet->agent_id,
        .wallet_id = job->sweep->wallet->id,
        .kind = KIND_TRANSFER,
        .venue = "sweep",
        .once = uuid_random(),
        .status = EXEC_PENDING,
        .follow = FOLLOW_IN_FLIGHT,
        .from = leaves->token,
        .to = leaves->token,
        .amount_in = leaves->amount,
        .expected_out = leaves->amount,
        .min_out = leaves->amount,
        .valid_until_ms = job->plan.deadline * 1000,
    };
}

static enum tx_verdict refuse(struct sweep_job *job, const struct err *e)
{
    job->refusal = e;
    return TX_ROLLBACK;
}

/* Locks in the order wallet, nonce, agent. */
static enum tx_verdict commit_tx(struct db *db, void *arg)
{
    struct sweep_job *job = arg;
    const struct sweep *sw = job->sweep;
    const struct chain *c = job->plan.chain;
    struct reservation reserved;
    const struct err *e;
    uint64_t nonce;
    int locked = wallets_lock(db, sw->wallet->id), added;

    job->refusal = NULL;
    if (locked <= 0)
        return locked < 0 ? TX_FAILED : refuse(job, &E_WALLET_NOT_FOUND);
    if (!wallets_nonce(db, sw->wallet->id, c->id, job->state.nonce, &nonce) ||
        !transactions_reserved(db, sw->wallet->id, c->id, job->state.block, token_addr(job->token).bytes,
                               &reserved))
        return TX_FAILED;
    if ((e = fit(job, &reserved)) != NULL)
        return refuse(job, e);
    if (!sign_sweep(sw->ctx, sw->arena, sw->wallet, c, &job->state.fees, nonce, &job->plan.steps[0],
                    sw->operator_mac, &job->tx))
        return refuse(job, &E_SWAP_EXECUTION);
    fill_swap(job);
    if (!wallets_nonce_set(db, sw->wallet->id, c->id, nonce + 1))
        return TX_FAILED;
    added = executions_add(db, job->swap, HANDS_OFF_S);
    if (added <= 0)
        return added < 0 ? TX_FAILED : refuse(job, &E_WALLET_NOT_FOUND);
    job->tx.execution_id = job->swap->id;
    return transactions_add(db, &job->tx) ? TX_COMMIT : TX_FAILED;
}

/* A coin is tried with nothing, as how much its fees leave is not known yet. */
static const struct err *prepare(struct sweep_job *job, const struct chain *c, struct u256 held)
{
    const struct sweep *sw = job->sweep;
    const struct token_ref token = named(c, job->token);

    job->plan = (struct plan){ .chain = c,
                               .wallet = sw->wallet->ref.address,
                               .deadline = clock_seconds() + PLAN_VALID_FOR_S,
                               .leaves = { .token = token, .native = token_is_native(job->token) },
                               .arrives = { .token = token } };
    set_transfer(job, token_is_native(job->token) ? U256_ZERO : held);
    return plan_try(sw->ctx, sw->arena, &job->plan, &job->state);
}

const struct err *sweep_token(const struct sweep *s, const struct chain *c, const struct token *t,
                              struct u256 held, struct execution *out)
{
    struct sweep_job job = { .sweep = s, .token = t, .swap = out };
    const struct err *e;
    bool accepted;

    if ((e = prepare(&job, c, held)) != NULL || (e = plan_verdict(&job.plan, &job.state)) != NULL)
        return e;
    switch (db_transact(s->ctx->db, commit_tx, &job)) {
    case TX_DONE:
        break;
    case TX_REFUSED:
        return job.refusal;
    case TX_BROKEN:
    case TX_UNKNOWN: /* it may be there, and is followed then */
        return &E_SWAP_EXECUTION;
    }
    (void)FAULT("sweep.committed");
    (void)broadcast_txs(s->ctx, s->arena, c, out, &job.tx, 1, SEND_WAIT_MS, &accepted);
    return NULL;
}
