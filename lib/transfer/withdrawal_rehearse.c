#include <string.h>

#include "base/clock.h"
#include "chain/tokens.h"
#include "exec/family.h"
#include "exec/outlay.h"
#include "exec/wallet.h"
#include "route/price.h"
#include "transfer/left.h"
#include "transfer/withdrawal_plan.h"

enum { AT_ADDRESS, AT_BALANCE, AT_GAS, AT_TRIAL, AT_WORTH, AT_POLICY };

struct rehearsal {
    struct withdrawing *w;
    struct chain_state state;
    struct reservation reserved; /* by what is under way */
    struct withdrawal_rehearsal *out;
};

static void check_set(struct rehearsal *r, unsigned at, enum rehearsal_status status, const char *detail)
{
    r->out->checks[at].status = status;
    r->out->checks[at].detail = detail;
}

static const char *token_text(const struct rehearsal *r, struct u256 raw)
{
    const struct token_ref *t = &r->w->token;

    return arena_printf(r->w->arena, "%s %s", amount_text(r->w->arena, (struct amount){ raw, t->decimals }),
                        t->symbol);
}

static const char *coin_text(const struct rehearsal *r, struct u256 raw)
{
    const struct chain *c = r->w->chain;

    return arena_printf(r->w->arena, "%s %s",
                        amount_text(r->w->arena, (struct amount){ raw, c->native_decimals }), c->native);
}

static void check_address(struct rehearsal *r)
{
    const struct withdrawal_address *to = &r->w->to;
    char when[ISO8601_LEN + 1];

    clock_iso8601(when, to->active_ms);
    check_set(r, AT_ADDRESS, to->active ? REHEARSAL_PASS : REHEARSAL_FAIL,
              arena_printf(r->w->arena, "%s %s %s", to->address,
                           to->active ? "is active since" : "becomes active at", when));
}

static void check_balance(struct rehearsal *r)
{
    const struct withdrawing *w = r->w;
    struct u256 have = w->native ? u256_sub_or_zero(r->state.native_balance, r->reserved.native)
                                 : u256_sub_or_zero(r->state.token_balance, r->reserved.token);

    check_set(r, AT_BALANCE, u256_cmp(have, r->out->amount) >= 0 ? REHEARSAL_PASS : REHEARSAL_FAIL,
              arena_printf(w->arena, "%s at hand, %s to be withdrawn", token_text(r, have),
                           token_text(r, r->out->amount)));
}

static void check_gas(struct rehearsal *r)
{
    struct u256 have = u256_sub_or_zero(r->state.native_balance, r->reserved.native), need = r->out->fee;
    bool fits = !r->w->native || u256_add(&need, need, r->out->amount);

    check_set(
        r, AT_GAS, fits && u256_cmp(have, need) >= 0 ? REHEARSAL_PASS : REHEARSAL_FAIL,
        arena_printf(r->w->arena, "%s at hand, at most %s needed", coin_text(r, have), coin_text(r, need)));
}

static void check_trial(struct rehearsal *r)
{
    const struct err *e = plan_verdict(r->w->arena, &r->w->plan, &r->state);

    if (e == NULL)
        check_set(r, AT_TRIAL, r->state.unverified ? REHEARSAL_WARN : REHEARSAL_PASS,
                  r->state.unverified ? "No node of the chain can run it beforehand"
                                      : "The transfer was run on the chain's present state");
    else
        check_set(r, AT_TRIAL, REHEARSAL_FAIL,
                  r->state.revert == NULL ? e->text
                                          : arena_printf(r->w->arena, "%s: %s", e->text, r->state.revert));
}

/* False: nobody knows a price. */
static bool worth_of(const struct rehearsal *r, const struct token *t, struct u256 raw, struct amount *usd)
{
    struct price p;

    if (t == NULL)
        return false;
    p = price_of_token(r->w->ctx, r->w->arena, r->w->chain, t);
    prices_ask(r->w->ctx, r->w->arena, &p, 1);
    return p.state == PRICE_KNOWN && amount_times_down(usd, (struct amount){ raw, t->decimals }, p.usd);
}

