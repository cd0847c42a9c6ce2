#include "route/openocean.h"

#include <inttypes.h>
#include <string.h>

#include "codec/u256_member.h"
#include "model/amount.h"
#include "route/gas_price.h"
#include "route/provider_json.h"
#include "route/provider_service.h"
#include "route/token_list.h"

/* The range that the service accepts, both included. */
static const struct ppm OPENOCEAN_SLIPPAGE_MIN = { 500 }, OPENOCEAN_SLIPPAGE_MAX = { 500000 };

static const char *const openocean_chains[] = { "ethereum", "bsc",      "polygon", "fantom", "avalanche",
                                                "arbitrum", "optimism", "gnosis",  "base",   "linea",
                                                "scroll",   "mantle",   NULL };

/* HTTP says 200 to everything; what is not in here is no route. */
static const struct provider_json_code openocean_codes[] = {
    { "401", ASK_REFUSED },     { "403", ASK_REFUSED },     { "429", ASK_RATE_LIMITED },
    { "500", ASK_UNAVAILABLE }, { "502", ASK_UNAVAILABLE }, { "503", ASK_UNAVAILABLE },
    { NULL, ASK_UNAVAILABLE },
};

static bool openocean_supports(const struct chain *from, const struct chain *to)
{
    return provider_json_one_chain(from, to) && provider_json_lists(openocean_chains, from);
}

/* ---- questions: both have the same parameters ---- */

/* Raising a slippage would cost the agent more than it allows; lowering it can only make the trade fail. */
static bool openocean_slippage(struct ppm *out, struct ppm asked)
{
    *out = asked;
    if (out->value > OPENOCEAN_SLIPPAGE_MAX.value)
        *out = OPENOCEAN_SLIPPAGE_MAX;
    return out->value >= OPENOCEAN_SLIPPAGE_MIN.value;
}

static const char *openocean_path(struct arena *a, const struct ctx *ctx, const struct route_in *in,
                                  const char *endpoint, struct ppm slippage)
{
    const struct provider_fee *fee = provider_fee(ctx, &openocean);
    const char *path = arena_printf(
        a,
        "/v4/%" PRIu64 "/%s?inTokenAddress=%s&outTokenAddress=%s&amountDecimals=%s&gasPriceDecimals=%s"
        "&slippage=%s",
        in->from_chain->id, endpoint, provider_json_token(a, &in->from, PROVIDER_JSON_COIN),
        provider_json_token(a, &in->to, PROVIDER_JSON_COIN), provider_json_amount(a, in->amount_in),
        provider_json_amount(a, gas_price_last(in->from_chain)), ppm_percent(a, slippage));

    return fee == NULL ? path
                       : arena_printf(a, "%s&referrer=%s&referrerFee=%s", path, fee->receiver,
                                      ppm_percent(a, provider_json_of_bps(fee->bps)));
}

static bool openocean_ask(struct call *call, const struct ctx *ctx, const struct route_in *in,
                          struct arena *a)
{
    struct ppm slippage;

    return openocean_slippage(&slippage, in->slippage) &&
           provider_get(call, ctx, &openocean, a, openocean_path(a, ctx, in, "quote", slippage));
}

/* ---- answers: so have these ---- */

/* An older form of the same path read amounts in units of the token: the echo tells. */
static bool openocean_repeats(const json_t *data, const struct route_in *in)
{
    return provider_json_says_token(json_object_get(data, "inToken"), "address", &in->from,
                                    PROVIDER_JSON_COIN) &&
           provider_json_says_token(json_object_get(data, "outToken"), "address", &in->to,
                                    PROVIDER_JSON_COIN) &&
           provider_json_says_amount(data, "inAmount", in->amount_in);
}

