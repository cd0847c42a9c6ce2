#include "policy/decide.h"

#include <string.h>

#include "chain/address.h"
#include "chain/tokens.h"
#include "policy/rule.h"
#include "store/policies.h"

struct evaluation {
    struct db *db;
    struct arena *arena;
    const struct outlay *outlay;
    /* read once, when a window needs them */
    bool has_spends;
    struct spend *spends;
    int count;
    int64_t now_ms;
};

/* ---- lists ---- */

/* A symbol means only the token that the chain's table has under it: anybody can call a contract USDC. */
static bool token_is(const struct token_ref *t, const char *name)
{
    const struct token *known = token_known(t);

    return address_same(t->address, name) ||
           (known != NULL && token_find(chain_by_id(t->chain_id), name) == known);
}

static bool list_has_token(const char *const *list, const struct token_ref *t)
{
    while (*list != NULL && !token_is(t, *list))
        list++;
    return *list != NULL;
}

static bool list_has_chain(const char *const *list, uint64_t chain_id)
{
    const struct chain *c = chain_by_id(chain_id);

    while (*list != NULL && (c == NULL || chain_find(*list) != c))
        list++;
    return *list != NULL;
}

static bool list_has_address(const char *const *list, const char *address)
{
    while (*list != NULL && !address_same(*list, address))
        list++;
    return *list != NULL;
}

static bool list_has_addresses(const char *const *list, const char *const *addresses)
{
    while (*addresses != NULL && list_has_address(list, *addresses))
        addresses++;
    return *addresses == NULL;
}

/* ---- sums ---- */

/* With 18 places; a token with more counts as one unit too much rather than too little. */
static bool amount_scaled(struct u256 *out, struct u256 raw, uint8_t decimals)
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

/* What a spend adds to the rule's sum; false: nobody can say. */
static bool spend_value(struct u256 *out, const struct policy_limit *r, const struct spend *s)
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
    return !token_is(&s->from, r->token) || amount_scaled(out, s->amount_in, s->from.decimals);
}

/* The same of what is about to be spent. */
static bool outlay_value(struct u256 *out, const struct policy_limit *r, const struct outlay *o)
{
    const struct worth *w = &o->worth;
    const struct spend s = {
        .from = o->from,
        .amount_in = o->amount_in,
        .has_usd = w->has_usd,
        .has_ether = w->has_ether,
        .usd = w->usd,
        .ether = w->ether,
    };

    return spend_value(out, r, &s);
}

static bool spends_read(struct evaluation *ev)
{
    if (!ev->has_spends)
        ev->count = spends_list(ev->db, ev->arena, ev->outlay->wallet_id, &ev->spends, &ev->now_ms);
    ev->has_spends = true;
    return ev->count >= 0;
}

/* What was spent within the rule's window; false: nobody can say. */
static bool spends_sum(struct u256 *out, const struct evaluation *ev, const struct policy_limit *r,
                       int64_t since_ms)
{
    int64_t from = ev->now_ms - (int64_t)r->window_s * 1000;
    struct u256 one;

    *out = U256_ZERO;
    for (int i = 0; i < ev->count; i++)
        if (ev->spends[i].at_ms >= (from > since_ms ? from : since_ms) &&
            (!spend_value(&one, r, &ev->spends[i]) || !u256_add(out, *out, one)))
            return false;
    return true;
}

/* ---- one rule ---- */

/* Each check returns the reason of a refusal, NULL when the rule allows the outlay, or BROKEN when the
 * database failed. */
static const char BROKEN[] = "";

static char *limit_text(struct arena *a, const struct policy_limit *r, struct u256 v)
{
    return arena_printf(a, "%s %s", amount_text(a, (struct amount){ v, RATE_PLACES }),
                        r->max_usd != NULL   ? "USD"
                        : r->max_wei != NULL ? "ether"
                                             : r->token);
}

static const char *reason_over(struct evaluation *ev, const struct policy_limit *r, struct u256 value,
                               struct u256 used)
{
    struct arena *a = ev->arena;
    const char *limit = limit_text(a, r, r->cap), *asked = limit_text(a, r, value);

    if (r->window_s == 0)
        return arena_printf(a, "it allows %s per swap, and this one gives %s: lower the amount", limit,
                            asked);
    return arena_printf(
        a, "it allows %s in %llu seconds, %s of it is used, and this swap gives %s: lower the amount or wait",
        limit, (unsigned long long)r->window_s, limit_text(a, r, used), asked);
}

static const char *reason_unvalued(const struct outlay *o, const char *otherwise)
{
    return o->worth.prices_apart
               ? "it cannot be valued just now: the pools' price, their average over the last half hour and the price feed are too far apart; try again when the market is calm"
               : otherwise;
}

