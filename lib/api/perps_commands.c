#include "api/perps_commands.h"

#include <string.h>

#include "api/documents/offered.h"
#include "api/endpoint/phrase.h"
#include "base/json_reader.h"
#include "model/agent.h"
#include "perps/number.h"
#include "swap/size.h"

enum { DOLLAR_PLACES = 6 };

#define ALL "max"

static struct reply *refuse_with_hint(const struct sentence *x, const char *hint)
{
    return reply_err(x->call->rq, err_hint(x->call->arena, &E_COMMAND, hint));
}

/* ---- the venue's state ---- */

/* The row of a list whose member names the sentence's market, with its numbers as texts. NULL, which is no
 * error, when there is none; *lost is the answer that says why it cannot be known. */
static json_t *row_of_market(const struct sentence *x, const char *tool, json_t *arguments, const char *list,
                             const char *name, struct reply **lost)
{
    struct reply *got = sentence_step(x, tool, arguments);
    json_t *body, *row, *found = NULL;
    const char *text;
    size_t i;

    *lost = reply_succeeds(got) ? NULL : got;
    if (*lost != NULL)
        return NULL;
    text = reply_text(got);
    body = json_read_texts(text, strlen(text));
    json_array_foreach(json_object_get(body, list), i, row)
    {
        if (found == NULL && strcmp(phrase_text(row, name), x->c->market) == 0)
            found = json_incref(row);
    }
    json_decref(body);
    return found;
}

struct market {
    unsigned places;  /* decimals of a size */
    const char *mark; /* the price by which positions are valued */
};

/* Which markets there are no parser knows. NULL, or the answer that says that there is none of that name.
 * `out` may be NULL. */
static struct reply *market_check(const struct sentence *x, struct market *out)
{
    struct reply *lost;
    json_t *row = row_of_market(x, "get_perps_markets", json_object(), "markets", "name", &lost);
    struct market found = { .mark = row != NULL ? perps_number(x->call->arena, row, "markPrice") : NULL };
    bool whole = row != NULL && perps_whole(&found.places, row, "szDecimals", PERPS_PLACES);

    json_decref(row);
    if (out != NULL)
        *out = found;
    if (lost != NULL || whole)
        return lost;
    return reply_err(x->call->rq, err_fmt(x->call->arena, &E_PERPS_MARKET, x->c->market, NULL));
}

/* The size that is worth so many dollars at the limit, or else at the mark price, rounded down to the
 * market's places. NULL, or the answer that says why it is not known. */
static struct reply *size_of_dollars_at(const struct sentence *x, const char *dollars, const char **out)
{
    struct arena *a = x->call->arena;
    struct amount price, worth, size;
    struct market market;
    struct reply *lost = market_check(x, &market);
    const char *per_unit = x->c->price != NULL ? x->c->price : market.mark, *found;

    if (lost != NULL)
        return lost;
    if (!perps_is_positive(per_unit) || !perps_amount(&price, per_unit) || !perps_amount(&worth, dollars) ||
        !amount_rate(&size, price, worth))
        return reply_err(x->call->rq, &E_UPSTREAM);
    found = amount_places_down(a, size, (uint8_t)market.places);
    if (strspn(found, "0.") < strlen(found)) {
        *out = found;
        return NULL;
    }
    return refuse_with_hint(x, arena_printf(a, "That is less than the least size in %s", x->c->market));
}

/* An order in dollars gets its size. */
static struct reply *settle_size(const struct sentence *x)
{
    struct command *c = x->c;

    return c->notional == NULL || c->size != NULL ? NULL : size_of_dollars_at(x, c->notional, &c->size);
}

/* ---- orders ---- */

static const char *slippage_said(const struct sentence *x)
{
    return x->c->has_slippage ? ppm_text(x->call->arena, (struct ppm){ x->c->slippage }) : NULL;
}

static json_t *quote_arguments(const struct sentence *x)
{
    const struct command *c = x->c;

    return json_pack("{s:s, s:s, s:s, s:s*, s:s*}", "market", c->market, "side", c->side, "size", c->size,
                     "leverage", c->leverage, "wallet_address", x->in->wallet_address);
}

static json_t *order_arguments(const struct sentence *x)
{
    const struct command *c = x->c;
    json_t *arguments = quote_arguments(x);
    json_t *more =
        json_pack("{s:s, s:s*, s:s*, s:s*, s:s*, s:s*, s:o*, s:s*}", "type", c->order_type, "price", c->price,
                  "marginMode", c->margin_mode, "timeInForce", c->post_only ? "ALO" : NULL, "takeProfit",
                  c->take_profit, "stopLoss", c->stop_loss, "reduceOnly", c->reduce_only ? json_true() : NULL,
                  "slippage", slippage_said(x));

    json_object_update(arguments, more);
    json_decref(more);
    return arguments;
}

/* A refusal of a market that is not there, or of the words, is one of the sentence, dry run or not. */
static struct reply *unknown_or_unavailable(const struct sentence *x, struct reply *lost)
{
    const struct err *e = reply_error(lost);

    return e != NULL && (err_is(e, &E_PERPS_MARKET) || err_is(e, &E_COMMAND)) ? lost
                                                                              : sentence_finish(x, lost);
}

static struct reply *order_simulate(const struct sentence *x)
{
    struct reply *lost = x->c->notional != NULL ? NULL : market_check(x, NULL);
    bool quoted = strcmp(x->c->order_type, "market") == 0 && x->c->leverage != NULL;

    if (lost != NULL)
        return unknown_or_unavailable(x, lost);
    return quoted ? sentence_work(x, "quote_perps", quote_arguments(x)) : sentence_simulate(x);
}

