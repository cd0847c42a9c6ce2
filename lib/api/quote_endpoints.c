#include "api/quote_endpoints.h"

#include "api/admission/idempotency.h"
#include "api/admission/limits.h"
#include "api/admission/terms.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "api/endpoint/schemas.h"
#include "api/view.h"
#include "chain/address.h"
#include "chain/chains.h"
#include "chain/rpc/block_time.h"
#include "chain/tokens.h"
#include "codec/rand.h"
#include "exec/wallet.h"
#include "model/agent.h"
#include "model/approval.h"
#include "service/conf.h"
#include "store/executions.h"
#include "store/quotes.h"
#include "swap/impact.h"
#include "swap/purchase_recipient.h"
#include "swap/token.h"

/* ---- parameters ---- */

static const struct param quote_params[] = {
    { "from_token", P_TEXT, INTO(struct quote_in, from_token), .required = true, .max = PARAM_NAME_MAX,
      .about = "Source symbol or contract address", .example = "ETH" },
    { "to_token", P_TEXT, INTO(struct quote_in, to_token), .required = true, .max = PARAM_NAME_MAX,
      .about = "Destination symbol or contract address", .example = "USDC" },
    { "amount", P_QUANTITY, INTO(struct quote_in, amount), .required = true, .bad = &E_AMOUNT,
      .about = "Human-readable amount of the source token", .example = "1.5" },
    { "chain", P_TEXT, INTO(struct quote_in, chain), .max = PARAM_NAME_MAX, .assumed = "ethereum",
      .about = "Chain of a same-chain swap; default ethereum", .example = "ethereum" },
    { "from_chain", P_TEXT, INTO(struct quote_in, from_chain), .max = PARAM_NAME_MAX,
      .about = "Source chain" },
    { "to_chain", P_TEXT, INTO(struct quote_in, to_chain), .max = PARAM_NAME_MAX,
      .about = "Destination chain" },
    { "wallet_address", P_TEXT, INTO(struct quote_in, wallet_address), .max = PARAM_NAME_MAX,
      .about = "Whose swap it will be" },
    PARAM_RECIPIENT(struct quote_in, to_wallet_address),
    { "slippage", P_FRACTION, INTO(struct quote_in, slippage), .number = PARAM_SLIPPAGE_DEFAULT,
      .bad = &E_SLIPPAGE, .about = "0.03 allows three per cent less than quoted" },
    PARAM_MAX_IMPACT(struct quote_in, max_impact),
    PARAMS_PROVIDERS(struct quote_in, providers, exclude_providers),
    { 0 },
};

/* ---- answers ---- */

/* clang-format off */
static const struct schema quote_token_schema = { "QuoteToken", "One side of a quote", FIELDS {
    { "symbol",   TEXT("USDC"),     "Symbol" },
    { "chain",    TEXT("ethereum"), "Key of the chain" },
    { "address",  TEXT(A_TOKEN),    "Contract address; the zero address is the native coin" },
    { "decimals", WHOLE("6"),       "Decimal places", FULL_ONLY },
    { "unverified", .kind = S_TRUE, .about = "It is not listed, and its symbol passes for that of a listed token: its address is shown instead", .marks = MAY_BE_ABSENT },
    END } };

