#include "route/lifi.h"

#include <inttypes.h>
#include <string.h>

#include "chain/evm/evm_addr.h"
#include "chain/tokens.h"
#include "codec/query_string.h"
#include "codec/u256_member.h"
#include "model/amount.h"
#include "route/provider_json.h"
#include "route/provider_service.h"
#include "route/token_list.h"

/* Those whose deposits say who receives how much of what. */
#define LIFI_BRIDGES "across,celercircle,polymer,polymerStandard"

enum { ERRORS_DEPTH_MAX = 16 };

static const char *const lifi_chains[] = { "ethereum", "optimism",  "bsc",    "polygon", "arbitrum",
                                           "base",     "avalanche", "mantle", "gnosis",  "scroll",
                                           "linea",    "solana",    NULL };

/* The chains with one of LIFI_BRIDGES. */
static const char *const lifi_bridged[] = { "ethereum", "optimism",  "bsc",   "polygon", "arbitrum",
                                            "base",     "avalanche", "linea", "solana",  NULL };

static const struct provider_json_code lifi_codes[] = {
    { "1005", ASK_RATE_LIMITED }, { "1006", ASK_UNAVAILABLE }, { "1008", ASK_UNAVAILABLE },
    { "1009", ASK_TIMEOUT },      { "1010", ASK_REFUSED },     { "1012", ASK_UNAVAILABLE },
    { NULL, ASK_NO_ROUTE },
};

/* LI.FI's transactions on Solana cannot be decoded. */
static bool lifi_supports(const struct chain *from, const struct chain *to)
{
    const char *const *list = from == to ? lifi_chains : lifi_bridged;

    return from->type == CHAIN_EVM && provider_json_lists(list, from) && provider_json_lists(list, to);
}

/* ---- questions ---- */

static bool lifi_get(struct call *call, const struct ctx *ctx, const char *path, struct arena *a)
{
    if (!provider_get(call, ctx, &lifi, a, path))
        return false;
    if (provider_key(ctx, &lifi) != NULL)
        provider_header(call, arena_printf(a, "x-lifi-api-key: %s", provider_key(ctx, &lifi)));
    return true;
}

/* Nothing may be done with the money on the far chain but to pay it out. */
static const char *lifi_bridging(const struct ctx *ctx, const struct route_in *in, struct arena *a)
{
    const char *bridges = provider_setting(ctx, &lifi, "bridges");

    return in->from_chain == in->to_chain
               ? ""
               : arena_printf(a, "&allowBridges=%s&allowDestinationCall=false",
                              query_escape(a, bridges == NULL ? LIFI_BRIDGES : bridges));
}

static const char *lifi_fee(const struct ctx *ctx, struct arena *a)
{
    const struct provider_fee *fee = provider_fee(ctx, &lifi);

    return fee == NULL ? ""
                       : arena_printf(a, "&integrator=%s&fee=%s", query_escape(a, fee->receiver),
                                      ppm_text(a, (struct ppm){ fee->bps * (PPM_ONE / 10000) }));
}

/* Its own simulation is left out: it takes time, and ours is what counts. */
static bool lifi_quote(struct call *call, const struct ctx *ctx, const struct route_in *in,
                       struct ppm slippage, struct arena *a)
{
    const char *path = arena_printf(
        a,
        "/v1/quote?fromChain=%" PRIu64 "&toChain=%" PRIu64
        "&fromToken=%s&toToken=%s&fromAmount=%s&fromAddress=%s&toAddress=%s&slippage=%s&skipSimulation=true%s%s",
        in->from_chain->id, in->to_chain->id,
        provider_json_token(a, &in->from, provider_json_zero(&in->from)),
        provider_json_token(a, &in->to, provider_json_zero(&in->to)), provider_json_amount(a, in->amount_in),
        provider_json_payer(in), provider_json_payee(in), ppm_text(a, slippage), lifi_bridging(ctx, in, a),
        lifi_fee(ctx, a));

    return lifi_get(call, ctx, path, a);
}

