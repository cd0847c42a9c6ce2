#include "api/lend_commands.h"

#include <string.h>
#include <strings.h>

#include "api/documents/offered.h"
#include "api/endpoint/phrase.h"
#include "chain/tokens.h"
#include "command/names.h"
#include "model/agent.h"
#include "swap/size.h"

#define ALL "max"

/* An operation on its way from what was said to the call. */
struct lend_op {
    const struct sentence *x;
    const char *market;       /* its id, where one is named or had to be found; or NULL */
    bool pledges;             /* Morpho: the collateral moves */
    const struct token *coin; /* the chain's, of which the wrapped form moves; NULL: another token moves */
    const char *symbol;       /* of what moves */
    const char *amount;       /* in units of it, or ALL */
};

static struct reply *refuse(const struct lend_op *l, const struct err *e)
{
    return reply_err(l->x->call->rq, e);
}

static struct reply *refuse_with_hint(const struct lend_op *l, const struct err *e, const char *hint)
{
    return refuse(l, err_hint(l->x->call->arena, e, hint));
}

/* ---- where ---- */

/* The chain's coin is lent in its wrapped form. */
static const char *lent_symbol(const struct chain *c, const char *symbol)
{
    const struct token *t = token_find(c, symbol),
                       *wrapped = t != NULL && token_is_native(t) ? token_wrapped_native(c) : NULL;

    return wrapped != NULL ? wrapped->symbol : symbol;
}

/* Morpho's market has a loan token and a collateral token: which of them is meant follows from what was said
 * to move. NULL: neither. */
static struct reply *settle_sides(struct lend_op *l, const json_t *market)
{
    const struct command *c = l->x->c;
    const char *loan = phrase_text(market, "loanToken"), *collateral = phrase_text(market, "collateralToken");
    bool may_pledge = c->action == ACTION_LEND_SUPPLY || c->action == ACTION_LEND_WITHDRAW;
    bool is_loan = strcasecmp(l->symbol, loan) == 0, is_collateral = strcasecmp(l->symbol, collateral) == 0;
    struct arena *a = l->x->call->arena;

    l->pledges = may_pledge && is_collateral && (c->collateral || !is_loan);
    if (!l->pledges && (!is_loan || c->collateral))
        return refuse_with_hint(l, &E_COMMAND,
                                arena_printf(a, "That market lends %s against %s: that does not fit %s%s",
                                             err_shown(a, loan), err_shown(a, collateral), c->token,
                                             c->collateral ? " as collateral" : ""));
    if (c->against != NULL && strcasecmp(lent_symbol(c->chain, c->against), collateral) != 0)
        return refuse_with_hint(l, &E_LEND_COLLATERAL,
                                arena_printf(a, "That market lends against %s", err_shown(a, collateral)));
    return NULL;
}

/* The market that is named by its id. NULL, or the answer that says why it cannot be. */
static struct reply *settle_market(struct lend_op *l)
{
    static const char tool[] = "get_lending_market";
    struct command *c = l->x->c;
    json_t *arguments = sentence_path(tool, c->market_id);
    struct reply *found;

    if (c->chain != NULL)
        json_object_set_new(arguments, "chain", json_string(c->chain->key));
    found = sentence_step(l->x, tool, arguments);
    if (!reply_succeeds(found))
        return found;
    l->market = c->market_id;
    c->chain = chain_find(phrase_text(reply_value(found), "chain"));
    l->symbol = lent_symbol(c->chain, c->token);
    return settle_sides(l, reply_value(found));
}

/* ---- the wallet's balance there ---- */

static struct reply *positions_of(const struct lend_op *l)
{
    return sentence_step(
        l->x, "get_lending_positions",
        json_pack("{s:s, s:s*}", "chain", l->x->c->chain->key, "wallet_address", l->x->in->wallet_address));
}

/* NULL: the wallet has none in that market of the lender's. */
static const json_t *position_in(const struct lend_op *l, const json_t *positions, const char *symbol)
{
    const json_t *p;
    size_t i;

    json_array_foreach(positions, i, p)
    {
        bool here = l->market != NULL ? strcasecmp(phrase_text(p, "market"), l->market) == 0
                                      : strcasecmp(phrase_text(p, "asset"), symbol) == 0;

        if (here && strcmp(phrase_text(p, "protocol"), l->x->c->protocol) == 0)
            return p;
    }
    return NULL;
}

/* Checks that the asset of "against my ETH" serves as collateral: Aave's loans cannot choose one of
 * several. */
static struct reply *check_against(const struct lend_op *l)
{
    const struct command *c = l->x->c;
    struct arena *a = l->x->call->arena;
    struct reply *got = positions_of(l);
    const json_t *p;

    if (!reply_succeeds(got))
        return got;
    p = position_in(l, json_object_get(reply_value(got), "positions"), lent_symbol(c->chain, c->against));
    if (p != NULL && json_is_true(json_object_get(p, "collateralEnabled")))
        return NULL;
    return refuse_with_hint(l, &E_LEND_COLLATERAL,
                            arena_printf(a, "Nothing of %s serves as collateral there: supply %s on %s first",
                                         c->against, c->against, c->chain->key));
}

/* "as collateral" is compared with the market: Aave itself decides whether a supply becomes one. */
static struct reply *check_pledge(const struct lend_op *l)
{
    const struct command *c = l->x->c;
    struct reply *got = sentence_step(
        l->x, "get_lending_markets",
        json_pack("{s:s, s:s, s:s}", "chain", c->chain->key, "protocol", c->protocol, "asset", l->symbol));
    const json_t *market;
    size_t i;

