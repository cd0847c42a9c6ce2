#include "route/kyberswap.h"

#include "base/json_numbers.h"
#include "base/json_slice.h"
#include "base/json_writer.h"
#include "codec/u256_member.h"
#include "model/amount.h"
#include "route/provider_json.h"
#include "route/provider_service.h"

#define CLIENT "agent-gateway"

static const struct ppm KYBER_SLIPPAGE_MAX = { 200000 };

/* The service knows chains by the same keys. */
static const char *const kyber_chains[] = { "ethereum", "bsc",       "arbitrum", "polygon", "optimism",
                                            "base",     "avalanche", "linea",    "mantle",  NULL };

static const struct provider_json_code kyber_codes[] = {
    { "0", ASK_UNAVAILABLE },                            /* "successfully", but without a route */
    { "4005", ASK_TOO_SMALL },                           /* the fee is more than the amount */
    { "4007", ASK_TOO_SMALL },                           /* likewise */
    { "4008", ASK_NO_ROUTE },  { "4009", ASK_NO_ROUTE }, /* the amount is too large */
    { "4010", ASK_NO_ROUTE },                            /* no pools */
    { "4011", ASK_REFUSED },                             /* an unknown token */
    { NULL, ASK_UNAVAILABLE },
};

static bool kyber_supports(const struct chain *from, const struct chain *to)
{
    return provider_json_one_chain(from, to) && provider_json_lists(kyber_chains, from);
}

/* ---- routes ---- */

/* Makers' prices live for seconds only, too short for what a wallet will sign. */
static bool kyber_ask(struct call *call, const struct ctx *ctx, const struct route_in *in, struct arena *a)
{
    const struct provider_fee *fee = provider_fee(ctx, &kyberswap);
    const char *path = arena_printf(
        a, "/%s/api/v1/routes?tokenIn=%s&tokenOut=%s&amountIn=%s&gasInclude=true&excludeRFQSources=true",
        in->from_chain->key, provider_json_token(a, &in->from, PROVIDER_JSON_COIN),
        provider_json_token(a, &in->to, PROVIDER_JSON_COIN), provider_json_amount(a, in->amount_in));

    if (fee != NULL)
        path = arena_printf(a, "%s&feeAmount=%u&isInBps=true&chargeFeeBy=currency_out&feeReceiver=%s", path,
                            fee->bps, fee->receiver);
    if (!provider_get(call, ctx, &kyberswap, a, path))
        return false;
    provider_header(call, "X-Client-Id: " CLIENT);
    return true;
}

static enum ask_end kyber_refusal(const struct call *call)
{
    json_t *doc = provider_answer(call);
    enum ask_end end =
        provider_json_refusal(call, json_string_value(json_object_get(doc, "code")), kyber_codes);

    json_decref(doc);
    return end;
}

/* The text of what a route says of itself. It is signed, so it goes back as it came. */
static bool kyber_summary(struct json_slice *out, const struct call *call)
{
    struct json_slice data, answer = { call->answer.data, call->answer.len };

    return json_slice_member(&data, answer, "data") && json_slice_member(out, data, "routeSummary");
}

struct kyber_route {
    struct u256 out;
    uint64_t gas;
};

static bool kyber_route_read(struct kyber_route *out, const struct json_slice *summary,
                             const struct route_in *in)
{
    static const char *const unread[] = { "route", "extraFee", NULL };
    json_t *doc = json_read_texts_without(summary->text, summary->len, unread);
    bool read = provider_json_says_token(doc, "tokenIn", &in->from, PROVIDER_JSON_COIN) &&
                provider_json_says_token(doc, "tokenOut", &in->to, PROVIDER_JSON_COIN) &&
                provider_json_says_amount(doc, "amountIn", in->amount_in) &&
                u256_member(&out->out, doc, "amountOut");

    out->gas = provider_json_gas(doc, "gas");
    json_decref(doc);
    return read;
}

/* ASK_OFFERED: there is a route. */
static enum ask_end kyber_answer(const struct call *call, const struct route_in *in,
                                 struct json_slice *summary, struct kyber_route *route)
{
    if (provider_end(call) != ASK_OFFERED || !kyber_summary(summary, call))
        return kyber_refusal(call);
    return kyber_route_read(route, summary, in) ? ASK_OFFERED : ASK_UNAVAILABLE;
}

static enum ask_end kyber_read(const struct call *call, const struct route_in *in, struct arena *a,
                               struct route_answer *out)
{
    struct json_slice summary;
    struct kyber_route route;
    enum ask_end end = kyber_answer(call, in, &summary, &route);