static const struct schema route_schema = { "Route", "An offer, or why a provider has none", FIELDS {
    { "provider",       TEXT("kyberswap"),    "Who was asked" },
    { "dex",            TEXT("KyberSwap"),    "Where it would be traded", .marks = MAY_BE_ABSENT },
    { "amount_out",     AMOUNT("4498.2"),     "What it gives", .marks = MAY_BE_ABSENT },
    { "amount_out_min", AMOUNT("4363.254"),   "The least that arrives", .marks = MAY_BE_ABSENT },
    { "estimated_gas",  WHOLE("184000"),      "Units of gas; 0 on Solana, whose fees fees_usd has", .marks = MAY_BE_ABSENT },
    { "gas_usd",        AMOUNT("0.42"),       "What the gas would cost in dollars; null without a price", .marks = MAY_BE_ABSENT | MAY_BE_NULL },
    { "fees_usd",       AMOUNT("0.1"),        "What is charged beside input and gas, in dollars; null without a price", .marks = MAY_BE_ABSENT | MAY_BE_NULL },
    { "net_out",        AMOUNT("4497.78"),    "amount_out less gas and fees, in units of what is bought", .marks = MAY_BE_ABSENT },
    { "duration_ms",    WHOLE("184"),         "How long the provider took to answer", .marks = MAY_BE_ABSENT },
    { "selected",       .kind = S_FLAG, .example = "true", .about = "Whether the quote is made of it", .marks = MAY_BE_ABSENT },
    { "error",          TEXT("NO_ROUTE"),     "NO_ROUTE, TIMEOUT, RATE_LIMITED, REFUSED, UPSTREAM_ERROR or SKIPPED: it has no offer", .marks = MAY_BE_ABSENT },
    { "reason",         TEXT("It has no route for this pair and amount"), "Why", .marks = MAY_BE_ABSENT },
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
    { "chain_type",             TEXT("evm"),                           "Kind of the source chain", FULL_ONLY },
    { "from_chain",             TEXT("ethereum"),                      "Key of the source chain", FULL_ONLY },
    { "to_chain",               TEXT("ethereum"),                      "Key of the destination chain", FULL_ONLY },
    { "slippage",               AMOUNT("0.03"),                        "The part of amount_out that may be missing at most", FULL_ONLY },
    { "dex",                    TEXT("Uniswap V3"),                    "Where it will be traded" },
    { "route",                  TEXT("ETH → USDC via Uniswap V3"),     "The way in words", FULL_ONLY },
    { "routes",                 LIST(route_schema),                    "The winner, then the runners-up", FULL_ONLY },
    { "price_impact",           AMOUNT("0.0012"),                      "Price impact against a thousandth of the amount or the price feed, whichever is worse; null if unknown", MAY_BE_NULL },
    { "estimated_gas_usd",      AMOUNT("0.42"),                        "What the gas, on Solana the chain's fees, would cost in dollars; null without a price", MAY_BE_NULL },
    { "bridge",                 TEXT("relay"),                         "Between chains: who pays on the other one", .marks = MAY_BE_ABSENT },
    { "to_wallet_address",      TEXT(A_SOLANA_WALLET),                 "Between Solana and other chains: the recipient of the output; null: not chosen yet", .marks = MAY_BE_ABSENT | MAY_BE_NULL | FULL_IF_NULL },
    { "estimated_time_seconds", WHOLE("36"),                           "About how long it takes until it is completed" },
    { "warnings",               TEXTS("Price impact of 3.1 %: a smaller amount gets a better price"), "What to look at before it is executed; often nothing" },
    UNVERIFIED,
    END } };
/* clang-format on */

/* ---- handlers ---- */

static void quote_token_write(struct json_writer *w, const char *key, const struct token_ref *t)
{
    const struct token_label label = token_label(t);

    jw_object(w, key);
    jw_string(w, "symbol", label.symbol);
    jw_string(w, "chain", chain_by_id(t->chain_id)->key);
    jw_string(w, "address", t->address);
    jw_integer(w, "decimals", t->decimals);
    jw_true_if(w, "unverified", label.unverified);
    jw_end(w);
}

/* Dollars with the decimal places of dollar tokens; null when they are not known. */
static void dollars_write(struct json_writer *w, const char *key, struct u256 usd, bool known)
{
    enum { USD_PLACES = 6 };
    struct u256 cut;

    if (!known || !u256_div(&cut, NULL, usd, u256_from_u64(1000000000000)))
        jw_null(w, key);
    else
        amount_write(w, key, (struct amount){ cut, USD_PLACES });
}

static unsigned offer_took_ms(const struct offers *all, const struct offer *o)
{
    for (size_t i = 0; i < all->asked_count; i++)
        if (all->asked[i].provider == o->provider)
            return all->asked[i].took_ms;
    return 0;
}

/* Without gas, the chain's fees are the whole cost. */
static struct u256 offer_gas_usd(const struct offer *o)
{
    return o->gas_units > 0 ? o->gas_usd : o->fee_usd;
}

static void offer_write(struct json_writer *w, const struct quote *q, const struct offers *all,
                        const struct offer *o)
{
    jw_object(w, NULL);
    jw_string(w, "provider", o->provider->name);
    jw_string(w, "dex", o->label);
    view_amount(w, "amount_out", o->out, &q->to);
    view_amount(w, "amount_out_min", o->min_out, &q->to);
    jw_integer(w, "estimated_gas", (int64_t)o->gas_units);
    dollars_write(w, "gas_usd", o->gas_usd, o->gas_units == 0 || !u256_is_zero(o->gas_usd));
    dollars_write(w, "fees_usd", o->fee_usd, u256_is_zero(o->fee) || !u256_is_zero(o->fee_usd));
    view_amount(w, "net_out", o->net, &q->to);
    jw_integer(w, "duration_ms", offer_took_ms(all, o));
    jw_bool(w, "selected", o == &all->best_first[0]);
    jw_end(w);
}

