#include "command/meaning.h"

#include <string.h>
#include <strings.h>

#include "base/params.h"
#include "command/names.h"
#include "command/parse_state.h"
#include "command/perps_sentences.h"
#include "command/policy_sentences.h"
#include "command/predict_sentences.h"
#include "command/written_number.h"
#include "model/amount.h"
#include "model/page.h"

enum { SHARE_PLACES = 18 };

/* ---- gathering ---- */

static const char *status_of(unsigned mark)
{
    switch (mark) {
    case M_SUBMITTED:
        return "submitted";
    case M_PENDING:
        return "pending";
    case M_COMPLETED:
        return "completed";
    case M_FAILED:
        return "failed";
    case M_OPEN:
        return "open";
    case M_FILLED:
        return "filled";
    case M_CANCELLED:
        return "cancelled";
    case M_REJECTED:
        return "rejected";
    case M_WAITING:
        return "waiting";
    case M_GRANTED:
        return "granted";
    case M_DENIED:
        return "denied";
    case M_USED:
        return "used";
    case M_LAPSED:
        return "lapsed";
    default:
        return NULL;
    }
}

static void note_chain(struct parse_state *x, unsigned part, const struct word *w)
{
    const struct word **to = x->side == &x->piece ? &x->place : &x->chain_at_large;

    if (part == M_FROM)
        to = &x->from_chain;
    else if (part == M_TO)
        to = &x->to_chain;
    else if (part == M_ON && (x->side == &x->source || x->side == &x->dest))
        to = &x->side->chain;
    x->chain_twice = x->chain_twice || *to != NULL;
    *to = w;
}

static void note_slippage(struct parse_state *x, const struct word *w, const struct kinds *kinds)
{
    x->slippages++;
    x->slippage = w;
    x->slippage_kind = kinds_has(kinds, PCT) ? PCT : kinds_has(kinds, BPS) ? BPS : NUM;
}

static void note_provider(struct parse_state *x, bool unwanted, const struct word *w)
{
    unsigned *count = &x->providers_count[unwanted];

    if (*count < NAMED_PROVIDERS_MAX)
        x->named_providers[unwanted][*count] = w->provider;
    *count += *count <= NAMED_PROVIDERS_MAX;
}

static void span_add(struct span *span, const struct word *w)
{
    span->first = span->first == NULL ? w : span->first;
    span->last = w;
}

static void note_priced(struct parse_state *x, const struct word *w)
{
    if (x->priced_count < PRICED_MAX)
        x->priced[x->priced_count] = w;
    x->priced_count += x->priced_count <= PRICED_MAX;
}

static void note_lender(struct parse_state *x, const struct word *w)
{
    x->lender_twice = x->lender_twice || x->lender != NULL;
    x->lender = w;
}

static void note_against(struct parse_state *x, const struct word *w)
{
    x->against_twice = x->against_twice || x->against != NULL;
    x->against = w;
}

/* A token or a number, of the side of a trade that was begun last or of a question. */
static void note_plain(struct parse_state *x, const struct word *w)
{
    if (w->number != NULL)
        x->side->number = w;
    else
        x->side->token = w;
}

/* A capital word of the rules, in the part of the sentence that the last mark began. */
static void note_word(struct parse_state *x, unsigned part, const struct noted *n)
{
    const struct word *w = &x->s->words[n->at];

    if (perps_note_word(x, part, n))
        return;
    if (n->mark == ID && part == M_MARKET)
        x->market = w;
    else if (n->mark == ID)
        x->id = w;
    else if (n->mark == HASH)
        x->hash = w;
    else if (n->mark == ADDRESS)
        x->address = w;
    else if (n->mark == APPROVAL)
        x->approval = w;
    else if (n->mark == LENDER && part != M_NAME && part != M_OUTCOME && part != M_CATEGORY)
        note_lender(x, w);
    else if (part == M_OUTCOME || part == M_NAME)
        return; /* noted by its mark: it may be a word of the rules */
    else if (n->mark == QUOTE)
        x->quote_id = w;
    else if (part == M_PRICED)
        note_priced(x, w);
    else if (part == M_ON || part == M_VIA || part == M_FROM || part == M_TO)
        note_chain(x, part, w);
    else if (part == M_AGAINST)
        note_against(x, w);
    else if (part == M_SLIPPAGE)
        note_slippage(x, w, x->s->kinds[n->at]);
    else if (part == M_BY || part == M_NOT_BY)
        note_provider(x, part == M_NOT_BY, w);
    else if (part == M_QUERY)
        span_add(&x->query, w);
    else if (part == M_CATEGORY)
        x->category = w;
    else if (part == M_AT)
        x->price = w;
    else if (part == M_CAP || part == M_HEALTH_LIMIT)
        x->cap = w;
    else if (part == M_WAGER && w->number == NULL)
        x->wager_token = w;
    else if (part == M_WAGER)
        x->wager = w;
    else if (part == M_PLACE && x->place == NULL)
        x->place = w;
    else if (part == M_PLACE)
        x->place_twice = true;
    else
        note_plain(x, w);
}

