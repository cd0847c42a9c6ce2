#include "route/oneinch.h"

#include <inttypes.h>
#include <string.h>

#include "codec/u256_member.h"
#include "model/amount.h"
#include "route/provider_json.h"
#include "route/provider_service.h"

static const char *const oneinch_chains[] = { "ethereum", "bsc",       "polygon", "optimism", "arbitrum",
                                              "base",     "avalanche", "gnosis",  "linea",    NULL };

static bool oneinch_supports(const struct chain *from, const struct chain *to)
{
    return provider_json_one_chain(from, to) && provider_json_lists(oneinch_chains, from);
}

/* ---- questions: both have the same parameters ---- */

static bool oneinch_get(struct call *call, const struct ctx *ctx, const struct route_in *in,
                        const char *endpoint, const char *more, struct arena *a)
{
    const struct provider_fee *fee = provider_fee(ctx, &oneinch);
    const char *path = arena_printf(
        a, "/%" PRIu64 "/%s?src=%s&dst=%s&amount=%s&includeTokensInfo=true%s", in->from_chain->id, endpoint,
        provider_json_token(a, &in->from, PROVIDER_JSON_COIN),
        provider_json_token(a, &in->to, PROVIDER_JSON_COIN), provider_json_amount(a, in->amount_in), more);

    if (fee != NULL)
        path = arena_printf(a, "%s&fee=%s", path, ppm_percent(a, provider_json_of_bps(fee->bps)));
    if (!provider_get(call, ctx, &oneinch, a, path))
        return false;
    provider_header(call, arena_printf(a, "Authorization: Bearer %s", provider_key(ctx, &oneinch)));
    return true;
}

static bool oneinch_ask(struct call *call, const struct ctx *ctx, const struct route_in *in, struct arena *a)
{
    return oneinch_get(call, ctx, in, "quote", "&includeGas=true", a);
}

/* ---- answers ---- */

/* It has no codes, but words that say why. */
static enum ask_end oneinch_refusal(const struct call *call, const json_t *doc)
{
    static const struct provider_json_code words[] = {
        { "insufficient liquidity", ASK_NO_ROUTE },
        { "cannot estimate", ASK_NO_ROUTE },
        { "cannot sync", ASK_REFUSED }, /* an unknown token */
        { NULL, ASK_UNAVAILABLE },
    };
    const char *said = json_string_value(json_object_get(doc, "description"));
    const struct provider_json_code *w = words;

    while (said != NULL && w->code != NULL && strcasestr(said, w->code) == NULL)
        w++;
    return provider_json_refusal(call, said == NULL ? NULL : w->code, words);
}

/* ASK_OFFERED: it answers what was asked. */
static enum ask_end oneinch_answer(struct u256 *amount, const struct call *call, const json_t *doc,
                                   const struct route_in *in)
{
    if (provider_end(call) != ASK_OFFERED)
        return oneinch_refusal(call, doc);
    return provider_json_says_token(json_object_get(doc, "srcToken"), "address", &in->from,
                                    PROVIDER_JSON_COIN) &&
                   provider_json_says_token(json_object_get(doc, "dstToken"), "address", &in->to,
                                            PROVIDER_JSON_COIN) &&
                   u256_member(amount, doc, "dstAmount")
               ? ASK_OFFERED
               : ASK_UNAVAILABLE;
}

static enum ask_end oneinch_read(const struct call *call, const struct route_in *in, struct arena *a,
                                 struct route_answer *out)
{
    static const char *const unread[] = { "protocols", NULL };
    json_t *doc = provider_answer_without(call, unread);
    struct u256 amount;
    enum ask_end end = oneinch_answer(&amount, call, doc, in);

    (void)a;
    if (end == ASK_OFFERED)
        end = provider_json_offer(out, "1inch", amount, provider_json_gas(doc, "gas"));
    json_decref(doc);
    return end;
}

/* ---- the transaction of an offer ---- */

/* `compatibility` asks for the call that names the bought token; without `disableEstimate` a wallet has to
 * have its allowance before it is answered. */
static bool oneinch_ask_tx(struct call *call, const struct ctx *ctx, const struct tx_in *in, struct arena *a)
{
    const struct provider_fee *fee = provider_fee(ctx, &oneinch);
    const char *more = arena_printf(a,
                                    "&from=%s&origin=%s&minReturn=%s&compatibility=true&disableEstimate=true"
                                    "&allowPartialFill=false%s%s",
                                    in->route.wallet, in->route.wallet, provider_json_amount(a, in->min_out),
                                    fee == NULL ? "" : "&referrer=", fee == NULL ? "" : fee->receiver);

    return oneinch_get(call, ctx, &in->route, "swap", more, a);
}

/* The answer names no minimum: it is the one that was asked for. */
static enum tx_end oneinch_tx_read(struct wallet_call *out, const json_t *doc, const struct tx_in *in,
                                   struct u256 amount, struct arena *a)
{
    if (u256_cmp(amount, in->min_out) < 0)
        return TX_TOO_LITTLE;
    out->min_out = in->min_out;
    return provider_json_tx(out, json_object_get(doc, "tx"), &in->route, a) &&
                   provider_json_pays_input(out, &in->route)
               ? TX_READY
               : TX_UNAVAILABLE;
}

static enum tx_end oneinch_read_tx(struct call *call, const struct tx_in *in, struct arena *a,
                                   struct wallet_call *out)
{
    json_t *doc = provider_answer(call);
    struct u256 amount;
    enum ask_end asked = oneinch_answer(&amount, call, doc, &in->route);
    enum tx_end end =
        asked == ASK_OFFERED ? oneinch_tx_read(out, doc, in, amount, a) : provider_json_tx_end(asked);

    json_decref(doc);
    return end;
}

static const struct provider_service oneinch_service = {
    .url = "https://api.1inch.com/swap/v6.1",
    .rate = "1/s",
    .needs_key = true,
};

const struct provider oneinch = {
    .key = "1inch",
    .name = "1inch",
    .service = &oneinch_service,
    .supports = oneinch_supports,
    .ask = oneinch_ask,
    .read = oneinch_read,
    .ask_tx = oneinch_ask_tx,
    .read_tx = oneinch_read_tx,
};