/* ASK_OFFERED: *data, which is part of `doc`, answers what was asked. */
static enum ask_end openocean_answer(const json_t **data, const struct call *call, const json_t *doc,
                                     const struct route_in *in)
{
    *data = json_object_get(doc, "data");
    if (provider_end(call) != ASK_OFFERED || (doc != NULL && !provider_json_says(doc, "code", "200")))
        return provider_json_refusal(call, json_string_value(json_object_get(doc, "code")), openocean_codes);
    return openocean_repeats(*data, in) ? ASK_OFFERED : ASK_UNAVAILABLE;
}

static enum ask_end openocean_read(const struct call *call, const struct route_in *in, struct arena *a,
                                   struct route_answer *out)
{
    static const char *const unread[] = { "dexes", "path", NULL };
    json_t *doc = provider_answer_without(call, unread);
    const json_t *data;
    enum ask_end end = openocean_answer(&data, call, doc, in);
    struct u256 amount;

    (void)a;
    if (end == ASK_OFFERED)
        end = u256_member(&amount, data, "outAmount")
                  ? provider_json_offer(out, "OpenOcean", amount, provider_json_gas(data, "estimatedGas"))
                  : ASK_UNAVAILABLE;
    json_decref(doc);
    return end;
}

/* ---- the transaction of an offer ---- */

static bool openocean_ask_tx(struct call *call, const struct ctx *ctx, const struct tx_in *in,
                             struct arena *a)
{
    struct ppm slippage;
    const char *path;

    if (!openocean_slippage(&slippage, in->route.slippage))
        return false;
    if (!openocean_slippage(&slippage, provider_json_half(in->route.slippage)))
        slippage = OPENOCEAN_SLIPPAGE_MIN;
    path = openocean_path(a, ctx, &in->route, "swap", slippage);
    return provider_get(call, ctx, &openocean, a, arena_printf(a, "%s&account=%s", path, in->route.wallet));
}

static bool openocean_tx_read(struct wallet_call *out, const json_t *data, const struct tx_in *in,
                              struct arena *a)
{
    out->gas_units = provider_json_gas(data, "estimatedGas");
    return u256_member(&out->min_out, data, "minOutAmount") && provider_json_tx(out, data, &in->route, a) &&
           provider_json_pays_input(out, &in->route);
}

static enum tx_end openocean_read_tx(struct call *call, const struct tx_in *in, struct arena *a,
                                     struct wallet_call *out)
{
    json_t *doc = provider_answer(call);
    const json_t *data;
    enum ask_end asked = openocean_answer(&data, call, doc, &in->route);
    enum tx_end end = asked != ASK_OFFERED                  ? provider_json_tx_end(asked)
                      : openocean_tx_read(out, data, in, a) ? TX_READY
                                                            : TX_UNAVAILABLE;

    json_decref(doc);
    return end;
}

/* ---- tokens ---- */

static bool openocean_ask_tokens(struct call *call, const struct ctx *ctx, const struct chain *c,
                                 struct arena *a)
{
    return provider_json_lists(openocean_chains, c) &&
           provider_get(call, ctx, &openocean, a, arena_printf(a, "/v4/%" PRIu64 "/tokenList", c->id));
}

static bool openocean_read_tokens(const struct call *call, const struct chain *c, struct arena *a,
                                  struct token_list *out)
{
    static const struct token_form form = { .address = "address", .ranked = true };
    json_t *doc = provider_end(call) == ASK_OFFERED ? provider_answer(call) : NULL;
    bool read = provider_json_says(doc, "code", "200") &&
                token_list_read(out, json_object_get(doc, "data"), &form, c, a);

    json_decref(doc);
    return read;
}

static const struct provider_service openocean_service = {
    .url = "https://open-api.openocean.finance",
    .rate = "2/s",
};

const struct provider openocean = {
    .key = "openocean",
    .name = "openocean",
    .service = &openocean_service,
    .supports = openocean_supports,
    .ask = openocean_ask,
    .read = openocean_read,
    .ask_tx = openocean_ask_tx,
    .read_tx = openocean_read_tx,
    .ask_tokens = openocean_ask_tokens,
    .read_tokens = openocean_read_tokens,
};
