#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/admission/api_call.h"
#include "api/admission/idempotency.h"
#include "api/admission/operation.h"
#include "api/admission/terms.h"
#include "api/documents/offered.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "api/endpoint/schemas.h"
#include "api/lend_commands.h"
#include "api/perps_commands.h"
#include "api/policy_commands.h"
#include "api/predict_commands.h"
#include "api/predict_orders.h"
#include "api/quote_endpoints.h"
#include "api/sentence.h"
#include "api/view.h"
#include "api/withdrawals.h"
#include "chain/address.h"
#include "command/names.h"
#include "command/parse.h"
#include "model/agent.h"
#include "net/bulkhead.h"
#include "policy/rule.h"
#include "swap/size.h"
#include "transfer/address.h"
#include "transfer/withdrawal.h"

/* ---- parameters ---- */

static const struct param execute_params[] = {
    { "command", P_TEXT, INTO(struct execute_in, command), .required = true,
      .about = "One instruction in plain English, at most 500 characters",
      .example = "swap 1 ETH to USDC on base" },
    { "wallet_address", P_TEXT, INTO(struct execute_in, wallet_address), .check = param_wallet_fault,
      .bad = &E_WALLET_ADDRESS, .max = PARAM_NAME_MAX,
      .about = "One of the agent's wallets; default the oldest" },
    { "dry_run", P_FLAG, INTO(struct execute_in, dry_run),
      .about = "Understand and price, but sign, place and create nothing" },
    PARAM_MAX_IMPACT(struct execute_in, max_impact),
    PARAM_WAIT(struct execute_in),
    { 0 },
};

/* ---- answers ---- */

static const char *const command_statuses[] = { "submitted", "pending",   "completed", "failed",  "open",
                                                "filled",    "cancelled", "rejected",  "waiting", "granted",
                                                "denied",    "used",      "lapsed",    NULL };
static const char *const amount_kinds[] = { "exact", "usd", "percent", NULL };
static const char *const lender_keys[] = { LENDER_AAVE, LENDER_MORPHO, NULL };
static const char *const command_sides[] = { "BUY", "SELL", "long", "short", NULL };
static const char *const order_types[] = { "market", "limit", NULL };
static const char *const margin_modes[] = { "cross", "isolated", NULL };
static const char *const amount_sides[] = { "from", "to", NULL };

