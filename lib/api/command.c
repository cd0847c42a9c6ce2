#include <stdlib.h>
#include <string.h>

#include "api/admission/idempotency.h"
#include "api/admission/operation.h"
#include "api/documents/offered.h"
#include "api/endpoints.h"
#include "api/view.h"
#include "command/parse.h"
#include "model/agent.h"
#include "swap/size.h"

/* One sentence under way. */
struct errand {
    struct api_call *call;
    const struct execute_in *in;
    struct command *c;
    const char *amount_in; /* of a swap, once it is known; or NULL */
};

/* ---- the answer ---- */

static json_t *number_view(const char *plain)
{
    return plain == NULL ? NULL : json_real(strtod(plain, NULL)); /* shown only */
}

static void put_trade(json_t *o, const struct command *c)
{
    bool one = c->from_chain == c->to_chain;

    json_object_update_new(
        o, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s*, s:s*, s:s*, s:o*}", "from_token", c->from->symbol,
                     "to_token", c->to->symbol, "amount", c->amount, "amount_kind",
                     amount_kind_text(c->amount_kind), "amount_of", c->amount_of_to ? "to" : "from", "chain",
                     one ? c->from_chain->key : NULL, "from_chain", one ? NULL : c->from_chain->key,
                     "to_chain", one ? NULL : c->to_chain->key, "slippage",
                     c->has_slippage ? json_real(c->slippage / 1e6) : NULL));
}

static json_t *whole_view(uint64_t n)
{
    return n == 0 ? NULL : json_integer((json_int_t)n);
}

static json_t *symbols_view(const struct command *c)
{
    json_t *list = c->symbols_count == 0 ? NULL : json_array();

    for (unsigned i = 0; i < c->symbols_count; i++)
        json_array_append_new(list, json_string(c->symbols[i]));
    return list;
}

/* What was understood; what was not said is left out. */
static json_t *parsed_view(const struct command *c)
{
    json_t *o =
        json_pack("{s:s*, s:o*, s:s*, s:s*, s:o*, s:o*, s:s*, s:s*, s:s*, s:s*, s:s*, s:s*, s:o*, s:o*}",
                  "token", c->token, "symbols", symbols_view(c), "quote_id", c->quote_id, "chain",
                  c->chain != NULL ? c->chain->key : NULL, "swap_id", whole_view(c->swap_id), "limit",
                  whole_view(c->limit), "status", c->status, "chain_type", c->chain_type, "query", c->query,
                  "category", c->category, "token_id", c->token_id, "side", c->side, "price",
                  number_view(c->price), "size", number_view(c->size));

    if (c->from != NULL)
        put_trade(o, c);
    return o;
}

static struct reply *answer(struct api_call *call, int status, const struct command *c, json_t *result)
{
    return reply_json(call->rq, status,
                      json_pack("{s:s, s:o, s:o}", "action", action_text(c->action), "parsed", parsed_view(c),
                                "result", result));
}

static bool success(const struct reply *rp)
{
    return reply_status(rp) >= 200 && reply_status(rp) < 300;
}

/* The answer of an operation as that of the sentence. Only what waits for somebody keeps its status. */
static struct reply *dress(struct api_call *call, const struct reply *inner, const void *with)
{
    const struct errand *x = with;
    json_t *result = json_loads(reply_text(inner), 0, NULL);

    if (x->amount_in != NULL)
        json_object_set_new(result, "amount_in", json_string(x->amount_in));
    return answer(call, reply_status(inner) == 202 ? 202 : 200, x->c, result);
}

/* A refusal as it is; a rehearsal only mentions it. */
static struct reply *finish(const struct errand *x, struct reply *inner)
{
    json_t *body;
    struct reply *rp;

    if (success(inner))
        return dress(x->call, inner, x);
    if (!x->in->dry_run)
        return inner;
    body = json_loads(reply_text(inner), 0, NULL);
    rp = answer(x->call, 200, x->c, json_pack("{s:O}", "unavailable", json_object_get(body, "error")));
    json_decref(body);
    return rp;
}

static struct reply *refuse(const struct errand *x, const struct err *e)
{
    return finish(x, reply_err(x->call->rq, e));
}

/* ---- running it ---- */

/* Takes the arguments over. */
static struct reply *make(struct api_call *call, json_t *arguments)
{
    struct reply *rp =
        call->endpoint == NULL ? reply_err(call->rq, &E_NOT_CONFIGURED) : operation_call(call, arguments);

    json_decref(arguments);
    return rp;
}

/* A step on the way: it is recorded nowhere. */
static struct reply *take_step(const struct errand *x, const char *tool, json_t *arguments)
{
    struct api_call step = api_call_for(x->call, operation_find(tool));

