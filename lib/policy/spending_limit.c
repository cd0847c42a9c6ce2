/* Limits on what leaves the wallet, each spend by itself or summed up over a window. Beyond a spending
 * limit nothing leaves; beyond an approval limit the operator is asked. What orders for perpetuals bind has
 * left the wallet before, with a deposit: only limits of that venue count it, and they count nothing else. */
#include <string.h>

#include "policy/members.h"
#include "policy/type.h"
#include "policy/usage.h"
#include "store/policies.h"

#define VENUE_PERPS "perps"

struct limit {
    const char *max_usd, *max_wei, *max_amount; /* one of the three */
    const char *token;                          /* of max_amount: symbol or address */
    const char *venue;                          /* VENUE_PERPS or NULL */
    uint64_t window_s;                          /* 0: each execution for itself */
    struct u256 cap; /* the one that is given; dollars and tokens with 18 places, ether in wei */
};

static const char *limit_venue_check(const char *s, const void *env)
{
    (void)env;
    return strcmp(s, VENUE_PERPS) == 0 ? NULL : "must be " VENUE_PERPS;
}

const struct param spending_limit_members[] = {
    { "maxAmountUsd", P_AMOUNT, INTO(struct limit, max_usd), .about = "At most so many dollars" },
    { "maxAmountWei", P_TEXT, INTO(struct limit, max_wei), .check = member_check_wei, .max = U256_DECIMAL_LEN,
      .about = "At most so many wei of ether; everything else counts by its price in dollars" },
    { "maxAmount", P_AMOUNT, INTO(struct limit, max_amount),
      .about = "At most so many units of `token`, in human units" },
    { "token", P_TEXT, INTO(struct limit, token), .check = member_check_token, .max = MEMBER_TEXT_MAX,
      .about = "Symbol (on every chain) or contract address; only what is given of it counts" },
    { "timeWindowSeconds", P_WHOLE, INTO(struct limit, window_s), .max = POLICY_WINDOW_MAX_S,
      .about = "Sliding window of the limit, such as 3600 or 86400; 0: each swap for itself" },
    { "venue", P_TEXT, INTO(struct limit, venue), .check = limit_venue_check, .max = MEMBER_TEXT_MAX,
      .about = "perps: in place of what leaves the wallet, the margin that orders for perpetuals bind" },
    { 0 },
};

/* ---- reading ---- */

static void limit_check(struct policy_reading *r, void *terms)
{
    struct limit *l = terms;

    if ((l->max_usd != NULL) + (l->max_wei != NULL) + (l->max_amount != NULL) != 1)
        policy_fault(r, "", "must have exactly one of maxAmountUsd, maxAmountWei, maxAmount");
    if ((l->max_amount != NULL) != (l->token != NULL))
        policy_fault(r, l->token == NULL ? "token" : "maxAmount", "token and maxAmount belong together");
    if (l->venue != NULL && l->max_amount != NULL)
        policy_fault(r, "maxAmount", "margin is in dollars: give maxAmountUsd or maxAmountWei");
    member_read_decimal(r, "maxAmountUsd", l->max_usd, &l->cap);
    member_read_decimal(r, "maxAmount", l->max_amount, &l->cap);
    member_read_wei(r, "maxAmountWei", l->max_wei, &l->cap);
}