/* It is sent all the same. */
static void check_worth(struct rehearsal *r)
{
    const struct withdrawing *w = r->w;
    struct amount worth = { r->out->amount, 0 }, fee = { r->out->fee, 0 };
    bool known = w->native || (worth_of(r, token_known(&w->token), r->out->amount, &worth) &&
                               worth_of(r, token_find(w->chain, w->chain->native), r->out->fee, &fee));

    if (!known)
        check_set(r, AT_WORTH, REHEARSAL_PASS, "Nobody tells what it is worth");
    else if (u256_cmp(worth.raw, fee.raw) < 0)
        check_set(r, AT_WORTH, REHEARSAL_WARN, "It is worth less than its fees may be");
    else
        check_set(r, AT_WORTH, REHEARSAL_PASS, "It is worth more than its fees");
}

static bool check_policies(struct rehearsal *r)
{
    struct outlay o = { .agent_id = r->w->agent->id,
                        .wallet_id = r->w->wallet.id,
                        .kind = KIND_WITHDRAWAL,
                        .venue = "withdraw" };
    const struct err *why = NULL;

    switch (outlay_estimate(r->w->ctx, r->w->arena, &o, &r->w->plan, &r->state, &why)) {
    case POLICY_FREE:
        check_set(r, AT_POLICY, REHEARSAL_PASS, "No policy is in force");
        return true;
    case POLICY_ALLOWS:
        check_set(r, AT_POLICY, REHEARSAL_PASS, "All policies allow it");
        return true;
    case POLICY_ASKS:
        check_set(r, AT_POLICY, REHEARSAL_WARN,
                  arena_printf(r->w->arena, "It waits for the operator's approval. %s", why->hint));
        return true;
    case POLICY_REFUSES:
        check_set(r, AT_POLICY, REHEARSAL_FAIL, why->hint != NULL ? why->hint : why->text);
        return true;
    case POLICY_BROKEN:
        break;
    }
    return false;
}

/* Of all there is, what would be left of it for the address. */
static void settle_amount(struct rehearsal *r)
{
    struct u256 left;

    r->out->amount = r->w->amount;
    if (!r->w->all)
        return;
    if (transfer_left(&r->w->plan, &r->state, &r->reserved, &left) == NULL)
        r->out->amount = left;
}

static bool rehearse(struct rehearsal *r)
{
    const struct family *f = family_of(r->w->chain);
    struct u256 value;

    if (!wallet_reserved(r->w->ctx->db, &r->w->wallet, &r->w->plan, &r->state, &r->reserved) ||
        !f->cost(&r->w->plan, &r->state, &value, &r->out->fee))
        return false;
    settle_amount(r);
    check_address(r);
    check_balance(r);
    check_gas(r);
    check_trial(r);
    check_worth(r);
    return check_policies(r);
}

static void rehearsal_begin(struct withdrawal_rehearsal *out, const struct withdrawing *w)
{
    static const char *const names[REHEARSAL_CHECKS] = { "address_active",       "balance_sufficient",
                                                         "gas_affordable",       "eth_call_revert_check",
                                                         "worth_more_than_fees", "policies_allow" };

    *out = (struct withdrawal_rehearsal){ .token = w->token, .chain = w->chain };
    memcpy(out->to, w->to.address, sizeof out->to);
    for (unsigned i = 0; i < REHEARSAL_CHECKS; i++)
        out->checks[i].name = names[i];
}

const struct err *withdrawal_rehearse(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                      const struct withdrawal_asked *asked, struct withdrawal_rehearsal *out)
{
    struct withdrawing *w = ARENA_NEW(a, struct withdrawing);
    struct rehearsal r = { .w = w, .out = out };
    const struct err *e;

    *w = (struct withdrawing){ .ctx = ctx, .arena = a, .agent = agent, .rehearses = true };
    if ((e = withdrawing_begin(w, asked)) != NULL || (e = withdrawing_plan(w)) != NULL ||
        (e = family_of(w->chain)->try_plan(ctx, a, &w->plan, &r.state)) != NULL)
        return e;
    rehearsal_begin(out, w);
    if (!rehearse(&r))
        return &E_INTERNAL;
    out->would_execute = true;
    for (unsigned i = 0; i < REHEARSAL_CHECKS; i++)
        out->would_execute = out->would_execute && out->checks[i].status != REHEARSAL_FAIL;
    return NULL;
}