/* clang-format off */
static const struct schema parsed_command_schema = { "ParsedCommand", "What was understood; what was not said is absent", FIELDS {
    { "from_token",  TEXT("ETH"),                       "swap, quote: symbol of the source", MAY_BE_ABSENT },
    { "to_token",    TEXT("USDC"),                      "swap, quote: symbol of the destination", MAY_BE_ABSENT },
    { "amount",      AMOUNT("1"),                       "swap, quote, withdraw, lend_…, predict_…, perps_…: how much, where it is no size", MAY_BE_ABSENT },
    { "amount_kind", CHOICE(amount_kinds, "exact"),     "Units of the token, dollars, or per cent of what is held", MAY_BE_ABSENT },
    { "amount_of",   CHOICE(amount_sides, "from"),      "Which side is measured", MAY_BE_ABSENT },
    { "chain",       TEXT("ethereum"),                  "Chain key, where there is one", MAY_BE_ABSENT },
    { "from_chain",  TEXT("base"),                      "Chain key of the source, where there are two", MAY_BE_ABSENT },
    { "to_chain",    TEXT("arbitrum"),                  "Chain key of the destination", MAY_BE_ABSENT },
    { "slippage",    NUMBER("0.01"),                    "swap, quote, perps_order, perps_close: as a fraction", MAY_BE_ABSENT },
    { "providers",   TEXTS("kyberswap"),                "swap, quote: only these are asked", MAY_BE_ABSENT },
    { "exclude_providers", TEXTS("velora"),             "swap, quote: these are not asked", MAY_BE_ABSENT },
    { "token",       TEXT("ETH"),                       "balance, price, withdraw, predict_deposit: symbol", MAY_BE_ABSENT },
    { "symbols",     TEXTS("ETH"),                      "prices: of which", MAY_BE_ABSENT },
    { "quote_id",    TEXT(A_QUOTE),                     "swap: of which quote, which says the rest", MAY_BE_ABSENT },
    { "swap_id",     WHOLE("42"),                       "status: which swap", MAY_BE_ABSENT },
    { "limit",       WHOLE("10"),                       "history, withdrawals, lend_operations, markets, perps_…: how many", MAY_BE_ABSENT },
    { "status",      CHOICE(command_statuses, "failed"), "history, withdrawals, lend_operations, predict_orders, perps_orders, approvals: which ones", MAY_BE_ABSENT },
    { "chain_type",  CHOICE(wallet_types, "evm"),       "wallet_create, withdrawal_address_add: which kind", MAY_BE_ABSENT },
    { "query",       TEXT("bitcoin"),                   "markets: what they are about", MAY_BE_ABSENT },
    { "category",    TEXT("crypto"),                    "markets: their category", MAY_BE_ABSENT },
    { "token_id",    TEXT("1234"),                      "predict_order: the outcome", MAY_BE_ABSENT },
    { "market_id",   TEXT("512347"),                    "predict_…, lend_…: the market", MAY_BE_ABSENT },
    { "outcome",     TEXT("Yes"),                       "predict_order, predict_quote: the outcome by its name in that market", MAY_BE_ABSENT },
    { "order_id",    HEX(A_HASH),                       "predict_cancel, perps_cancel, perps_order_status: which order", MAY_BE_ABSENT },
    { "side",        CHOICE(command_sides, "BUY"),      "predict_order, perps_…: which side", MAY_BE_ABSENT },
    { "price",       NUMBER("0.55"),                    "predict_order, perps_order: of one share, or of the asset", MAY_BE_ABSENT },
    { "size",        NUMBER("10"),                      "predict_order, perps_…: how many shares, or how much of the asset", MAY_BE_ABSENT },
    { "to",          TEXT("cold"),                      "withdraw, withdrawal_address_remove: label or address", MAY_BE_ABSENT },
    { "withdrawal_id", WHOLE("42"),                     "withdrawal_status: which one", MAY_BE_ABSENT },
    { "address_id",  WHOLE("7"),                        "withdrawal_address_remove: which one", MAY_BE_ABSENT },
    { "address",     TEXT(A_WALLET),                    "withdrawal_address_add: the address", MAY_BE_ABSENT },
    { "label",       TEXT("cold"),                      "withdrawal_address_add: what it is called", MAY_BE_ABSENT },
    { "asset",       TEXT("USDC"),                      "lend_…: symbol of what is moved or asked about", MAY_BE_ABSENT },
    { "protocol",    CHOICE(lender_keys, "aave-v3"),    "lend_…: who lends", MAY_BE_ABSENT },
    { "against",     TEXT("WETH"),                      "lend_borrow: what has to serve as collateral", MAY_BE_ABSENT },
    { "collateral",  FLAG("true"),                      "lend_supply, lend_withdraw: it is to serve as collateral, or did", MAY_BE_ABSENT },
    { "enabled",     FLAG("true"),                      "lend_collateral: whether it serves as collateral from then on", MAY_BE_ABSENT },
    { "operation_id", WHOLE("42"),                      "lend_operation: which one", MAY_BE_ABSENT },
    { "market",      TEXT("ETH-USD"),                   "perps_…: which market", MAY_BE_ABSENT },
    { "leverage",    NUMBER("5"),                       "perps_order, perps_quote, perps_leverage: how many times its margin a position is worth", MAY_BE_ABSENT },
    { "notional_usd", NUMBER("900"),                    "perps_order, perps_quote, where dollars are said: what the position is worth", MAY_BE_ABSENT },
    { "margin_usd",  NUMBER("300"),                     "perps_order, perps_quote, with a leverage: what of it is margin", MAY_BE_ABSENT },
    { "type",        CHOICE(order_types, "market"),     "perps_order: which kind", MAY_BE_ABSENT },
    { "margin_mode", CHOICE(margin_modes, "isolated"),  "perps_order, perps_leverage: which mode", MAY_BE_ABSENT },
    { "take_profit", NUMBER("4000"),                    "perps_order: the price at which a gain is taken", MAY_BE_ABSENT },
    { "stop_loss",   NUMBER("2500"),                    "perps_order: the price at which a loss is stopped", MAY_BE_ABSENT },
    { "reduce_only", FLAG("true"),                      "perps_order: it opens no position", MAY_BE_ABSENT },
    { "policy",      CHOICE(policy_types, "spending_limit"), "policy_add: its type", MAY_BE_ABSENT },
    { "params",      FREE,                              "policy_add: what it allows, as POST /wallet/policy takes it", MAY_BE_ABSENT },
    { "approval_id", TEXT(AN_APPROVAL),                 "approval_status, approval_resume: which approval", MAY_BE_ABSENT },
    { "post_only",   FLAG("true"),                      "perps_order: it matches no resting offer", MAY_BE_ABSENT },
    END } };