static void note_share(struct parse_state *x, const char *per_cent)
{
    x->side->kind = AMOUNT_PERCENT;
    x->side->share = per_cent;
}

/* `w` is where the rule begins. */
static void note_mark(struct parse_state *x, unsigned mark, const struct word *w)
{
    if (status_of(mark) != NULL)
        x->status = status_of(mark);
    perps_note_mark(&x->perps, mark);
    switch (mark) {
    case M_QUOTE:
        x->quote = true;
        break;
    case M_ASKED:
        x->asked = true;
        break;
    case M_SOURCE:
        x->side = &x->source;
        break;
    case M_DEST:
        x->side = &x->dest;
        break;
    case M_DOLLARS:
        x->side->kind = AMOUNT_USD;
        break;
    case M_SHARE:
        x->side->kind = AMOUNT_PERCENT;
        break;
    case M_HALF:
        note_share(x, "50");
        break;
    case M_QUARTER:
        note_share(x, "25");
        break;
    case M_ALL:
        note_share(x, "100");
        break;
    case M_MINE:
        x->side->mine = true;
        break;
    case M_EVM:
        x->evm = true;
        break;
    case M_NEWEST:
        x->newest = true;
        break;
    case M_WITHDRAWAL:
        x->withdrawal = true;
        break;
    case M_NAME:
        span_add(&x->name, w);
        break;
    case M_OUTCOME:
        span_add(&x->outcome, w);
        break;
    case M_QUERIED:
        span_add(&x->query, w);
        break;
    case M_PER_ONE:
    case M_PER_HOUR:
    case M_PER_DAY:
    case M_PER_WEEK:
        x->per_twice = x->per_twice || x->per != 0;
        x->per = mark;
        break;
    case M_LENDING:
        x->lending = true;
        break;
    case M_SECURED:
        x->secured = true;
        break;
    case M_PLEDGED:
        x->pledged = true;
        break;
    case M_OWED:
        x->owed = true;
        break;
    case M_TOPIC:
        x->category = w;
        break;
    default:
        if (mark >= M_SWAP && mark <= M_PREDICT_OUT)
            x->trade = mark;
        if (mark >= M_BALANCE && mark <= M_HELP)
            x->question = mark;
    }
}

static void gather(struct parse_state *x, const struct phrase *phrase, struct side *side)
{
    unsigned part = 0;

    x->s = &phrase->sentence;
    x->side = side;
    for (unsigned i = 0; i < phrase->n; i++) {
        if (phrase->list[i].mark < LITERALS) {
            note_word(x, part, &phrase->list[i]);
        } else {
            part = phrase->list[i].mark;
            note_mark(x, part, &x->s->words[phrase->list[i].at]);
        }
    }
}

/* ---- names ---- */

const struct err *parse_refuse(const struct parse_state *x, const char *hint)
{
    return err_hint(x->a, &E_COMMAND, hint);
}

/* The sentence may be sound, but for what the hint asks for. */
static void note_lack(struct parse_state *x, const char *hint)
{
    if (x->lack == NULL)
        x->lack = parse_refuse(x, hint);
}

const char *parse_word(const struct parse_state *x, const struct word *w)
{
    return arena_strndup(x->a, w->text, w->len);
}

static bool words_touch(const struct word *w)
{
    return w->text + w->len == w[1].text;
}

const char *parse_span(const struct parse_state *x, const struct span *span)
{
    const char *text = parse_word(x, span->first);

    for (const struct word *w = span->first; w != span->last; w++)
        text = arena_printf(x->a, "%s%s%s", text, words_touch(w) ? "" : " ", parse_word(x, w + 1));
    return text;
}

/* A number alone names nothing. */
static bool span_is_number(const struct span *span)
{
    return span->first == span->last && span->first->number != NULL;
}

const struct err *parse_chain(const struct parse_state *x, const struct word *w, const struct chain **out)
{
    *out = w->chain;
    return *out != NULL ? NULL : err_fmt(x->a, &E_CHAIN_UNKNOWN, parse_word(x, w), NULL);
}

static const struct err *token_unknown(const struct parse_state *x, const struct word *w,
                                       const struct chain *c)
{
    return err_hint(x->a, err_fmt(x->a, &E_TOKEN_UNKNOWN, parse_word(x, w), c->key),
                    "GET /tokens lists the symbols that a command may use");
}

/* The symbol as the token tables may have it. */
const char *parse_symbol(const struct parse_state *x, const struct word *w)
{
    return w->symbol != NULL ? w->symbol : parse_word(x, w);
}

static const struct err *token_on(const struct parse_state *x, const struct word *w, const struct chain *c,
                                  const struct token **out)
{
    *out = token_find(c, parse_symbol(x, w));
    return *out != NULL ? NULL : token_unknown(x, w, c);
}

/* The spelling of the chain's table, or (c NULL) of the first that has it; NULL: none has. */
static const char *spelling(const char *symbol, const struct chain *c)
{
    const struct token *t = c != NULL ? token_find(c, symbol) : NULL;

    for (size_t i = 0; c == NULL && t == NULL && i < chains_count; i++)
        t = token_find(&chains[i], symbol);
    return t != NULL ? t->symbol : NULL;
}

