#include "lend/operation_plan.h"

#include "chain/tokens.h"
#include "chain/unavailable.h"
#include "exec/chain_ops.h"
#include "route/price.h"
#include "store/lend_operations.h"

enum { AT_BALANCE, AT_GAS, AT_TX_SIMULATION, AT_HEALTH, AT_OTHERS, AT_POLICY };

struct lend_tx_simulation {
    struct lend_op *l;
    struct chain_state state;
    struct simulation tried;
    struct lend_simulation *out;
};

static void check_tx_simulation(struct lend_tx_simulation *t)
{
    const struct lend_op *l = t->l;
    struct check *c = &t->out->checks[AT_TX_SIMULATION];
    const struct err *e = plan_verdict(l->op.arena, &l->op.plan, &t->state);

    if (e == NULL) {
        check_set(c, CHECK_PASS, "All steps were run on the chain's present state");
        return;
    }
    e = lend_op_refusal(l, &t->state, e);
    check_set(c, CHECK_FAIL,
              e->hint == NULL ? e->text : arena_printf(l->op.arena, "%s. %s", e->text, e->hint));
}

/* A simulation that failed leaves the health afterwards unknown. */
static void check_health(struct lend_tx_simulation *t)
{
    struct check *c = &t->out->checks[AT_HEALTH];
    struct lend_stand after;
    const struct err *e;

    if (!lend_op_after(&after, t->l, &t->state)) {
        check_set(c, t->out->checks[AT_TX_SIMULATION].status == CHECK_PASS ? CHECK_UNAVAILABLE : CHECK_WARN,
                  "Not known: the trial failed");
        return;
    }
    t->out->has_after = after.has_health;
    t->out->after = after.health;
    e = lend_op_verdict(t->l, &t->state);
    if (e != NULL)
        check_set(c, CHECK_FAIL, e->text);
    else
        check_set(c, CHECK_PASS,
                  after.has_health ? "The health factor stays high enough" : "Nothing is owed");
}

/* False: the database failed. */
static bool check_others(struct lend_tx_simulation *t)
{
    const struct lend_op *l = t->l;
    struct check *c = &t->out->checks[AT_OTHERS];
    enum lookup found = LOOKUP_NONE;

    uint64_t id;

    if (lend_op_risks(l) || t->out->checks[AT_TX_SIMULATION].status == CHECK_FAIL)
        found = lend_operations_under_way(l->op.ctx->db, l->op.wallet.id, l->place.chain->id,
                                          t->state.tried_at, &id);
    if (found == LOOKUP_FOUND)
        check_set(c, CHECK_FAIL, lend_op_in_progress(l, id)->hint);
    else
        check_set(c, CHECK_PASS, "No other operation is in the way");
    return found != LOOKUP_ERROR;
}

static bool check_policies(struct lend_tx_simulation *t)
{
    struct spend_facts o = { .agent_id = t->l->op.wallet.agent_id,
                             .wallet_id = t->l->op.wallet.id,
                             .kind = t->l->op.kind,
                             .venue = t->l->place.protocol };
    struct check *c = &t->out->checks[AT_POLICY];

    lend_op_spend_facts(&o, t->l, &t->state);
    if (exec_kind_of(o.kind)->policies != POLICIES_NONE)
        return simulation_check_policies(&t->tried, c, &o);
    check_set(c, CHECK_PASS, "No policy stops it");
    return true;
}

static void price_fees(struct lend_tx_simulation *t)
{
    const struct lend_op *l = t->l;
    const struct token *coin = token_find(l->place.chain, l->place.chain->native);
    struct price p;

    if (coin == NULL || !t->tried.has_costs)
        return;
    p = price_of_token(l->op.ctx, l->op.arena, l->place.chain, coin);
    prices_ask(l->op.ctx, l->op.arena, &p, 1);
    t->out->has_usd =
        p.state == PRICE_KNOWN &&
        amount_times_down(&t->out->gas_usd, (struct amount){ t->tried.fees, coin->decimals }, p.usd);
}

static bool rehearse(struct lend_tx_simulation *t)
{
    t->tried = (struct simulation){ .ctx = t->l->op.ctx,
                                    .arena = t->l->op.arena,
                                    .plan = &t->l->op.plan,
                                    .state = &t->state,
                                    .wallet = &t->l->op.wallet };
    if (!simulation_begin(&t->tried))
        return false;
    simulation_check_balance(&t->tried, &t->out->checks[AT_BALANCE], t->l->op.plan.leaves.amount);
    simulation_check_gas(&t->tried, &t->out->checks[AT_GAS]);
    check_tx_simulation(t);
    check_health(t);
    price_fees(t);
    return check_others(t) && check_policies(t);
}

static void simulation_open(struct lend_simulation *out)
{
    static const char *const names[LEND_CHECKS] = { "balance_sufficient",    "gas_affordable",
                                                    "eth_call_revert_check", "health_factor",
                                                    "no_other_operation",    "policies_allow" };

    *out = (struct lend_simulation){ .has_after = false };
    for (unsigned i = 0; i < LEND_CHECKS; i++)
        out->checks[i] = (struct check){ .name = names[i] };
}

static const struct err *lend_op_try(struct lend_tx_simulation *t, const struct lend_asked *asked)
{
    struct lend_op *l = t->l;
    const struct err *e = lend_op_begin(l, asked);

    if (e == NULL)
        e = lend_op_plan(l);
    if (e == NULL)
        e = chain_ops_of(l->place.chain)->try_plan(l->op.ctx, l->op.arena, &l->op.plan, &t->state);
    if (e == NULL && t->state.behind)
        e = chain_behind(l->op.arena, l->place.chain);
    return e != NULL ? lend_op_explain(l, &t->state, e) : NULL;
}

const struct err *lend_simulate(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                enum exec_kind_id kind, const struct lend_asked *asked,
                                struct lend_simulation *out)
{
    struct lend_op *l = ARENA_NEW(a, struct lend_op);
    struct lend_tx_simulation t = { .l = l, .out = out };
    const struct err *e;

    *l =
        (struct lend_op){ .op = { .ctx = ctx, .arena = a, .agent = agent, .kind = kind }, .simulates = true };
    if ((e = lend_op_try(&t, asked)) != NULL)
        return e;
    simulation_open(out);
    out->has_before = l->before.has_health;
    out->before = l->before.health;
    if (!rehearse(&t))
        return &E_LEND_FAILED;
    out->would_execute = checks_pass(out->checks, LEND_CHECKS);
    return NULL;
}