/* None of its bridges that can be read brings what wraps a chain's coin: a plain wallet is paid in coin. To
 * Solana they bring neither. */
static bool lifi_brings(const struct route_in *in)
{
    const struct token *t = in->from_chain == in->to_chain ? NULL : token_known(&in->to);

    return t == NULL || (!t->wrapped_native && (in->to_chain->type == CHAIN_EVM || !token_is_native(t)));
}

static bool lifi_ask(struct call *call, const struct ctx *ctx, const struct route_in *in, struct arena *a)
{
    return lifi_brings(in) && lifi_quote(call, ctx, in, in->slippage, a);
}

static bool lifi_ask_tx(struct call *call, const struct ctx *ctx, const struct tx_in *in, struct arena *a)
{
    return lifi_quote(call, ctx, &in->route, provider_json_half(in->route.slippage), a);
}

/* ---- refusals ---- */

static bool lifi_is_too_small(const char *code)
{
    return code != NULL &&
           (strcmp(code, "AMOUNT_TOO_LOW") == 0 || strcmp(code, "FEES_HIGHER_THAN_AMOUNT") == 0);
}

/* Whether a tool says so anywhere: the shape of `errors` varies. */
static bool lifi_errors_say_small(const json_t *v, unsigned depth)
{
    const char *name;
    json_t *item;
    size_t i;

    if (depth >= ERRORS_DEPTH_MAX)
        return false;
    if (lifi_is_too_small(json_string_value(json_object_get(v, "code"))))
        return true;
    json_object_foreach((json_t *)(uintptr_t)v, name,
                        item) if (lifi_errors_say_small(item, depth + 1)) return true;
    json_array_foreach(v, i, item) if (lifi_errors_say_small(item, depth + 1)) return true;
    return false;
}

static enum ask_end lifi_refusal(const struct call *call, const json_t *doc)
{
    enum ask_end end =
        provider_json_refusal(call, json_string_value(json_object_get(doc, "code")), lifi_codes);

    return end == ASK_NO_ROUTE && lifi_errors_say_small(doc, 0) ? ASK_TOO_SMALL : end;
}

/* ---- answers ---- */

struct lifi_estimate {
    struct u256 out, min_out;
    unsigned seconds;
    uint64_t gas;
};

static bool lifi_echoes(const json_t *action, const struct route_in *in)
{
    const json_t *from = json_object_get(action, "fromToken"), *to = json_object_get(action, "toToken");

    return provider_json_says_chain(action, "fromChainId", in->from_chain) &&
           provider_json_says_chain(action, "toChainId", in->to_chain) &&
           provider_json_says_token(from, "address", &in->from, provider_json_zero(&in->from)) &&
           provider_json_says_token(to, "address", &in->to, provider_json_zero(&in->to)) &&
           provider_json_says_amount(action, "fromAmount", in->amount_in) &&
           provider_json_says_address(action, "fromAddress", provider_json_payer(in)) &&
           provider_json_says_address(action, "toAddress", provider_json_payee(in));
}

/* Whether the input is all that is paid. What goes in addition to it is bound to nothing by the calls that
 * can be read. */
static bool lifi_takes_input_alone(const json_t *doc, const struct route_in *in)
{
    const json_t *request = json_object_get(doc, "transactionRequest"), *cost;
    struct u256 value = provider_json_is_coin(&in->from) ? in->amount_in : U256_ZERO;
    size_t i;

    json_array_foreach(json_object_get(json_object_get(doc, "estimate"), "feeCosts"), i,
                       cost) if (!json_is_true(json_object_get(cost, "included")) &&
                                 !provider_json_says_amount(cost, "amount", U256_ZERO)) return false;
    return json_object_get(request, "value") == NULL || provider_json_says_amount(request, "value", value);
}

/* The gas of the trade itself, without the approval. */
static uint64_t lifi_gas(const json_t *estimate)
{
    const json_t *cost;
    size_t i;

    json_array_foreach(
        json_object_get(estimate, "gasCosts"), i,
        cost) if (provider_json_says(cost, "type", "SEND")) return provider_json_gas(cost, "estimate");
    return PROVIDER_JSON_GAS;
}

