#include "swap/simulate.h"

#include <string.h>

#include "base/clock.h"
#include "chain/address.h"
#include "chain/chains.h"
#include "chain/tokens.h"
#include "exec/family.h"
#include "exec/outlay.h"
#include "exec/wallet.h"
#include "route/price.h"
#include "route/provider.h"
#include "swap/attempts.h"
#include "swap/impact.h"
#include "swap/plan.h"
#include "swap/quote.h"
#include "swap/recipient.h"

enum { AT_ROUTE, AT_BALANCE, AT_ALLOWANCE, AT_GAS, AT_TRIAL, AT_SLIPPAGE, AT_IMPACT, AT_POLICY };
enum { IMPACT_SANE = 50000, SLIPPAGE_SANE = 150000 }; /* millionths */

const char *check_status_text(enum check_status s)
{
    switch (s) {
    case CHECK_PASS:
        return "pass";
    case CHECK_WARN:
        return "warn";
    case CHECK_FAIL:
        return "fail";
    case CHECK_UNAVAILABLE:
        return "unavailable";
    }
    return "";
}

/* ---- what is rehearsed ---- */

const struct err *simulate_quote(const struct ctx *ctx, uint64_t agent_id, const char *quote_id,
                                 struct quote *out)
{
    enum found found = quote_of(ctx, agent_id, quote_id, out);