static const struct schema command_schema = { "CommandDone", "A command that was understood", FIELDS {
    SUCCESS,
    { "action", CHOICE(action_names, "swap"),  "What was asked for" },
    { "parsed", OBJECT(parsed_command_schema), "What was understood" },
    { "result", .kind = S_FREE, .about = "The answer of the operation behind it; of a dry run that could not be priced, the reason in `unavailable`" },
    END } };
/* clang-format on */

/* Asks nodes where it is no exact amount of what is given. */
static const struct err *amount_found(const struct sentence *x, const char **out)
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

static const struct err *amount_given(const struct sentence *x, const char **out)
{
    struct bulkhead *bulkhead = x->call->ctx->bulkhead;
    const struct err *e;

    if (!bulkhead_enter(bulkhead, x->call->agent->id))
        return &E_BUSY;
    e = amount_found(x, out);
    bulkhead_leave(bulkhead);
    return e;
}

/* NULL, which json_pack leaves out, for an empty list. */
static json_t *texts_argument(const char *const *list)
{
    json_t *out = *list == NULL ? NULL : json_array();

    for (; *list != NULL; list++)
        json_array_append_new(out, json_string(*list));
    return out;
}

static json_t *quote_arguments(const struct sentence *x, const char *amount)
{
    const struct command *c = x->c;

    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s*, s:o*, s:o*, s:o*, s:o*}", "from_token", c->from->symbol,
                     "to_token", c->to->symbol, "amount", amount, "from_chain", c->from_chain->key,
                     "to_chain", c->to_chain->key, "wallet_address", x->in->wallet_address, "slippage",
                     sentence_fraction(c->has_slippage ? c->slippage : PPM_NONE), "max_price_impact",
                     sentence_fraction(x->in->max_impact), "providers", texts_argument(c->providers),
                     "exclude_providers", texts_argument(c->excluded));
}

static struct reply *action_quote(const struct sentence *x)
{
    const char *amount;
    const struct err *e = amount_given(x, &amount);

    return e != NULL ? sentence_refuse(x, e) : sentence_work(x, "get_quote", quote_arguments(x, amount));
}

static struct reply *execute_quoted(const struct sentence *x, struct reply *quoted)
{
    return sentence_act(x, json_pack("{s:O, s:s*, s:o*}", "quote_id",
                                     json_object_get(reply_value(quoted), "quote_id"), "wallet_address",
                                     x->in->wallet_address, "max_price_impact",
                                     sentence_fraction(x->in->max_impact)));
}

/* The quote alone says what is swapped. */
static struct reply *take_quote(const struct sentence *x)
{
    return sentence_work(x, x->in->dry_run ? "simulate_swap" : "execute_swap",
                         json_pack("{s:s, s:s*, s:o*}", "quote_id", x->c->quote_id, "wallet_address",
                                   x->in->wallet_address, "max_price_impact",
                                   sentence_fraction(x->in->max_impact)));
}

static struct reply *action_swap(const struct sentence *x)
{
    struct sentence *priced;
    const char *amount;
    const struct err *e;
    struct reply *quoted;

    if (x->c->quote_id != NULL)
        return take_quote(x);
    if (x->in->dry_run)
        return action_quote(x);
    e = amount_given(x, &amount);
    if (e != NULL)
        return sentence_refuse(x, e);
    quoted = sentence_step(x, "get_quote", quote_arguments(x, amount));
    if (!reply_succeeds(quoted))
        return quoted;
    priced = arena_memdup(x->call->arena, x, sizeof *x);
    priced->amount_in = json_string_value(json_object_get(reply_value(quoted), "amount_in"));
    priced->expected_out = json_string_value(json_object_get(reply_value(quoted), "amount_out"));
    return execute_quoted(priced, quoted);
}

static struct reply *action_prices(const struct sentence *x)
{
    const struct command *c = x->c;
    const char *symbols = c->token;

    for (unsigned i = 0; i < c->symbols_count; i++)
        symbols = i == 0 ? c->symbols[0] : arena_printf(x->call->arena, "%s,%s", symbols, c->symbols[i]);
    return sentence_act(x, json_pack("{s:s}", "symbols", symbols));
}

static struct reply *action_status(const struct sentence *x)
{
    if (x->c->newest)
        x->c->swap_id = sentence_newest(x, "list_swaps", "swaps", "swap_id");
    return sentence_act(x, json_pack("{s:I}", "swapId", (json_int_t)x->c->swap_id));
}