static void no_offer_write(struct json_writer *w, const struct asked *asked)
{
    static const char *const codes[] = {
        [ASK_OFFERED] = "UPSTREAM_ERROR",     [ASK_NO_ROUTE] = "NO_ROUTE", [ASK_TOO_SMALL] = "NO_ROUTE",
        [ASK_RATE_LIMITED] = "RATE_LIMITED",  [ASK_REFUSED] = "REFUSED",   [ASK_TIMEOUT] = "TIMEOUT",
        [ASK_UNAVAILABLE] = "UPSTREAM_ERROR", [ASK_SKIPPED] = "SKIPPED",   [ASK_PAID_BESIDE] = "NO_ROUTE",
    };

    jw_object(w, NULL);
    jw_string(w, "provider", asked->provider->name);
    jw_string(w, "error", codes[asked->end]);
    jw_string(w, "reason", asked->reason);
    jw_integer(w, "duration_ms", asked->took_ms);
    jw_end(w);
}

/* The winner first, then the runners-up, then those without an offer. */
static void routes_write(struct json_writer *w, const struct quote *q, const struct offers *offers)
{
    jw_array(w, "routes");
    for (size_t i = 0; i < offers->count; i++)
        offer_write(w, q, offers, &offers->best_first[i]);
    for (size_t i = 0; i < offers->asked_count; i++)
        if (offers->asked[i].end != ASK_OFFERED)
            no_offer_write(w, &offers->asked[i]);
    jw_end(w);
}

/* Until the swap is in a block that is deep enough and has arrived, in seconds. */
static int64_t seconds_until_done(const struct ctx *ctx, const struct chain *c, const struct offer *o)
{
    uint64_t blocks = 1 + confirm_depth_of(ctx->conf, c);

    return (int64_t)((blocks * block_time_ms(c) + 999) / 1000) + o->seconds;
}

static void token_warn(struct json_writer *w, const struct token_ref *t)
{
    if (token_label(t).unverified)
        jw_string(w, NULL,
                  arena_printf(w->arena,
                               "%s is no listed token, and its symbol passes for one or cannot be shown",
                               t->address));
}

static void recipient_warn(struct json_writer *w, const struct quote *q)
{
    const struct chain *to = chain_by_id(q->to.chain_id);

    if (recipient_is_far(q) && q->recipient[0] == '\0')
        jw_string(
            w, NULL,
            arena_printf(w->arena,
                         "You have no wallet on %s to be paid: POST /wallets with chain_type %s creates "
                         "one, or name a to_wallet_address and sign yourself",
                         to->key, chain_type_text(to->type)));
}

static void slippage_warn(struct json_writer *w, const struct quote *q)
{
    if (q->slippage.value > SLIPPAGE_WARNS)
        jw_string(w, NULL,
                  arena_printf(w->arena, "Slippage of %s %% allowed: so much less may arrive",
                               ppm_percent(w->arena, q->slippage)));
}

/* Gas and fees, as a share of what it brings. */
static void fee_warn(struct json_writer *w, const struct offer *best)
{
    struct ppm share = amount_shortfall(best->out, best->net);

    if (share.value != PPM_NONE && share.value > FEE_WARNS)
        jw_string(w, NULL,
                  arena_printf(w->arena,
                               "Gas and fees take about %s %% of what it brings: a larger amount "
                               "loses a smaller part of it",
                               ppm_percent(w->arena, share)));
}

/* The cost of gas and fees in the coin that is sold; false: unknown. */
static bool fees_in_coin(struct u256 *out, const struct quote *q, const struct offer *best)
{
    struct u256 lost;

    return u256_sub(&lost, best->out, best->net) && !u256_is_zero(best->out) &&
           u256_muldiv(out, q->amount_in, lost, best->out);
}

/* Warns if a named wallet sells so much of the coin that too little is left for fees. */
static void coin_warn(struct json_writer *w, const struct ctx *ctx, const struct quote *q,
                      const struct offer *best)
{
    const struct token *from = token_known(&q->from);
    struct u256 fees, twice, needed, held;

    if (from == NULL || !token_is_native(from) || q->wallet_address[0] == '\0' ||
        !fees_in_coin(&fees, q, best) || !u256_add(&twice, fees, fees) ||
        !u256_add(&needed, q->amount_in, twice) ||
        !wallet_coin(ctx, w->arena, q->wallet_address, chain_by_id(q->from.chain_id), &held))
        return;
    if (u256_cmp(held, q->amount_in) >= 0 && u256_cmp(held, needed) < 0)
        jw_string(w, NULL,
                  arena_printf(w->arena,
                               "It leaves the wallet without %s for the fees of anything more: sell less",
                               q->from.symbol));
}