static enum ask_end lifi_estimate_read(struct lifi_estimate *out, const json_t *doc,
                                       const struct route_in *in)
{
    const json_t *estimate = json_object_get(doc, "estimate");

    out->gas = lifi_gas(estimate);
    if (!lifi_echoes(json_object_get(doc, "action"), in) || !u256_member(&out->out, estimate, "toAmount") ||
        !u256_member(&out->min_out, estimate, "toAmountMin") || u256_cmp(out->min_out, out->out) > 0)
        return ASK_UNAVAILABLE;
    if (in->from_chain != in->to_chain &&
        !provider_json_seconds(&out->seconds, estimate, "executionDuration"))
        return ASK_UNAVAILABLE;
    if (!lifi_takes_input_alone(doc, in))
        return ASK_PAID_BESIDE;
    return u256_is_zero(out->min_out) ? ASK_TOO_SMALL : ASK_OFFERED;
}

/* ASK_OFFERED: there is a route. */
static enum ask_end lifi_answer(struct lifi_estimate *out, const struct call *call, const json_t *doc,
                                const struct route_in *in)
{
    *out = (struct lifi_estimate){ .gas = PROVIDER_JSON_GAS };
    return provider_end(call) == ASK_OFFERED ? lifi_estimate_read(out, doc, in) : lifi_refusal(call, doc);
}

static enum ask_end lifi_read(const struct call *call, const struct route_in *in, struct arena *a,
                              struct route_answer *out)
{
    static const char *const unread[] = { "includedSteps", "toolDetails", "token", "data", NULL };
    json_t *doc = provider_answer_without(call, unread);
    struct lifi_estimate estimate;
    enum ask_end end = lifi_answer(&estimate, call, doc, in);

    (void)a;
    if (end == ASK_OFFERED &&
        (end = provider_json_offer(out, "LI.FI", estimate.out, estimate.gas)) == ASK_OFFERED) {
        out->offers[0].min_out = estimate.min_out;
        out->offers[0].seconds = estimate.seconds;
    }
    json_decref(doc);
    return end;
}

/* ---- transactions ---- */

static bool lifi_tx_read(struct wallet_call *out, const struct lifi_estimate *estimate, const json_t *doc,
                         const struct route_in *in, struct arena *a)
{
    bool coin = provider_json_is_coin(&in->from);

    if (!provider_json_tx(out, json_object_get(doc, "transactionRequest"), in, a) ||
        !provider_json_pays_input(out, in))
        return false;
    if (!coin)
        out->spender = provider_json_address(a, json_object_get(doc, "estimate"), "approvalAddress");
    out->min_out = estimate->min_out;
    out->gas_units = estimate->gas;
    out->seconds = estimate->seconds;
    return coin || out->spender != NULL;
}

static enum tx_end lifi_read_tx(struct call *call, const struct tx_in *in, struct arena *a,
                                struct wallet_call *out)
{
    json_t *doc = provider_answer(call);
    struct lifi_estimate estimate;
    enum ask_end end = lifi_answer(&estimate, call, doc, &in->route);

    if (end == ASK_OFFERED && !lifi_tx_read(out, &estimate, doc, &in->route, a))
        end = ASK_UNAVAILABLE;
    json_decref(doc);
    return end == ASK_OFFERED ? TX_READY : provider_json_tx_end(end);
}

/* ---- bridges ---- */

static bool lifi_ask_status(struct call *call, const struct ctx *ctx, const struct bridge_in *in,
                            struct arena *a)
{
    return lifi_get(call, ctx,
                    arena_printf(a, "/v1/status?txHash=%s&fromChain=%" PRIu64 "&toChain=%" PRIu64,
                                 query_escape(a, in->tx), in->from_chain->id, in->to_chain->id),
                    a);
}

