#include "api/quotes.h"

#include "api/admission/idempotency.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "api/endpoint/shapes.h"
#include "api/view.h"
#include "chain/chains.h"
#include "codec/rand.h"
#include "model/agent.h"
#include "service/conf.h"
#include "store/quotes.h"
#include "swap/impact.h"
#include "swap/token.h"

/* ---- parameters ---- */

static const struct param quote_params[] = {
    { "from_token", P_TEXT, INTO(struct quote_in, from_token), .required = true, .max = PARAM_NAME_MAX,
      .about = "Source symbol or contract address", .example = "ETH" },
    { "to_token", P_TEXT, INTO(struct quote_in, to_token), .required = true, .max = PARAM_NAME_MAX,
      .about = "Destination symbol or contract address", .example = "USDC" },
    { "amount", P_AMOUNT, INTO(struct quote_in, amount), .required = true, .bad = &E_AMOUNT,
      .about = "Human-readable amount of the source token", .example = "1.5" },
    { "chain", P_TEXT, INTO(struct quote_in, chain), .max = PARAM_NAME_MAX, .assumed = "ethereum",
      .about = "Chain of a same-chain swap; default ethereum", .example = "ethereum" },
    { "from_chain", P_TEXT, INTO(struct quote_in, from_chain), .max = PARAM_NAME_MAX,
      .about = "Source chain" },
    { "to_chain", P_TEXT, INTO(struct quote_in, to_chain), .max = PARAM_NAME_MAX,
      .about = "Destination chain" },
    { "wallet_address", P_TEXT, INTO(struct quote_in, wallet_address), .max = PARAM_NAME_MAX,
      .about = "Whose swap it will be" },
    { "slippage", P_FRACTION, INTO(struct quote_in, slippage), .number = PARAM_SLIPPAGE_DEFAULT,
      .bad = &E_SLIPPAGE, .about = "0.03 allows three per cent less than quoted" },
    PARAM_MAX_IMPACT(struct quote_in, max_impact),
    { 0 },
};

/* ---- what they answer ---- */

/* clang-format off */
static const struct schema quote_token_schema = { "QuoteToken", "One side of a quote", FIELDS {
    { "symbol",   TEXT("USDC"),     "Symbol" },
    { "chain",    TEXT("ethereum"), "Key of the chain" },
    { "address",  TEXT(A_TOKEN),    "Contract address; the zero address is the native coin" },
    { "decimals", WHOLE("6"),       "Decimal places" },
    { "unverified", .kind = S_TRUE, .about = "It is not listed, and its symbol passes for that of a listed token: its address is shown instead", .marks = MAY_BE_ABSENT },
    END } };

static const struct schema route_schema = { "Route", "An offer that was considered", FIELDS {
    { "provider",      TEXT("uniswap_v3"), "Who makes it" },
    { "dex",           TEXT("Uniswap V3"), "Where it would be traded" },
    { "amount_out",    AMOUNT("4498.2"),   "What it gives" },
    { "estimated_gas", WHOLE("184000"),    "Units of gas" },
    END } };

static const struct schema quote_schema = { "Quote", "A price, good for 60 seconds", FIELDS {
    SUCCESS,
    { "quote_id",               TEXT(A_QUOTE),                         "Hand it to /swap/execute or /swap" },
    { "from_token",             OBJECT_AS(quote_token_schema, AN_ETH), "What is given" },
    { "to_token",               OBJECT(quote_token_schema),            "What is received" },
    { "amount_in",              AMOUNT("1.5"),                         "How much is given" },
    { "amount_out",             AMOUNT("4498.2"),                      "How much is expected" },
    { "amount_out_min",         AMOUNT("4363.254"),                    "The least that arrives, or the swap does not happen" },
    { "exchange_rate",          AMOUNT("2998.8"),                      "Units of to_token for one of from_token" },
    { "expires_in_seconds",     WHOLE("60"),                           "Always 60" },
    { "chain_type",             TEXT("evm"),                           "Kind of the source chain" },
    { "from_chain",             TEXT("ethereum"),                      "Key of the source chain" },
    { "to_chain",               TEXT("ethereum"),                      "Key of the destination chain" },
    { "slippage",               AMOUNT("0.03"),                        "The part of amount_out that may be missing at most" },
    { "dex",                    TEXT("Uniswap V3"),                    "Where it will be traded" },
    { "route",                  TEXT("ETH → USDC via Uniswap V3"),     "The way in words" },
    { "routes",                 LIST(route_schema),                    "The winner, then the runners-up" },
    { "price_impact",           AMOUNT("0.0012"),                      "How much worse the price is than that of a thousandth of the amount, and than the price feed's: the worse of both; null when nobody knows", MAY_BE_NULL },
    { "estimated_gas_usd",      AMOUNT("0.42"),                        "What the gas would cost in dollars; null without a price", MAY_BE_NULL },
    { "estimated_time_seconds", WHOLE("36"),                           "About how long it takes until it is completed" },
    { "warnings",               TEXTS("Price impact of 3.1 %: a smaller amount gets a better price"), "What to look at before it is executed; often nothing" },
    UNVERIFIED,
    END } };
