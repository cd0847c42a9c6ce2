#include "command/perps_sentences.h"

#include <ctype.h>
#include <string.h>

#include "command/names.h"
#include "command/written_number.h"
#include "model/amount.h"

/* ---- gathering ---- */

static void note_once(struct perps_pieces *p, const struct word **to, const struct word *w)
{
    p->twice = p->twice || *to != NULL;
    *to = w;
}

bool perps_note_word(struct parse_state *x, unsigned part, const struct noted *n)
{
    struct perps_pieces *p = &x->perps;
    const struct word *w = &x->s->words[n->at];

    if (n->mark == CLOID)
        note_once(p, &p->cloid, w);
    else if (part == M_ASSET && w->number == NULL)
        note_once(p, &p->asset, w);
    else if (part == M_SIZE)
        note_once(p, &p->size, w);
    else if (part == M_NOTIONAL)
        note_once(p, &p->notional, w);
    else if (part == M_MARGIN && w->number == NULL)
        note_once(p, &p->margin_token, w);
    else if (part == M_MARGIN)
        note_once(p, &p->margin, w);
    else if (part == M_LEVER)
        note_once(p, &p->leverage, w);
    else if (part == M_AT_PRICE || part == M_AT_NUMBER)
        note_once(p, &p->price, w);
    else if (part == M_GAIN)
        note_once(p, &p->gain, w);
    else if (part == M_LOSS)
        note_once(p, &p->loss, w);
    else
        return part == M_PART || part == M_EITHER;
    return true;
}

void perps_note_mark(struct perps_pieces *p, unsigned mark)
{
    if (mark == M_LONG || mark == M_SHORT)
        p->side = mark;
    p->either = p->either || mark == M_EITHER;
    p->part = p->part || mark == M_PART;
    p->levered = p->levered || mark == M_LEVERED;
    p->limit = p->limit || mark == M_LIMIT || mark == M_AT_PRICE;
    p->market = p->market || mark == M_AT_MARKET;
    p->number_alone = p->number_alone || mark == M_AT_NUMBER;
    p->limit_said = p->limit_said || mark == M_LIMIT;
    p->isolated = p->isolated || mark == M_ISOLATED;
    p->cross = p->cross || mark == M_CROSS;
    p->reduces = p->reduces || mark == M_REDUCES;
    p->posts = p->posts || mark == M_POSTS;
}

/* ---- names and numbers ---- */

/* "ETH-USD", made of any word for the asset. The venue knows which markets exist. */
static const char *market_said(const struct parse_state *x)
{
    const struct word *w = x->perps.asset;
    const char *name = w->asset != NULL ? w->asset : parse_symbol(x, w);
    char *market = arena_printf(x->a, "%s-USD", name);

    for (char *p = market; *p != '\0'; p++)
        *p = (char)toupper((unsigned char)*p);
    return market;
}

static const char *number_said(const struct word *w)
{
    return w != NULL ? w->number : NULL;
}

/* NULL: it may be one. */
static const char *leverage_fault(const char *leverage)
{
    if (leverage == NULL || (strchr(leverage, '.') == NULL && !number_is_zero(leverage)))
        return NULL;
    return "Leverage is a whole number from 1 on, such as 5x";
}

static const char *margin_said(const struct perps_pieces *p)
{
    return p->isolated ? "isolated" : p->cross ? "cross" : NULL;
}

static const char *side_said(const struct perps_pieces *p)
{
    return p->side == M_LONG ? "long" : p->side == M_SHORT ? "short" : NULL;
}

/* ---- orders ---- */

/* The piece of an order that is missing, or given twice. NULL: none. */
static const char *order_fault(const struct parse_state *x)
{
    const struct perps_pieces *p = &x->perps;

    if (p->twice)
        return "Something of the order is said twice";
    if (p->part)
        return "Say the size in the asset or in dollars, such as \"long 0.5 ETH at 5x\"";
    if (p->either)
        return "Say what the dollars are: \"long $300 of ETH at 3x\" is a position of $300, \"long ETH with "
               "$300 at 3x\" one of $900";
    if ((p->size != NULL) + (p->notional != NULL) + (p->margin != NULL) > 1)
        return "Say one size: how much of the asset, of what worth in dollars, or with how many dollars";
    if (p->size == NULL && p->notional == NULL && p->margin == NULL)
        return "The size is missing: say how much of the asset, such as \"long 0.5 ETH at 5x\"";
    if (p->margin_token != NULL && strcasecmp(parse_symbol(x, p->margin_token), "USDC") != 0)
        return "The margin of perpetuals is USDC, such as \"long ETH with 300 USDC at 3x\"";
    if (p->margin != NULL && p->leverage == NULL && !p->levered)
        return "Say at which leverage, such as \"long ETH with $300 at 3x\"";
    if (p->margin != NULL && p->reduces)
        return "What only reduces a position binds no margin: say the size in the asset";
    if (p->levered && p->leverage == NULL)
        return "Say how much leverage, such as \"with 3x leverage\"";
    if (p->number_alone && !p->limit_said)
        return "A number alone may be a price or leverage: say \"limit long 0.1 BTC at 60000\", or \"at 5x\"";
    if (p->price != NULL && (p->gain != NULL || p->loss != NULL) && !p->limit_said)
        return "Which price is the order's? Say \"limit long 1 ETH at 3000, take profit 4000, stop loss 2500\"";
    if (p->market && p->limit)
        return "It is either at the market's price or at a limit";
    if (p->limit && p->price == NULL)
        return "The price of the limit is missing, such as \"limit long 0.1 BTC at 60000\"";
    if (p->isolated && p->cross)
        return "The margin is either isolated or cross";
    if (p->posts && !p->limit)
        return "Only a limit order can be post-only: say at which price";
    return leverage_fault(number_said(p->leverage));
}

