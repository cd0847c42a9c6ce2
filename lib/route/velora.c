#include "route/velora.h"

#include <inttypes.h>
#include <string.h>

#include "base/json_slice.h"
#include "base/json_writer.h"
#include "codec/u256_member.h"
#include "route/provider_json.h"
#include "route/provider_service.h"

/* The service's own fee, if the operator takes none. */
enum { VELORA_OWN_BPS = 1, ALL_BPS = 10000 };

static const char *const velora_chains[] = { "ethereum", "optimism",  "bsc",    "polygon", "base",
                                             "arbitrum", "avalanche", "gnosis", NULL };

static const struct provider_json_code velora_codes[] = {
    { "Invalid srcToken", ASK_REFUSED },
    { "Invalid destToken", ASK_REFUSED },
    { "Token not found", ASK_REFUSED },
    { "Price Timeout", ASK_UNAVAILABLE },
    { NULL, ASK_NO_ROUTE },
};

static bool velora_supports(const struct chain *from, const struct chain *to)
{
    return provider_json_one_chain(from, to) && provider_json_lists(velora_chains, from);
}

/* ---- the fee: the contract takes it after it has checked its minimum ---- */

/* The least rest of an output after the fee: one unit more may be lost to rounding. */
static struct u256 velora_less_fee(struct u256 out, unsigned bps)
{
    struct u256 left;

    if (!u256_muldiv(&left, out, u256_from_u64(ALL_BPS - bps), u256_from_u64(ALL_BPS)) ||
        !u256_sub(&left, left, u256_from_u64(1)))
        return U256_ZERO;
    return left;
}

/* The minimum before the fee, so that `min_out` is left; false on overflow. */
static bool velora_plus_fee(struct u256 *out, struct u256 min_out, unsigned bps)
{
    const struct u256 one = u256_from_u64(1), left = u256_from_u64(ALL_BPS - bps);

    return u256_add(out, min_out, one) && u256_muldiv(out, *out, u256_from_u64(ALL_BPS), left) &&
           u256_add(out, *out, one);
}

/* ---- prices ---- */

struct velora_query {
    unsigned bps;
    bool building;                  /* the transaction is asked for ... */
    const char *build_url;          /* ... here */
    const struct provider_fee *fee; /* NULL: the operator takes none */
};

/* Only what goes through the general function is asked for: the bytes of the others do not name all that they
 * trade. However large a loss is, the quote shows it. */
static bool velora_ask(struct call *call, const struct ctx *ctx, const struct route_in *in, struct arena *a)
{
    const char *path = arena_printf(a,
                                    "/prices?version=6.2&network=%" PRIu64
                                    "&srcToken=%s&srcDecimals=%u&destToken=%s&destDecimals=%u"
                                    "&amount=%s&side=SELL&excludeDirectContractMethods=true&maxImpact=100",
                                    in->from_chain->id, provider_json_token(a, &in->from, PROVIDER_JSON_COIN),
                                    in->from.decimals, provider_json_token(a, &in->to, PROVIDER_JSON_COIN),
                                    in->to.decimals, provider_json_amount(a, in->amount_in));

    struct velora_query *q;

    if (in->wallet != NULL)
        path = arena_printf(a, "%s&userAddress=%s", path, in->wallet);
    if (!provider_get(call, ctx, &velora, a, path))
        return false;
    call->owner = q = ARENA_NEW(a, struct velora_query);
    q->fee = provider_fee(ctx, &velora);
    q->bps = q->fee == NULL ? VELORA_OWN_BPS : q->fee->bps;
    return true;
}

struct velora_route {
    struct u256 out;
    uint64_t gas;
};

static bool velora_route_read(struct velora_route *out, const json_t *route, const struct route_in *in)
{
    out->gas = provider_json_gas(route, "gasCost");
    return provider_json_says_chain(route, "network", in->from_chain) &&
           provider_json_says_token(route, "srcToken", &in->from, PROVIDER_JSON_COIN) &&
           provider_json_says_token(route, "destToken", &in->to, PROVIDER_JSON_COIN) &&
           provider_json_says_amount(route, "srcAmount", in->amount_in) &&
           provider_json_says(route, "side", "SELL") && provider_json_says(route, "version", "6.2") &&
           u256_member(&out->out, route, "destAmount");
}

/* "Amount 12 is too small to proceed" */
static bool velora_says_small(const char *error)
{
    return error != NULL && strstr(error, "is too small to proceed") != NULL;
}

static enum ask_end velora_refusal(const struct call *call)
{
    json_t *doc = provider_answer(call);
    const char *error = json_string_value(json_object_get(doc, "error"));
    enum ask_end end = provider_json_refusal(call, error, velora_codes);

    if (end == ASK_NO_ROUTE && velora_says_small(error))
        end = ASK_TOO_SMALL;
    json_decref(doc);
    return end;
}

