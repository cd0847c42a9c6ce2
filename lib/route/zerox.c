#include "route/zerox.h"

#include <inttypes.h>
#include <string.h>

#include "codec/u256_member.h"
#include "route/provider_json.h"
#include "route/provider_service.h"

static const char *const zerox_chains[] = { "ethereum",  "optimism", "bsc",    "polygon", "arbitrum", "base",
                                            "avalanche", "linea",    "mantle", "scroll",  NULL };

static const struct provider_json_code zerox_codes[] = {
    { "TOKEN_NOT_SUPPORTED", ASK_REFUSED },
    { "USER_NOT_AUTHORIZED", ASK_REFUSED },
    { "BUY_TOKEN_NOT_AUTHORIZED_FOR_TRADE", ASK_REFUSED },
    { "SELL_TOKEN_NOT_AUTHORIZED_FOR_TRADE", ASK_REFUSED },
    { NULL, ASK_NO_ROUTE },
};

static bool zerox_supports(const struct chain *from, const struct chain *to)
{
    return provider_json_one_chain(from, to) && provider_json_lists(zerox_chains, from);
}

static const char *zerox_coin(const struct chain *c)
{
    return strcmp(c->key, "mantle") == 0 ? "0xDeadDeAddeAddEAddeadDEaDDEAdDeaDDeAD0000" : PROVIDER_JSON_COIN;
}

/* ---- questions ---- */

/* The operator's share is taken of the bought token. */
static const char *zerox_fee(const struct ctx *ctx, const struct route_in *in, struct arena *a)
{
    const struct provider_fee *fee = provider_fee(ctx, &zerox);

    return fee == NULL ? ""
                       : arena_printf(a, "&swapFeeRecipient=%s&swapFeeBps=%u&swapFeeToken=%s", fee->receiver,
                                      fee->bps, provider_json_token(a, &in->to, zerox_coin(in->to_chain)));
}

static bool zerox_get(struct call *call, const struct ctx *ctx, const struct route_in *in, const char *what,
                      struct ppm slippage, struct arena *a)
{
    const char *coin = zerox_coin(in->from_chain);
    const char *taker = in->wallet == NULL ? "" : arena_printf(a, "&taker=%s", in->wallet);
    const char *path =
        arena_printf(a,
                     "/swap/allowance-holder/%s?chainId=%" PRIu64
                     "&sellToken=%s&buyToken=%s&sellAmount=%s&slippageBps=%u%s%s",
                     what, in->from_chain->id, provider_json_token(a, &in->from, coin),
                     provider_json_token(a, &in->to, coin), provider_json_amount(a, in->amount_in),
                     provider_json_bps(slippage), taker, zerox_fee(ctx, in, a));

    if (!provider_get(call, ctx, &zerox, a, path))
        return false;
    provider_header(call, arena_printf(a, "0x-api-key: %s", provider_key(ctx, &zerox)));
    provider_header(call, "0x-version: v2");
    return true;
}

static bool zerox_ask(struct call *call, const struct ctx *ctx, const struct route_in *in, struct arena *a)
{
    return zerox_get(call, ctx, in, "price", in->slippage, a);
}

static bool zerox_ask_tx(struct call *call, const struct ctx *ctx, const struct tx_in *in, struct arena *a)
{
    return zerox_get(call, ctx, &in->route, "quote", provider_json_half(in->route.slippage), a);
}

/* ---- answers ---- */

struct zerox_price {
    struct u256 out, min_out;
};

/* Whether it sells the input, less the fees that are taken of it. */
static bool zerox_sells(const json_t *doc, const struct route_in *in)
{
    static const char *const names[] = { "integratorFee", "zeroExFee", "gasFee" };
    const json_t *fees = json_object_get(doc, "fees");
    struct u256 sold, amount;

    if (!provider_json_quantity(&sold, doc, "sellAmount"))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const json_t *fee = json_object_get(fees, names[i]);

        if (provider_json_says_token(fee, "token", &in->from, zerox_coin(in->from_chain)) &&
            (!provider_json_quantity(&amount, fee, "amount") || !u256_add(&sold, sold, amount)))
            return false;
    }
    return u256_cmp(sold, in->amount_in) == 0;
}

/* ASK_OFFERED: there is a price. */
static enum ask_end zerox_answer(struct zerox_price *out, const struct call *call, const json_t *doc,
                                 const struct route_in *in)
{
    if (provider_end(call) != ASK_OFFERED)
        return provider_json_refusal(call, json_string_value(json_object_get(doc, "name")), zerox_codes);
    const json_t *available = json_object_get(doc, "liquidityAvailable");
    const char *coin = zerox_coin(in->from_chain);

    if (json_is_false(available)) /* and nothing else is said */
        return ASK_NO_ROUTE;
    if (!json_is_true(available) || !provider_json_says_token(doc, "sellToken", &in->from, coin) ||
        !provider_json_says_token(doc, "buyToken", &in->to, coin) || !zerox_sells(doc, in) ||
        !u256_member(&out->out, doc, "buyAmount") || !u256_member(&out->min_out, doc, "minBuyAmount") ||
        u256_cmp(out->min_out, out->out) > 0)
        return ASK_UNAVAILABLE;
    return u256_is_zero(out->min_out) ? ASK_TOO_SMALL : ASK_OFFERED;
}

static enum ask_end zerox_read(const struct call *call, const struct route_in *in, struct arena *a,
                               struct route_answer *out)
{
    static const char *const unread[] = { "route", "transaction", "tokenMetadata", "issues", NULL };
    json_t *doc = provider_answer_without(call, unread);
    struct zerox_price price = { U256_ZERO, U256_ZERO };
    enum ask_end end = zerox_answer(&price, call, doc, in);

    (void)a;
    if (end == ASK_OFFERED &&
        (end = provider_json_offer(out, "0x", price.out, provider_json_gas(doc, "gas"))) == ASK_OFFERED)
        out->offers[0].min_out = price.min_out;
    json_decref(doc);
    return end;
}

static bool zerox_tx_read(struct wallet_call *out, const json_t *doc, const struct route_in *in,
                          struct arena *a)
{
    const json_t *tx = json_object_get(doc, "transaction");

    if (!provider_json_tx(out, tx, in, a) || !provider_json_pays_input(out, in))
        return false;
    if (out->spender != NULL)
        out->spender = provider_json_address(a, doc, "allowanceTarget");
    out->gas_units = provider_json_gas(tx, "gas");
    return provider_json_is_coin(&in->from) || out->spender != NULL;
}

static enum tx_end zerox_read_tx(struct call *call, const struct tx_in *in, struct arena *a,
                                 struct wallet_call *out)
{
    json_t *doc = provider_answer(call);
    struct zerox_price price = { U256_ZERO, U256_ZERO };
    enum ask_end end = zerox_answer(&price, call, doc, &in->route);

    if (end == ASK_OFFERED && !zerox_tx_read(out, doc, &in->route, a))
        end = ASK_UNAVAILABLE;
    out->min_out = price.min_out;
    json_decref(doc);
    return end == ASK_OFFERED ? TX_READY : provider_json_tx_end(end);
}

static const struct provider_service zerox_service = {
    .url = "https://api.0x.org",
    .rate = "5/s",
    .needs_key = true,
};

const struct provider zerox = {
    .key = "0x",
    .name = "0x",
    .service = &zerox_service,
    .supports = zerox_supports,
    .ask = zerox_ask,
    .read = zerox_read,
    .ask_tx = zerox_ask_tx,
    .read_tx = zerox_read_tx,
};