static const struct err *token_anywhere(const struct parse_state *x, const struct word *w,
                                        struct command *out)
{
    out->token = spelling(parse_symbol(x, w), out->chain);
    return out->token != NULL ? NULL : token_unknown(x, w, out->chain != NULL ? out->chain : &chains[0]);
}

/* ---- the chains and tokens of a trade ---- */

static bool has_both(const struct chain *c, const char *from, const char *to)
{
    return token_find(c, from) != NULL && token_find(c, to) != NULL;
}

/* Ethereum when it has both; else the only chain that has. */
static void default_chain(struct parse_state *x, struct command *out)
{
    const char *from = parse_symbol(x, x->source.token), *to = parse_symbol(x, x->dest.token);
    const struct chain *ethereum = &chains[0], *found = has_both(ethereum, from, to) ? ethereum : NULL;

    for (size_t i = 1; i < chains_count && found != ethereum; i++) {
        if (!has_both(&chains[i], from, to))
            continue;
        if (found != NULL) {
            note_lack(x, arena_printf(x->a, "Several chains have both tokens: name one, such as \"on %s\"",
                                      found->key));
            return;
        }
        found = &chains[i];
    }
    out->from_chain = out->to_chain = found != NULL ? found : ethereum;
}

static const struct err *two_chains(const struct parse_state *x, const struct word *from,
                                    const struct word *to, struct command *out)
{
    const struct err *e = parse_chain(x, from, &out->from_chain);

    return e != NULL ? e : parse_chain(x, to, &out->to_chain);
}

/* A bridge of which at most one end is said. */
static const struct err *bridge_end(struct parse_state *x, const struct word *end)
{
    const struct chain *known;

    note_lack(x, "Say which chain it goes from and which it goes to");
    return end == NULL ? NULL : parse_chain(x, end, &known);
}

/* "from base to ETH": to the coin, or to the chain? */
static bool from_chain_to_coin(const struct parse_state *x)
{
    return x->trade != M_BRIDGE && x->from_chain != NULL && x->dest.token->chain != NULL &&
           x->dest.token->chain != x->from_chain->chain;
}

static const struct err *trade_chains(struct parse_state *x, struct command *out)
{
    const struct word *from = x->from_chain != NULL ? x->from_chain : x->source.chain;
    const struct word *to = x->to_chain != NULL ? x->to_chain : x->dest.chain;
    bool twice = x->chain_twice || (x->from_chain != NULL && x->source.chain != NULL) ||
                 (x->to_chain != NULL && x->dest.chain != NULL) ||
                 (x->chain_at_large != NULL && (from != NULL || to != NULL));

    if (twice)
        return parse_refuse(x, "More chains are named than a trade has");
    if (from != NULL && to != NULL)
        return two_chains(x, from, to, out);
    if (from_chain_to_coin(x))
        return parse_refuse(x, "It may be to a chain or to its coin: for the coin say \"to ETH on base\"");
    if (x->trade == M_BRIDGE || x->to_chain != NULL)
        return bridge_end(x, from != NULL ? from : to);
    if (from == NULL)
        from = x->chain_at_large != NULL ? x->chain_at_large : to;
    if (from != NULL)
        return two_chains(x, from, from, out);
    default_chain(x, out);
    return NULL;
}

static const struct err *trade_tokens(const struct parse_state *x, struct command *out)
{
    const struct err *e;

    if (out->from_chain == NULL) /* not said yet */
        return NULL;
    e = token_on(x, x->source.token, out->from_chain, &out->from);
    if (e == NULL)
        e = token_on(x, x->dest.token, out->to_chain, &out->to);
    if (e == NULL && out->from == out->to)
        e = parse_refuse(x, "The two tokens are the same on the same chain");
    return e;
}

/* ---- its numbers ---- */

/* `text` times 10^places as a whole number up to `max`. */
static bool scaled(uint64_t *out, const char *text, uint8_t places, uint64_t max)
{
    struct amount a;

    return amount_parse(&a, text, places) == AMOUNT_FINE && u256_to_u64(out, a.raw) && *out <= max;
}

static bool measured(const struct side *s)
{
    return s->number != NULL || s->share != NULL;
}

static void ask_amount(struct parse_state *x)
{
    const char *token = parse_word(x, x->source.token);

    if (x->trade == M_BORROW)
        note_lack(x, arena_printf(x->a, "The amount is missing: say how much, such as 0.1 %s", token));
    note_lack(x, arena_printf(x->a, "The amount is missing: say how much, such as 0.1 %s or half of my %s",
                              token, token));
}

const struct err *parse_share(const struct parse_state *x, const char *per_cent)
{
    struct amount share, all;

    if (amount_parse(&share, per_cent, SHARE_PLACES) != AMOUNT_FINE ||
        amount_parse(&all, "100", SHARE_PLACES) != AMOUNT_FINE || u256_cmp(share.raw, all.raw) > 0)
        return parse_refuse(x, "A share is at most 100%, with at most 18 decimal places");
    return NULL;
}