/* clang-format on */

/* ---- handlers ---- */

static json_t *quote_token_view(const struct token_ref *t)
{
    const struct token_label label = token_label(t);

    return json_pack("{s:s, s:s, s:s, s:i, s:o*}", "symbol", label.symbol, "chain",
                     chain_by_id(t->chain_id)->key, "address", t->address, "decimals", (int)t->decimals,
                     "unverified", view_flag(label.unverified));
}

static json_t *unverified_view(const struct quote *q)
{
    return view_flag(token_label(&q->from).unverified || token_label(&q->to).unverified);
}

/* The winner first, then the runners-up. */
static json_t *routes_view(struct arena *a, const struct quote *q, const struct offers *offers)
{
    json_t *list = json_array();

    for (size_t i = 0; i < offers->count; i++) {
        const struct offer *o = &offers->best_first[i];

        json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:I}", "provider", o->provider->name, "dex",
                                              o->label, "amount_out", view_amount(a, o->out, &q->to),
                                              "estimated_gas", (json_int_t)o->gas_units));
    }
    return list;
}

static json_t *impact_view(struct arena *a, struct ppm impact)
{
    return view_text(impact.value == PPM_NONE ? NULL : ppm_text(a, impact));
}

/* Dollars with the decimal places of dollar tokens. */
static json_t *gas_view(struct arena *a, struct u256 usd)
{
    enum { USD_PLACES = 6 };
    struct u256 cut;

    if (u256_is_zero(usd) || !u256_div(&cut, NULL, usd, u256_from_u64(1000000000000)))
        return json_null();
    return json_string(amount_text(a, (struct amount){ cut, USD_PLACES }));
}

/* Until the swap is in a block that is deep enough and has arrived, in seconds. */
static json_int_t seconds_until_done(const struct ctx *ctx, const struct chain *c, const struct offer *o)
{
    uint64_t blocks = 1 + conf_chain_number(ctx->conf, "confirm_depth", c->key, c->confirm_depth);

    return (json_int_t)((blocks * c->block_ms + 999) / 1000) + o->seconds;
}

static void token_warn(json_t *list, struct arena *a, const struct token_ref *t)
{
    if (token_label(t).unverified)
        json_array_append_new(
            list,
            json_string(arena_printf(
                a, "%s is no listed token, and its symbol passes for one or cannot be shown", t->address)));
}

static json_t *warnings_view(struct arena *a, const struct quote *q)
{
    json_t *list = json_array();

    if (q->price_impact.value > IMPACT_WARNS)
        json_array_append_new(list, json_string(arena_printf(a, "%s: a smaller amount gets a better price",
                                                             impact_text(a, q->price_impact))));
    token_warn(list, a, &q->from);
    token_warn(list, a, &q->to);
    return list;
}