static struct reply *action_history(const struct sentence *x)
{
    return sentence_act(
        x, json_pack("{s:s*, s:o*}", "status", x->c->status, "limit", sentence_whole(x->c->limit)));
}

static struct reply *action_create_wallet(const struct sentence *x)
{
    if (x->in->dry_run)
        return sentence_simulate(x);
    return sentence_act(x, json_pack("{s:s*}", "chain_type", x->c->chain_type));
}

static struct reply *action_balance(const struct sentence *x)
{
    return sentence_act(x, json_pack("{s:s*, s:s*, s:s*}", "wallet_address", x->in->wallet_address, "chain",
                                     sentence_chain(x->c->chain), "token", x->c->token));
}

static struct reply *action_without_terms(const struct sentence *x)
{
    return sentence_act(x, json_object());
}

static struct reply *action_tokens(const struct sentence *x)
{
    return sentence_act(x, json_pack("{s:s*}", "chain", sentence_chain(x->c->chain)));
}

static struct reply *action_markets(const struct sentence *x)
{
    return sentence_act(x, json_pack("{s:s*, s:s*, s:o*}", "query", x->c->query, "category", x->c->category,
                                     "limit", sentence_whole(x->c->limit)));
}

static struct reply *action_orders(const struct sentence *x)
{
    return sentence_act(x, json_pack("{s:s*}", "status", x->c->status));
}

static struct reply *action_one_order(const struct sentence *x)
{
    return sentence_act_on(x, x->c->order_id);
}

static struct reply *action_cancel(const struct sentence *x)
{
    return x->in->dry_run ? sentence_simulate(x) : sentence_act_on(x, x->c->order_id);
}

/* ---- withdrawals ---- */

/* "cold" of "cold wallet"; NULL: there is no such word behind it. */
static const char *without_noun(struct arena *a, const char *name)
{
    static const char *const nouns[] = { " wallet", " address", " account" };
    size_t len = strlen(name);

    for (size_t i = 0; i < sizeof nouns / sizeof nouns[0]; i++) {
        size_t noun = strlen(nouns[i]);

        if (len > noun && strcasecmp(name + len - noun, nouns[i]) == 0)
            return arena_strndup(a, name, len - noun);
    }
    return NULL;
}

static enum lookup recipient_find(const struct sentence *x, enum wallet_kind kind,
                                  struct withdrawal_address *out)
{
    const struct ctx *ctx = x->call->ctx;
    uint64_t agent_id = x->call->agent->id;
    const char *said = x->c->recipient, *shorter = without_noun(x->call->arena, said);
    enum lookup found = address_named(ctx, agent_id, kind, said, out);

    return found != LOOKUP_NONE || shorter == NULL ? found : address_named(ctx, agent_id, kind, shorter, out);
}

static const struct err *recipient_known(enum lookup found)
{
    return found == LOOKUP_FOUND  ? NULL
           : found == LOOKUP_NONE ? &E_WITHDRAWAL_ADDRESS_NOT_FOUND
                                  : &E_INTERNAL;
}

static json_t *withdrawal_arguments(const struct sentence *x, uint64_t address_id, const char *amount)
{
    const struct command *c = x->c;

    return json_pack("{s:s, s:s, s:s, s:I, s:s*}", "token", c->token, "amount", amount, "chain",
                     c->chain->key, "address_id", (json_int_t)address_id, "wallet_address",
                     x->in->wallet_address);
}

/* A share of all that could be withdrawn, which a simulation tells. */
static struct reply *share_of_all(const struct sentence *x, uint64_t address_id, const char **out)
{
    struct reply *all =
        sentence_step(x, "simulate_withdrawal", withdrawal_arguments(x, address_id, WITHDRAWAL_MAX));
    const struct err *e;

    if (!reply_succeeds(all))
        return all;
    e = size_of_part(x->call->arena, token_find(x->c->chain, x->c->token)->decimals,
                     phrase_text(reply_value(all), "amount"), x->c->amount, out);
    return e == NULL ? NULL : reply_err(x->call->rq, e);
}

/* NULL, or the answer that says why it is not known. */
static struct reply *withdrawal_amount(const struct sentence *x, uint64_t address_id, const char **out)
{
    const struct command *c = x->c;
    const struct quote_in worth = { .from_token = c->token,
                                    .amount = c->amount,
                                    .from_chain = c->chain->key };
    const struct err *e = NULL;

