#include "policy/decide.h"

#include <string.h>
#include <strings.h>

#include "chain/tokens.h"
#include "policy/rule.h"
#include "policy/value.h"
#include "store/policies.h"

struct deciding {
    struct db *db;
    struct arena *arena;
    const struct policy_case *c;
    /* read once, when a window wants them */
    bool has_spends;
    struct spend *spends;
    int count;
    int64_t now_ms;
};

/* By symbol only what the table of the chain has under it. */
static bool token_is(const struct token_ref *t, const char *name)
{
    const struct chain *c;
    const struct token *known = policy_known_token(t, &c);

    if (strncasecmp(name, "0x", 2) == 0)
        return strcasecmp(t->address, name) == 0;
    return known != NULL && token_find(c, name) == known;
}

static bool any_token(const char *const *names, const struct token_ref *t)
{
    while (*names != NULL && !token_is(t, *names))
        names++;
    return *names != NULL;
}

static bool any_chain(const char *const *names, uint64_t chain_id)
{
    while (*names != NULL && chain_find(*names) != chain_by_id(chain_id))
        names++;
    return *names != NULL;
}

static bool any_address(const char *const *names, struct evm_addr at)
{
    struct evm_addr listed;

    while (*names != NULL && !(evm_addr_parse(&listed, *names) && memcmp(&listed, &at, sizeof at) == 0))
        names++;
    return *names != NULL;
}

/* With 18 places; a token with more counts as one unit too much rather than too little. */
static bool scaled(struct u256 *out, struct u256 raw, uint8_t decimals)
{
    struct u256 ten = u256_from_u64(10), rest;

    *out = raw;
    for (int d = decimals; d < RATE_PLACES; d++)
        if (!u256_mul(out, *out, ten))
            return false;
    for (int d = decimals; d > RATE_PLACES; d--)
        if (!u256_div(out, &rest, *out, ten) ||
            (!u256_is_zero(rest) && !u256_add(out, *out, u256_from_u64(1))))
            return false;
    return true;
}

/* What this swap adds to the rule's sum; false: nobody can say. */
static bool value_of_case(struct u256 *out, const struct policy_rule *r, const struct policy_case *c)
{
    if (r->max_usd != NULL) {
        *out = c->usd;
        return c->has_usd;
    }
    if (r->max_wei != NULL) {
        *out = c->ether;
        return c->has_ether;
    }
    *out = U256_ZERO;
    return !token_is(&c->quote->from, r->token) || scaled(out, c->quote->amount_in, c->quote->from.decimals);
}

static bool value_of_spend(struct u256 *out, const struct policy_rule *r, const struct spend *s)
{
    if (r->max_usd != NULL) {
        *out = s->usd;
        return s->has_usd;
    }
    if (r->max_wei != NULL) {
        *out = s->ether;
        return s->has_ether;
    }
    *out = U256_ZERO;
    return !token_is(&s->from, r->token) || scaled(out, s->amount_in, s->from.decimals);
}

static bool read_spends(struct deciding *d)
{
    if (!d->has_spends)
        d->count = spends_list(d->db, d->arena, d->c->wallet->id, &d->spends, &d->now_ms);
    d->has_spends = true;
    return d->count >= 0;
}

/* What was given within the window; false: nobody can say. */
static bool sum_of(struct u256 *out, const struct deciding *d, const struct policy_rule *r, int64_t since_ms)
{
    int64_t from = d->now_ms - (int64_t)r->window_s * 1000;
    struct u256 one;

    *out = U256_ZERO;
    for (int i = 0; i < d->count; i++)
        if (d->spends[i].at_ms >= (from > since_ms ? from : since_ms) &&
            (!value_of_spend(&one, r, &d->spends[i]) || !u256_add(out, *out, one)))
            return false;
    return true;
}

static char *unit_text(struct arena *a, const struct policy_rule *r, struct u256 v)
{
    return arena_printf(a, "%s %s", amount_text(a, (struct amount){ v, RATE_PLACES }),
                        r->max_usd != NULL   ? "USD"
                        : r->max_wei != NULL ? "ether"
                                             : r->token);
}

/* The text of a refusal, NULL when the rule allows the swap, and BROKEN. */
static const char BROKEN[] = "";

static const char *over_text(struct deciding *d, const struct policy_rule *r, struct u256 value,
                             struct u256 used)
{
    struct arena *a = d->arena;
    const char *limit = unit_text(a, r, r->cap), *asked = unit_text(a, r, value);

    if (r->window_s == 0)
        return arena_printf(a, "it allows %s for each swap, and this one gives %s: lower the amount", limit,
                            asked);
    return arena_printf(
        a,
        "it allows %s in %llu seconds, of which %s are used, and this swap gives %s: lower the amount or wait",
        limit, (unsigned long long)r->window_s, unit_text(a, r, used), asked);
}

static const char *unvalued(const struct policy_case *c, const char *otherwise)
{
    return c->prices_apart
               ? "it cannot be valued just now: the pools' price, their average of the last half hour and the price feed's are too far apart; try again when the market is calm"
               : otherwise;
}

