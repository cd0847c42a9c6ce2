#include "exec/simulation.h"

#include "exec/chain_ops.h"
#include "exec/elsewhere.h"
#include "exec/spend_facts.h"
#include "exec/wallet.h"

/* ---- checks ---- */

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

void check_set(struct check *c, enum check_status status, const char *detail)
{
    c->status = status;
    c->detail = detail;
}

bool checks_pass(const struct check *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].status == CHECK_FAIL || list[i].status == CHECK_UNAVAILABLE)
            return false;
    return true;
}

/* ---- those of every plan ---- */

bool simulation_begin(struct simulation *r)
{
    r->reserved = (struct reservation){ U256_ZERO, U256_ZERO };
    r->has_costs = chain_ops_of(r->plan->chain)->cost(r->plan, r->state, &r->value, &r->fees);
    return r->wallet == NULL ||
           wallet_reserved_now(r->ctx, r->arena, r->wallet, r->plan, r->state, &r->reserved);
}

static struct u256 coin_at_hand(const struct simulation *r)
{
    return u256_sub_or_zero(r->state->native_balance, r->reserved.native);
}

static char *sum_text(const struct simulation *r, struct u256 raw, uint8_t decimals, const char *symbol)
{
    return arena_printf(r->arena, "%s %s", amount_text(r->arena, (struct amount){ raw, decimals }), symbol);
}

void simulation_check_balance(const struct simulation *r, struct check *c, struct u256 needed)
{
    const struct token_ref *t = &r->plan->leaves.token;
    struct u256 have = r->plan->leaves.native ? coin_at_hand(r)
                                              : u256_sub_or_zero(r->state->token_balance, r->reserved.token);

    bool enough = u256_cmp(have, needed) >= 0;
    const char *elsewhere =
        enough ? "" : elsewhere_text(r->ctx, r->arena, r->plan->wallet, r->plan->chain, t->symbol);

    check_set(c, enough ? CHECK_PASS : CHECK_FAIL,
              arena_printf(r->arena, "%s at hand, %s needed%s", sum_text(r, have, t->decimals, t->symbol),
                           sum_text(r, needed, t->decimals, t->symbol), elsewhere));
}

void simulation_check_gas(const struct simulation *r, struct check *c)
{
    const struct chain *chain = r->plan->chain;
    struct u256 need, have = coin_at_hand(r);

    if (!r->has_costs || !u256_add(&need, r->value, r->fees)) {
        check_set(c, CHECK_FAIL, "The fees exceed any balance");
        return;
    }
    check_set(c, u256_cmp(have, need) >= 0 ? CHECK_PASS : CHECK_FAIL,
              arena_printf(r->arena, "%s at hand, at most %s needed",
                           sum_text(r, have, chain->native_decimals, chain->native),
                           sum_text(r, need, chain->native_decimals, chain->native)));
    /* Without a simulation the gas is an estimate, which a refusal need not rest on. */
    c->unverified = !r->state->tried;
}

void simulation_check_run(const struct simulation *r, struct check *c, const char *ran)
{
    const struct err *e = plan_verdict(r->arena, r->plan, r->state);
    const struct token_ref *t = &r->plan->leaves.token;
    const char *why = r->state->revert;

    if (why == NULL && e != NULL && e->base != NULL)
        why = e->hint;
    if (e != NULL && err_is(e, &E_BEHIND))
        check_set(c, CHECK_UNAVAILABLE, e->hint);
    else if (e != NULL)
        check_set(c, CHECK_FAIL, why == NULL ? e->text : arena_printf(r->arena, "%s: %s", e->text, why));
    else if (r->state->unverified)
        check_set(c, CHECK_WARN,
                  r->plan->exact
                      ? "No node of the chain can run it beforehand"
                      : "No node of the chain can run it beforehand; its minimum holds on the chain");
    else if (plan_rounds_shares(r->plan, r->state))
        check_set(c, CHECK_WARN,
                  arena_printf(r->arena, "The token counts shares: %s arrives of %s",
                               sum_text(r, r->state->arrives, t->decimals, t->symbol),
                               sum_text(r, r->plan->leaves.amount, t->decimals, t->symbol)));
    else
        check_set(c, CHECK_PASS, ran);
    c->unverified = r->state->unverified;
}

bool simulation_check_policies(const struct simulation *r, struct check *c, struct spend_facts *o)
{
    const struct err *why = NULL;

    switch (spend_facts_estimate(r->ctx, r->arena, o, r->plan, r->state, &why)) {
    case POLICY_FREE:
        check_set(c, CHECK_PASS, "No policy is in force");
        return true;
    case POLICY_ALLOWS:
        check_set(c, CHECK_PASS, "All policies allow it");
        return true;
    case POLICY_ASKS:
        check_set(c, CHECK_WARN,
                  arena_printf(r->arena, "Execution waits for the operator's approval. %s", why->hint));
        return true;
    case POLICY_REFUSES:
        check_set(c, CHECK_FAIL, why->hint != NULL ? why->hint : why->text);
        return true;
    case POLICY_BROKEN:
        break;
    }
    return false;
}