    return make(&step, arguments);
}

/* The call whose work is the sentence's: what it records is already the sentence's answer. */
static struct reply *do_with(const struct errand *x, const char *tool, json_t *arguments)
{
    struct api_call work = api_call_for(x->call, operation_find(tool));

    work.record = x->call->record;
    work.dress = dress;
    work.dress_with = x;
    return finish(x, make(&work, arguments));
}

static struct reply *do_it(const struct errand *x, json_t *arguments)
{
    return do_with(x, offered_tool(x->c->action), arguments);
}

/* Nothing is done: the answer says what would be. */
static struct reply *leave_it(const struct errand *x)
{
    return operation_find(offered_tool(x->c->action)) == NULL ? refuse(x, &E_NOT_CONFIGURED)
                                                              : answer(x->call, 200, x->c, json_object());
}

static const struct err *amount_given(const struct errand *x, const char **out)
{
    const struct command *c = x->c;
    const struct quote_in in = {
        .from_token = c->from->symbol,
        .to_token = c->to->symbol,
        .amount = c->amount,
        .from_chain = c->from_chain->key,
        .to_chain = c->to_chain->key,
        .wallet_address = x->in->wallet_address,
    };

    *out = c->amount;
    if (c->amount_of_to)
        return size_for_output(x->call->ctx, x->call->arena, x->call->agent->id, &in, out);
    switch (c->amount_kind) {
    case AMOUNT_EXACT:
        return NULL;
    case AMOUNT_USD:
        return size_of_dollars(x->call->ctx, x->call->arena, &in, out);
    case AMOUNT_PERCENT:
        return size_of_share(x->call->ctx, x->call->arena, x->call->agent->id, &in, out);
    }
    return &E_INTERNAL;
}

/* Left out when it was not given. */
static json_t *fraction_view(uint32_t ppm)
{
    return ppm == PPM_NONE ? NULL : json_real(ppm / 1e6);
}

static json_t *quote_arguments(const struct errand *x, const char *amount)
{
    const struct command *c = x->c;

    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s*, s:o*, s:o*}", "from_token", c->from->symbol, "to_token",
                     c->to->symbol, "amount", amount, "from_chain", c->from_chain->key, "to_chain",
                     c->to_chain->key, "wallet_address", x->in->wallet_address, "slippage",
                     fraction_view(c->has_slippage ? c->slippage : PPM_NONE), "max_price_impact",
                     fraction_view(x->in->max_impact));
}

static struct reply *quote(const struct errand *x)
{
    const char *amount;
    const struct err *e = amount_given(x, &amount);

    return e != NULL ? refuse(x, e) : do_with(x, "get_quote", quote_arguments(x, amount));
}

static struct reply *execute(const struct errand *x, const struct reply *quoted)
{
    json_t *body = json_loads(reply_text(quoted), 0, NULL);
    struct reply *rp = do_it(x, json_pack("{s:O, s:s*, s:o*}", "quote_id", json_object_get(body, "quote_id"),
                                          "wallet_address", x->in->wallet_address, "max_price_impact",
                                          fraction_view(x->in->max_impact)));

    json_decref(body);
    return rp;
}

static struct reply *swap(struct errand *x)
{
    const char *amount;
    const struct err *e;
    struct reply *quoted;

    if (x->in->dry_run)
        return quote(x);
    e = amount_given(x, &amount);
    if (e != NULL)
        return refuse(x, e);
    quoted = take_step(x, "get_quote", quote_arguments(x, amount));
    x->amount_in = amount;
    return success(quoted) ? execute(x, quoted) : quoted;
}

/* The quote alone says what is swapped. */
static struct reply *take_quote(const struct errand *x)
{
    return do_with(x, x->in->dry_run ? "simulate_swap" : "execute_swap",
                   json_pack("{s:s, s:s*, s:o*}", "quote_id", x->c->quote_id, "wallet_address",
                             x->in->wallet_address, "max_price_impact", fraction_view(x->in->max_impact)));
}

static struct reply *prices(const struct errand *x)
{
    const struct command *c = x->c;
    const char *symbols = c->token;

    for (unsigned i = 0; i < c->symbols_count; i++)
        symbols = i == 0 ? c->symbols[0] : arena_printf(x->call->arena, "%s,%s", symbols, c->symbols[i]);
    return do_it(x, json_pack("{s:s}", "symbols", symbols));
}

/* 0: there is none. */
static uint64_t newest_swap(const struct errand *x)
{
    struct reply *list = take_step(x, "list_swaps", json_pack("{s:i}", "limit", 1));
    json_t *body = json_loads(reply_text(list), 0, NULL);
    const json_t *swap = json_array_get(json_object_get(body, "swaps"), 0);
    uint64_t id = (uint64_t)json_integer_value(json_object_get(swap, "swap_id"));

    json_decref(body);
    return id;
}

