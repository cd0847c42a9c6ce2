#include "transfer/transfer.h"

#include "base/clock.h"
#include "base/fault.h"
#include "chain/evm/abi.h"
#include "exec/commit.h"
#include "exec/evm/plan.h"
#include "exec/plan.h"

#define SEL_TRANSFER 0xa9059cbbu /* too large for an enumerator */

static struct token_ref token_named(const struct chain *c, const struct token *t)
{
    struct token_ref out = { .chain_id = c->id, .decimals = t->decimals };

    (void)snprintf(out.symbol, sizeof out.symbol, "%s", t->symbol);
    (void)snprintf(out.address, sizeof out.address, "%s", t->address_text);
    return out;
}

/* The transfer of so much, as the plan's only step; what a trial said about gas stays. */
static void set_transfer(struct plan *p, const struct sweep *sw, const char *token, struct u256 amount)
{
    struct step *s = &p->steps[0];
    const char *to = evm_addr_print(sw->arena, sw->to);
    struct buf data = BUF_INIT(128);

    p->count = 1;
    p->leaves.amount = amount;
    *s = (struct step){ .kind = TX_SPEND, .to = to, .gas_limit = s->gas_limit };
    if (p->leaves.native) {
        s->value = amount;
        return;
    }
    abi_selector(&data, SEL_TRANSFER);
    abi_addr(&data, sw->to);
    abi_u256(&data, amount);
    s->to = s->token = token;
    s->spender = to;
    s->token_amount = amount;
    s->data = arena_memdup(sw->arena, data.data, data.len);
    s->data_len = data.len;
    buf_free(&data);
}

/* All that no transaction under way may still take, less the fees where it is the coin. */
static const struct err *fit_balance(struct commit *c, const struct reservation *r)
{
    const struct chain_state *st = &c->state;
    struct u256 value, fees, left, amount;

    if (!plan_native_cost(c->plan, st, &value, &fees) || !u256_sub(&left, st->native_balance, r->native) ||
        !u256_sub(&left, left, fees))
        return &E_GAS;
    if (c->plan->leaves.native)
        amount = left;
    else if (!u256_sub(&amount, st->token_balance, r->token))
        return &E_BALANCE;
    if (u256_is_zero(amount))
        return &E_BALANCE;
    set_transfer(c->plan, c->market, c->plan->steps[0].token, amount);
    c->terms.amount_in = c->terms.expected_out = c->terms.min_out = amount;
    return NULL;
}

static const struct commit_steps sweep_steps = { .fit = fit_balance };

/* A coin is tried with nothing, as how much its fees leave is not known yet. */
static struct plan sweep_plan(const struct sweep *s, const struct chain *c, const struct token *t,
                              struct u256 held)
{
    const struct token_ref token = token_named(c, t);
    struct plan p = { .chain = c,
                      .wallet = s->wallet->ref.address,
                      .deadline = clock_seconds() + PLAN_VALID_FOR_S,
                      .leaves = { .token = token, .native = token_is_native(t) },
                      .arrives = { .token = token } };

    set_transfer(&p, s, t->address_text, p.leaves.native ? U256_ZERO : held);
    return p;
}

const struct err *sweep_token(const struct sweep *s, const struct chain *c, const struct token *t,
                              struct u256 held, struct execution *out)
{
    struct plan plan = sweep_plan(s, c, t, held);
    struct commit_result result = { .lost_to = 0 };
    struct commit commit = { .ctx = s->ctx,
                             .arena = s->arena,
                             .wallet = s->wallet,
                             .plan = &plan,
                             .terms = { .kind = KIND_TRANSFER,
                                        .venue = "sweep",
                                        .once = uuid_random(),
                                        .from = plan.leaves.token,
                                        .to = plan.leaves.token },
                             .steps = &sweep_steps,
                             .market = s,
                             .broken = &E_SWAP_EXECUTION,
                             .operator_mac = s->operator_mac,
                             .out = &result };
    const struct err *e = commit_run(&commit);

    if (e != NULL)
        return e;
    (void)FAULT("sweep.committed");
    commit_send(&commit);
    *out = result.execution;
    return NULL;
}
