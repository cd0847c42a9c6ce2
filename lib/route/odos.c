#include "route/odos.h"

#include <string.h>

#include "base/json_writer.h"
#include "chain/evm/addr.h"
#include "codec/u256_member.h"
#include "model/amount.h"
#include "route/provider_service.h"
#include "route/wire.h"

enum { BODY_MAX = 4096, PATH_ID_MAX = 128 };

static const char *const odos_chains[] = { "ethereum", "optimism",  "bsc",   "polygon", "arbitrum",
                                           "base",     "avalanche", "linea", NULL };

static const struct wire_code odos_codes[] = {
    { "2000", ASK_NO_ROUTE }, /* no viable path */
    { "2998", ASK_TIMEOUT },  /* its search took too long */
    { "4001", ASK_REFUSED },  /* chain */
    { "4002", ASK_REFUSED },  /* tokens */
    { "4003", ASK_REFUSED },  /* likewise */
    { "4004", ASK_REFUSED },  /* account */
    { "4005", ASK_REFUSED },  /* blocked account */
    { "4006", ASK_NO_ROUTE }, /* no route within the slippage */
    { "4014", ASK_REFUSED },  /* blocked token */
    { "4016", ASK_NO_ROUTE }, /* token not routed now */
    { NULL, ASK_SILENT },
};

static bool odos_supports(const struct chain *from, const struct chain *to)
{
    return wire_one_chain(from, to) && wire_lists(odos_chains, from);
}

/* ---- paths ---- */

static void odos_number(struct json_writer *w, const char *key, const char *digits)
{
    jw_raw(w, key, digits, strlen(digits), NULL);
}

/* Not in the compact form, which keeps tokens on the chain; without makers' prices, which live for seconds.
 */
static const char *odos_question(struct arena *a, const struct ctx *ctx, const struct route_in *in,
                                 struct ppm slippage)
{
    const struct provider_fee *fee = provider_fee(ctx, &odos);
    struct json_writer w;

    jw_init(&w, a, BODY_MAX);
    jw_object(&w, NULL);
    jw_integer(&w, "chainId", (int64_t)in->from_chain->id);
    jw_array(&w, "inputTokens");
    jw_object(&w, NULL);
    jw_string(&w, "tokenAddress", wire_token(a, &in->from, EVM_ADDR_ZERO));
    jw_string(&w, "amount", wire_amount(a, in->amount_in));
    jw_end(&w);
    jw_end(&w);
    jw_array(&w, "outputTokens");
    jw_object(&w, NULL);
    jw_string(&w, "tokenAddress", wire_token(a, &in->to, EVM_ADDR_ZERO));
    jw_integer(&w, "proportion", 1);
    jw_end(&w);
    jw_end(&w);
    odos_number(&w, "slippageLimitPercent", ppm_percent(a, slippage));
    if (in->wallet != NULL)
        jw_string(&w, "userAddr", evm_addr_print(a, evm_addr_or_zero(in->wallet)));
    jw_bool(&w, "compact", false);
    jw_bool(&w, "simple", false);
    jw_bool(&w, "disableRFQs", true);
    if (fee != NULL) {
        odos_number(&w, "partnerFeePercent", ppm_text(a, wire_of_bps(fee->bps)));
        jw_string(&w, "feeRecipient", fee->receiver);
    }
    jw_end(&w);
    return jw_finish(&w);
}

/* A key is for those who have one: their own host, which the settings name then. */
static bool odos_quote(struct call *call, const struct ctx *ctx, const struct route_in *in,
                       struct ppm slippage, struct arena *a)
{
    const char *body = odos_question(a, ctx, in, slippage), *key = provider_key(ctx, &odos);

    if (body == NULL || !provider_post(call, ctx, &odos, a, "/sor/quote/v3", body))
        return false;
    if (key != NULL)
        provider_header(call, arena_printf(a, "x-api-key: %s", key));
    return true;
}

static bool odos_ask(struct call *call, const struct ctx *ctx, const struct route_in *in, struct arena *a)
{
    return odos_quote(call, ctx, in, in->slippage, a);
}

struct odos_path {
    const char *id; /* NULL: it was not asked for a wallet */
    struct u256 out;
    uint64_t gas;
};

/* The answer's lists, which have one item each here, as members of one object; the caller owns it. */
static json_t *odos_items(const json_t *doc)
{
    static const char *const lists[] = { "inTokens", "inAmounts", "outTokens", "outAmounts" };
    json_t *items = json_object();

    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const json_t *list = json_object_get(doc, lists[i]);

        if (json_array_size(list) == 1)
            (void)json_object_set(items, lists[i], json_array_get(list, 0));
    }
    return items;
}