static struct reply *status(const struct errand *x)
{
    if (x->c->newest)
        x->c->swap_id = newest_swap(x);
    return do_it(x, json_pack("{s:I}", "swapId", (json_int_t)x->c->swap_id));
}

static struct reply *history(const struct errand *x)
{
    return do_it(x, json_pack("{s:s*, s:o*}", "status", x->c->status, "limit", whole_view(x->c->limit)));
}

static struct reply *wallet_create(const struct errand *x)
{
    if (x->in->dry_run)
        return leave_it(x);
    return do_it(x, json_pack("{s:s*}", "chain_type", x->c->chain_type));
}

static struct reply *balance(const struct errand *x)
{
    return do_it(x, json_pack("{s:s*, s:s*}", "wallet_address", x->in->wallet_address, "chain",
                              x->c->chain != NULL ? x->c->chain->key : NULL));
}

static struct reply *markets(const struct errand *x)
{
    return do_it(x, json_pack("{s:s*, s:s*, s:o*}", "query", x->c->query, "category", x->c->category, "limit",
                              whole_view(x->c->limit)));
}

static struct reply *order(const struct errand *x)
{
    const struct command *c = x->c;

    if (x->in->dry_run)
        return leave_it(x);
    return do_it(x, json_pack("{s:s, s:s, s:s, s:s}", "tokenId", c->token_id, "side", c->side, "price",
                              c->price, "size", c->size));
}

static const char *const examples[] = {
    "swap 1 ETH to USDC on base",
    "swap 0.1 ETH to USDC",
    "sell half of my ETH for USDC with 0.5% slippage",
    "bridge 100 USDC from base to arbitrum",
    "swap 1 SOL to USDC on solana",
    "quote 500 USDC to ETH",
    "show my balance",
    "price of ETH",
    "prices for ETH, BTC and USDC",
    "did my last swap go through?",
    "status of swap 42",
    "show my last 10 swaps",
    "create a wallet",
    "create a solana wallet",
    "list my wallets",
    "list tokens on base",
    "show prediction markets about bitcoin",
    "buy 10 shares of token 1234 at 0.55",
};

enum { EXAMPLES = sizeof examples / sizeof examples[0], EXAMPLES_FIRST = 4 };

/* The first so many of those that work here. */
static json_t *examples_view(const struct ctx *ctx, size_t max)
{
    json_t *list = json_array();

    for (size_t i = 0; i < EXAMPLES && json_array_size(list) < max; i++)
        if (offered_command(ctx->nodes, examples[i]))
            json_array_append_new(list, json_string(examples[i]));
    return list;
}

static struct reply *run(struct errand *x)
{
    switch (x->c->action) {
    case ACTION_SWAP:
        return swap(x);
    case ACTION_QUOTE:
        return quote(x);
    case ACTION_BALANCE:
        return balance(x);
    case ACTION_PRICE:
    case ACTION_PRICES:
        return prices(x);
    case ACTION_TAKE_QUOTE:
        return take_quote(x);
    case ACTION_STATUS:
        return status(x);
    case ACTION_HISTORY:
        return history(x);
    case ACTION_WALLET:
        return wallet_create(x);
    case ACTION_WALLETS:
        return do_it(x, json_object());
    case ACTION_CHAINS:
        return do_it(x, json_object());
    case ACTION_TOKENS:
        return do_it(x, json_pack("{s:s*}", "chain", x->c->chain != NULL ? x->c->chain->key : NULL));
    case ACTION_MARKETS:
        return markets(x);
    case ACTION_ORDER:
        return order(x);
    case ACTION_HELP:
        return answer(
            x->call, 200, x->c,
            json_pack("{s:b, s:o}", "success", 1, "commands", examples_view(x->call->ctx, EXAMPLES)));
    }
    return NULL;
}

struct reply *ep_execute(struct api_call *call, const void *arg)
{
    const struct execute_in *in = arg;
    struct command *c = ARENA_NEW(call->arena, struct command);
    struct errand *x = ARENA_NEW(call->arena, struct errand);
    const struct err *e;

    e = command_parse(call->arena, in->command, c);
    if (e == &E_COMMAND_LENGTH)
        return reply_err(call->rq, err_on(call->arena, e, "command"));
    if (e != NULL)
        return reply_err_with(call->rq, e,
                              strcmp(e->text, E_COMMAND.text) != 0
                                  ? NULL
                                  : json_pack("{s:o}", "examples", examples_view(call->ctx, EXAMPLES_FIRST)));
    *x = (struct errand){ call, in, c, NULL };
    return run(x);
}