/* Anything else says nothing. */
static const struct {
    const char *status, *substatus; /* NULL: any */
    enum bridge_state state;
} lifi_states[] = {
    { "PENDING", NULL, BRIDGE_UNDER_WAY }, { "DONE", "COMPLETED", BRIDGE_DONE },
    { "DONE", "PARTIAL", BRIDGE_DONE },    { "DONE", "REFUNDED", BRIDGE_REFUNDED },
    { "FAILED", NULL, BRIDGE_FAILED },
};

static enum bridge_state lifi_state(const json_t *doc)
{
    for (size_t i = 0; i < sizeof lifi_states / sizeof lifi_states[0]; i++)
        if (provider_json_says(doc, "status", lifi_states[i].status) &&
            (lifi_states[i].substatus == NULL ||
             provider_json_says(doc, "substatus", lifi_states[i].substatus)))
            return lifi_states[i].state;
    return BRIDGE_UNKNOWN;
}

/* A partial success pays out another token than the one that was bought. */
static void lifi_received(struct bridge_status *out, const json_t *receiving, const struct chain *c,
                          struct arena *a)
{
    out->tx = provider_json_tx_hash(a, json_object_get(receiving, "txHash"), c);
    out->token = provider_json_account(a, json_object_get(receiving, "token"), "address", c);
    if (!u256_member(&out->amount, receiving, "amount"))
        out->amount = U256_ZERO;
}

static void lifi_read_status(const struct call *call, const struct bridge_in *in, struct arena *a,
                             struct bridge_status *out)
{
    json_t *doc = provider_end(call) == ASK_OFFERED ? provider_answer(call) : NULL;
    const json_t *sending = json_object_get(doc, "sending"), *receiving = json_object_get(doc, "receiving");
    const char *tx = provider_json_hash(a, json_object_get(sending, "txHash"));
    enum bridge_state state = lifi_state(doc);

    if (tx != NULL && strcmp(tx, in->tx) == 0 &&
        provider_json_says_chain(sending, "chainId", in->from_chain) &&
        (provider_json_says_chain(receiving, "chainId", in->to_chain) ||
         (state == BRIDGE_REFUNDED && provider_json_says_chain(receiving, "chainId", in->from_chain)))) {
        out->state = state;
        lifi_received(out, receiving, state == BRIDGE_REFUNDED ? in->from_chain : in->to_chain, a);
    }
    json_decref(doc);
}

/* ---- tokens ---- */

static bool lifi_ask_tokens(struct call *call, const struct ctx *ctx, const struct chain *c, struct arena *a)
{
    return c->type == CHAIN_EVM && provider_json_lists(lifi_chains, c) &&
           lifi_get(call, ctx, arena_printf(a, "/v1/tokens?chains=%" PRIu64, c->id), a);
}

static bool lifi_read_tokens(const struct call *call, const struct chain *c, struct arena *a,
                             struct token_list *out)
{
    static const struct token_form form = { .address = "address", .chain = "chainId", .ranked = true };
    json_t *doc = provider_end(call) == ASK_OFFERED ? provider_answer(call) : NULL;
    const json_t *lists = json_object_get(doc, "tokens");
    bool read = token_list_read(out, json_object_get(lists, arena_printf(a, "%" PRIu64, c->id)), &form, c, a);

    json_decref(doc);
    return read;
}

static const struct provider_service lifi_service = {
    .url = "https://li.quest",
    .rate = "100/m",
    .keyless_rate = "75/2h",
    .names_receiver = true,
};

static const char *const lifi_nicknames[] = { "li.fi", NULL };

const struct provider lifi = {
    .key = "lifi",
    .name = "lifi",
    .nicknames = lifi_nicknames,
    .service = &lifi_service,
    .supports = lifi_supports,
    .ask = lifi_ask,
    .read = lifi_read,
    .ask_tx = lifi_ask_tx,
    .read_tx = lifi_read_tx,
    .ask_status = lifi_ask_status,
    .read_status = lifi_read_status,
    .ask_tokens = lifi_ask_tokens,
    .read_tokens = lifi_read_tokens,
};