static bool any_is_zero(const struct perps_pieces *p)
{
    const struct word *const all[] = { p->size, p->notional, p->margin, p->price, p->gain, p->loss };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i] != NULL && number_is_zero(all[i]->number))
            return true;
    return false;
}

/* Terms that a quote cannot have. */
static bool has_terms(const struct parse_state *x)
{
    const struct perps_pieces *p = &x->perps;

    return p->limit || p->isolated || p->cross || p->reduces || p->gain != NULL || p->loss != NULL ||
           x->slippages > 0;
}

enum { DOLLAR_PLACES = 2, LEVERAGE_PLACES = 0 };

/* "long $300 of ETH" and "long ETH with $300": both figures follow from one of them and the leverage, the
 * margin rounded up to cents. */
static const struct err *settle_dollars(const struct parse_state *x, struct command *out)
{
    const struct perps_pieces *p = &x->perps;
    const struct word *said = p->notional != NULL ? p->notional : p->margin;
    struct amount dollars, times = { .decimals = LEVERAGE_PLACES };
    struct u256 sum;

    if (said == NULL)
        return NULL;
    if (amount_parse(&dollars, said->number, DOLLAR_PLACES) != AMOUNT_FINE ||
        (out->leverage != NULL && amount_parse(&times, out->leverage, LEVERAGE_PLACES) != AMOUNT_FINE) ||
        !u256_mul(&sum, dollars.raw, times.raw))
        return parse_refuse(x, "Say the dollars to the cent, such as \"long $300.50 of ETH at 3x\"");
    if (p->margin != NULL) {
        out->margin = said->number;
        out->notional = amount_text(x->a, (struct amount){ sum, DOLLAR_PLACES });
        return NULL;
    }
    out->notional = said->number;
    if (out->leverage == NULL)
        return NULL;
    if (!u256_add(&sum, dollars.raw, times.raw) || !u256_sub(&sum, sum, u256_from_u64(1)) ||
        !u256_div(&sum, NULL, sum, times.raw))
        return &E_AMOUNT;
    out->margin = amount_text(x->a, (struct amount){ sum, DOLLAR_PLACES });
    return NULL;
}

static const struct err *meaning_of_order(const struct parse_state *x, struct command *out)
{
    const struct perps_pieces *p = &x->perps;
    const char *fault = order_fault(x);
    const struct err *e;

    if (x->quote)
        out->action = ACTION_PERPS_QUOTE;
    if (fault != NULL)
        return parse_refuse(x, fault);
    if (any_is_zero(p))
        return &E_AMOUNT;
    if (x->quote && has_terms(x))
        return parse_refuse(x, "A quote is of side, size and leverage alone");
    out->market = market_said(x);
    out->side = side_said(p);
    out->size = number_said(p->size);
    out->leverage = number_said(p->leverage);
    e = settle_dollars(x, out);
    if (e != NULL || x->quote)
        return e;
    out->order_type = p->limit ? "limit" : "market";
    out->price = number_said(p->price);
    out->margin_mode = margin_said(p);
    out->reduce_only = p->reduces;
    out->post_only = p->posts;
    out->take_profit = number_said(p->gain);
    out->stop_loss = number_said(p->loss);
    return parse_slippage(x, out);
}

/* ---- existing rows ---- */

static const struct err *share_said(const struct parse_state *x, struct command *out)
{
    const struct side *s = &x->other;

    out->amount = x->perps.notional != NULL ? x->perps.notional->number
                  : s->share != NULL        ? s->share
                                            : number_said(s->number);
    if (out->amount == NULL)
        return NULL;
    out->amount_kind = x->perps.notional != NULL ? AMOUNT_USD : AMOUNT_PERCENT;
    if (out->amount_kind == AMOUNT_USD)
        return number_is_zero(out->amount) ? &E_AMOUNT : NULL;
    return number_is_zero(out->amount) ? &E_AMOUNT : parse_share(x, out->amount);
}