    *out = c->amount;
    if (c->amount_kind == AMOUNT_PERCENT && strcmp(c->amount, "100") != 0)
        return share_of_all(x, address_id, out);
    if (c->amount_kind == AMOUNT_PERCENT)
        *out = WITHDRAWAL_MAX;
    if (c->amount_kind == AMOUNT_USD && !bulkhead_enter_to_free(x->call->ctx->bulkhead, x->call->agent->id))
        return reply_err(x->call->rq, &E_BUSY);
    if (c->amount_kind == AMOUNT_USD) {
        e = size_of_dollars(x->call->ctx, x->call->arena, &worth, out);
        bulkhead_leave(x->call->ctx->bulkhead);
    }
    return e == NULL ? NULL : reply_err(x->call->rq, e);
}

static struct reply *action_withdraw(const struct sentence *x)
{
    struct withdrawal_address to;
    const struct err *e = recipient_known(recipient_find(x, wallet_kind_on(x->c->chain), &to));
    const char *amount;
    struct reply *lost;

    if (e != NULL)
        return sentence_refuse(x, e);
    lost = withdrawal_amount(x, to.id, &amount);
    if (lost != NULL)
        return sentence_finish(x, lost);
    return sentence_work(x, x->in->dry_run ? "simulate_withdrawal" : "withdraw",
                         withdrawal_arguments(x, to.id, amount));
}

static struct reply *action_withdrawal(const struct sentence *x)
{
    struct command *c = x->c;

    if (c->newest)
        c->withdrawal_id = sentence_newest(x, "list_withdrawals", "withdrawals", "id");
    return sentence_act_on_number(x, c->withdrawal_id);
}

static struct reply *action_add_address(const struct sentence *x)
{
    const struct command *c = x->c;

    if (x->in->dry_run)
        return sentence_simulate(x);
    return sentence_act(x, json_pack("{s:s, s:s*, s:s*}", "address", c->address, "chain_type", c->chain_type,
                                     "label", c->label));
}

/* Finds the address by its label, in all families of chains. */
static const struct err *find_old_address(const struct sentence *x)
{
    struct withdrawal_address evm, solana;
    enum lookup found = recipient_find(x, WALLET_EVM, &evm),
                other = recipient_find(x, WALLET_SOLANA, &solana);

    if (found == LOOKUP_FOUND && other == LOOKUP_FOUND)
        return err_hint(x->call->arena, &E_COMMAND,
                        "Two addresses have this label: name the address itself, or its number in the list");
    if (found == LOOKUP_NONE)
        found = other;
    if (found == LOOKUP_FOUND)
        x->c->address_id = other == LOOKUP_FOUND ? solana.id : evm.id;
    return recipient_known(found);
}

static struct reply *action_remove_address(const struct sentence *x)
{
    const struct err *e = x->c->recipient == NULL ? NULL : find_old_address(x);

    if (e != NULL)
        return sentence_refuse(x, e);
    return x->in->dry_run ? sentence_simulate(x) : sentence_act_on_number(x, x->c->address_id);
}

/* ---- all of them ---- */

static const char *const examples[] = {
    "swap 1 ETH to USDC on base",
    "swap 0.1 ETH to USDC",
    "sell half of my ETH for USDC with 0.5% slippage",
    "buy $100 of ETH on base",
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
    "buy 10 YES of market 512347 at 0.40",
    "bet $10 on YES in market 512347",
    "deposit 100 USDC.e to predictions",
    "withdraw everything from predictions",
    "show the order book of market 512347",
    "redeem market 512347",
    "show my orders",
    "show my positions",
    "show my policies",
    "limit my spending to $500 per day",
    "show my approvals",
    "show my withdrawal addresses",
    "withdraw 100 USDC on base to cold",
    "send half of my ETH on ethereum to cold",
    "list my withdrawals",
    "supply 1 ETH on base",
    "lend 500 USDC to aave",
    "deposit 100 USDC into aave",
    "borrow 200 USDC against my ETH",
    "repay all my USDC debt",
    "withdraw 0.5 WETH from aave on base",
    "use my WETH as collateral on base",
    "stop using my WETH as collateral on base",
    "what is my health factor",
    "best rate for USDC",
    "long 0.5 ETH at 5x",
    "short 1 BTC with 3x leverage",
    "long $300 of ETH at 3x",
    "long ETH with $300 at 3x",
    "limit long 0.1 BTC at 60000",
    "close my ETH position",
    "set BTC leverage to 4",
    "funding rate of SOL",
    "deposit 100 USDC to perps",
    "withdraw 50 USDC from perps",
};

enum { EXAMPLES = sizeof examples / sizeof examples[0], EXAMPLES_FIRST = 4, EXAMPLES_SAID = 16 };