const struct err *parse_amount(struct parse_state *x, struct command *out)
{
    const struct side *s = measured(&x->source) ? &x->source : &x->dest;

    if (measured(&x->source) && measured(&x->dest))
        return parse_refuse(x, "Two amounts: say how much is given or how much is to be received, not both");
    if (!measured(s)) {
        ask_amount(x);
        return NULL;
    }
    if (s == &x->dest && (x->source.mine ? x->trade != M_BUY : x->trade == M_SELL || x->trade == M_BRIDGE))
        return parse_refuse(x, "Say how much is given");
    if (s == &x->dest && (s->kind == AMOUNT_PERCENT || (s->kind == AMOUNT_USD && x->trade != M_BUY)))
        return parse_refuse(x, "Say how much is given");
    out->amount = s->share != NULL ? s->share : s->number->number;
    out->amount_kind = s->kind;
    out->amount_of_to = s == &x->dest && s->kind == AMOUNT_EXACT;
    if (number_is_zero(out->amount))
        return &E_AMOUNT;
    return s->kind == AMOUNT_PERCENT ? parse_share(x, out->amount) : NULL;
}

/* A slippage without a unit is a fraction, as everywhere in the API; from a tenth on it may be meant as per
 * cent. */
enum { UNIT_NEEDED_PPM = 100000 };

static const char *two_readings(struct arena *a, const char *number)
{
    struct amount v;

    if (amount_parse(&v, number, SHARE_PLACES) != AMOUNT_FINE || !u256_mul(&v.raw, v.raw, u256_from_u64(100)))
        return "Say the slippage in per cent, such as 0.5%";
    return arena_printf(a, "A slippage of %s may be %s%% or %s%%: say which, with the sign", number, number,
                        amount_text(a, v));
}

const struct err *parse_slippage(const struct parse_state *x, struct command *out)
{
    uint8_t places = x->slippage_kind == PCT ? 4 : x->slippage_kind == BPS ? 2 : 6;
    uint64_t ppm;

    if (x->slippages == 0)
        return NULL;
    if (x->slippages > 1)
        return parse_refuse(x, "Two slippages");
    if (!scaled(&ppm, x->slippage->number, places, PPM_ONE))
        return &E_SLIPPAGE;
    if (x->slippage_kind == NUM && ppm >= UNIT_NEEDED_PPM)
        return parse_refuse(x, two_readings(x->a, x->slippage->number));
    out->has_slippage = true;
    out->slippage = (uint32_t)ppm;
    return NULL;
}

static const struct err *trade_providers(const struct parse_state *x, struct command *out)
{
    for (unsigned i = 0; i < 2; i++)
        if (x->providers_count[i] > NAMED_PROVIDERS_MAX)
            return parse_refuse(x, "Name fewer providers");
    memcpy(out->providers, x->named_providers[0], x->providers_count[0] * sizeof out->providers[0]);
    memcpy(out->excluded, x->named_providers[1], x->providers_count[1] * sizeof out->excluded[0]);
    return NULL;
}

/* Dollars without a token pay in the chain's USDC. */
static const struct word usdc = { .text = "USDC", .len = sizeof "USDC" - 1 };

static const struct err *meaning_of_trade(struct parse_state *x, struct command *out)
{
    const struct err *e;

    if (x->source.token == NULL && x->trade == M_SWAP && !x->quote)
        return parse_refuse(x, "Say which token the dollars are of, as in \"swap $100 of USDC to ETH\"");
    if (x->source.token == NULL && (x->source.kind == AMOUNT_USD || x->dest.kind == AMOUNT_USD))
        x->source.token = &usdc;
    out->action = x->quote ? ACTION_QUOTE : ACTION_SWAP;
    if (x->dest.token == NULL) /* over a bridge as it is */
        x->dest.token = x->source.token;
    if (x->dest.token == NULL)
        return parse_refuse(x, "Say which token is given and which is to be received");
    e = parse_amount(x, out);
    if (e == NULL)
        e = parse_slippage(x, out);
    if (e == NULL)
        e = trade_providers(x, out);
    if (e == NULL)
        e = trade_chains(x, out);
    if (e == NULL)
        e = trade_tokens(x, out);
    out->lacks_a_piece = e == NULL && x->lack != NULL;
    return e != NULL ? e : x->lack;
}

/* ---- a withdrawal ---- */

/* A chain's name after "to" is where tokens are bridged, and a token's what they are swapped to. */
static const struct err *recipient_of(struct parse_state *x, struct command *out)
{
    const struct span *name = &x->name;

    if (x->address != NULL) {
        out->recipient = x->address->address;
        return NULL;
    }
    if (name->first == NULL)
        return parse_refuse(x, "Say to whom: a label or an address of your withdrawal addresses");
    if (span_is_number(name))
        return parse_refuse(x, "A number alone is no label");
    out->recipient = parse_span(x, name);
    if (chain_find(out->recipient) != NULL || spelling(out->recipient, NULL) != NULL)
        return parse_refuse(x, "It goes to an address: for another chain say bridge, for a token swap");
    return NULL;
}

