#include "swap/size.h"

#include <string.h>

#include "chain/address.h"
#include "chain/unavailable.h"
#include "exec/elsewhere.h"
#include "exec/wallet.h"
#include "route/price.h"
#include "swap/swap_simulate.h"
#include "swap/wallet_portfolio.h"

/* Percentages may have as many decimals as a coin. */
enum { SHARE_PLACES = 18 };

static const struct token *source_token(const struct quote_in *in, const struct chain **c)
{
    *c = chain_find(in->from_chain);
    return *c == NULL ? NULL : token_find(*c, in->from_token);
}

static const struct err *token_unknown(struct arena *a, const struct quote_in *in)
{
    return err_fmt(a, &E_TOKEN_UNKNOWN, in->from_token, in->from_chain);
}

/* As an amount that a quote may be asked for. */
static const struct err *size_give(struct arena *a, struct u256 raw, uint8_t decimals, const char **out)
{
    if (u256_is_zero(raw))
        return &E_BALANCE;
    *out = amount_text(a, (struct amount){ raw, decimals });
    return NULL;
}

const struct err *size_of_dollars(const struct ctx *ctx, struct arena *a, const struct quote_in *in,
                                  const char **out)
{
    const struct chain *c;
    const struct token *t = source_token(in, &c);
    struct amount dollars, units;
    struct price price;

    if (t == NULL)
        return token_unknown(a, in);
    if (amount_parse(&dollars, in->amount, RATE_PLACES) != AMOUNT_FINE)
        return &E_AMOUNT;
    price = price_of_token(ctx, a, c, t);
    prices_ask(ctx, a, &price, 1);
    if (price.state != PRICE_KNOWN || !amount_rate(&units, price.usd, dollars))
        return chain_unavailable(ctx, a, c);
    *out = amount_places_down(a, units, t->decimals);
    return strspn(*out, "0.") == strlen(*out) ? &E_AMOUNT : NULL;
}

/* ---- a share of a balance ---- */

static const struct err *size_balance(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                      const struct chain *c, const struct token *t, struct u256 *out)
{
    struct holdings p;

    *out = u256_from_u64(0);
    portfolio_read(ctx, a, w, 1, c, &p);
    if (p.unread_count > 0)
        return chain_unavailable(ctx, a, c);
    for (size_t i = 0; i < p.count; i++)
        if (p.held[i].token == t)
            *out = p.held[i].balance.raw;
    return u256_is_zero(*out) ? elsewhere_none(ctx, a, w->ref.address, c, t->symbol) : NULL;
}

/* The fees of the trade, by a simulation with half of the balance: the full one could not pay them. */
static const struct err *size_fees(const struct ctx *ctx, struct arena *a, uint64_t agent_id,
                                   const struct quote_in *in, const struct token *t, const struct wallet *w,
                                   struct u256 balance, struct u256 *out)
{
    struct quote_in half = *in;
    struct u256 part;
    struct quote q;
    struct offers offers;
    struct swap_simulation s;
    const struct err *e;

    if (!u256_div(&part, NULL, balance, u256_from_u64(2)))
        return &E_INTERNAL;
    if ((e = size_give(a, part, t->decimals, &half.amount)) != NULL ||
        (e = quote_make(ctx, a, agent_id, &half, &q, &offers)) != NULL ||
        (e = simulate_swap(ctx, a, &q, w->ref.address, &s)) != NULL)
        return e;
    *out = s.fees.raw;
    return s.has_fees ? NULL : chain_unavailable(ctx, a, chain_find(in->from_chain));
}

/* Keeps twice the fees back from a native balance. */
static const struct err *size_less_gas(const struct ctx *ctx, struct arena *a, uint64_t agent_id,
                                       const struct quote_in *in, const struct token *t,
                                       const struct wallet *w, struct u256 *balance)
{
    struct u256 fees, twice;
    const struct err *e = size_fees(ctx, a, agent_id, in, t, w, *balance, &fees);

    if (e != NULL)
        return e;
    if (!u256_add(&twice, fees, fees) || !u256_sub(balance, *balance, twice))
        return &E_GAS;
    return NULL;
}

