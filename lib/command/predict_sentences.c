#include "command/predict_sentences.h"

#include <string.h>
#include <strings.h>

#include "command/written_number.h"

/* ---- collateral ---- */

/* Where the venue is, what it takes there, and what that becomes. */
#define VENUE_CHAIN "polygon"
#define DEPOSITED   "USDC.e"
#define COLLATERAL  "pUSD"

/* The symbol of what moves: dollars and USDC are USDC.e there. NULL: another token. */
static const char *collateral_said(const struct parse_state *x, const struct word *w)
{
    const char *symbol = w != NULL ? parse_symbol(x, w) : DEPOSITED;

    if (strcasecmp(symbol, "USDC") == 0 || strcasecmp(symbol, DEPOSITED) == 0)
        return DEPOSITED;
    return strcasecmp(symbol, COLLATERAL) == 0 ? COLLATERAL : NULL;
}

/* Both ways lead over one chain. */
static const struct err *venue_chain(const struct parse_state *x, struct command *out)
{
    const struct word *large = x->chain_at_large, *beside = x->source.chain;
    const struct chain *c = chain_find(VENUE_CHAIN);
    const struct err *e = NULL;

    out->chain = c;
    if (x->chain_twice || (large != NULL && beside != NULL))
        return parse_refuse(x, "Name one chain");
    if (large != NULL || beside != NULL)
        e = parse_chain(x, large != NULL ? large : beside, &c);
    if (e == NULL && c != out->chain)
        e = parse_refuse(x, "Prediction markets take USDC.e on polygon: bridge it there before");
    return e;
}

const struct err *predict_meaning_of_transfer(struct parse_state *x, struct command *out)
{
    const struct side *s = &x->source;
    bool goes = x->trade == M_PREDICT_IN;
    const struct err *e;

    out->action = goes ? ACTION_PREDICT_DEPOSIT : ACTION_PREDICT_WITHDRAW;
    out->token = collateral_said(x, s->token);
    if (out->token == NULL)
        return parse_refuse(x, "Prediction markets hold dollars alone, such as \"deposit 100 USDC.e to "
                               "predictions\"");
    if (s->number == NULL && s->share == NULL)
        return parse_refuse(x, "The amount is missing: say how much, such as 100 USDC.e");
    if (x->source.kind == AMOUNT_USD) /* a dollar of collateral is one USDC.e */
        x->source.kind = AMOUNT_EXACT;
    e = parse_amount(x, out);
    if (e == NULL && !goes && out->amount_kind == AMOUNT_PERCENT && strcmp(out->amount, "100") != 0)
        e = parse_refuse(x, "Say how much comes back, or everything");
    if (e == NULL)
        e = venue_chain(x, out);
    if (!goes)
        out->token = NULL; /* what comes back is always the same */
    return e;
}

/* ---- orders ---- */

static bool words_touch(const struct word *w)
{
    return w->text + w->len == w[1].text;
}

/* A number alone is none, and one in front of a name may be a second size. */
static bool outcome_has_name(const struct parse_state *x)
{
    const struct word *first = x->outcome.first;

    return first != NULL && (first->number == NULL || (first != x->outcome.last && words_touch(first)));
}

/* NULL: all is said. Dollars and quotes need no price: the book has one. */
static const char *order_lacks(const struct parse_state *x)
{
    if (x->id == NULL && x->market == NULL)
        return "Say of which prediction market, by its number: buy 10 YES of market 512347 at 0.40";
    if (x->id == NULL && !outcome_has_name(x))
        return "Say which outcome, such as YES or NO";
    if (x->question == M_ORDER_SELL && x->wager != NULL)
        return "Say how many shares are sold, such as \"sell 10 YES of market 512347 at 0.40\"";
    if (x->perps.either)
        return "Say whether it is dollars or shares: \"bet $10 on YES in market 512347\", \"buy 10 YES of market "
               "512347 at 0.40\"";
    if (x->other.number == NULL && x->wager == NULL)
        return "The size is missing: say how many shares, or how many dollars";
    if (x->wager_token != NULL && collateral_said(x, x->wager_token) == NULL)
        return "A bet is in dollars or in shares: \"bet $10 on YES in market 512347\"";
    if (x->price == NULL && x->wager == NULL && !x->quote)
        return "The price is missing: say at which price of a share, between 0 and 1, or say dollars";
    return NULL;
}

static const struct err *meaning_of_order(const struct parse_state *x, struct command *out)
{
    const char *lack = order_lacks(x);

    if (x->quote)
        out->action = ACTION_PREDICT_QUOTE;
    if (lack != NULL)
        return parse_refuse(x, lack);
    out->side = x->question == M_ORDER_BUY ? "BUY" : "SELL";
    out->token_id = x->id != NULL ? x->id->number : NULL;
    out->market_id = x->id != NULL ? NULL : x->market->number;
    out->outcome = x->id != NULL ? NULL : parse_span(x, &x->outcome);
    out->price = x->price != NULL ? x->price->number : NULL;
    if (x->wager != NULL) {
        out->amount = x->wager->number;
        out->amount_kind = AMOUNT_USD;
    } else {
        out->size = x->other.number->number;
    }
    if (number_is_zero(out->size != NULL ? out->size : out->amount))
        return &E_AMOUNT;
    if (out->price != NULL && strncmp(out->price, "0.", 2) != 0) /* no superfluous zeros (written_number.h) */
        return parse_refuse(x, "The price of a share is between 0 and 1");
    return NULL;
}

static const struct err *meaning_of_cancel(const struct parse_state *x, struct command *out)
{
    if (x->hash == NULL)
        return parse_refuse(x,
                            "Say which order, by its id: 0x and 64 digits, as \"show my orders\" lists them");
    out->order_id = x->hash->hash;
    return NULL;
}

/* ---- the rest ---- */

static const struct err *meaning_of_one_market(const struct parse_state *x, struct command *out)
{
    if (x->market == NULL)
        return parse_refuse(x, "Say which market, by its number: redeem market 512347");
    out->market_id = x->market->number;
    return NULL;
}

static const struct err *meaning_of_orders(const struct parse_state *x, struct command *out)
{
    out->status = x->status;
    return NULL;
}

const struct question predict_questions[] = {
    { M_MARKET_PRICE, ACTION_MARKET_PRICE, meaning_of_one_market },
    { M_BOOK, ACTION_PREDICT_BOOK, meaning_of_one_market },
    { M_ORDER_BUY, ACTION_ORDER, meaning_of_order },
    { M_ORDER_SELL, ACTION_ORDER, meaning_of_order },
    { M_CANCEL, ACTION_CANCEL, meaning_of_cancel },
    { M_ORDERS, ACTION_ORDERS, meaning_of_orders },
    { M_POSITIONS, ACTION_POSITIONS, NULL },
    { M_REDEEM, ACTION_PREDICT_REDEEM, meaning_of_one_market },
    { M_PREDICT_ACCOUNT, ACTION_PREDICT_ACCOUNT, NULL },
    { M_PREDICT_TRANSFERS, ACTION_PREDICT_TRANSFERS, parse_limit },
};
const size_t predict_questions_count = sizeof predict_questions / sizeof predict_questions[0];