static void limit_need(struct worth_needed *w, const void *terms)
{
    const struct limit *l = terms;

    w->usd = w->usd || l->max_usd != NULL;
    w->ether = w->ether || l->max_wei != NULL;
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

/* Rounded up: what was given back is never more than it was. */
static bool part_of(struct u256 *v, uint64_t part, uint64_t whole)
{
    struct u256 rest;

    if (part >= whole)
        return true;
    return u256_mul(v, *v, u256_from_u64(part)) && u256_div(v, &rest, *v, u256_from_u64(whole)) &&
           (u256_is_zero(rest) || u256_add(v, *v, u256_from_u64(1)));
}

/* The amount that a spend adds to the limit's sum; false: unknown. */
static bool spend_value(struct u256 *out, const struct limit *l, const struct spend *s)
{
    if (s->margin != (l->venue != NULL)) {
        *out = U256_ZERO;
        return true;
    }
    if (l->max_usd != NULL) {
        *out = s->usd;
        return s->has_usd;
    }
    if (l->max_wei != NULL) {
        *out = s->ether;
        return s->has_ether;
    }
    *out = U256_ZERO;
    return !member_is_token(l->token, &s->from) || amount_scaled(out, s->amount_in, s->from.decimals);
}

/* The same of what is about to be spent. */
static bool spend_facts_value(struct u256 *out, const struct limit *l, const struct spend_facts *o)
{
    const struct worth *w = &o->worth;
    bool counts = l->token == NULL || member_is_token(l->token, &o->from);
    const struct spend s = {
        .margin = o->asset != NULL,
        .from = o->from,
        .amount_in = o->amount_in,
        .has_usd = w->has_usd,
        .has_ether = w->has_ether,
        .usd = w->usd,
        .ether = w->ether,
    };

    return (!counts || !o->amount_unknown) && spend_value(out, l, &s);
}

static bool spends_read(struct policy_case *c)
{
    if (!c->has_spends)
        c->count = spends_list(c->db, c->arena, c->spend_facts->wallet_id, &c->spends, &c->now_ms);
    c->has_spends = true;
    return c->count >= 0;
}

/* Loans count only for the next loan, which could otherwise be taken in small parts. */
static bool spend_counts(const struct policy_case *c, const struct spend *s, int64_t from)
{
    return s->at_ms >= from && (!s->borrowed || c->spend_facts->borrowed);
}

/* The amount spent within the limit's window, and since the policy exists; false: unknown. */
static bool spends_sum(struct u256 *out, const struct policy_case *c, const struct limit *l)
{
    int64_t from = c->now_ms - (int64_t)l->window_s * 1000, since = c->policy->created_ms;
    struct u256 one;

    *out = U256_ZERO;
    for (int i = 0; i < c->count; i++)
        if (spend_counts(c, &c->spends[i], from > since ? from : since) &&
            (!spend_value(&one, l, &c->spends[i]) || !part_of(&one, c->spends[i].part, c->spends[i].whole) ||
             !u256_add(out, *out, one)))
            return false;
    return true;
}

/* ---- deciding ---- */

static const char *limit_unit(const struct limit *l)
{
    return l->max_usd != NULL ? "USD" : l->max_wei != NULL ? "ether" : l->token;
}

static const char *limit_figure(struct arena *a, struct u256 v)
{
    return amount_text(a, (struct amount){ v, RATE_PLACES });
}

static char *limit_text(struct arena *a, const struct limit *l, struct u256 v)
{
    return arena_printf(a, "%s %s", limit_figure(a, v), limit_unit(l));
}

static const char *reason_over(struct arena *a, const struct limit *l, const struct spend_facts *o,
                               struct u256 value, struct u256 used)
{
    const char *cap = limit_text(a, l, l->cap), *asked = limit_text(a, l, value);
    const char *does = o->borrowed ? "takes" : o->asset != NULL ? "binds" : "gives";

    if (l->window_s == 0)
        return arena_printf(a, "it allows %s per %s, and this one %s %s: lower the amount", cap, o->name,
                            does, asked);
    return arena_printf(
        a, "it allows %s in %llu seconds, %s of it is used, and this %s %s %s: lower the amount or wait", cap,
        (unsigned long long)l->window_s, limit_text(a, l, used), o->name, does, asked);
}

/* POLICY_ASKS: it is too much. What cannot be valued is refused, and is not a matter of approval either. */
static enum policy_verdict limit_decide(struct policy_case *c, const struct limit *l, const char **why)
{
    struct u256 value, used = U256_ZERO, sum;

    if (!spend_facts_value(&value, l, c->spend_facts)) {
        *why = member_unvalued(
            c->spend_facts,
            arena_printf(c->arena,
                         "this %s cannot be valued just now: try again, or give a token that has a price",
                         c->spend_facts->name));
        return POLICY_REFUSES;
    }
    if (u256_is_zero(value))
        return POLICY_ALLOWS; /* another token: nothing of this limit is touched */
    if (l->window_s > 0 && !spends_read(c))
        return POLICY_BROKEN;
    if (l->window_s > 0 && !spends_sum(&used, c, l)) {
        *why = "what was given before cannot be valued: wait until the window is over";
        return POLICY_REFUSES;
    }
    if (u256_add(&sum, used, value) && u256_cmp(sum, l->cap) <= 0)
        return POLICY_ALLOWS;
    *why = reason_over(c->arena, l, c->spend_facts, value, used);
    return POLICY_ASKS;
}

static enum policy_verdict spending_decide(struct policy_case *c, const void *terms, const char **why)
{
    enum policy_verdict v = c->spend_facts->borrowed ? POLICY_ALLOWS : limit_decide(c, terms, why);

    return v == POLICY_ASKS ? POLICY_REFUSES : v;
}

/* The operator is asked for what a large order binds, too, each for itself. */
static struct limit approval_terms(const struct limit *l, const struct spend_facts *o)
{
    struct limit out = *l;

    if (l->venue != NULL || o->asset == NULL || l->max_amount != NULL)
        return out;
    out.venue = VENUE_PERPS;
    out.window_s = 0;
    return out;
}

static enum policy_verdict approval_decide(struct policy_case *c, const void *terms, const char **why)
{
    const struct limit l = approval_terms(terms, c->spend_facts);
    enum policy_verdict v = limit_decide(c, &l, why);

    return v == POLICY_ASKS && c->spend_facts->approved ? POLICY_ALLOWS : v;
}

/* ---- showing ---- */

static bool limit_windowed(const void *terms)
{
    const struct limit *l = terms;

    return l->window_s > 0;
}

static bool limit_use(struct policy_case *c, const void *terms, struct policy_use *out)
{
    const struct limit *l = terms;
    struct u256 used;

    if (!spends_read(c))
        return false;
    out->used = spends_sum(&used, c, l) ? limit_figure(c->arena, used) : NULL;
    out->limit = limit_figure(c->arena, l->cap);
    out->unit = limit_unit(l);
    return true;
}

const struct policy_type_row spending_limit = {
    .members = spending_limit_members,
    .size = sizeof(struct limit),
    .check = limit_check,
    .need = limit_need,
    .decide = spending_decide,
    .windowed = limit_windowed,
    .use = limit_use,
};

const struct policy_type_row approval_limit = {
    .members = spending_limit_members,
    .size = sizeof(struct limit),
    .check = limit_check,
    .need = limit_need,
    .decide = approval_decide,
    .windowed = limit_windowed,
    .use = limit_use,
};
