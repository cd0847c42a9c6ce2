#include "api/predict_commands.h"

#include <string.h>
#include <strings.h>

#include "api/endpoint/phrase.h"
#include "base/json_reader.h"
#include "model/agent.h"
#include "model/amount.h"
#include "swap/size.h"

#define ALL "max"

enum { DOLLAR_PLACES = 6, PRICE_PLACES = 6, SHARE_PLACES = 2 };
/* Without a price a bet goes no further up the book than this above its best offer. */
enum { CLIMB_PER_CENT = 10 };

static struct reply *refuse_with_hint(const struct sentence *x, const char *hint)
{
    return reply_err(x->call->rq, err_hint(x->call->arena, &E_COMMAND, hint));
}

/* A refusal of the words is one of the sentence, dry run or not. */
static struct reply *lost_answer(const struct sentence *x, struct reply *lost)
{
    const struct err *e = reply_error(lost);

    return e != NULL && err_is(e, &E_COMMAND) ? lost : sentence_finish(x, lost);
}

/* ---- the outcome ---- */

static const char *outcome_name(struct arena *a, const json_t *outcome)
{
    const char *name = phrase_text(outcome, "name");

    return arena_strdup(a, *name != '\0' ? name : phrase_text(outcome, "outcome"));
}

static struct reply *outcome_unknown(const struct sentence *x, const json_t *market)
{
    struct arena *a = x->call->arena;

    return refuse_with_hint(
        x,
        arena_printf(a, "Market %s has no outcome %s, but %s", x->c->market_id, err_shown(a, x->c->outcome),
                     phrase_list(a, json_object_get(market, "outcomes"), outcome_name, PHRASE_ITEMS_MAX)));
}

/* Finds the outcome by its name in what the tool answers, whose numbers are texts, and notes its token. NULL,
 * or the answer that says why it cannot; else *out is to be released. */
static struct reply *find_outcome(const struct sentence *x, const char *tool, json_t **out)
{
    struct reply *market = sentence_step(x, tool, sentence_path(tool, x->c->market_id)), *lost = NULL;
    const char *text;
    json_t *body, *outcome;
    size_t i;

    *out = NULL;
    if (!reply_succeeds(market))
        return market;
    text = reply_text(market);
    body = json_read_texts(text, strlen(text));
    json_array_foreach(json_object_get(body, "outcomes"), i, outcome)
    {
        if (*out == NULL && strcasecmp(outcome_name(x->call->arena, outcome), x->c->outcome) == 0)
            *out = json_incref(outcome);
    }
    if (*out != NULL)
        x->c->token_id = arena_strdup(x->call->arena, phrase_text(*out, "tokenId"));
    else
        lost = outcome_unknown(x, body);
    json_decref(body);
    return lost;
}

/* Finds the token that market and outcome name. NULL, or the answer that says why it cannot. */
static struct reply *find_token(const struct sentence *x)
{
    json_t *outcome = NULL;
    struct reply *lost = x->c->token_id != NULL ? NULL : find_outcome(x, "get_prediction_market", &outcome);

    json_decref(outcome);
    return lost;
}

/* ---- dollars ---- */

/* The shares that so many dollars are at a price, rounded to the places of a size; NULL: none. */
static const char *shares_for(struct arena *a, const char *dollars, const char *price, bool up)
{
    struct amount d, p;
    struct u256 shares, rest;

    if (amount_parse(&d, dollars, DOLLAR_PLACES) != AMOUNT_FINE ||
        amount_parse(&p, price, PRICE_PLACES) != AMOUNT_FINE ||
        !u256_mul(&d.raw, d.raw, u256_from_u64(100)) || !u256_div(&shares, &rest, d.raw, p.raw) ||
        (up && !u256_is_zero(rest) && !u256_add(&shares, shares, u256_from_u64(1))) || u256_is_zero(shares))
        return NULL;
    return amount_text(a, (struct amount){ shares, SHARE_PLACES });
}

/* One tick below a dollar: the highest price that an order may have. */
static const char *highest_price(struct arena *a, const char *tick)
{
    struct amount t, one;

    if (amount_parse(&t, tick, PRICE_PLACES) != AMOUNT_FINE || u256_is_zero(t.raw) ||
        amount_parse(&one, "1", PRICE_PLACES) != AMOUNT_FINE || !u256_sub(&one.raw, one.raw, t.raw))
        return NULL;
    return amount_text(a, one);
}

/* Whether `worst` is further above `best` than CLIMB_PER_CENT. */
static bool climbs_too_far(const char *best, const char *worst)
{
    struct amount b, w;

    return amount_parse(&b, best, PRICE_PLACES) != AMOUNT_FINE ||
           amount_parse(&w, worst, PRICE_PLACES) != AMOUNT_FINE ||
           !u256_mul(&b.raw, b.raw, u256_from_u64(100 + CLIMB_PER_CENT)) ||
           !u256_mul(&w.raw, w.raw, u256_from_u64(100)) || u256_cmp(w.raw, b.raw) > 0;
}

static json_t *terms(const struct sentence *x, const char *type)
{
    const struct command *c = x->c;

    return json_pack("{s:s, s:s, s:s*, s:s, s:s*}", "tokenId", c->token_id, "side", c->side, "price",
                     c->price, "size", c->size, "type", type);
}

/* An order that is filled whole at once, or not at all. As one to buy it spends price x size, rounded down to
 * cents: a size that is rounded up spends all of the dollars, and not a cent more. */