/* ASK_OFFERED: there is a route. */
static enum ask_end velora_answer(struct velora_route *out, const struct call *call,
                                  const struct route_in *in)
{
    static const char *const unread[] = { "bestRoute", "others", NULL };
    json_t *doc;
    bool read;

    if (provider_end(call) != ASK_OFFERED)
        return velora_refusal(call);
    doc = provider_answer_without(call, unread);
    read = velora_route_read(out, json_object_get(doc, "priceRoute"), in);
    json_decref(doc);
    return read ? ASK_OFFERED : ASK_UNAVAILABLE;
}

static enum ask_end velora_read(const struct call *call, const struct route_in *in, struct arena *a,
                                struct route_answer *out)
{
    struct velora_route route;
    enum ask_end end = velora_answer(&route, call, in);
    const struct velora_query *q = call->owner;

    (void)a;
    return end == ASK_OFFERED
               ? provider_json_offer(out, "Velora", velora_less_fee(route.out, q->bps), route.gas)
               : end;
}

/* ---- the transaction of an offer: a new price, then its transaction ---- */

static bool velora_ask_tx(struct call *call, const struct ctx *ctx, const struct tx_in *in, struct arena *a)
{
    struct velora_query *q;

    if (!velora_ask(call, ctx, &in->route, a))
        return false;
    q = call->owner;
    q->build_url = arena_printf(a, "%s/transactions/%" PRIu64 "?ignoreChecks=true",
                                provider_url(ctx, &velora), in->route.from_chain->id);
    return true;
}

/* The route is signed, so it goes back as it came. */
static const char *velora_body(struct arena *a, const struct call *call, const struct tx_in *in,
                               struct u256 minimum)
{
    const struct velora_query *q = call->owner;
    const struct route_in *route = &in->route;
    struct json_slice text, answer = { call->answer.data, call->answer.len };
    struct json_writer w;

    if (!json_slice_member(&text, answer, "priceRoute"))
        return NULL;
    jw_init(&w, a, MAX_UPSTREAM);
    jw_object(&w, NULL);
    jw_string(&w, "srcToken", provider_json_token(a, &route->from, PROVIDER_JSON_COIN));
    jw_integer(&w, "srcDecimals", route->from.decimals);
    jw_string(&w, "destToken", provider_json_token(a, &route->to, PROVIDER_JSON_COIN));
    jw_integer(&w, "destDecimals", route->to.decimals);
    jw_string(&w, "srcAmount", provider_json_amount(a, route->amount_in));
    jw_string(&w, "destAmount", provider_json_amount(a, minimum));
    jw_raw(&w, "priceRoute", text.text, text.len, NULL);
    jw_string(&w, "userAddress", route->wallet);
    jw_integer(&w, "deadline", in->deadline);
    if (q->fee != NULL) {
        jw_string(&w, "partnerAddress", q->fee->receiver);
        jw_integer(&w, "partnerFeeBps", q->fee->bps);
    }
    jw_end(&w);
    return jw_finish(&w);
}

static enum tx_end velora_build(struct call *call, const struct tx_in *in, struct arena *a)
{
    struct velora_query *q = call->owner;
    struct velora_route route;
    enum ask_end end = velora_answer(&route, call, &in->route);
    struct u256 minimum;
    const char *body;

    if (end != ASK_OFFERED)
        return provider_json_tx_end(end);
    if (!velora_plus_fee(&minimum, in->min_out, q->bps) || u256_cmp(route.out, minimum) < 0)
        return TX_TOO_LITTLE;
    if ((body = velora_body(a, call, in, minimum)) == NULL)
        return TX_UNAVAILABLE;
    q->building = true;
    provider_ask_next(call, q->build_url, body);
    return TX_ASKS_MORE;
}

static enum tx_end velora_read_tx(struct call *call, const struct tx_in *in, struct arena *a,
                                  struct wallet_call *out)
{
    const struct velora_query *q = call->owner;
    json_t *doc;
    bool read;

    if (!q->building)
        return velora_build(call, in, a);
    if (provider_end(call) != ASK_OFFERED)
        return provider_json_tx_end(velora_refusal(call));
    doc = provider_answer(call);
    read = provider_json_tx(out, doc, &in->route, a) && provider_json_pays_input(out, &in->route);
    out->min_out = in->min_out;
    json_decref(doc);
    return read ? TX_READY : TX_UNAVAILABLE;
}

static const struct provider_service velora_service = {
    .url = "https://api.paraswap.io",
    .rate = "2/s",
};

static const char *const velora_nicknames[] = { "paraswap", NULL };

const struct provider velora = {
    .key = "velora",
    .name = "velora",
    .nicknames = velora_nicknames,
    .service = &velora_service,
    .supports = velora_supports,
    .ask = velora_ask,
    .read = velora_read,
    .ask_tx = velora_ask_tx,
    .read_tx = velora_read_tx,
};