    (void)a;
    return end == ASK_OFFERED ? provider_json_offer(out, "KyberSwap", route.out, route.gas) : end;
}

/* ---- the transaction of an offer: a new route, then its calldata ---- */

struct kyber_build {
    const char *url;
    bool asked;
    struct ppm slippage; /* that was asked for */
};

static bool kyber_ask_tx(struct call *call, const struct ctx *ctx, const struct tx_in *in, struct arena *a)
{
    struct kyber_build *build = ARENA_NEW(a, struct kyber_build);

    if (!kyber_ask(call, ctx, &in->route, a))
        return false;
    build->url =
        arena_printf(a, "%s/%s/api/v1/route/build", provider_url(ctx, &kyberswap), in->route.from_chain->key);
    call->owner = build;
    return true;
}

static const char *kyber_build_body(struct arena *a, const struct json_slice *summary,
                                    const struct kyber_build *build, const struct tx_in *in)
{
    struct json_writer w;

    jw_init(&w, a, MAX_UPSTREAM);
    jw_object(&w, NULL);
    jw_raw(&w, "routeSummary", summary->text, summary->len, NULL);
    jw_string(&w, "sender", in->route.wallet);
    jw_string(&w, "recipient", in->route.wallet);
    jw_string(&w, "origin", in->route.wallet);
    jw_integer(&w, "slippageTolerance", provider_json_bps(build->slippage));
    jw_integer(&w, "deadline", in->deadline);
    jw_bool(&w, "enableGasEstimation", false);
    jw_string(&w, "source", CLIENT);
    jw_end(&w);
    return jw_finish(&w);
}

/* The output is known now, so the minimum is what the quote promised. */
static enum tx_end kyber_build(struct call *call, const struct tx_in *in, struct arena *a)
{
    const struct ppm limit =
        in->route.slippage.value < KYBER_SLIPPAGE_MAX.value ? in->route.slippage : KYBER_SLIPPAGE_MAX;
    struct kyber_build *build = call->owner;
    struct json_slice summary;
    struct kyber_route route;
    enum ask_end end = kyber_answer(call, &in->route, &summary, &route);
    const char *body;

    if (end != ASK_OFFERED)
        return provider_json_tx_end(end);
    if (!provider_json_tolerance(&build->slippage, route.out, in->min_out, limit))
        return TX_TOO_LITTLE;
    if ((body = kyber_build_body(a, &summary, build, in)) == NULL)
        return TX_UNAVAILABLE;
    build->asked = true;
    provider_ask_next(call, build->url, body);
    return TX_ASKS_MORE;
}

/* The members of an answer to `build`. */
static bool kyber_tx_read(struct wallet_call *out, const json_t *data, const struct tx_in *in,
                          struct ppm slippage, struct arena *a)
{
    struct amount promised = { .decimals = in->route.to.decimals };

    if (!provider_json_says_amount(data, "amountIn", in->route.amount_in) ||
        !u256_member(&promised.raw, data, "amountOut") ||
        !amount_less_ppm_down(&promised, promised, slippage) ||
        !provider_json_quantity(&out->value, data, "transactionValue"))
        return false;
    out->min_out = promised.raw;
    out->gas_units = provider_json_gas(data, "gas");
    out->to = provider_json_address(a, data, "routerAddress");
    out->spender = provider_json_is_coin(&in->route.from) ? NULL : out->to;
    out->data = provider_json_bytes(a, &out->data_len, data, "data");
    return out->to != NULL && out->data != NULL && provider_json_pays_input(out, &in->route);
}

static enum tx_end kyber_read_tx(struct call *call, const struct tx_in *in, struct arena *a,
                                 struct wallet_call *out)
{
    const struct kyber_build *build = call->owner;
    json_t *doc;
    bool read;

    if (!build->asked)
        return kyber_build(call, in, a);
    if (provider_end(call) != ASK_OFFERED)
        return provider_json_tx_end(kyber_refusal(call));
    doc = provider_answer(call);
    read = kyber_tx_read(out, json_object_get(doc, "data"), in, build->slippage, a);
    json_decref(doc);
    return read ? TX_READY : TX_UNAVAILABLE;
}

static const struct provider_service kyber_service = {
    .url = "https://aggregator-api.kyberswap.com",
    .rate = "3/s",
};

static const char *const kyberswap_nicknames[] = { "kyber", NULL };

const struct provider kyberswap = {
    .key = "kyberswap",
    .name = "kyberswap",
    .nicknames = kyberswap_nicknames,
    .service = &kyber_service,
    .supports = kyber_supports,
    .ask = kyber_ask,
    .read = kyber_read,
    .ask_tx = kyber_ask_tx,
    .read_tx = kyber_read_tx,
};