static const struct err *meaning_of_close(const struct parse_state *x, struct command *out)
{
    const struct perps_pieces *p = &x->perps;
    const struct err *e;

    if (p->asset == NULL)
        return parse_refuse(x, "Say which position, such as \"close my ETH position\"");
    if (p->twice)
        return parse_refuse(x, "Name one position, and one size");
    if (p->size != NULL && number_is_zero(p->size->number))
        return &E_AMOUNT;
    out->market = market_said(x);
    out->side = side_said(p);
    out->size = number_said(p->size);
    e = share_said(x, out);
    /* All of it is said by saying nothing. */
    if (out->amount != NULL && out->amount_kind == AMOUNT_PERCENT && strcmp(out->amount, "100") == 0)
        out->amount = NULL;
    if (out->amount == NULL)
        out->amount_kind = AMOUNT_EXACT;
    return e != NULL ? e : parse_slippage(x, out);
}

static const struct err *meaning_of_leverage(const struct parse_state *x, struct command *out)
{
    const struct perps_pieces *p = &x->perps;
    const char *fault = leverage_fault(number_said(p->leverage));

    if (p->leverage == NULL || p->twice)
        fault = "Say one leverage, such as \"set BTC leverage to 4\"";
    if (fault != NULL)
        return parse_refuse(x, fault);
    out->market = market_said(x);
    out->leverage = p->leverage->number;
    out->margin_mode = margin_said(p);
    return NULL;
}

static const struct err *meaning_of_one_market(const struct parse_state *x, struct command *out)
{
    out->market = market_said(x);
    return NULL;
}

static const struct err *meaning_of_one_order(const struct parse_state *x, struct command *out)
{
    if (x->perps.cloid == NULL)
        return parse_refuse(
            x, "Say which order, by its id: 0x and 32 digits, as \"show my perps orders\" lists them");
    out->order_id = x->perps.cloid->cloid;
    return NULL;
}

static const struct err *meaning_of_list(const struct parse_state *x, struct command *out)
{
    out->status = x->status;
    return parse_limit(x, out);
}

const struct question perps_questions[] = {
    { M_PERPS_ORDER, ACTION_PERPS_ORDER, meaning_of_order },
    { M_PERPS_CLOSE, ACTION_PERPS_CLOSE, meaning_of_close },
    { M_PERPS_LEVERAGE, ACTION_PERPS_LEVERAGE, meaning_of_leverage },
    { M_PERPS_FUNDING, ACTION_PERPS_FUNDING, meaning_of_one_market },
    { M_PERPS_MARKET, ACTION_PERPS_MARKET, meaning_of_one_market },
    { M_PERPS_MARKETS, ACTION_PERPS_MARKETS, meaning_of_list },
    { M_PERPS_POSITIONS, ACTION_PERPS_POSITIONS, meaning_of_list },
    { M_PERPS_ACCOUNT, ACTION_PERPS_ACCOUNT, meaning_of_list },
    { M_PERPS_ORDERS, ACTION_PERPS_ORDERS, meaning_of_list },
    { M_PERPS_ORDER_SHOWN, ACTION_PERPS_ORDER_SHOWN, meaning_of_one_order },
    { M_PERPS_CANCEL, ACTION_PERPS_CANCEL, meaning_of_one_order },
    { M_PERPS_FILLS, ACTION_PERPS_FILLS, meaning_of_list },
    { M_PERPS_PAYMENTS, ACTION_PERPS_PAYMENTS, meaning_of_list },
    { M_PERPS_TRANSFERS, ACTION_PERPS_TRANSFERS, meaning_of_list },
};
const size_t perps_questions_count = sizeof perps_questions / sizeof perps_questions[0];

/* ---- dollars that go there and come back ---- */

/* NULL: the venue's own choice. */
static const struct err *transfer_chain(const struct parse_state *x, struct command *out)
{
    const struct word *large = x->chain_at_large, *beside = x->source.chain;

    if (x->chain_twice || (large != NULL && beside != NULL))
        return parse_refuse(x, "Name one chain");
    return large == NULL && beside == NULL ? NULL
                                           : parse_chain(x, large != NULL ? large : beside, &out->chain);
}

static const struct err *transfer_sum(struct parse_state *x, struct command *out)
{
    const struct word *token = x->source.token;

    if (token != NULL && strcasecmp(parse_symbol(x, token), "USDC") != 0)
        return parse_refuse(x, "Perpetuals hold USDC alone, such as \"deposit 100 USDC to perps\"");
    if (x->source.number == NULL && x->source.share == NULL)
        return parse_refuse(x, "The amount is missing: say how much, such as 100 USDC");
    if (x->source.kind == AMOUNT_USD) /* a dollar of margin is one USDC */
        x->source.kind = AMOUNT_EXACT;
    return parse_amount(x, out);
}

const struct err *perps_meaning_of_transfer(struct parse_state *x, struct command *out)
{
    const struct err *e = transfer_sum(x, out);

    out->action = x->trade == M_PERPS_IN ? ACTION_PERPS_DEPOSIT : ACTION_PERPS_WITHDRAW;
    if (e == NULL)
        e = transfer_chain(x, out);
    if (e == NULL && out->action == ACTION_PERPS_DEPOSIT && out->amount_kind == AMOUNT_PERCENT &&
        out->chain == NULL)
        e = parse_refuse(
            x, "A share is of what the wallet has on one chain: say which, such as \"on arbitrum\"");
    return e;
}