struct reply *command_perps_order(const struct sentence *x)
{
    struct reply *lost = settle_size(x);

    if (lost != NULL)
        return unknown_or_unavailable(x, lost);
    return x->in->dry_run ? order_simulate(x) : sentence_act(x, order_arguments(x));
}

struct reply *command_perps_quote(const struct sentence *x)
{
    struct reply *lost = settle_size(x);

    return lost != NULL ? unknown_or_unavailable(x, lost) : sentence_act(x, quote_arguments(x));
}

struct reply *command_perps_leverage(const struct sentence *x)
{
    const struct command *c = x->c;
    struct reply *lost;

    if (!x->in->dry_run)
        return sentence_act(x,
                            json_pack("{s:s, s:s, s:s*, s:s*}", "market", c->market, "leverage", c->leverage,
                                      "marginMode", c->margin_mode, "wallet_address", x->in->wallet_address));
    lost = market_check(x, NULL);
    return lost != NULL ? unknown_or_unavailable(x, lost) : sentence_simulate(x);
}

/* ---- closing ---- */

/* "close my ETH short" closes no long, and a share is of what is there. NULL, or the answer that says why it
 * cannot be closed so. *size stays NULL for all of it. */
static struct reply *settle_position(const struct sentence *x, const char **size)
{
    const struct command *c = x->c;
    struct arena *a = x->call->arena;
    struct market market = { .places = 0 };
    bool share = c->amount != NULL && c->amount_kind == AMOUNT_PERCENT;
    struct reply *lost = c->amount == NULL ? NULL
                         : share           ? market_check(x, &market)
                                           : size_of_dollars_at(x, c->amount, size);
    json_t *row = lost != NULL ? NULL
                               : row_of_market(x, "list_perps_positions",
                                               json_pack("{s:s*}", "wallet_address", x->in->wallet_address),
                                               "positions", "market", &lost);
    const char *side = arena_strdup(a, phrase_text(row, "side")), *held = perps_number(a, row, "size");
    const struct err *e = NULL;

    json_decref(row);
    if (lost != NULL)
        return lost;
    if (row == NULL)
        return reply_err(x->call->rq, err_fmt(a, &E_PERPS_NO_POSITION, c->market, NULL));
    if (c->side != NULL && strcmp(side, c->side) != 0)
        return refuse_with_hint(x, arena_printf(a, "The position in %s is %s", c->market, side));
    if (share)
        e = held == NULL ? &E_UPSTREAM : size_of_part(a, (uint8_t)market.places, held, c->amount, size);
    return e == NULL ? NULL : reply_err(x->call->rq, e);
}

struct reply *command_perps_close(const struct sentence *x)
{
    const struct command *c = x->c;
    const char *size = c->size;
    struct reply *lost = c->side != NULL || c->amount != NULL ? settle_position(x, &size) : NULL;

    if (lost == NULL && x->in->dry_run)
        lost = market_check(x, NULL);
    if (lost != NULL)
        return unknown_or_unavailable(x, lost);
    if (x->in->dry_run)
        return sentence_simulate(x);
    return sentence_act(x, json_pack("{s:s, s:s*, s:s*, s:s*}", "market", c->market, "size", size, "slippage",
                                     slippage_said(x), "wallet_address", x->in->wallet_address));
}

/* ---- dollars ---- */

static const struct err *share_of_wallet(const struct sentence *x, const char **out)
{
    const struct quote_in of = { .from_token = "USDC",
                                 .from_chain = x->c->chain->key,
                                 .to_token = "USDC",
                                 .to_chain = x->c->chain->key,
                                 .amount = x->c->amount,
                                 .wallet_address = x->in->wallet_address };

    return size_of_share(x->call->ctx, x->call->arena, x->call->agent->id, &of, out);
}

/* NULL, or the answer that says why it is not known. */
static struct reply *share_of_account(const struct sentence *x, const char **out)
{
    struct reply *got;
    const char *all;
    const struct err *e;

    *out = ALL;
    if (strcmp(x->c->amount, "100") == 0)
        return NULL;
    got = sentence_step(x, "get_perps_account", json_pack("{s:s*}", "wallet_address", x->in->wallet_address));
    if (!reply_succeeds(got))
        return got;
    all = phrase_text(json_object_get(reply_value(got), "account"), "withdrawable");
    e = size_of_part(x->call->arena, DOLLAR_PLACES, all, x->c->amount, out);
    return e == NULL ? NULL : reply_err(x->call->rq, e);
}

static struct reply *settle_amount(const struct sentence *x, const char **out)
{
    const struct err *e;

    *out = x->c->amount;
    if (x->c->amount_kind == AMOUNT_EXACT)
        return NULL;
    if (x->c->action == ACTION_PERPS_WITHDRAW)
        return share_of_account(x, out);
    e = share_of_wallet(x, out);
    return e == NULL ? NULL : reply_err(x->call->rq, e);
}

struct reply *command_perps_transfer(const struct sentence *x)
{
    const char *amount;
    struct reply *lost = settle_amount(x, &amount);

    if (lost != NULL)
        return sentence_finish(x, lost);
    if (x->in->dry_run)
        return sentence_simulate(x);
    return sentence_act(x, json_pack("{s:s, s:s*, s:s*}", "amount", amount, "chain",
                                     sentence_chain(x->c->chain), "wallet_address", x->in->wallet_address));
}

/* ---- questions ---- */

struct reply *command_perps_market(const struct sentence *x)
{
    return sentence_act_on(x, x->c->market);
}

struct reply *command_perps_holdings(const struct sentence *x)
{
    return sentence_act(x, json_pack("{s:s*}", "wallet_address", x->in->wallet_address));
}