static void warnings_write(struct json_writer *w, const struct ctx *ctx, const struct quote *q,
                           const struct offer *best)
{
    jw_array(w, "warnings");
    if (q->price_impact.value > IMPACT_WARNS)
        jw_string(w, NULL,
                  arena_printf(w->arena, "%s: a smaller amount gets a better price",
                               impact_text(w->arena, q->price_impact)));
    slippage_warn(w, q);
    fee_warn(w, best);
    coin_warn(w, ctx, q, best);
    token_warn(w, &q->from);
    token_warn(w, &q->to);
    recipient_warn(w, q);
    jw_end(w);
}

static void trade_write(struct json_writer *w, const struct quote *q)
{
    struct amount in = { q->amount_in, q->from.decimals }, out = { q->amount_out, q->to.decimals };

    quote_token_write(w, "from_token", &q->from);
    quote_token_write(w, "to_token", &q->to);
    amount_write(w, "amount_in", in);
    amount_write(w, "amount_out", out);
    view_amount(w, "amount_out_min", q->min_out, &q->to);
    jw_string(w, "exchange_rate", amount_rate_text(w->arena, in, out));
}

static void way_write(struct json_writer *w, const struct quote *q, const struct offers *offers)
{
    const struct chain *from = chain_by_id(q->from.chain_id);
    const char *dex = offers->best_first[0].label;

    jw_string(w, "chain_type", chain_type_text(from->type));
    jw_string(w, "from_chain", from->key);
    jw_string(w, "to_chain", chain_by_id(q->to.chain_id)->key);
    jw_string(w, "slippage", ppm_text(w->arena, q->slippage));
    jw_string(w, "dex", dex);
    jw_string(w, "route",
              arena_printf(w->arena, "%s → %s via %s: %s", q->from.symbol, q->to.symbol, dex,
                           offers->count == 1
                               ? "the only offer"
                               : arena_printf(w->arena, "the best of %zu offers, gas and fees counted",
                                              offers->count)));
    routes_write(w, q, offers);
}

static void quote_write(struct json_writer *w, const struct ctx *ctx, const struct quote *q,
                        const struct offers *offers)
{
    const struct offer *best = &offers->best_first[0];
    char id[QUOTE_ID_TEXT_LEN + 1];

    quote_id_text(id, &q->id);
    jw_string(w, "quote_id", id);
    trade_write(w, q);
    jw_integer(w, "expires_in_seconds", QUOTE_LIFETIME_S);
    way_write(w, q, offers);
    jw_string_or_null(w, "price_impact",
                      q->price_impact.value == PPM_NONE ? NULL : ppm_text(w->arena, q->price_impact));
    warnings_write(w, ctx, q, best);
    jw_true_if(w, "unverified", token_label(&q->from).unverified || token_label(&q->to).unverified);
    dollars_write(w, "estimated_gas_usd", offer_gas_usd(best), !u256_is_zero(offer_gas_usd(best)));
    if (q->from.chain_id != q->to.chain_id)
        jw_string(w, "bridge", provider_name(q->provider));
    if (recipient_is_far(q))
        jw_string_or_null(w, "to_wallet_address", q->recipient[0] == '\0' ? NULL : q->recipient);
    jw_integer(w, "estimated_time_seconds", seconds_until_done(ctx, chain_by_id(q->from.chain_id), best));
}

const struct err *quote_new(struct api_call *c, const struct quote_in *in, struct quote *out,
                            struct offers *offers)
{
    const struct err *e = quote_in_whole(c->arena, in);

    if (e == NULL)
        e = limits_quote(c);
    if (e == NULL)
        e = quote_make(c->ctx, c->arena, c->agent->id, in, out, offers);
    rand_bytes(out->id.bytes, sizeof out->id.bytes);
    return e;
}

static enum db_update quote_store(struct db *db, const void *quote)
{
    return quotes_add(db, quote) ? UPDATED : DB_ERROR;
}

struct reply *quote_reply(struct api_call *c, const struct quote *q, struct reply *answer)
{
    /* One statement needs no transaction where no answer is recorded with it. */
    if (c->record == NULL && answer != NULL)
        return quotes_add(c->ctx->db, q) ? answer : NULL;
    return idempotency_commit(c, answer, quote_store, q);
}

/* ---- of a quote that is named ---- */