static const char *check_limit(struct deciding *d, const struct policy_rule *r, int64_t since_ms,
                               bool *valued)
{
    struct u256 value, used = U256_ZERO, sum;

    *valued = value_of_case(&value, r, d->c);
    if (!*valued)
        return unvalued(d->c,
                        "this swap cannot be valued just now: try again, or give a token that has a price");
    if (u256_is_zero(value))
        return NULL; /* another token: nothing of this limit is touched */
    if (r->window_s > 0 && !read_spends(d))
        return BROKEN;
    *valued = r->window_s == 0 || sum_of(&used, d, r, since_ms);
    if (!*valued)
        return "what was given before cannot be valued: wait until the window is over";
    if (u256_add(&sum, used, value) && u256_cmp(sum, r->cap) <= 0)
        return NULL;
    return over_text(d, r, value, used);
}

/* Everything that gets value or an allowance; an approval itself gives its token's contract nothing. */
static bool destinations_allowed(const struct policy_rule *r, const struct plan *p)
{
    for (unsigned i = 0; i < p->count; i++) {
        const struct step *s = &p->steps[i];

        if ((s->kind != TX_APPROVAL && !any_address(r->addresses, s->to)) ||
            (s->has_token && !any_address(r->addresses, s->spender)))
            return false;
    }
    return true;
}

static const char *check_whitelist(struct deciding *d, const struct policy_rule *r)
{
    const struct quote *q = d->c->quote;

    if (r->chains != NULL &&
        (!any_chain(r->chains, q->from.chain_id) || !any_chain(r->chains, q->to.chain_id)))
        return "its allowedChains have not both chains of this swap";
    if (r->tokens != NULL && (!any_token(r->tokens, &q->from) || !any_token(r->tokens, &q->to)))
        return "its allowedTokens have not both tokens of this swap";
    if (r->addresses != NULL && !destinations_allowed(r, d->c->plan))
        return "its allowedAddresses have not all contracts that would get value or an allowance: POST /swap shows them as transaction.to and in approvals";
    return NULL;
}

static const char *check_execution(struct deciding *d, const struct policy_rule *r)
{
    const struct policy_case *c = d->c;

    if (c->quote->slippage.value > r->max_slippage)
        return "the quote allows more slippage than its maxSlippage: ask for one with less";
    if (r->max_gas_wei != NULL && u256_cmp(c->fees, r->gas_wei) > 0)
        return "the fees may exceed its maxGasWei: try when gas is cheaper";
    if (r->max_gas_usd != NULL && !c->has_gas_usd)
        return unvalued(c, "the fees cannot be valued just now: try again");
    if (r->max_gas_usd != NULL && u256_cmp(c->gas_usd, r->gas_usd) > 0)
        return "the fees may exceed its maxGasUsd: try when gas is cheaper";
    return NULL;
}

static const struct err *explain(struct arena *a, const struct err *base, const struct policy *p,
                                 const char *what)
{
    struct err *e = arena_memdup(a, base, sizeof *base);
    char id[UUID_TEXT_LEN + 1];

    uuid_text(id, p->id);
    e->hint = arena_printf(a, "Policy %s (%s%s): %s", id, policy_type_text(p->type),
                           p->by_operator ? ", the operator's" : "", what);
    return e;
}

/* One policy's verdict. */
static enum policy_verdict judge(struct deciding *d, const struct policy *p, const struct err **why)
{
    struct policy_rule r;
    const char *what = NULL;
    bool valued = true, asks = false;

    if (!policy_read_stored(&r, p, d->arena)) {
        *why = explain(d->arena, &E_POLICY, p, "it cannot be read: the operator has to replace it");
        return POLICY_REFUSES;
    }
    switch (r.type) {
    case POLICY_APPROVAL:
        asks = true;
        what = check_limit(d, &r, p->created_ms, &valued);
        break;
    case POLICY_SPENDING:
        what = check_limit(d, &r, p->created_ms, &valued);
        break;
    case POLICY_WHITELIST:
        what = check_whitelist(d, &r);
        break;
    case POLICY_EXECUTION:
        what = check_execution(d, &r);
        break;
    }
    if (what == BROKEN)
        return POLICY_BROKEN;
    if (what == NULL || (asks && valued && d->c->approved))
        return POLICY_ALLOWS;
    *why = explain(d->arena, &E_POLICY, p, what);
    return asks && valued ? POLICY_ASKS : POLICY_REFUSES;
}

enum policy_verdict policy_decide(struct db *db, struct arena *a, const struct policy_case *c,
                                  const struct err **why)
{
    struct deciding d = { .db = db, .arena = a, .c = c };
    enum policy_verdict all = POLICY_FREE;
    struct policy *list;
    int n = policies_list(db, a, c->wallet->agent_id, c->wallet->id, &list);

    if (n < 0)
        return POLICY_BROKEN;
    for (int i = 0; i < n; i++) {
        const struct err *e = NULL;
        enum policy_verdict one = judge(&d, &list[i], &e);

        if (one == POLICY_BROKEN)
            return one;
        if (one > all)
            *why = e;
        all = one > all ? one : all;
    }
    return all;
}

bool policy_spent(struct db *db, const struct policy_case *c, uint64_t execution_id)
{
    const struct spend_new s = {
        .execution_id = execution_id,
        .agent_id = c->wallet->agent_id,
        .wallet_id = c->wallet->id,
        .usd = c->has_usd ? &c->usd : NULL,
        .ether = c->has_ether ? &c->ether : NULL,
    };

    return spends_add(db, &s);
}