/* Whether the verb of the example begins a word of the text. */
static bool example_is_like(const char *example, const char *text)
{
    size_t len = strcspn(example, " ");

    while (*text != '\0' && strncasecmp(text, example, len) != 0) {
        text += strcspn(text, " ");
        text += strspn(text, " ");
    }
    return *text != '\0';
}

/* The first `max` examples that work on this server, those that are like the text before all others. */
static void examples_write(struct json_writer *w, const char *key, const struct ctx *ctx, size_t max,
                           const char *text)
{
    size_t n = 0;

    jw_array(w, key);
    for (int like = 1; like >= 0; like--) {
        for (size_t i = 0; i < EXAMPLES && n < max; i++) {
            if (example_is_like(examples[i], text) != like || !offered_command(ctx, examples[i]))
                continue;
            jw_string(w, NULL, examples[i]);
            n++;
        }
    }
    jw_end(w);
}

static struct reply *action_help(const struct sentence *x)
{
    struct json_writer *w = sentence_open(x, 200);

    jw_bool(w, "success", true);
    examples_write(w, "commands", x->call->ctx, EXAMPLES, "");
    return sentence_close(w);
}

/* The previous sentence waits for the operator's approval: nothing of it is looked up again. */
static struct reply *resume_approved(struct sentence *x)
{
    const json_t *so_far = json_object_get(idempotency_so_far(x->call), "result");
    const char *amount = json_string_value(json_object_get(so_far, "amount_in"));

    x->amount_in = amount;
    return sentence_act(x, json_pack("{s:s}", "approval_id", idempotency_approval(x->call)));
}

/* What carries out each action. */
static struct reply *(*const runs[ACTIONS_COUNT])(const struct sentence *) = {
    [ACTION_SWAP] = action_swap,
    [ACTION_QUOTE] = action_quote,
    [ACTION_BALANCE] = action_balance,
    [ACTION_PRICE] = action_prices,
    [ACTION_PRICES] = action_prices,
    [ACTION_STATUS] = action_status,
    [ACTION_HISTORY] = action_history,
    [ACTION_WALLET] = action_create_wallet,
    [ACTION_WALLETS] = action_without_terms,
    [ACTION_CHAINS] = action_without_terms,
    [ACTION_TOKENS] = action_tokens,
    [ACTION_MARKETS] = action_markets,
    [ACTION_MARKET_PRICE] = command_predict_market,
    [ACTION_ORDER] = command_predict_order,
    [ACTION_CANCEL] = action_cancel,
    [ACTION_ORDERS] = action_orders,
    [ACTION_POSITIONS] = action_without_terms,
    [ACTION_PREDICT_QUOTE] = command_predict_quote,
    [ACTION_PREDICT_BOOK] = command_predict_market,
    [ACTION_PREDICT_ACCOUNT] = command_predict_account,
    [ACTION_PREDICT_DEPOSIT] = command_predict_deposit,
    [ACTION_PREDICT_WITHDRAW] = command_predict_withdraw,
    [ACTION_PREDICT_REDEEM] = command_predict_redeem,
    [ACTION_PREDICT_TRANSFERS] = action_history,
    [ACTION_WITHDRAW] = action_withdraw,
    [ACTION_WITHDRAWAL] = action_withdrawal,
    [ACTION_WITHDRAWALS] = action_history,
    [ACTION_POLICIES] = command_policies,
    [ACTION_ADD_POLICY] = command_policy_add,
    [ACTION_APPROVALS] = command_approvals,
    [ACTION_APPROVAL] = command_approval,
    [ACTION_RESUME] = command_approval_resume,
    [ACTION_ADDRESSES] = action_without_terms,
    [ACTION_ADD_ADDRESS] = action_add_address,
    [ACTION_REMOVE_ADDRESS] = action_remove_address,
    [ACTION_LEND_SUPPLY] = command_lend,
    [ACTION_LEND_WITHDRAW] = command_lend,
    [ACTION_LEND_BORROW] = command_lend,
    [ACTION_LEND_REPAY] = command_lend,
    [ACTION_LEND_COLLATERAL] = command_lend_collateral,
    [ACTION_LEND_HEALTH] = command_lend_positions,
    [ACTION_LEND_MARKETS] = command_lend_markets,
    [ACTION_LEND_POSITIONS] = command_lend_positions,
    [ACTION_LEND_OPERATION] = command_lend_operation,
    [ACTION_LEND_OPERATIONS] = action_history,
    [ACTION_PERPS_ORDER] = command_perps_order,
    [ACTION_PERPS_QUOTE] = command_perps_quote,
    [ACTION_PERPS_CLOSE] = command_perps_close,
    [ACTION_PERPS_LEVERAGE] = command_perps_leverage,
    [ACTION_PERPS_CANCEL] = action_cancel,
    [ACTION_PERPS_DEPOSIT] = command_perps_transfer,
    [ACTION_PERPS_WITHDRAW] = command_perps_transfer,
    [ACTION_PERPS_FUNDING] = command_perps_market,
    [ACTION_PERPS_MARKET] = command_perps_market,
    [ACTION_PERPS_MARKETS] = action_without_terms,
    [ACTION_PERPS_POSITIONS] = command_perps_holdings,
    [ACTION_PERPS_ACCOUNT] = command_perps_holdings,
    [ACTION_PERPS_ORDERS] = action_history,
    [ACTION_PERPS_ORDER_SHOWN] = action_one_order,
    [ACTION_PERPS_FILLS] = action_history,
    [ACTION_PERPS_PAYMENTS] = action_history,
    [ACTION_PERPS_TRANSFERS] = action_history,
    [ACTION_HELP] = action_help,
};