/* NULL: several have it, or none. */
static const struct chain *only_chain_with(const char *symbol)
{
    const struct chain *found = NULL;

    for (size_t i = 0; i < chains_count; i++) {
        if (token_find(&chains[i], symbol) == NULL)
            continue;
        if (found != NULL)
            return NULL;
        found = &chains[i];
    }
    return found;
}

/* A withdrawal leaves only a chain that the sentence names. */
static const struct err *withdrawal_chain(struct parse_state *x, struct command *out)
{
    const struct word *large = x->chain_at_large, *beside = x->source.chain;

    if (x->slippages > 0 || x->providers_count[0] + x->providers_count[1] > 0 || x->to_chain != NULL)
        return parse_refuse(x, "That belongs to a swap, not to a withdrawal");
    if (x->chain_twice || x->from_chain != NULL || (large != NULL && beside != NULL))
        return parse_refuse(x, "More chains are named than a withdrawal has");
    if (large != NULL || beside != NULL)
        return parse_chain(x, large != NULL ? large : beside, &out->chain);
    out->chain = only_chain_with(parse_symbol(x, x->source.token));
    if (out->chain == NULL)
        note_lack(x, "Say on which chain, such as \"on base\"");
    return NULL;
}

static const struct err *meaning_of_withdrawal(struct parse_state *x, struct command *out)
{
    const struct err *e = recipient_of(x, out);

    out->action = ACTION_WITHDRAW;
    if (x->source.token == NULL)
        return parse_refuse(x, "Say in which token, such as \"withdraw $100 of USDC on base to cold\"");
    if (e == NULL)
        e = parse_amount(x, out);
    if (e == NULL)
        e = withdrawal_chain(x, out);
    if (e == NULL && out->chain != NULL)
        e = token_anywhere(x, x->source.token, out);
    out->lacks_a_piece = e == NULL && x->lack != NULL;
    return e != NULL ? e : x->lack;
}

/* ---- operations at lenders ---- */

static const struct err *lending_lender(const struct parse_state *x, struct command *out)
{
    if (x->lender_twice)
        return parse_refuse(x, "Name one lender");
    out->protocol = x->lender != NULL ? x->lender->lender : x->hash != NULL ? LENDER_MORPHO : LENDER_AAVE;
    if (strcmp(out->protocol, LENDER_MORPHO) != 0)
        return x->hash == NULL ? NULL : parse_refuse(x, "Markets with such an id are those of morpho");
    if (x->hash == NULL)
        return parse_refuse(x, "Say which market of morpho, by its id: 0x and 64 digits, as \"show morpho "
                               "markets\" lists them");
    out->market_id = x->hash->hash;
    return NULL;
}

/* A sentence without lender and debt has to name the chain; a market is on one chain. */
static const struct err *lending_chain(struct parse_state *x, struct command *out)
{
    const struct word *large = x->chain_at_large, *beside = x->source.chain;
    const char *symbol = parse_symbol(x, x->source.token);
    bool placed = x->lender != NULL || x->against != NULL || x->secured || x->owed;

    if (x->slippages > 0 || x->providers_count[0] + x->providers_count[1] > 0)
        return parse_refuse(x, "That belongs to a swap, not to lending");
    if (x->chain_twice || x->from_chain != NULL || x->to_chain != NULL || (large != NULL && beside != NULL))
        return parse_refuse(x, "More chains are named than lending has");
    if (large != NULL || beside != NULL)
        return parse_chain(x, large != NULL ? large : beside, &out->chain);
    if (x->hash != NULL)
        return NULL;
    if (placed)
        out->chain = token_find(&chains[0], symbol) != NULL ? &chains[0] : only_chain_with(symbol);
    if (out->chain == NULL)
        note_lack(x, "Say where, such as \"on base\"");
    return NULL;
}

/* On the chain, if there is one already. */
static const struct err *lending_tokens(struct parse_state *x, struct command *out)
{
    const struct err *e = NULL;

    if (x->against != NULL) {
        e = token_anywhere(x, x->against, out);
        out->against = out->token;
    }
    return e != NULL ? e : token_anywhere(x, x->source.token, out);
}

static enum command_action lend_op_action(unsigned trade)
{
    switch (trade) {
    case M_TAKE_BACK:
        return ACTION_LEND_WITHDRAW;
    case M_BORROW:
        return ACTION_LEND_BORROW;
    case M_REPAY:
        return ACTION_LEND_REPAY;
    default:
        return ACTION_LEND_SUPPLY;
    }
}

/* NULL: nothing that its rules allow makes no sense. */
static const char *lending_nonsense(const struct parse_state *x, const struct command *c)
{
    if (x->trade == M_DEPOSIT && x->lender == NULL && x->hash == NULL)
        return "Say into what, such as \"deposit 100 USDC into aave\"";
    if ((x->against != NULL || x->secured) && x->trade != M_BORROW)
        return "Only what is borrowed is secured by a token";
    if (x->against_twice || (x->against != NULL && x->secured))
        return "Name one token that serves as collateral";
    if (x->pledged && x->trade == M_REPAY)
        return "What is repaid is no collateral";
    if (x->trade == M_BORROW && c->amount != NULL && c->amount_kind == AMOUNT_PERCENT)
        return "Say how much is borrowed, in the token or in dollars";
    return NULL;
}

