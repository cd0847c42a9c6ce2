#include "swap/swap_simulate.h"

#include <string.h>

#include "base/clock.h"
#include "chain/address.h"
#include "chain/chains.h"
#include "chain/tokens.h"
#include "exec/chain_ops.h"
#include "exec/wallet.h"
#include "route/price.h"
#include "route/provider.h"
#include "swap/attempts.h"
#include "swap/impact.h"
#include "swap/purchase_recipient.h"
#include "swap/quote_use.h"
#include "swap/swap_plan.h"
#include "swap/swap_quote.h"

enum { AT_ROUTE, AT_BALANCE, AT_ALLOWANCE, AT_GAS, AT_TX_SIMULATION, AT_SLIPPAGE, AT_IMPACT, AT_POLICY };
enum { IMPACT_SANE = 50000 }; /* millionths */

/* ---- the simulated calls ---- */

const struct err *simulate_quote(const struct ctx *ctx, uint64_t agent_id, const char *quote_id,
                                 struct quote *out, uint64_t *swap_id)
{
    static const struct quote_refusals refusals = { &E_QUOTE_NOT_FOUND, &E_QUOTE_EXPIRED_EXECUTE };

    return quote_usable(ctx, agent_id, quote_id, &refusals, out, swap_id);
}

const struct err *simulate_wallet(const struct ctx *ctx, struct arena *a, const struct quote *q,
                                  const char *address, const char **out)
{
    const struct chain *c = chain_by_id(q->from.chain_id);
    const struct err *e;
    struct wallet w;

    *out = address;
    if (address != NULL)
        return NULL;
    e = c == NULL ? &E_INTERNAL : wallet_need(ctx, q->agent_id, wallet_kind_on(c), NULL, &w);
    *out = e == NULL ? arena_strdup(a, w.ref.address) : NULL;
    return e;
}

/* ---- the checks that a node answers ---- */

/* One simulation. */
struct swap_simulator {
    const struct ctx *ctx;
    struct arena *arena;
    const struct quote *quote;
    /* The offer that was tried last; without a provider none was: */
    const char *provider;
    struct plan plan;
    struct chain_state state;
    struct wallet managed; /* of the agent's, if it is one */
    struct simulation tried;
    struct swap_simulation *out;
};

static void simulate_allowance(struct swap_simulator *r)
{
    struct check *c = &r->out->checks[AT_ALLOWANCE];

    if (r->plan.count == 1)
        check_set(c, CHECK_PASS, "No allowance is needed");
    else if (u256_cmp(r->state.allowance, r->quote->amount_in) >= 0)
        check_set(c, CHECK_PASS, "The allowance covers the input");
    else
        check_set(
            c, CHECK_WARN,
            "The allowance is too small: execution adds an approval of exactly the input, a build lists it under approvals");
}

/* Whether nothing of the coin is left that could pay the fees of another such trade. */
static bool leaves_no_coin(const struct swap_simulator *r)
{
    const struct token *bought = token_known(&r->quote->to);
    const struct simulation *tried = &r->tried;
    struct u256 left = u256_sub_or_zero(r->state.native_balance, tried->reserved.native);

    if (bought != NULL && token_is_native(bought) && r->plan.bridge == NULL)
        return false;
    left = u256_sub_or_zero(u256_sub_or_zero(left, tried->value), tried->fees);
    return u256_cmp(left, tried->fees) < 0;
}

static void simulate_gas(struct swap_simulator *r)
{
    const struct simulation *tried = &r->tried;

    r->out->has_fees = tried->has_costs;
    r->out->fees = (struct amount){ tried->fees, r->plan.chain->native_decimals };
    simulation_check_gas(tried, &r->out->checks[AT_GAS]);
    struct check *c = &r->out->checks[AT_GAS];

    if (c->status == CHECK_PASS && leaves_no_coin(r))
        check_set(c, CHECK_WARN,
                  arena_printf(r->arena, "%s. It leaves the wallet without %s for the fees of anything more",
                               c->detail, r->plan.chain->native));
}

static const char *tx_simulation_text(const struct plan *p)
{
    if (p->bridge != NULL)
        return p->count > 1 ? "Approval and deposit were run on the chain's present state"
                            : "The deposit was run on the chain's present state";
    return p->count > 1 ? "Approval and swap were run on the chain's present state"
                        : "The swap was run on the chain's present state";
}

/* Reservations are known for the agent's managed wallets only. */
static bool simulate_begin(struct swap_simulator *r)
{
    enum lookup own =
        wallet_of(r->ctx, r->quote->agent_id, wallet_kind_on(r->plan.chain), r->plan.wallet, &r->managed);

    r->tried = (struct simulation){ .ctx = r->ctx,
                                    .arena = r->arena,
                                    .plan = &r->plan,
                                    .state = &r->state,
                                    .wallet = own == LOOKUP_FOUND ? &r->managed : NULL };
    return own != LOOKUP_ERROR && simulation_begin(&r->tried);
}