    if (found == FOUND_FAILED)
        return &E_INTERNAL;
    if (found == FOUND_NONE || out->consumed)
        return &E_QUOTE_NOT_FOUND;
    return out->expired ? &E_QUOTE_EXPIRED_EXECUTE : NULL;
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

/* One rehearsal. */
struct rehearsal {
    const struct ctx *ctx;
    struct arena *arena;
    const struct quote *quote;
    /* Of the offer that was tried last; no provider, no offer was: */
    const char *provider;
    struct plan plan;
    struct chain_state state;
    const struct family *family; /* of its chain */
    bool own;                    /* the wallet is a managed one of the agent's */
    struct wallet managed;       /* then */
    struct reservation reserved; /* by its executions under way */
    struct simulation *out;
};

static void check_set(struct rehearsal *r, unsigned at, enum check_status status, const char *detail)
{
    r->out->checks[at].status = status;
    r->out->checks[at].detail = detail;
}

static char *native_text(const struct rehearsal *r, struct u256 wei)
{
    const struct chain *c = r->plan.chain;

    return arena_printf(r->arena, "%s %s", amount_text(r->arena, (struct amount){ wei, c->native_decimals }),
                        c->native);
}

static char *input_text(const struct rehearsal *r, struct u256 raw)
{
    const struct token_ref *t = &r->quote->from;

    return arena_printf(r->arena, "%s %s", amount_text(r->arena, (struct amount){ raw, t->decimals }),
                        t->symbol);
}

static void simulate_balance(struct rehearsal *r)
{
    struct u256 have = r->plan.leaves.native ? u256_sub_or_zero(r->state.native_balance, r->reserved.native)
                                             : u256_sub_or_zero(r->state.token_balance, r->reserved.token);
    bool enough = u256_cmp(have, r->quote->amount_in) >= 0;

    check_set(r, AT_BALANCE, enough ? CHECK_PASS : CHECK_FAIL,
              arena_printf(r->arena, "%s at hand, %s needed", input_text(r, have),
                           input_text(r, r->quote->amount_in)));
}

static void simulate_allowance(struct rehearsal *r)
{
    if (r->plan.count == 1)
        check_set(r, AT_ALLOWANCE, CHECK_PASS, "No allowance is needed");
    else if (u256_cmp(r->state.allowance, r->quote->amount_in) >= 0)
        check_set(r, AT_ALLOWANCE, CHECK_PASS, "The allowance covers the input");
    else
        check_set(
            r, AT_ALLOWANCE, CHECK_WARN,
            "The allowance is too small: execution adds an approval of exactly the input, a build lists it under approvals");
}

static void simulate_gas(struct rehearsal *r)
{
    struct u256 value, fees, need, have = u256_sub_or_zero(r->state.native_balance, r->reserved.native);

    if (!r->family->cost(&r->plan, &r->state, &value, &fees) || !u256_add(&need, value, fees)) {
        check_set(r, AT_GAS, CHECK_FAIL, "The fees exceed any balance");
        return;
    }
    r->out->has_fees = true;
    r->out->fees = (struct amount){ fees, r->plan.chain->native_decimals };
    check_set(
        r, AT_GAS, u256_cmp(have, need) >= 0 ? CHECK_PASS : CHECK_FAIL,
        arena_printf(r->arena, "%s at hand, at most %s needed", native_text(r, have), native_text(r, need)));
    /* Without a trial run the gas is an estimate, which a refusal need not rest on. */
    r->out->checks[AT_GAS].unverified = !r->state.tried;
}

static const char *trial_text(const struct plan *p)
{
    if (p->bridge != NULL)
        return p->count > 1 ? "Approval and deposit were run on the chain's present state"
                            : "The deposit was run on the chain's present state";
    return p->count > 1 ? "Approval and swap were run on the chain's present state"
                        : "The swap was run on the chain's present state";
}

static void simulate_trial(struct rehearsal *r)
{
    const struct err *e = plan_verdict(r->arena, &r->plan, &r->state);
    const char *why = r->state.revert;

    if (why == NULL && e != NULL && e->base != NULL)
        why = e->hint;

    if (e == NULL && r->state.unverified)
        check_set(r, AT_TRIAL, CHECK_WARN,
                  "No node of the chain can run it beforehand; its minimum holds on the chain");
    else if (e == NULL)
        check_set(r, AT_TRIAL, CHECK_PASS, trial_text(&r->plan));
    else
        check_set(r, AT_TRIAL, CHECK_FAIL,
                  why == NULL ? e->text : arena_printf(r->arena, "%s: %s", e->text, why));
    r->out->checks[AT_TRIAL].unverified = r->state.unverified;
}

/* Reservations are known for the agent's managed wallets only. */
static bool simulate_reserved(struct rehearsal *r)
{
    enum found own;

    r->reserved = (struct reservation){ U256_ZERO, U256_ZERO };
    own = wallet_of(r->ctx, r->quote->agent_id, wallet_kind_on(r->plan.chain), r->plan.wallet, &r->managed);
    r->own = own == FOUND_ONE;
    if (own != FOUND_ONE)
        return own == FOUND_NONE;
    return wallet_reserved(r->ctx->db, &r->managed, &r->plan, &r->state, &r->reserved);
}

static bool simulate_policies(struct rehearsal *r)
{
    struct outlay o = { .agent_id = r->managed.agent_id,
                        .wallet_id = r->managed.id,
                        .kind = KIND_SWAP,
                        .venue = r->provider,
                        .slippage = r->quote->slippage };
    const struct err *why = NULL;

    if (!r->own) {
        check_set(r, AT_POLICY, CHECK_PASS, "Policies hold for managed wallets");
        return true;
    }
    if (recipient_is_far(r->quote) && !recipient_is_own(r->ctx, r->quote)) {
        check_set(r, AT_POLICY, CHECK_FAIL,
                  "Managed wallets pay wallets of their own agent alone, and to_wallet_address is none");
        return true;
    }
    switch (outlay_estimate(r->ctx, r->arena, &o, &r->plan, &r->state, &why)) {
    case POLICY_FREE:
        check_set(r, AT_POLICY, CHECK_PASS, "No policy is in force");
        return true;
    case POLICY_ALLOWS:
        check_set(r, AT_POLICY, CHECK_PASS, "All policies allow it");
        return true;
    case POLICY_ASKS:
        check_set(r, AT_POLICY, CHECK_WARN,
                  arena_printf(r->arena, "Execution waits for the operator's approval. %s", why->hint));
        return true;
    case POLICY_REFUSES:
        check_set(r, AT_POLICY, CHECK_FAIL, why->hint);
        return true;
    case POLICY_BROKEN:
        break;
    }
    return false;
}

/* One offer. *asked: whether it got beyond its provider. */
static const struct err *rehearse_offer(struct rehearsal *r, const struct quote *q, bool *asked)
{
    struct plan *plan = ARENA_NEW(r->arena, struct plan);
    struct chain_state *state = ARENA_NEW(r->arena, struct chain_state);
    const struct err *e =
        swap_plan_make(plan, r->ctx, r->arena, q, r->out->wallet, clock_seconds() + PLAN_VALID_FOR_S);

    *asked = e == NULL;
    if (e == NULL)
        e = family_of(plan->chain)->try_plan(r->ctx, r->arena, plan, state);
    if (e != NULL)
        return e;
    r->provider = arena_strdup(r->arena, q->provider);
    r->plan = *plan;
    r->state = *state;
    return plan_verdict(r->arena, plan, state);
}

/* Then nobody's offer can be carried out. */
static bool lacks_input(const struct rehearsal *r)
{
    struct u256 have = r->plan.leaves.native ? r->state.native_balance : r->state.token_balance;

    return r->provider != NULL && u256_cmp(have, r->quote->amount_in) < 0;
}

/* As execution would, with the next best offer where one fails. */
static const struct err *rehearse_offers(struct rehearsal *r, bool *silent)
{
    struct attempts attempts;
    const struct err *e;
    bool asked;

    attempts_begin(&attempts, r->quote);
    do
        e = rehearse_offer(r, &attempts.now, &asked);
    while (e != NULL && !lacks_input(r) && attempts_go_on(&attempts, r->ctx, r->arena, e, asked));
    *silent = r->provider == NULL && asked && err_is(e, &E_UPSTREAM);
    return r->provider != NULL || *silent ? NULL : attempts_refusal(&attempts, e);
}

/* Some providers build nothing for a wallet that cannot pay: then that is all that is known. */
static bool simulate_unpaid(struct rehearsal *r, const struct err *e)
{
    bool input = err_is(e, &E_BALANCE);

    if (!input && !err_is(e, &E_GAS))
        return false;
    for (unsigned at = AT_BALANCE; at < CHECKS; at++)
        check_set(r, at, CHECK_UNAVAILABLE, "Not tried: nothing is built for a wallet that cannot pay");
    check_set(r, input ? AT_BALANCE : AT_GAS, CHECK_FAIL,
              arena_printf(r->arena, "%s, as %s says", e->text, provider_name(r->quote->provider)));
    return true;
}

/* *blind: nothing could be tried. */
static const struct err *rehearse_on_chain(struct rehearsal *r, bool *blind)
{
    const struct err *e = rehearse_offers(r, blind);

    if (r->provider == NULL) {
        bool unpaid = e != NULL && simulate_unpaid(r, e);

        *blind = *blind || unpaid;
        return unpaid ? NULL : e;
    }
    r->family = family_of(r->plan.chain);
    if (strcmp(r->provider, r->quote->provider) != 0)
        check_set(r, AT_ROUTE, CHECK_PASS,
                  arena_printf(r->arena, "Quoted by %s, carried out by %s", provider_name(r->quote->provider),
                               provider_name(r->provider)));
    if (!simulate_reserved(r))
        return &E_INTERNAL;
    simulate_balance(r);
    simulate_allowance(r);
    simulate_gas(r);
    simulate_trial(r);
    return simulate_policies(r) ? NULL : &E_INTERNAL;
}

/* ---- the price ---- */

static void simulate_slippage(struct rehearsal *r)
{
    const struct simulation *s = r->out;
    uint32_t allowed = r->quote->slippage.value;
    bool far = s->impact.value != PPM_NONE && s->impact.value > IMPACT_SANE;

    check_set(r, AT_SLIPPAGE, far || allowed > SLIPPAGE_SANE ? CHECK_WARN : CHECK_PASS,
              arena_printf(r->arena, "Slippage of %s %% allowed. %s%s",
                           ppm_percent(r->arena, r->quote->slippage), impact_text(r->arena, s->impact),
                           far ? ": try a smaller amount" : ""));
    r->out->checks[AT_SLIPPAGE].unverified = s->impact.value == PPM_NONE;
}

static void simulate_impact(struct rehearsal *r)
{
    struct ppm impact = r->out->impact, allowed = impact_allowed(r->ctx, r->quote);

    check_set(r, AT_IMPACT,
              impact_exceeds(impact, allowed) ? CHECK_FAIL
              : impact.value > IMPACT_WARNS   ? CHECK_WARN
                                              : CHECK_PASS,
              arena_printf(r->arena, "%s, %s %% allowed", impact_text(r->arena, impact),
                           ppm_percent(r->arena, allowed)));
}

static void simulate_usd(struct rehearsal *r)
{
    const struct quote *q = r->quote;
    const struct chain *c = chain_by_id(q->to.chain_id);
    const struct token *t = c == NULL ? NULL : token_find(c, q->to.address);
    struct price p;

    if (t == NULL)
        return;
    p = price_of_token(r->ctx, r->arena, c, t);
    prices_ask(r->ctx, r->arena, &p, 1);
    r->out->has_usd =
        p.state == PRICE_KNOWN &&
        amount_times_down(&r->out->usd, (struct amount){ q->amount_out, q->to.decimals }, p.usd);
}

/* ---- all of it ---- */

static void simulation_begin(struct simulation *s, const struct quote *q, const char *wallet)
{
    static const char *const names[CHECKS] = { "route_available",       "balance_sufficient",
                                               "allowance_sufficient",  "gas_affordable",
                                               "eth_call_revert_check", "slippage_sane",
                                               "price_impact",          "policies_allow" };

    *s = (struct simulation){ .quote = q, .wallet = wallet, .impact = { PPM_NONE } };
    for (unsigned i = 0; i < CHECKS; i++)
        s->checks[i] = (struct check){ names[i], CHECK_UNAVAILABLE, "No node of the chain answered", false };
}

const struct err *simulate_swap(const struct ctx *ctx, struct arena *a, struct quote *q, const char *wallet,
                                struct simulation *out)
{
    struct rehearsal r = { .ctx = ctx, .arena = a, .quote = q, .out = out };
    const struct err *e;
    bool blind;

    if (recipient_is_far(q) && (e = recipient_settle(ctx, a, q)) != NULL)
        return e;
    simulation_begin(out, q, wallet);
    check_set(&r, AT_ROUTE, CHECK_PASS, arena_printf(a, "Quoted by %s", provider_name(q->provider)));
    e = rehearse_on_chain(&r, &blind);
    if (e != NULL)
        return e;
    if (!blind) {
        simulate_usd(&r);
        out->impact = swap_plan_impact(ctx, a, q, &r.plan, &r.state);
        simulate_slippage(&r);
        simulate_impact(&r);
    }
    out->would_execute = true;
    for (unsigned i = 0; i < CHECKS; i++)
        if (out->checks[i].status == CHECK_FAIL || out->checks[i].status == CHECK_UNAVAILABLE)
            out->would_execute = false;
    return NULL;
}