static const struct err *meaning_of_lending(struct parse_state *x, struct command *out)
{
    const struct err *e = parse_amount(x, out);
    const char *nonsense = lending_nonsense(x, out);

    out->action = lend_op_action(x->trade);
    out->collateral = x->pledged;
    if (e == NULL && nonsense != NULL)
        e = parse_refuse(x, nonsense);
    if (e == NULL)
        e = lending_lender(x, out);
    if (e == NULL)
        e = lending_chain(x, out);
    if (e == NULL && (out->chain != NULL || x->hash != NULL))
        e = lending_tokens(x, out);
    out->lacks_a_piece = e == NULL && x->lack != NULL;
    return e != NULL ? e : x->lack;
}

/* All of a token that is supplied, or nothing of it. */
static bool is_whole(const struct side *s)
{
    return !measured(s) || (s->kind == AMOUNT_PERCENT && s->share != NULL && strcmp(s->share, "100") == 0);
}

static const struct err *meaning_of_collateral(struct parse_state *x, struct command *out)
{
    const struct err *e = NULL;

    out->action = ACTION_LEND_COLLATERAL;
    out->enabled = x->trade == M_PLEDGE;
    if (!is_whole(&x->source))
        e = parse_refuse(x, "All of a token that is supplied serves as collateral, or nothing: leave the "
                            "amount away");
    else if (x->hash != NULL || (x->lender != NULL && strcmp(x->lender->lender, LENDER_MORPHO) == 0))
        e = parse_refuse(x, "At morpho collateral is supplied as such and withdrawn, not switched");
    if (e == NULL)
        e = lending_lender(x, out);
    if (e == NULL)
        e = lending_chain(x, out);
    if (e == NULL && out->chain != NULL)
        e = lending_tokens(x, out);
    out->lacks_a_piece = e == NULL && x->lack != NULL;
    return e != NULL ? e : x->lack;
}

/* ---- pieces of a trade that are said alone ---- */

static bool names_side(const struct parse_state *x, const struct side *s, const struct word *token)
{
    return s->token != NULL && strcasecmp(parse_symbol(x, s->token), parse_symbol(x, token)) == 0;
}

/* The side that the piece's amount belongs to; NULL with *e when it may be either's or is neither's. */
static struct side *side_meant(struct parse_state *x, const struct err **e)
{
    const struct side *p = &x->piece;

    if (p->token == NULL && x->trade == M_BUY && p->kind != AMOUNT_PERCENT)
        *e = parse_refuse(x, "Say with its token what the amount is of: what is bought, or what is paid");
    else if (p->token == NULL || names_side(x, &x->source, p->token))
        return &x->source;
    else if (names_side(x, &x->dest, p->token))
        return &x->dest;
    else
        *e = parse_refuse(
            x, arena_printf(x->a, "%s is not in the trade that was begun", parse_word(x, p->token)));
    return NULL;
}

static const struct err *place_amount(struct parse_state *x)
{
    const struct err *e = NULL;
    struct side *side = side_meant(x, &e);

    if (side == NULL)
        return e;
    if (measured(side))
        return parse_refuse(x, "The amount was said before");
    side->number = x->piece.number;
    side->kind = x->piece.kind;
    side->share = x->piece.share;
    return NULL;
}

/* A chain alone: the end of a bridge that is missing, or where the whole of a trade is. */
static const struct err *place_chain(struct parse_state *x)
{
    bool across = x->trade == M_BRIDGE || x->to_chain != NULL;
    bool from = x->from_chain != NULL || x->source.chain != NULL;
    bool to = x->to_chain != NULL || x->dest.chain != NULL;
    const struct word **place = !across ? &x->chain_at_large : from ? &x->to_chain : &x->from_chain;

    if (across && from == to)
        return parse_refuse(x, "Say with \"from\" and \"to\" which chain it goes from and which it goes to");
    x->chain_twice = x->chain_twice || *place != NULL;
    *place = x->place;
    x->place = NULL;
    return NULL;
}

static bool trade_lends(unsigned trade)
{
    return trade >= M_SUPPLY && trade <= M_RELEASE;
}

static bool trade_is_at_perps(unsigned trade)
{
    return trade == M_PERPS_IN || trade == M_PERPS_OUT;
}

static bool trade_predicts(unsigned trade)
{
    return trade == M_PREDICT_IN || trade == M_PREDICT_OUT;
}

static const struct err *add_piece(struct parse_state *x, const struct phrase *phrase)
{
    const struct err *e = NULL;

    if (x->trade == 0 || trade_is_at_perps(x->trade) || trade_predicts(x->trade))
        return parse_refuse(x, "Nothing is missing there");
    x->piece = (struct side){ .token = NULL };
    gather(x, phrase, &x->piece);
    if (measured(&x->piece))
        e = place_amount(x);
    if (e == NULL && x->place != NULL)
        e = place_chain(x);
    if (e == NULL && (x->lender != NULL || x->hash != NULL) && !trade_lends(x->trade))
        e = parse_refuse(x, "Lenders have no part in it");
    return e;
}