/* A sentence that takes a quote asks for what the quote does. */
static const char *command_terms(struct api_call *call, const void *arg)
{
    const struct execute_in *in = arg;
    struct command *c = ARENA_NEW(call->arena, struct command);
    struct execute_in said;

    if (command_parse(call->arena, in->command, c) != NULL)
        return NULL;
    if (c->quote_id != NULL)
        return quote_terms(call, in, c->quote_id, in->wallet_address, in->max_impact);
    said = *in;
    said.command = terms_sentence(call->arena, in->command);
    return terms_of_members(call, &said);
}

static struct reply *command_refuse(struct api_call *call, const char *text, const struct err *e)
{
    struct json_writer *w = reply_err_open(call->rq, e, NULL);

    if (err_is(e, &E_COMMAND))
        examples_write(w, "examples", call->ctx, EXAMPLES_FIRST, text);
    return reply_close(w);
}

static struct reply *execute_command(struct api_call *call, const void *arg)
{
    const struct execute_in *in = arg;
    struct command *c = ARENA_NEW(call->arena, struct command);
    struct sentence *x = ARENA_NEW(call->arena, struct sentence);
    struct param_faults faults = { NULL, NULL };
    const struct err *e;

    e = command_parse(call->arena, in->command, c);
    if (e == &E_COMMAND_LENGTH)
        return reply_err(call->rq, err_on(call->arena, e, "command"));
    if (e != NULL)
        return command_refuse(call, in->command, e);
    if (in->max_impact != PPM_NONE && !action_has(c->action, ACTION_PRICED)) {
        params_fault(&faults, &E_VALIDATION, "max_price_impact", "belongs to swaps and their quotes");
        return operation_refuse(call->rq, &faults);
    }
    *x = (struct sentence){ .call = call, .in = in, .c = c };
    return idempotency_approval(call) != NULL && c->action != ACTION_RESUME ? resume_approved(x)
                                                                            : runs[c->action](x);
}

/* ---- as a sentence ---- */

static const char *example_phrase(struct arena *a, const json_t *item)
{
    return arena_printf(a, "\"%s\"", json_string_value(item));
}

static const char *help_sentence(struct arena *a, const json_t *body)
{
    const json_t *commands = json_object_get(body, "commands");

    return arena_printf(a, "Say, for example: %s", phrase_list(a, commands, example_phrase, EXAMPLES_SAID));
}

/* The row whose answer the result of an action is; NULL: none. */
static const struct endpoint *result_endpoint(const json_t *asked, const char *action, const json_t *result)
{
    if (strcmp(action, action_names[ACTION_WITHDRAW]) == 0 && json_object_get(result, "checks") != NULL)
        return endpoints_find_tool("simulate_withdrawal");
    if (strncmp(action, "lend_", strlen("lend_")) == 0 && json_object_get(result, "wouldExecute") != NULL)
        return endpoints_find_tool("simulate_lending");
    if (strcmp(action, action_names[ACTION_PERPS_ORDER]) == 0 &&
        json_object_get(result, "entryPrice") != NULL)
        return endpoints_find_tool("quote_perps");
    if (strcmp(action, action_names[ACTION_RESUME]) == 0 && json_object_get(result, "approval") == NULL)
        return NULL; /* that of any operation which waits for approvals */
    if (strcmp(action, action_names[ACTION_ORDER]) == 0 && json_object_get(result, "worstPrice") != NULL)
        return endpoints_find_tool("quote_prediction");
    if (strcmp(action, action_names[ACTION_SWAP]) != 0)
        return offered_endpoint(action);
    /* what a dry run answers */
    return endpoints_find_tool(json_object_get(asked, "quote_id") != NULL ? "simulate_swap" : "get_quote");
}

