#include <string.h>

#include "base/clock.h"
#include "chain/tokens.h"
#include "exec/chain_ops.h"
#include "route/price.h"
#include "transfer/left.h"
#include "transfer/withdrawal_plan.h"

enum { AT_ADDRESS, AT_BALANCE, AT_GAS, AT_TX_SIMULATION, AT_WORTH, AT_POLICY };

struct withdrawal_tx_simulation {
    struct withdrawal_op *w;
    struct chain_state state;
    struct simulation tried;
    struct withdrawal_simulation *out;
};

static void check_address(struct withdrawal_tx_simulation *r)
{
    const struct withdrawal_address *to = &r->w->to;
    char when[ISO8601_LEN + 1];

    clock_iso8601(when, to->active_ms);
    check_set(&r->out->checks[AT_ADDRESS], to->active ? CHECK_PASS : CHECK_FAIL,
              arena_printf(r->w->op.arena, "%s %s %s", to->address,
                           to->active ? "is active since" : "becomes active at", when));
}

/* False: the price is unknown. */
static bool worth_of(const struct withdrawal_tx_simulation *r, const struct token *t, struct u256 raw,
                     struct amount *usd)
{
    struct price p;

    if (t == NULL)
        return false;
    p = price_of_token(r->w->op.ctx, r->w->op.arena, r->w->chain, t);
    prices_ask(r->w->op.ctx, r->w->op.arena, &p, 1);
    return p.state == PRICE_KNOWN && amount_times_down(usd, (struct amount){ raw, t->decimals }, p.usd);
}

/* It is sent all the same. */
static void check_worth(struct withdrawal_tx_simulation *r)
{
    const struct withdrawal_op *w = r->w;
    struct amount worth = { r->out->amount, 0 }, fee = { r->out->fee, 0 };
    struct check *c = &r->out->checks[AT_WORTH];
    bool known = w->native || (worth_of(r, token_known(&w->token), r->out->amount, &worth) &&
                               worth_of(r, token_find(w->chain, w->chain->native), r->out->fee, &fee));

    if (!known)
        check_set(c, CHECK_PASS, "Its worth is unknown");
    else if (u256_cmp(worth.raw, fee.raw) < 0)
        check_set(c, CHECK_WARN, "It is worth less than its fees may be");
    else
        check_set(c, CHECK_PASS, "It is worth more than its fees");
}

static bool check_policies(struct withdrawal_tx_simulation *r)
{
    struct spend_facts o = { .agent_id = r->w->op.agent->id,
                             .wallet_id = r->w->op.wallet.id,
                             .kind = KIND_WITHDRAWAL,
                             .venue = "withdraw" };

    return simulation_check_policies(&r->tried, &r->out->checks[AT_POLICY], &o);
}

/* If all is withdrawn, the amount is the rest that would reach the address. */
static void settle_amount(struct withdrawal_tx_simulation *r)
{
    struct u256 left;

    r->out->amount = r->w->amount;
    if (!r->w->all)
        return;
    if (transfer_left(&r->w->op.plan, &r->state, &r->tried.reserved, &left) == NULL)
        r->out->amount = left;
    if (r->w->native)
        r->tried.value = r->out->amount;
}

static bool rehearse(struct withdrawal_tx_simulation *r)
{
    struct check *checks = r->out->checks;

    r->tried = (struct simulation){ .ctx = r->w->op.ctx,
                                    .arena = r->w->op.arena,
                                    .plan = &r->w->op.plan,
                                    .state = &r->state,
                                    .wallet = &r->w->op.wallet };
    if (!simulation_begin(&r->tried) || !r->tried.has_costs)
        return false;
    r->out->fee = r->tried.fees;
    settle_amount(r);
    check_address(r);
    simulation_check_balance(&r->tried, &checks[AT_BALANCE], r->out->amount);
    simulation_check_gas(&r->tried, &checks[AT_GAS]);
    simulation_check_run(&r->tried, &checks[AT_TX_SIMULATION],
                         "The transfer was run on the chain's present state");
    check_worth(r);
    return check_policies(r);
}

static void checks_begin(struct withdrawal_simulation *out, const struct withdrawal_op *w)
{
    static const char *const names[WITHDRAWAL_CHECKS] = { "address_active",       "balance_sufficient",
                                                          "gas_affordable",       "eth_call_revert_check",
                                                          "worth_more_than_fees", "policies_allow" };

    *out = (struct withdrawal_simulation){ .token = w->token, .chain = w->chain };
    memcpy(out->to, w->to.address, sizeof out->to);
    for (unsigned i = 0; i < WITHDRAWAL_CHECKS; i++)
        out->checks[i].name = names[i];
}

const struct err *withdrawal_simulate(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                      const struct withdrawal_asked *asked, struct withdrawal_simulation *out)
{
    struct withdrawal_op *w = ARENA_NEW(a, struct withdrawal_op);
    struct withdrawal_tx_simulation r = { .w = w, .out = out };
    const struct err *e;

    *w = (struct withdrawal_op){ .op = { .ctx = ctx, .arena = a, .agent = agent }, .simulates = true };
    if ((e = withdrawal_op_begin(w, asked)) != NULL || (e = withdrawal_op_plan(w)) != NULL ||
        (e = chain_ops_of(w->chain)->try_plan(ctx, a, &w->op.plan, &r.state)) != NULL)
        return e;
    checks_begin(out, w);
    if (!rehearse(&r))
        return &E_INTERNAL;
    out->would_execute = checks_pass(out->checks, WITHDRAWAL_CHECKS);
    return NULL;
}