/* ---- the rest ---- */

/* A coin that is no token here has a price all the same, on no chain. */
static const struct err *priced(const struct parse_state *x, const struct word *w, struct command *out)
{
    const char *symbol = spelling(w->coin != NULL ? w->coin : parse_symbol(x, w), out->chain);

    if (symbol == NULL && out->chain == NULL)
        symbol = w->coin;
    if (symbol == NULL)
        return token_unknown(x, w, out->chain != NULL ? out->chain : &chains[0]);
    out->symbols[out->symbols_count++] = symbol;
    return NULL;
}

static const struct err *meaning_of_price(const struct parse_state *x, struct command *out)
{
    const struct err *e = NULL;

    if (x->priced_count > 1)
        out->action = ACTION_PRICES;
    if (x->priced_count > PRICED_MAX)
        return parse_refuse(x, "At most 20 prices at once");
    if (x->other.number != NULL && strcmp(x->other.number->number, "1") != 0)
        return parse_refuse(x, "A price is that of one; for an amount ask for a quote: quote 2 ETH to USDC");
    for (unsigned i = 0; e == NULL && i < x->priced_count; i++)
        e = priced(x, x->priced[i], out);
    if (e == NULL && out->action == ACTION_PRICE) {
        out->token = out->symbols[0];
        out->symbols_count = 0;
    }
    return e;
}

static bool id_of(const struct word *w, uint64_t *out)
{
    return params_whole(out, w->number) && *out > 0 && *out <= INT64_MAX;
}

static const struct err *meaning_of_status(const struct parse_state *x, struct command *out)
{
    const char *what = x->withdrawal ? "withdrawal" : x->lending ? "lending operation" : "swap";
    uint64_t *id = x->withdrawal ? &out->withdrawal_id : x->lending ? &out->operation_id : &out->swap_id;

    if (x->withdrawal || x->lending)
        out->action = x->withdrawal ? ACTION_WITHDRAWAL : ACTION_LEND_OPERATION;
    out->newest = x->newest;
    if (x->newest)
        return NULL;
    if (x->id == NULL)
        return parse_refuse(x,
                            arena_printf(x->a, "Say which %s: by its number, as in %s 42, or \"my last %s\"",
                                         what, what, what));
    if (!id_of(x->id, id))
        return parse_refuse(x, arena_printf(x->a, "That is no %s's number", what));
    return NULL;
}

const struct err *parse_limit(const struct parse_state *x, struct command *out)
{
    if (x->other.number == NULL)
        return NULL;
    if (!params_whole(&out->limit, x->other.number->number) || out->limit < 1 || out->limit > PAGE_MAX)
        return &E_LIMIT;
    return NULL;
}

static const struct err *meaning_of_history(const struct parse_state *x, struct command *out)
{
    if (x->withdrawal || x->lending)
        out->action = x->withdrawal ? ACTION_WITHDRAWALS : ACTION_LEND_OPERATIONS;
    out->status = x->status;
    if (x->question == M_LAST)
        out->limit = 1;
    return parse_limit(x, out);
}

/* The type of chains of a wallet, or of an address. */
static const struct err *meaning_of_kind(const struct parse_state *x, struct command *out)
{
    bool solana = out->chain != NULL && out->chain->type == CHAIN_SOLANA;

    if (out->chain != NULL && (x->evm || (!solana && out->chain->type != CHAIN_EVM)))
        return parse_refuse(x, "It is either for EVM chains or for Solana");
    if (out->chain != NULL || x->evm)
        out->chain_type = chain_type_text(solana ? CHAIN_SOLANA : CHAIN_EVM);
    out->chain = NULL;
    return NULL;
}

static const struct err *meaning_of_new_address(const struct parse_state *x, struct command *out)
{
    if (x->address == NULL)
        return parse_refuse(x, "Say which address, such as: add withdrawal address 0x... as cold");
    if (x->name.first != NULL && span_is_number(&x->name))
        return parse_refuse(x, "A number alone is no label");
    out->address = x->address->address;
    out->label = x->name.first != NULL ? parse_span(x, &x->name) : NULL;
    return meaning_of_kind(x, out);
}

static const struct err *meaning_of_old_address(const struct parse_state *x, struct command *out)
{
    if (x->address == NULL && x->name.first == NULL && x->id == NULL)
        return parse_refuse(x, "Say which: by its label, its address, or its number in the list");
    if (x->id != NULL)
        return id_of(x->id, &out->address_id) ? NULL : parse_refuse(x, "That is no address's number");
    if (x->address == NULL && span_is_number(&x->name))
        return parse_refuse(x, "A number alone is no label");
    out->recipient = x->address != NULL ? x->address->address : parse_span(x, &x->name);
    return NULL;
}