static json_t *quote_view(struct api_call *c, const struct quote *q, const struct offers *offers)
{
    struct arena *a = c->arena;
    const char *dex = offers->best_first[0].label;
    const struct chain *from = chain_by_id(q->from.chain_id), *to = chain_by_id(q->to.chain_id);
    char id[QUOTE_ID_TEXT_LEN + 1];
    struct amount in = { q->amount_in, q->from.decimals }, out = { q->amount_out, q->to.decimals };
    json_t *view;

    quote_id_text(id, &q->id);
    view =
        json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:i}", "quote_id", id, "from_token",
                  quote_token_view(&q->from), "to_token", quote_token_view(&q->to), "amount_in",
                  view_amount(a, q->amount_in, &q->from), "amount_out", view_amount(a, q->amount_out, &q->to),
                  "amount_out_min", view_amount(a, q->min_out, &q->to), "exchange_rate",
                  amount_rate_text(a, in, out), "expires_in_seconds", QUOTE_LIFETIME_S);
    if (view == NULL ||
        json_object_update_new(
            view,
            json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o*, s:o, s:I}", "chain_type",
                      chain_type_text(from->type), "from_chain", from->key, "to_chain", to->key, "slippage",
                      amount_text(a, (struct amount){ u256_from_u64(q->slippage.value), 6 }), "dex", dex,
                      "route", arena_printf(a, "%s → %s via %s", q->from.symbol, q->to.symbol, dex), "routes",
                      routes_view(a, q, offers), "price_impact", impact_view(a, q->price_impact), "warnings",
                      warnings_view(a, q), "unverified", unverified_view(q), "estimated_gas_usd",
                      gas_view(a, offers->best_first[0].gas_usd), "estimated_time_seconds",
                      seconds_until_done(c->ctx, from, &offers->best_first[0]))) != 0)
        return NULL;
    return view;
}

const struct err *quote_new(struct api_call *c, const struct quote_in *in, struct quote *out,
                            struct offers *offers)
{
    const struct err *e = quote_in_whole(c->arena, in);

    if (e == NULL)
        e = quote_make(c->ctx, c->arena, c->agent->id, in, out, offers);
    rand_bytes(out->id.bytes, sizeof out->id.bytes);
    return e;
}

static int quote_store(struct db *db, const void *quote)
{
    return quotes_add(db, quote) ? 1 : -1;
}

struct reply *quote_reply(struct api_call *c, const struct quote *q, json_t *body)
{
    return idempotency_commit(c, reply_json(c->rq, 200, body), quote_store, q);
}

static struct reply *get_quote(struct api_call *c, const void *arg)
{
    struct quote q;
    struct offers offers;
    const struct err *e = quote_new(c, arg, &q, &offers);

    return e != NULL ? reply_err(c->rq, e) : quote_reply(c, &q, quote_view(c, &q, &offers));
}

/* ---- as a sentence ---- */

static const char *quote_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const char *from = phrase_text(body, "from_chain"), *to = phrase_text(body, "to_chain");

    (void)asked;
    return arena_printf(
        a, "%s %s%s gives %s %s on %s, at least %s; quote %s is good for %lld seconds",
        phrase_text(body, "amount_in"), phrase_text(json_object_get(body, "from_token"), "symbol"),
        strcmp(from, to) == 0 ? "" : phrase_on_chain(a, from), phrase_text(body, "amount_out"),
        phrase_text(json_object_get(body, "to_token"), "symbol"), to, phrase_text(body, "amount_out_min"),
        phrase_text(body, "quote_id"), json_integer_value(json_object_get(body, "expires_in_seconds")));
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = POST,
        .path = V1 "/quote",
        .auth = AUTH_ACTIVE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        TAKES(quote_params, struct quote_in),
        .handler = get_quote,
        .flags = ONCE | WAITS,
        .tool = "get_quote",
        .sentence = quote_sentence,
        .summary = "Get a swap quote",
        .about =
            "The best offer of all sources, net of gas, kept for 60 seconds under `quote_id`. Next: POST /swap/execute with a managed wallet, or POST /swap to sign yourself. Quoting costs nothing. A `price_impact` above 0.05 (or what the operator has set) is quoted, but neither built nor executed without `max_price_impact`, here or there.",
        .tag = TAG_QUOTES,
        .skill = SKILL_QUOTE,
        .status = 200,
        .answer = &quote_schema,
        .errors = ERRORS{ PRICE_ERRORS, NULL },
        .hints = HINT_READ_ONLY | HINT_OPEN_WORLD,
    },
};

const struct endpoint_group quotes_endpoints = { ENDPOINT_ROWS(rows) };