static bool odos_path_read(struct odos_path *out, const json_t *doc, const struct route_in *in,
                           struct arena *a)
{
    const char *id = json_string_value(json_object_get(doc, "pathId"));
    json_t *items = odos_items(doc);
    bool read = wire_says_token(items, "inTokens", &in->from, EVM_ADDR_ZERO) &&
                wire_says_amount(items, "inAmounts", in->amount_in) &&
                wire_says_token(items, "outTokens", &in->to, EVM_ADDR_ZERO) &&
                u256_member(&out->out, items, "outAmounts");

    out->id = id == NULL || strlen(id) > PATH_ID_MAX ? NULL : arena_strdup(a, id);
    out->gas = wire_gas(doc, "gasEstimate");
    json_decref(items);
    return read;
}

/* ASK_OFFERED: there is a path. */
static enum ask_end odos_answer(struct odos_path *out, const struct call *call, const struct route_in *in,
                                struct arena *a)
{
    json_t *doc = provider_answer(call);
    enum ask_end end = provider_end(call);

    if (end != ASK_OFFERED)
        end = wire_refusal(call, json_string_value(json_object_get(doc, "errorCode")), odos_codes);
    else if (!odos_path_read(out, doc, in, a))
        end = ASK_SILENT;
    json_decref(doc);
    return end;
}

static enum ask_end odos_read(const struct call *call, const struct route_in *in, struct arena *a,
                              struct route_answer *out)
{
    struct odos_path path;
    enum ask_end end = odos_answer(&path, call, in, a);

    return end == ASK_OFFERED ? wire_offer(out, "Odos", path.out, path.gas) : end;
}

/* ---- what carries one out: a new path, then its calldata ---- */

struct odos_assembly {
    const char *url;
    bool asked;
    struct ppm slippage; /* that was asked for */
    struct amount promised;
    uint64_t gas;
};

static bool odos_ask_tx(struct call *call, const struct ctx *ctx, const struct tx_in *in, struct arena *a)
{
    struct odos_assembly *assembly = ARENA_NEW(a, struct odos_assembly);

    assembly->slippage = wire_half(in->route.slippage);
    if (!odos_quote(call, ctx, &in->route, assembly->slippage, a))
        return false;
    assembly->url = arena_printf(a, "%s/sor/assemble", provider_url(ctx, &odos));
    call->owner = assembly;
    return true;
}

static const char *odos_assembly_body(struct arena *a, const struct odos_path *path, const char *wallet)
{
    struct json_writer w;

    jw_init(&w, a, BODY_MAX);
    jw_object(&w, NULL);
    jw_string(&w, "userAddr", wallet);
    jw_string(&w, "pathId", path->id);
    jw_bool(&w, "simulate", false);
    jw_end(&w);
    return jw_finish(&w);
}

static enum tx_end odos_assemble(struct call *call, const struct tx_in *in, struct arena *a)
{
    struct odos_assembly *assembly = call->owner;
    struct odos_path path;
    enum ask_end end = odos_answer(&path, call, &in->route, a);
    const char *body;

    if (end != ASK_OFFERED)
        return wire_tx_end(end);
    assembly->gas = path.gas;
    assembly->promised = (struct amount){ path.out, in->route.to.decimals };
    if (!amount_less_ppm_down(&assembly->promised, assembly->promised, assembly->slippage) ||
        (body = odos_assembly_body(a, &path, in->route.wallet)) == NULL)
        return TX_SILENT;
    if (u256_cmp(assembly->promised.raw, in->min_out) < 0)
        return TX_TOO_LITTLE;
    assembly->asked = true;
    provider_ask_next(call, assembly->url, body);
    return TX_ASKS_MORE;
}

static enum tx_end odos_read_tx(struct call *call, const struct tx_in *in, struct arena *a,
                                struct wallet_call *out)
{
    const struct odos_assembly *assembly = call->owner;
    json_t *doc;
    enum tx_end end = TX_SILENT;

    if (!assembly->asked)
        return odos_assemble(call, in, a);
    doc = provider_answer(call);
    out->min_out = assembly->promised.raw;
    out->gas_units = assembly->gas;
    if (provider_end(call) != ASK_OFFERED)
        end =
            wire_tx_end(wire_refusal(call, json_string_value(json_object_get(doc, "errorCode")), odos_codes));
    else if (wire_tx(out, json_object_get(doc, "transaction"), &in->route, a) &&
             wire_pays_input(out, &in->route))
        end = TX_READY;
    json_decref(doc);
    return end;
}

static const struct provider_service odos_service = { .url = "https://api.odos.xyz", .rate = "1/s" };

const struct provider odos = {
    .key = "odos",
    .name = "odos",
    .service = &odos_service,
    .supports = odos_supports,
    .ask = odos_ask,
    .read = odos_read,
    .ask_tx = odos_ask_tx,
    .read_tx = odos_read_tx,
};