/* The payer that the engine will choose: the wallet named, or the oldest. */
static const char *payer_of(struct api_call *c, const struct quote *q, const char *named)
{
    const struct chain *from = chain_by_id(q->from.chain_id);
    struct wallet w;

    if (from == NULL || wallet_of(c->ctx, c->agent->id, wallet_kind_on(from), named, &w) != LOOKUP_FOUND)
        return named;
    return arena_strdup(c->arena, w.ref.address);
}

static void side_write(struct json_writer *w, const char *key, const struct token_ref *t)
{
    jw_object(w, key);
    jw_integer(w, "chain", (int64_t)t->chain_id);
    jw_string(w, "token", t->address);
    jw_end(w);
}

static void quote_terms_write(struct json_writer *w, struct api_call *c, struct quote *q)
{
    jw_string(w, "kind", "swap");
    side_write(w, "from", &q->from);
    side_write(w, "to", &q->to);
    view_amount(w, "amount", q->amount_in, &q->from);
    jw_integer(w, "slippage", q->slippage.value);
    if (recipient_is_far(
            q)) /* of one without, it is settled as the execution will; else it stays unsettled */
        (void)recipient_settle(c->ctx, c->arena, q);
    jw_string(w, "recipient", q->recipient);
}

const char *quote_terms(struct api_call *c, const void *in, const char *quote_id, const char *wallet_address,
                        uint32_t max_impact)
{
    /* written as the quote settles them, and the sentence that names it */
    static const char *const settled[] = { "wallet_address", "max_price_impact", "command", NULL };
    struct json_writer w;
    struct quote q;

    if (quote_of(c->ctx, c->agent->id, quote_id, &q) != LOOKUP_FOUND)
        return NULL;
    jw_init(&w, c->arena, TERMS_BYTES);
    jw_object(&w, NULL);
    terms_write(&w, c, in, settled);
    jw_object(&w, "quote");
    quote_terms_write(&w, c, &q);
    jw_string_or_null(&w, "wallet", payer_of(c, &q, wallet_address));
    jw_integer(&w, "impact", max_impact != PPM_NONE ? max_impact : q.max_impact.value);
    jw_end(&w);
    jw_end(&w);
    return jw_finish(&w);
}

static void approval_write_if(struct json_writer *w, struct api_call *c, uint64_t swap_id)
{
    char id[APPROVAL_ID_TEXT_LEN + 1];
    struct execution s;

    if (executions_get(c->ctx->db, c->arena, c->agent->id, swap_id, &s) != LOOKUP_FOUND || !s.has_approval ||
        s.status != EXEC_PENDING)
        return;
    approval_id_text(id, &s.approval);
    jw_string(w, "approval_id", id);
}

/* A caller who lost the answer is told what the quote became, and what that waits for. */
struct reply *quote_refuse(struct api_call *c, const struct err *e, uint64_t swap_id)
{
    unsigned long long id = swap_id;
    struct json_writer *w;

    if (swap_id == 0)
        return reply_err(c->rq, e);
    e = err_hint(
        c->arena, e,
        arena_printf(c->arena, "It became swap %llu: GET /swap/status/%llu says how that stands", id, id));
    w = reply_err_open(c->rq, e, NULL);
    jw_integer(w, "swap_id", (int64_t)swap_id);
    approval_write_if(w, c, swap_id);
    return reply_close(w);
}

/* ---- handlers ---- */

static struct reply *get_quote(struct api_call *c, const void *arg)
{
    struct json_writer *w;
    struct quote q;
    struct offers offers;
    const struct err *e = quote_new(c, arg, &q, &offers);

    if (e != NULL)
        return reply_err(c->rq, e);
    w = reply_open(c->rq, 200);
    quote_write(w, c->ctx, &q, &offers);
    return quote_reply(c, &q, reply_close(w));
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
        .flags = ONCE | WAITS | STORES | CORE,
        .tool = "get_quote",
        .sentence = quote_sentence,
        .summary = "Get a swap quote",
        .about =
            "The best offer of all sources, net of gas, kept for 60 seconds under `quote_id`. Next: POST /swap/execute with a managed wallet, or POST /swap to sign yourself. A `price_impact` above 0.05 is neither built nor executed without `max_price_impact`.",
        .tag = TAG_QUOTES,
        .skill = SKILL_QUOTE,
        .status = 200,
        .answer = &quote_schema,
        .errors = ERRORS{ PRICE_ERRORS, &E_NO_PROVIDER, &E_PROVIDER_UNKNOWN, NULL },
        .hints = HINT_READ_ONLY | HINT_OPEN_WORLD,
    },
};

const struct endpoint_group quotes_endpoints = { ENDPOINT_ROWS(rows) };