static bool size_percent(struct u256 *out, struct u256 balance, const char *per_cent)
{
    struct amount share, all;

    return amount_parse(&share, per_cent, SHARE_PLACES) == AMOUNT_FINE &&
           amount_parse(&all, "100", SHARE_PLACES) == AMOUNT_FINE && u256_cmp(share.raw, all.raw) <= 0 &&
           u256_muldiv(out, balance, share.raw, all.raw);
}

const struct err *size_of_share(const struct ctx *ctx, struct arena *a, uint64_t agent_id,
                                const struct quote_in *in, const char **out)
{
    const struct chain *c;
    const struct token *t = source_token(in, &c);
    struct wallet w;
    struct u256 balance, raw;
    const struct err *e;

    if (t == NULL)
        return token_unknown(a, in);
    if ((e = wallet_need(ctx, agent_id, wallet_kind_on(c), in->wallet_address, &w)) != NULL ||
        (e = size_balance(ctx, a, &w, c, t, &balance)) != NULL)
        return e;
    if (token_is_native(t) && (e = size_less_gas(ctx, a, agent_id, in, t, &w, &balance)) != NULL)
        return e;
    return size_percent(&raw, balance, in->amount) ? size_give(a, raw, t->decimals, out) : &E_AMOUNT;
}

const struct err *size_of_part(struct arena *a, uint8_t decimals, const char *all, const char *per_cent,
                               const char **out)
{
    struct amount whole;
    struct u256 raw;

    if (amount_parse(&whole, all, decimals) != AMOUNT_FINE || !size_percent(&raw, whole.raw, per_cent))
        return &E_AMOUNT;
    return size_give(a, raw, decimals, out);
}

/* ---- the expected output ---- */

enum { OUTPUT_TRIES = 4 };

/* The output of selling them: too little by fees and impact, since those are paid twice then. */
static const struct err *output_estimate(const struct ctx *ctx, struct arena *a, uint64_t agent_id,
                                         const struct quote_in *in, struct quote *back)
{
    struct quote_in turned = *in;
    struct offers offers;

    turned.from_token = in->to_token;
    turned.to_token = in->from_token;
    turned.from_chain = in->to_chain;
    turned.to_chain = in->from_chain;
    return quote_make(ctx, a, agent_id, &turned, back, &offers);
}

/* The next input to try, after `at` that gives too little: along the line through it and the one before, or
 * through nothing for nothing. A ten-thousandth more, as the way flattens. False: it fits into no amount. */
static bool output_next(struct u256 *next, struct u256 wanted, const struct quote *before,
                        const struct quote *at)
{
    struct u256 in = at->amount_in, out = at->amount_out, lacks, more, extra;

    if (before->provider[0] != '\0' && (!u256_sub(&in, at->amount_in, before->amount_in) ||
                                        !u256_sub(&out, at->amount_out, before->amount_out)))
        return false;
    return !u256_is_zero(out) && u256_sub(&lacks, wanted, at->amount_out) &&
           u256_muldiv(&more, lacks, in, out) && u256_add(next, at->amount_in, more) &&
           u256_div(&extra, NULL, *next, u256_from_u64(10000)) && u256_add(next, *next, extra) &&
           u256_add(next, *next, u256_from_u64(1));
}

/* Goes on from the estimate until the quote brings what is wanted; what it brings less after some tries, the
 * answer says. */
const struct err *size_for_output(const struct ctx *ctx, struct arena *a, uint64_t agent_id,
                                  const struct quote_in *in, const char **out)
{
    struct quote_in there = *in;
    struct quote back, at, before = { .provider = "" };
    struct offers offers;
    struct u256 next;
    const struct err *e = output_estimate(ctx, a, agent_id, in, &back);

    if (e != NULL)
        return e;
    next = back.amount_out;
    for (unsigned try = 0; try < OUTPUT_TRIES; try++) {
        if ((e = size_give(a, next, back.to.decimals, out)) != NULL)
            return e;
        there.amount = *out;
        if (quote_make(ctx, a, agent_id, &there, &at, &offers) != NULL ||
            u256_cmp(at.amount_out, back.amount_in) >= 0 || !output_next(&next, back.amount_in, &before, &at))
            return NULL;
        before = at;
    }
    return size_give(a, next, back.to.decimals, out);
}