static bool simulate_policies(struct swap_simulator *r)
{
    struct spend_facts o = { .agent_id = r->managed.agent_id,
                             .wallet_id = r->managed.id,
                             .kind = KIND_SWAP,
                             .venue = r->provider,
                             .slippage = r->quote->slippage };
    struct check *c = &r->out->checks[AT_POLICY];

    if (r->tried.wallet == NULL) {
        check_set(c, CHECK_PASS, "Policies hold for managed wallets");
        return true;
    }
    if (recipient_is_far(r->quote) && !recipient_is_own(r->ctx, r->quote)) {
        check_set(c, CHECK_FAIL,
                  "Managed wallets pay wallets of their own agent alone, and to_wallet_address is none");
        return true;
    }
    return simulation_check_policies(&r->tried, c, &o);
}

/* One offer. *asked: whether it got beyond its provider. */
static const struct err *simulate_offer(struct swap_simulator *r, const struct quote *q, bool *asked)
{
    struct plan *plan = ARENA_NEW(r->arena, struct plan);
    struct chain_state *state = ARENA_NEW(r->arena, struct chain_state);
    const struct err *e =
        swap_plan_make(plan, r->ctx, r->arena, q, r->out->wallet, clock_seconds() + PLAN_VALID_FOR_S);

    *asked = e == NULL;
    if (e == NULL)
        e = chain_ops_of(plan->chain)->try_plan(r->ctx, r->arena, plan, state);
    if (e != NULL)
        return e;
    r->provider = arena_strdup(r->arena, q->provider);
    r->plan = *plan;
    r->state = *state;
    return plan_verdict(r->arena, plan, state);
}

/* Without the input no provider's offer can be carried out. */
static bool lacks_input(const struct swap_simulator *r)
{
    struct u256 have = r->plan.leaves.native ? r->state.native_balance : r->state.token_balance;

    return r->provider != NULL && u256_cmp(have, r->quote->amount_in) < 0;
}

/* As execution would, with the next best offer where one fails. */
static const struct err *simulate_offers(struct swap_simulator *r, bool *silent)
{
    struct attempts attempts;
    const struct err *e;
    bool asked;

    attempts_begin(&attempts, r->quote);
    do
        e = simulate_offer(r, &attempts.now, &asked);
    while (e != NULL && !lacks_input(r) && attempts_go_on(&attempts, r->ctx, r->arena, e, asked));
    *silent = r->provider == NULL && asked && err_is(e, &E_UPSTREAM);
    return r->provider != NULL || *silent ? NULL : attempts_refusal(&attempts, e);
}

/* Some providers build nothing for a wallet that cannot pay: then that is all that is known. */
static bool simulate_unpaid(struct swap_simulator *r, const struct err *e)
{
    bool input = err_is(e, &E_BALANCE);

    if (!input && !err_is(e, &E_GAS))
        return false;
    for (unsigned at = AT_BALANCE; at < CHECKS; at++)
        check_set(&r->out->checks[at], CHECK_UNAVAILABLE,
                  "Not tried: nothing is built for a wallet that cannot pay");
    check_set(&r->out->checks[input ? AT_BALANCE : AT_GAS], CHECK_FAIL,
              arena_printf(r->arena, "%s, as %s says", e->text, provider_name(r->quote->provider)));
    return true;
}

/* *blind: nothing could be tried. */
static const struct err *simulate_on_chain(struct swap_simulator *r, bool *blind)
{
    const struct err *e = simulate_offers(r, blind);

    if (r->provider == NULL) {
        bool unpaid = e != NULL && simulate_unpaid(r, e);

        *blind = *blind || unpaid;
        return unpaid ? NULL : e;
    }
    if (strcmp(r->provider, r->quote->provider) != 0)
        check_set(&r->out->checks[AT_ROUTE], CHECK_PASS,
                  arena_printf(r->arena, "Quoted by %s, carried out by %s", provider_name(r->quote->provider),
                               provider_name(r->provider)));
    if (!simulate_begin(r))
        return &E_INTERNAL;
    simulation_check_balance(&r->tried, &r->out->checks[AT_BALANCE], r->quote->amount_in);
    simulate_allowance(r);
    simulate_gas(r);
    simulation_check_run(&r->tried, &r->out->checks[AT_TX_SIMULATION], tx_simulation_text(&r->plan));
    return simulate_policies(r) ? NULL : &E_INTERNAL;
}

/* ---- the price ---- */