static const struct endpoint *command_result_of(const json_t *answer)
{
    const json_t *result = json_object_get(answer, "result");
    const char *action = phrase_text(answer, "action");

    if (json_object_get(result, "swap_id") == NULL)
        return result_endpoint(json_object_get(answer, "parsed"), action, result);
    /* what was begun, or what shows it in place of that */
    return json_object_get(result, "from_token") == NULL ? offered_endpoint(action)
                                                         : endpoints_find_tool("get_swap_status");
}

/* The sentence of the operation behind the command. */
static const char *command_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *result = json_object_get(body, "result"), *parsed = json_object_get(body, "parsed");
    const char *action = phrase_text(body, "action");
    const struct endpoint *ep = result_endpoint(parsed, action, result);

    (void)asked;
    if (json_is_string(json_object_get(result, "unavailable")))
        return arena_printf(a, "Nothing was done; a real run would answer: %s",
                            phrase_text(result, "unavailable"));
    if (strcmp(action, action_names[ACTION_HELP]) == 0)
        return help_sentence(a, result);
    return ep != NULL && ep->sentence != NULL ? ep->sentence(a, parsed, result) : NULL;
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = POST,
        .path = V1 "/execute",
        .auth = AUTH_ACTIVE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        TAKES(execute_params, struct execute_in),
        .handler = execute_command,
        .terms = command_terms,
        .flags = ONCE | MAY_WAIT | SENTENCES | CORE,
        .tool = "execute_command",
        .sentence = command_sentence,
        .result_of = command_result_of,
        .summary = "Run a plain-English command",
        .about =
            "Moves money where it says so. The whole sentence must be understood in exactly one way; what is missing, vague or conditional is refused with a `hint`, and nothing happens. `parsed` is what was understood, `result` the answer behind it; `dry_run` only prices.",
        .tag = TAG_COMMANDS,
        .skill = SKILL_PLAIN_ENGLISH,
        .status = 200,
        .answer = &command_schema,
        .accepted = &command_schema,
        .errors = ERRORS{ &E_COMMAND,
                          &E_COMMAND_LENGTH,
                          &E_LIMIT,
                          &E_AMOUNT,
                          &E_SLIPPAGE,
                          &E_QUOTE_EXPIRED_EXECUTE,
                          &E_QUOTE_NOT_FOUND,
                          &E_WALLET_NOT_FOUND,
                          &E_SWAP_NOT_FOUND,
                          &E_MARKET_NOT_FOUND,
                          &E_BALANCE,
                          &E_GAS,
                          &E_PRICE_MOVED,
                          &E_PRICE_IMPACT,
                          &E_SHALLOW,
                          &E_WOULD_REVERT,
                          &E_BEHIND,
                          &E_PAUSED,
                          &E_POLICY,
                          &E_APPROVAL_COUNT,
                          &E_APPROVAL_NOT_FOUND,
                          &E_APPROVAL_DENIED,
                          &E_APPROVAL_EXPIRED,
                          &E_OPERATOR_LIMIT,
                          &E_QUOTA_POLICIES,
                          &E_STOPPED,
                          &E_NOT_CONFIGURED,
                          &E_SWAP_EXECUTION,
                          &E_WALLET_CREATION,
                          PRICE_ERRORS,
                          ORDER_ERRORS,
                          &E_PREDICT_ORDER_FAILED,
                          &E_PREDICT_ORDER_NOT_FOUND,
                          &E_PREDICT_ORDER_NOT_OPEN,
                          &E_NO_PROVIDER,
                          &E_PROVIDER_UNKNOWN,
                          PREDICT_ERRORS,
                          WITHDRAW_ERRORS,
                          ADDRESS_ERRORS,
                          &E_WITHDRAWAL_ADDRESS_WAITING,
                          &E_WITHDRAWAL_NOT_FOUND,
                          &E_TOKEN_KEEPS,
                          &E_DUPLICATE_TX,
                          &E_WITHDRAWAL_FAILED,
                          &E_REMOVAL_FAILED,
                          LENDING_ERRORS,
                          PERPS_ERRORS,
                          NULL },
        .hints = HINT_OPEN_WORLD,
    },
};

const struct endpoint_group commands_endpoints = { ENDPOINT_ROWS(rows) };