#define AT_ONCE "FOK"

/* The price up to which the book has so many dollars' worth of shares. NULL, or the answer that says why
 * there is none. */
static struct reply *settle_price(const struct sentence *x, const json_t *book)
{
    struct command *c = x->c;
    struct arena *a = x->call->arena;
    const char *best =
        arena_strdup(a, phrase_text(json_array_get(json_object_get(book, "asks"), 0), "price"));
    struct reply *quoted;
    const char *text, *worst;
    json_t *body;

    if (*best == '\0')
        return reply_err(x->call->rq, &E_NO_MATCH);
    c->price = highest_price(a, phrase_text(book, "tickSize"));
    c->size = c->price == NULL ? NULL : shares_for(a, c->amount, c->price, true);
    if (c->size == NULL)
        return reply_err(x->call->rq, &E_UPSTREAM);
    quoted = sentence_step(x, "quote_prediction", terms(x, AT_ONCE));
    c->price = c->size = NULL;
    if (!reply_succeeds(quoted))
        return quoted;
    text = reply_text(quoted);
    body = json_read_texts(text, strlen(text));
    worst = arena_strdup(a, phrase_text(body, "worstPrice"));
    json_decref(body);
    if (climbs_too_far(best, worst))
        return refuse_with_hint(
            x,
            arena_printf(a,
                         "The book has so much only at up to %s for a share, where it begins at %s: say at "
                         "which price, such as \"at %s\"",
                         worst, best, best));
    c->price = worst;
    c->size = shares_for(a, c->amount, worst, true);
    return c->size != NULL ? NULL : reply_err(x->call->rq, &E_UPSTREAM);
}

/* Finds price and size of so many dollars on an outcome. NULL, or the answer that says why it cannot. */
static struct reply *settle_bet(const struct sentence *x)
{
    json_t *book;
    struct reply *lost = find_outcome(x, "get_prediction_book", &book);

    if (lost == NULL)
        lost = settle_price(x, book);
    json_decref(book);
    return lost;
}

/* ---- orders ---- */

/* Fills in what the words left open: the token, and of dollars the size. *type is how long it rests, NULL by
 * default. */
static struct reply *settle_order(const struct sentence *x, const char **type)
{
    struct command *c = x->c;
    bool dollars = c->amount != NULL;

    *type = NULL;
    if (dollars && c->price == NULL) {
        *type = AT_ONCE;
        return settle_bet(x);
    }
    if (dollars && (c->size = shares_for(x->call->arena, c->amount, c->price, false)) == NULL)
        return refuse_with_hint(x, "That is less than the least size of an order");
    return find_token(x);
}

struct reply *command_predict_order(const struct sentence *x)
{
    const char *type;
    struct reply *lost = settle_order(x, &type);
    json_t *arguments;

    if (lost != NULL)
        return lost_answer(x, lost);
    if (x->in->dry_run)
        return type != NULL ? sentence_work(x, "quote_prediction", terms(x, type)) : sentence_simulate(x);
    arguments = terms(x, type);
    if (x->in->wallet_address != NULL)
        json_object_set_new(arguments, "wallet_address", json_string(x->in->wallet_address));
    return sentence_act(x, arguments);
}

struct reply *command_predict_quote(const struct sentence *x)
{
    const char *type;
    struct reply *lost = settle_order(x, &type);

    return lost != NULL ? lost_answer(x, lost) : sentence_act(x, terms(x, type));
}

/* ---- collateral ---- */

static const struct err *deposit_amount(const struct sentence *x, const char **out)
{
    const struct command *c = x->c;
    const struct quote_in of = { .from_token = c->token,
                                 .from_chain = c->chain->key,
                                 .to_token = c->token,
                                 .to_chain = c->chain->key,
                                 .amount = c->amount,
                                 .wallet_address = x->in->wallet_address };

    *out = c->amount;
    if (c->amount_kind == AMOUNT_EXACT)
        return NULL;
    return size_of_share(x->call->ctx, x->call->arena, x->call->agent->id, &of, out);
}

struct reply *command_predict_deposit(const struct sentence *x)
{
    const char *amount;
    const struct err *e = deposit_amount(x, &amount);

    if (e != NULL)
        return sentence_refuse(x, e);
    if (x->in->dry_run)
        return sentence_simulate(x);
    return sentence_act(x, json_pack("{s:s, s:s, s:s*}", "amount", amount, "token", x->c->token,
                                     "wallet_address", x->in->wallet_address));
}

struct reply *command_predict_withdraw(const struct sentence *x)
{
    bool all = x->c->amount_kind == AMOUNT_PERCENT;

    if (x->in->dry_run)
        return sentence_simulate(x);
    return sentence_act(x, json_pack("{s:s, s:s*}", "amount", all ? ALL : x->c->amount, "wallet_address",
                                     x->in->wallet_address));
}

struct reply *command_predict_redeem(const struct sentence *x)
{
    if (x->in->dry_run)
        return sentence_simulate(x);
    return sentence_act(
        x, json_pack("{s:s, s:s*}", "market", x->c->market_id, "wallet_address", x->in->wallet_address));
}

/* ---- questions ---- */

struct reply *command_predict_market(const struct sentence *x)
{
    return sentence_act_on(x, x->c->market_id);
}

struct reply *command_predict_account(const struct sentence *x)
{
    return sentence_act(x, json_pack("{s:s*}", "wallet_address", x->in->wallet_address));
}