static const struct err *meaning_of_markets(const struct parse_state *x, struct command *out)
{
    if (x->category != NULL)
        out->category = parse_word(x, x->category);
    if (x->query.first != NULL)
        out->query = arena_strndup(x->a, x->query.first->text,
                                   (size_t)(x->query.last->text + x->query.last->len - x->query.first->text));
    return parse_limit(x, out);
}

static const struct err *meaning_of_lenders(const struct parse_state *x, struct command *out)
{
    if (x->lender_twice)
        return parse_refuse(x, "Name one lender, or none");
    out->protocol = x->lender != NULL ? x->lender->lender : NULL;
    return NULL;
}

static const struct err *meaning_of_taken(const struct parse_state *x, struct command *out)
{
    out->quote_id = x->quote_id->quote_id;
    return NULL;
}

static const struct question questions[] = {
    { M_BALANCE, ACTION_BALANCE, NULL },
    { M_PRICE, ACTION_PRICE, meaning_of_price },
    { M_TAKE, ACTION_SWAP, meaning_of_taken },
    { M_STATUS, ACTION_STATUS, meaning_of_status },
    { M_HISTORY, ACTION_HISTORY, meaning_of_history },
    { M_LAST, ACTION_HISTORY, meaning_of_history },
    { M_WALLET, ACTION_WALLET, meaning_of_kind },
    { M_WALLETS, ACTION_WALLETS, NULL },
    { M_CHAINS, ACTION_CHAINS, NULL },
    { M_TOKENS, ACTION_TOKENS, NULL },
    { M_MARKETS, ACTION_MARKETS, meaning_of_markets },
    { M_ADDRESSES, ACTION_ADDRESSES, NULL },
    { M_ADD_ADDRESS, ACTION_ADD_ADDRESS, meaning_of_new_address },
    { M_REMOVE_ADDRESS, ACTION_REMOVE_ADDRESS, meaning_of_old_address },
    { M_HEALTH, ACTION_LEND_HEALTH, meaning_of_lenders },
    { M_LENDING_MARKETS, ACTION_LEND_MARKETS, meaning_of_lenders },
    { M_LENDING_POSITIONS, ACTION_LEND_POSITIONS, meaning_of_lenders },
    { M_HELP, ACTION_HELP, NULL },
};

static const struct question *question_in(const struct question *rows, size_t count, unsigned mark)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].mark == mark)
            return &rows[i];
    return NULL;
}

/* The meaning of a sentence that names no trade; without a question it asks for help. */
static const struct err *meaning_of_action(const struct parse_state *x, struct command *out)
{
    const struct question *q = question_in(questions, sizeof questions / sizeof questions[0], x->question);

    if (q == NULL)
        q = question_in(perps_questions, perps_questions_count, x->question);
    if (q == NULL)
        q = question_in(predict_questions, predict_questions_count, x->question);
    if (q == NULL)
        q = question_in(policy_questions, policy_questions_count, x->question);
    out->action = q != NULL ? q->action : ACTION_HELP;
    return q != NULL && q->read != NULL ? q->read(x, out) : NULL;
}

static const struct err *meaning_of_question(const struct parse_state *x, struct command *out)
{
    const struct err *e = x->place == NULL ? NULL : parse_chain(x, x->place, &out->chain);

    if (x->place_twice)
        e = parse_refuse(x, "Two chains");
    if (e == NULL && x->other.token != NULL)
        e = token_anywhere(x, x->other.token, out);
    return e != NULL ? e : meaning_of_action(x, out);
}

/* Whether one of the phrases wonders. */
static const struct err *gather_all(struct parse_state *x, const struct phrase *const *phrases, unsigned n,
                                    bool *wonders)
{
    const struct err *e = NULL;

    gather(x, phrases[0], &x->other);
    *wonders = x->s->asks && !x->asked;
    for (unsigned i = 1; e == NULL && i < n; i++) {
        e = add_piece(x, phrases[i]);
        *wonders = *wonders || x->s->asks;
    }
    return e;
}

const struct err *meaning_of(struct arena *a, const struct phrase *const *phrases, unsigned n,
                             struct command *out)
{
    struct parse_state x = { .a = a };
    bool wonders;
    const struct err *e;

    memset(out, 0, sizeof *out);
    e = gather_all(&x, phrases, n, &wonders);
    if (e == NULL)
        e = x.trade == M_PLEDGE || x.trade == M_RELEASE ? meaning_of_collateral(&x, out)
            : trade_lends(x.trade)                      ? meaning_of_lending(&x, out)
            : x.trade == M_WITHDRAW                     ? meaning_of_withdrawal(&x, out)
            : trade_is_at_perps(x.trade)                ? perps_meaning_of_transfer(&x, out)
            : trade_predicts(x.trade)                   ? predict_meaning_of_transfer(&x, out)
            : x.trade != 0                              ? meaning_of_trade(&x, out)
                                                        : meaning_of_question(&x, out);
    if ((e != NULL && !out->lacks_a_piece) || !wonders || !action_has(out->action, ACTION_CHANGES))
        return e;
    out->lacks_a_piece = false;
    return parse_refuse(&x,
                        "A question is not carried out: leave the question mark away, or ask for a quote");
}