static const char *limit_check(struct evaluation *ev, const struct policy_limit *r, int64_t since_ms,
                               bool *valued)
{
    struct u256 value, used = U256_ZERO, sum;

    *valued = outlay_value(&value, r, ev->outlay);
    if (!*valued)
        return reason_unvalued(
            ev->outlay, "this swap cannot be valued just now: try again, or give a token that has a price");
    if (u256_is_zero(value))
        return NULL; /* another token: nothing of this limit is touched */
    if (r->window_s > 0 && !spends_read(ev))
        return BROKEN;
    *valued = r->window_s == 0 || spends_sum(&used, ev, r, since_ms);
    if (!*valued)
        return "what was given before cannot be valued: wait until the window is over";
    if (u256_add(&sum, used, value) && u256_cmp(sum, r->cap) <= 0)
        return NULL;
    return reason_over(ev, r, value, used);
}

static const char *lists_check(const struct outlay *o, const struct policy_lists *r)
{
    if (r->chains != NULL &&
        (!list_has_chain(r->chains, o->from.chain_id) || !list_has_chain(r->chains, o->to.chain_id)))
        return "its allowedChains must include both chains of this swap";
    if (r->tokens != NULL && (!list_has_token(r->tokens, &o->from) || !list_has_token(r->tokens, &o->to)))
        return "its allowedTokens must include both tokens of this swap";
    if (r->addresses != NULL && !list_has_addresses(r->addresses, o->recipients))
        return "its allowedAddresses must include every contract that would get value or an allowance: POST /swap shows them as transaction.to and in approvals";
    return NULL;
}

static const char *bounds_check(const struct outlay *o, const struct policy_bounds *r)
{
    if (o->slippage.value > r->max_slippage)
        return "the quote allows more slippage than its maxSlippage: ask for one with less";
    if (r->max_gas_wei != NULL && u256_cmp(o->fees, r->gas_wei) > 0)
        return "the fees may exceed its maxGasWei: try when gas is cheaper";
    if (r->max_gas_usd != NULL && !o->worth.has_gas_usd)
        return reason_unvalued(o, "the fees cannot be valued just now: try again");
    if (r->max_gas_usd != NULL && u256_cmp(o->worth.gas_usd, r->gas_usd) > 0)
        return "the fees may exceed its maxGasUsd: try when gas is cheaper";
    return NULL;
}

static const struct err *policy_refusal(struct arena *a, const struct err *base, const struct policy *p,
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
static enum policy_verdict policy_verdict_of(struct evaluation *ev, const struct policy *p,
                                             const struct err **why)
{
    struct policy_rule r;
    const char *what = NULL;
    bool valued = true, asks = false;

    if (!policy_read_stored(&r, p, ev->arena)) {
        *why = policy_refusal(ev->arena, &E_POLICY, p, "it cannot be read: the operator must replace it");
        return POLICY_REFUSES;
    }
    switch (r.type) {
    case POLICY_APPROVAL:
        asks = true;
        what = limit_check(ev, &r.limit, p->created_ms, &valued);
        break;
    case POLICY_SPENDING:
        what = limit_check(ev, &r.limit, p->created_ms, &valued);
        break;
    case POLICY_WHITELIST:
        what = lists_check(ev->outlay, &r.lists);
        break;
    case POLICY_EXECUTION:
        what = bounds_check(ev->outlay, &r.bounds);
        break;
    }
    if (what == BROKEN)
        return POLICY_BROKEN;
    if (what == NULL || (asks && valued && ev->outlay->approved))
        return POLICY_ALLOWS;
    *why = policy_refusal(ev->arena, &E_POLICY, p, what);
    return asks && valued ? POLICY_ASKS : POLICY_REFUSES;
}

enum policy_verdict policy_decide(struct db *db, struct arena *a, const struct outlay *o,
                                  const struct err **why)
{
    struct evaluation ev = { .db = db, .arena = a, .outlay = o };
    enum policy_verdict all = POLICY_FREE;
    struct policy *list;
    int n = policies_list(db, a, o->agent_id, o->wallet_id, &list);

    if (n < 0)
        return POLICY_BROKEN;
    for (int i = 0; i < n; i++) {
        const struct err *e = NULL;
        enum policy_verdict one = policy_verdict_of(&ev, &list[i], &e);

        if (one == POLICY_BROKEN)
            return one;
        if (one > all)
            *why = e;
        all = one > all ? one : all;
    }
    return all;
}

bool policy_count_spend(struct db *db, const struct outlay *o, uint64_t execution_id)
{
    const struct spend_new s = {
        .execution_id = execution_id,
        .agent_id = o->agent_id,
        .wallet_id = o->wallet_id,
        .usd = o->worth.has_usd ? &o->worth.usd : NULL,
        .ether = o->worth.has_ether ? &o->worth.ether : NULL,
    };

    return spends_add(db, &s);
}