    if (!reply_succeeds(got))
        return got;
    json_array_foreach(json_object_get(reply_value(got), "markets"), i, market)
    {
        if (strcasecmp(phrase_text(market, "loanToken"), l->symbol) == 0 &&
            !json_is_true(json_object_get(market, "canBeCollateral")))
            return refuse(l, &E_LEND_NO_COLLATERAL);
    }
    return NULL;
}

/* ---- amounts ---- */

/* Computes a share of the amount supplied or owed there. */
static struct reply *share_of_position(struct lend_op *l)
{
    const struct command *c = l->x->c;
    bool repays = c->action == ACTION_LEND_REPAY;
    const char *member = repays ? "borrowed" : l->pledges ? "collateral" : "supplied", *all;
    const struct token *t = token_find(c->chain, l->symbol);
    struct reply *got = positions_of(l);
    const struct err *e;

    if (!reply_succeeds(got))
        return got;
    all = phrase_text(position_in(l, json_object_get(reply_value(got), "positions"), l->symbol), member);
    if (*all == '\0' || strcmp(all, "0") == 0 || t == NULL)
        return refuse(l, repays ? &E_LEND_NO_DEBT : &E_LEND_SUPPLIED);
    e = size_of_part(l->x->call->arena, t->decimals, all, c->amount, &l->amount);
    return e == NULL ? NULL : refuse(l, e);
}

/* Computes a share of the wallet's balance. */
static struct reply *share_of_wallet(struct lend_op *l)
{
    const struct sentence *x = l->x;
    const struct quote_in of = { .from_token = x->c->token,
                                 .from_chain = x->c->chain->key,
                                 .to_token = l->symbol,
                                 .to_chain = x->c->chain->key,
                                 .amount = x->c->amount,
                                 .wallet_address = x->in->wallet_address };
    const struct err *e = size_of_share(x->call->ctx, x->call->arena, x->call->agent->id, &of, &l->amount);

    return e == NULL ? NULL : refuse(l, e);
}

static struct reply *worth_in_units(struct lend_op *l)
{
    const struct sentence *x = l->x;
    const struct quote_in worth = { .from_token = l->symbol,
                                    .amount = x->c->amount,
                                    .from_chain = x->c->chain->key };
    const struct err *e = size_of_dollars(x->call->ctx, x->call->arena, &worth, &l->amount);

    return e == NULL ? NULL : refuse(l, e);
}

/* NULL, or the answer that says why it is not known. */
static struct reply *settle_amount(struct lend_op *l)
{
    const struct command *c = l->x->c;

    l->amount = c->amount;
    if (c->amount_kind == AMOUNT_USD)
        return worth_in_units(l);
    if (c->amount_kind == AMOUNT_EXACT)
        return NULL;
    if (c->action == ACTION_LEND_SUPPLY)
        return share_of_wallet(l);
    if (strcmp(c->amount, "100") != 0)
        return share_of_position(l);
    l->amount = ALL;
    return NULL;
}

/* ---- the call ---- */

/* A dry run simulates it, and has to say what. */
static struct reply *call_act(const struct sentence *x, json_t *arguments)
{
    if (!x->in->dry_run)
        return sentence_act(x, arguments);
    json_object_set_new(arguments, "type", json_string(strchr(action_names[x->c->action], '_') + 1));
    return sentence_work(x, "simulate_lending", arguments);
}

static struct reply *call_lender(const struct lend_op *l)
{
    const struct sentence *x = l->x;
    const struct command *c = x->c;
    bool named = l->market != NULL;

    return call_act(x, json_pack("{s:s*, s:s*, s:s, s:s, s:o*, s:s*}", "market", l->market, "chain",
                                 named ? NULL : c->chain->key, "asset", c->token, "amount", l->amount,
                                 "collateral", l->pledges ? json_true() : NULL, "wallet_address",
                                 x->in->wallet_address));
}

struct reply *command_lend(const struct sentence *x)
{
    struct lend_op l = { .x = x, .symbol = x->c->token };
    struct reply *lost = NULL;

    if (x->c->market_id != NULL)
        lost = settle_market(&l);
    else
        l.symbol = lent_symbol(x->c->chain, x->c->token);
    if (lost == NULL && l.market == NULL && x->c->against != NULL)
        lost = check_against(&l);
    if (lost == NULL && l.market == NULL && x->c->collateral && x->c->action == ACTION_LEND_SUPPLY)
        lost = check_pledge(&l);
    if (lost == NULL)
        lost = settle_amount(&l);
    return lost != NULL ? sentence_finish(x, lost) : call_lender(&l);
}

struct reply *command_lend_collateral(const struct sentence *x)
{
    return call_act(x, json_pack("{s:s, s:s, s:b, s:s*}", "chain", x->c->chain->key, "asset", x->c->token,
                                 "enabled", x->c->enabled, "wallet_address", x->in->wallet_address));
}

/* ---- questions ---- */

struct reply *command_lend_positions(const struct sentence *x)
{
    return sentence_act(x, json_pack("{s:s*, s:s*}", "chain", sentence_chain(x->c->chain), "wallet_address",
                                     x->in->wallet_address));
}

struct reply *command_lend_markets(const struct sentence *x)
{
    return sentence_act(x, json_pack("{s:s*, s:s*, s:s*}", "chain", sentence_chain(x->c->chain), "protocol",
                                     x->c->protocol, "asset", x->c->token));
}

struct reply *command_lend_operation(const struct sentence *x)
{
    if (x->c->newest)
        x->c->operation_id = sentence_newest(x, "list_lending_operations", "operations", "id");
    return sentence_act_on_number(x, x->c->operation_id);
}