static void simulate_slippage(struct swap_simulator *r)
{
    const struct swap_simulation *s = r->out;
    struct check *c = &r->out->checks[AT_SLIPPAGE];
    uint32_t allowed = r->quote->slippage.value;
    bool far = s->impact.value != PPM_NONE && s->impact.value > IMPACT_SANE;

    check_set(c, far || allowed > SLIPPAGE_WARNS ? CHECK_WARN : CHECK_PASS,
              arena_printf(r->arena, "Slippage of %s %% allowed. %s%s",
                           ppm_percent(r->arena, r->quote->slippage), impact_text(r->arena, s->impact),
                           far ? ": try a smaller amount" : ""));
    c->unverified = s->impact.value == PPM_NONE;
}

static void simulate_impact(struct swap_simulator *r)
{
    struct ppm impact = r->out->impact, allowed = impact_allowed(r->ctx, r->quote);

    check_set(&r->out->checks[AT_IMPACT],
              impact_exceeds(impact, allowed) ? CHECK_FAIL
              : impact.value > IMPACT_WARNS   ? CHECK_WARN
                                              : CHECK_PASS,
              arena_printf(r->arena, "%s, %s %% allowed", impact_text(r->arena, impact),
                           ppm_percent(r->arena, allowed)));
}

/* By what a unit of the coin costs. */
static void fee_warn(struct swap_simulator *r, struct amount coin_usd)
{
    struct check *c = &r->out->checks[AT_GAS];
    struct u256 worth = r->out->usd.raw;
    struct amount fees;
    struct ppm share;

    if (c->status == CHECK_FAIL || !amount_times_down(&fees, r->out->fees, coin_usd))
        return;
    share = amount_shortfall(worth, u256_sub_or_zero(worth, fees.raw));
    if (share.value != PPM_NONE && share.value > FEE_WARNS)
        check_set(c, CHECK_WARN,
                  arena_printf(r->arena, "%s. The fees are up to %s %% of what the swap brings", c->detail,
                               ppm_percent(r->arena, share)));
}

static void simulate_usd(struct swap_simulator *r)
{
    const struct quote *q = r->quote;
    const struct chain *c = chain_by_id(q->to.chain_id);
    const struct token *t = c == NULL ? NULL : token_find(c, q->to.address);
    const struct chain *from = r->plan.chain; /* NULL: nothing was planned */
    const struct token *coin = from == NULL ? NULL : token_find(from, from->native);
    struct price p[2];
    size_t n = 0;

    if (t == NULL)
        return;
    p[n++] = price_of_token(r->ctx, r->arena, c, t);
    if (coin != NULL && r->out->has_fees)
        p[n++] = price_of_token(r->ctx, r->arena, from, coin);
    prices_ask(r->ctx, r->arena, p, n);
    r->out->has_usd =
        p[0].state == PRICE_KNOWN &&
        amount_times_down(&r->out->usd, (struct amount){ q->amount_out, q->to.decimals }, p[0].usd);
    if (r->out->has_usd && n == 2 && p[1].state == PRICE_KNOWN)
        fee_warn(r, p[1].usd);
}

/* ---- all of it ---- */

static void swap_simulation_begin(struct swap_simulation *s, const struct quote *q, const char *wallet)
{
    static const char *const names[CHECKS] = { "route_available",       "balance_sufficient",
                                               "allowance_sufficient",  "gas_affordable",
                                               "eth_call_revert_check", "slippage_sane",
                                               "price_impact",          "policies_allow" };

    *s = (struct swap_simulation){ .quote = q, .wallet = wallet, .impact = { PPM_NONE } };
    for (unsigned i = 0; i < CHECKS; i++)
        s->checks[i] = (struct check){ names[i], CHECK_UNAVAILABLE, "No node of the chain answered", false };
}

const struct err *simulate_swap(const struct ctx *ctx, struct arena *a, struct quote *q, const char *wallet,
                                struct swap_simulation *out)
{
    struct swap_simulator r = { .ctx = ctx, .arena = a, .quote = q, .out = out };
    const struct err *e;
    bool blind;

    if (recipient_is_far(q) && (e = recipient_settle(ctx, a, q)) != NULL)
        return e;
    swap_simulation_begin(out, q, wallet);
    check_set(&out->checks[AT_ROUTE], CHECK_PASS,
              arena_printf(a, "Quoted by %s", provider_name(q->provider)));
    e = simulate_on_chain(&r, &blind);
    if (e != NULL)
        return e;
    if (!blind) {
        simulate_usd(&r);
        out->impact = swap_plan_impact(ctx, a, q, &r.plan, &r.state);
        simulate_slippage(&r);
        simulate_impact(&r);
    }
    out->would_execute = checks_pass(out->checks, CHECKS);
    return NULL;
}
