#include "route/jupiter.h"

#include <string.h>

#include "chain/tokens.h"
#include "codec/base64.h"
#include "model/amount.h"
#include "route/provider_json.h"
#include "route/provider_service.h"
#include "route/token_list.h"

static const char PROGRAM[] = "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4";

enum {
    TRANSACTION_MAX = 1232,    /* what the chain takes */
    SIGNATURE_LAMPORTS = 5000, /* what the chain charges for one; there is always one */
    LAMPORTS_MAX = 1000000000, /* of one fee: more is an error */
    REFERENCE_MAX = 64,
};

static bool jupiter_supports(const struct chain *from, const struct chain *to)
{
    return from == to && from->type == CHAIN_SOLANA;
}

/* Orders take the mint of the wrapped coin for the coin itself, which they wrap and unwrap. The price is the
 * same. */
static bool is_wrapped(const struct token_ref *t)
{
    const struct token *known = token_known(t);

    return known != NULL && known->wrapped_native;
}

static bool names_wrapped(const struct route_in *in)
{
    return is_wrapped(&in->from) || is_wrapped(&in->to);
}

/* ---- questions: an order with a taker has its transaction too ---- */

bool jupiter_get(struct call *call, const struct ctx *ctx, struct arena *a, const char *path)
{
    const char *key = provider_key(ctx, &jupiter);

    if (!provider_get(call, ctx, &jupiter, a, path))
        return false;
    if (key != NULL)
        provider_header(call, arena_printf(a, "x-api-key: %s", key));
    return true;
}

/* The query of a trade. The slippage is rounded down: more would be more than the agent allows. NULL: Jupiter
 * does not trade that. */
static const char *jupiter_query(struct arena *a, const struct route_in *in, struct ppm slippage)
{
    uint64_t amount;

    if (!u256_to_u64(&amount, in->amount_in) || strcmp(in->from.address, in->to.address) == 0)
        return NULL;
    return arena_printf(a, "?inputMint=%s&outputMint=%s&amount=%s&slippageBps=%u", in->from.address,
                        in->to.address, provider_json_amount(a, in->amount_in), provider_json_bps(slippage));
}

static bool jupiter_order(struct call *call, const struct ctx *ctx, const char *query, const char *taker,
                          struct arena *a)
{
    return query != NULL &&
           jupiter_get(call, ctx, a,
                       arena_printf(a, "/swap/v2/order%s&excludeRouters=jupiterz,dflow,okx%s%s", query,
                                    taker == NULL ? "" : "&taker=", taker == NULL ? "" : taker));
}

static bool jupiter_ask(struct call *call, const struct ctx *ctx, const struct route_in *in, struct arena *a)
{
    return jupiter_order(call, ctx, jupiter_query(a, in, in->slippage), NULL, a);
}

/* ---- common parts of both answers ---- */

struct order {
    struct u256 out, min_out;
    struct u256 fee; /* lamports */
};

static bool jupiter_lacks(const json_t *doc, const char *name)
{
    const json_t *member = json_object_get(doc, name);

    return member == NULL || json_is_null(member);
}

/* Absent, or so. */
static bool jupiter_may_say(const json_t *doc, const char *name, const char *text)
{
    return jupiter_lacks(doc, name) || provider_json_says(doc, name, text);
}

static bool jupiter_repeats(const json_t *doc, const struct route_in *in)
{
    return provider_json_says(doc, "inputMint", in->from.address) &&
           provider_json_says(doc, "outputMint", in->to.address) &&
           provider_json_says_amount(doc, "inAmount", in->amount_in) &&
           jupiter_may_say(doc, "swapMode", "ExactIn");
}

static bool jupiter_amount(struct u256 *out, const json_t *doc, const char *name)
{
    uint64_t units;

    if (!provider_json_u64(&units, doc, name))
        return false;
    *out = u256_from_u64(units);
    return true;
}

/* Its minimum is of its own price, and no lower than what was asked allows. */
static bool jupiter_keeps(const struct order *o, const struct route_in *in)
{
    struct amount least;

    return amount_less_ppm_down(&least, (struct amount){ o->out, in->to.decimals }, in->slippage) &&
           u256_cmp(o->min_out, least.raw) >= 0 && u256_cmp(o->min_out, o->out) <= 0;
}

/* A missing fee is zero. */
static bool jupiter_lamports(uint64_t *out, const json_t *doc, const char *name)
{
    *out = 0;
    return jupiter_lacks(doc, name) || (provider_json_u64(out, doc, name) && *out <= LAMPORTS_MAX);
}

/* As long as there is no taker, what its signature costs may not be said. */
static bool jupiter_fee(struct u256 *out, const json_t *doc)
{
    uint64_t signature, priority, rent;

    if (!jupiter_lamports(&signature, doc, "signatureFeeLamports") ||
        !jupiter_lamports(&priority, doc, "prioritizationFeeLamports") ||
        !jupiter_lamports(&rent, doc, "rentFeeLamports"))
        return false;
    if (signature < SIGNATURE_LAMPORTS)
        signature = SIGNATURE_LAMPORTS;
    *out = u256_from_u64(signature + priority + rent);
    return true;
}

static bool jupiter_order_read(struct order *out, const json_t *doc, const struct route_in *in)
{
    return jupiter_repeats(doc, in) && jupiter_amount(&out->out, doc, "outAmount") &&
           jupiter_amount(&out->min_out, doc, "otherAmountThreshold") && jupiter_keeps(out, in) &&
           jupiter_fee(&out->fee, doc);
}

/* A refusal with a reason is about this pair or amount; one without is no answer. */
static enum ask_end jupiter_refusal(const struct call *call, const json_t *doc)
{
    enum ask_end end = provider_end(call);

    if (end == ASK_NO_ROUTE && (call->status != 400 || !json_is_string(json_object_get(doc, "error"))))
        return ASK_UNAVAILABLE;
    return end;
}

/* ASK_OFFERED: it has been read. */
static enum ask_end jupiter_answer(struct order *out, const struct call *call, const json_t *doc,
                                   const struct route_in *in)
{
    enum ask_end end = jupiter_refusal(call, doc);

    return end == ASK_OFFERED && !jupiter_order_read(out, doc, in) ? ASK_UNAVAILABLE : end;
}

/* ---- offers ---- */

static bool is_coin(const struct token_ref *t)
{
    const struct token *known = token_known(t);

    return known != NULL && token_is_native(known);
}

/* Dollars; zero where it does not say. */
static struct u256 jupiter_dollars(const json_t *doc, const char *name)
{
    const char *text = json_string_value(json_object_get(doc, name));
    struct amount usd;

    return text != NULL && amount_of_number(&usd, text, RATE_PLACES) ? usd.raw : U256_ZERO;
}

/* The worth of the coin that fees are paid in, where it is one side of the trade. */
static struct gas_price jupiter_coin(const json_t *doc, const struct route_in *in, const struct order *o)
{
    struct gas_price coin = { .per_unit = U256_ZERO };

    if (is_coin(&in->from)) {
        coin.output = (struct rate){ in->amount_in, o->out };
        coin.usd = (struct rate){ in->amount_in, jupiter_dollars(doc, "inUsdValue") };
    } else if (is_coin(&in->to)) {
        coin.output = (struct rate){ o->out, o->out };
        coin.usd = (struct rate){ o->out, jupiter_dollars(doc, "outUsdValue") };
    }
    return coin;
}

/* It says by how much its price differs from that of a small amount, usually with a minus: taken as a loss in
 * any case. Zero where it says nothing. */
static struct u256 jupiter_reference(const json_t *doc, const char *name, uint8_t places, struct u256 out)
{
    static const struct u256 all = { { 1000000000000000000, 0, 0, 0 } };
    const char *text = json_string_value(json_object_get(doc, name));
    struct u256 reference_out, left;
    struct amount lost;

    return text != NULL && amount_of_number(&lost, text + (*text == '-'), places) &&
                   u256_sub(&left, all, lost.raw) && u256_muldiv(&reference_out, out, all, left)
               ? reference_out
               : U256_ZERO;
}

/* Orders say it in per cent, quotes of all. */
static struct u256 reference_of_order(const json_t *doc, struct u256 out)
{
    return jupiter_reference(doc, "priceImpact", 16, out);
}

static struct u256 reference_of_quote(const json_t *doc, struct u256 out)
{
    return jupiter_reference(doc, "priceImpactPct", 18, out);
}

static enum ask_end jupiter_offer(struct route_answer *out, const json_t *doc, const struct route_in *in,
                                  const struct order *o)
{
    struct offer *offer = &out->offers[out->count];
    enum ask_end end = provider_json_offer(out, "Jupiter", o->out, 0);

    if (end != ASK_OFFERED)
        return end;
    offer->min_out = o->min_out;
    offer->fee = o->fee;
    out->gas = jupiter_coin(doc, in, o);
    out->reference_out = reference_of_order(doc, o->out);
    return ASK_OFFERED;
}

static enum ask_end jupiter_read(const struct call *call, const struct route_in *in, struct arena *a,
                                 struct route_answer *out)
{
    static const char *const unread[] = { "routePlan", "transaction", NULL };
    json_t *doc = provider_answer_without(call, unread);
    struct order o;
    enum ask_end end = jupiter_answer(&o, call, doc, in);

    (void)a;
    if (end == ASK_OFFERED)
        end = jupiter_offer(out, doc, in, &o);
    json_decref(doc);
    return end;
}

/* ---- transactions: a new order, for the wallet; or a new quote, and then its transaction ---- */

/* The transaction being built. Only the second way, by a quote, serves the wrapped coin, since it can be told
 * to leave that as it is. */
struct building {
    enum { AT_ORDER, AT_QUOTE, AT_SWAP } stage;
    const char *quote_url, *swap_url;
    bool has_second;
    struct order quoted;
    struct u256 reference_out;
};

/* Half of the slippage, so that the promised minimum is left where the price has moved. */
static bool jupiter_ask_tx(struct call *call, const struct ctx *ctx, const struct tx_in *in, struct arena *a)
{
    const char *query = jupiter_query(a, &in->route, provider_json_half(in->route.slippage)),
               *setting = provider_setting(ctx, &jupiter, "second_door"), *base = provider_url(ctx, &jupiter);
    bool apart = names_wrapped(&in->route);
    struct building *b = ARENA_NEW(a, struct building);
    const char *path;

    if (query == NULL || base == NULL)
        return false;
    path = arena_printf(a, "/swap/v2/quote%s", query);
    *b = (struct building){
        .stage = apart ? AT_QUOTE : AT_ORDER,
        .quote_url = arena_printf(a, "%s%s", base, path),
        .swap_url = arena_printf(a, "%s/swap/v2/swap", base),
        .has_second = setting != NULL && strcmp(setting, "on") == 0,
    };
    if (!(apart ? jupiter_get(call, ctx, a, path) : jupiter_order(call, ctx, query, in->route.wallet, a)))
        return false;
    call->owner = b;
    return true;
}

/* Why there is an order but no transaction. */
static enum tx_end jupiter_unbuilt(const json_t *doc)
{
    static const struct {
        const char *code;
        enum tx_end end;
    } codes[] = {
        { "1", TX_LACKS_INPUT },
        { "2", TX_LACKS_GAS },
        { "3", TX_LACKS_GAS }, /* and too small for a relayer to pay the gas */
    };
    const char *code = json_string_value(json_object_get(doc, "errorCode"));

    for (size_t i = 0; code != NULL && i < sizeof codes / sizeof codes[0]; i++)
        if (strcmp(codes[i].code, code) == 0)
            return codes[i].end;
    return code == NULL ? TX_UNAVAILABLE : TX_NO_ROUTE;
}

static bool jupiter_bytes(struct wallet_call *out, const char *text, struct arena *a)
{
    uint8_t *bytes = arena_alloc(a, TRANSACTION_MAX);

    out->data = bytes;
    return base64_decode(bytes, TRANSACTION_MAX, &out->data_len, text, strlen(text)) && out->data_len > 0;
}

/* By which its own submission knows the order; NULL where it has none that can be handed on. */
static const char *jupiter_submit(const json_t *doc, struct arena *a)
{
    static const char alphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
    const char *id = json_string_value(json_object_get(doc, "requestId"));
    size_t n = id == NULL ? 0 : strspn(id, alphabet);

    return n > 0 && n <= REFERENCE_MAX && id[n] == '\0' ? arena_strdup(a, id) : NULL;
}

static enum tx_end jupiter_tx(struct wallet_call *out, const struct tx_in *in, const struct order *o,
                              struct u256 reference_out, const char *text, struct arena *a)
{
    if (!jupiter_bytes(out, text, a))
        return TX_UNAVAILABLE;
    out->to = PROGRAM;
    out->value = is_coin(&in->route.from) ? in->route.amount_in : U256_ZERO;
    out->min_out = o->min_out;
    out->reference_out = reference_out;
    return TX_READY;
}

static enum tx_end jupiter_ordered(struct wallet_call *out, const json_t *doc, const struct tx_in *in,
                                   const struct order *o, struct arena *a)
{
    const char *text = json_string_value(json_object_get(doc, "transaction"));

    if (text == NULL || *text == '\0' || !jupiter_lacks(doc, "errorCode"))
        return jupiter_unbuilt(doc);
    if (u256_cmp(o->min_out, in->min_out) < 0)
        return TX_TOO_LITTLE;
    if (!provider_json_says(doc, "signatureFeePayer", in->route.wallet) ||
        !jupiter_may_say(doc, "taker", in->route.wallet))
        return TX_UNAVAILABLE;
    out->submit_via = jupiter_submit(doc, a);
    return jupiter_tx(out, in, o, reference_of_order(doc, o->out), text, a);
}

/* The quote goes back to it byte for byte: it may have undocumented members. */
static enum tx_end jupiter_quoted(struct call *call, struct building *b, const json_t *doc,
                                  const struct tx_in *in, const struct order *o, struct arena *a)
{
    if (u256_cmp(o->min_out, in->min_out) < 0)
        return TX_TOO_LITTLE;
    b->stage = AT_SWAP;
    b->quoted = *o;
    b->reference_out = reference_of_quote(doc, o->out);
    provider_ask_next(call, b->swap_url,
                      arena_printf(a, "{\"taker\":\"%s\",\"wrapAndUnwrapSol\":%s,\"quoteResponse\":%s}",
                                   in->route.wallet, names_wrapped(&in->route) ? "false" : "true",
                                   buf_text(&call->answer)));
    return TX_ASKS_MORE;
}

static enum tx_end jupiter_swap(struct call *call, const struct building *b, const json_t *doc,
                                const struct tx_in *in, struct arena *a, struct wallet_call *out)
{
    const char *text = json_string_value(json_object_get(doc, "swapTransaction"));
    enum ask_end end = jupiter_refusal(call, doc);

    if (end != ASK_OFFERED)
        return provider_json_tx_end(end);
    return text == NULL ? TX_UNAVAILABLE : jupiter_tx(out, in, &b->quoted, b->reference_out, text, a);
}

static enum tx_end jupiter_read_stage(struct call *call, struct building *b, const json_t *doc,
                                      const struct tx_in *in, struct arena *a, struct wallet_call *out)
{
    enum ask_end asked;
    struct order o;

    if (b->stage == AT_SWAP)
        return jupiter_swap(call, b, doc, in, a, out);
    asked = jupiter_answer(&o, call, doc, &in->route);
    if (asked != ASK_OFFERED)
        return provider_json_tx_end(asked);
    return b->stage == AT_ORDER ? jupiter_ordered(out, doc, in, &o, a)
                                : jupiter_quoted(call, b, doc, in, &o, a);
}

static enum tx_end jupiter_read_tx(struct call *call, const struct tx_in *in, struct arena *a,
                                   struct wallet_call *out)
{
    struct building *b = call->owner;
    json_t *doc = provider_answer(call);
    enum tx_end end = jupiter_read_stage(call, b, doc, in, a, out);

    json_decref(doc);
    if (end != TX_UNAVAILABLE || b->stage != AT_ORDER || !b->has_second)
        return end;
    b->stage = AT_QUOTE;
    provider_ask_next(call, b->quote_url, NULL);
    return TX_ASKS_MORE;
}

/* Jupiter answers when the transaction has landed, and sends it again meanwhile: the caller does not wait for
 * that. */
static bool jupiter_ask_send(struct call *call, const struct ctx *ctx, const char *submit_via,
                             const char *signed_tx, struct arena *a)
{
    const char *key = provider_key(ctx, &jupiter);
    const char *body =
        arena_printf(a, "{\"requestId\":\"%s\",\"signedTransaction\":\"%s\"}", submit_via, signed_tx);

    if (!provider_post(call, ctx, &jupiter, a, "/swap/v2/execute", body))
        return false;
    if (key != NULL)
        provider_header(call, arena_printf(a, "x-api-key: %s", key));
    return true;
}

/* ---- tokens ---- */

static bool jupiter_ask_tokens(struct call *call, const struct ctx *ctx, const struct chain *c,
                               struct arena *a)
{
    return jupiter_supports(c, c) && jupiter_get(call, ctx, a, "/tokens/v2/tag?query=verified");
}

/* Anyone can mint a token of any name: only those count that Jupiter has verified. Their order means
 * nothing. */
static bool jupiter_read_tokens(const struct call *call, const struct chain *c, struct arena *a,
                                struct token_list *out)
{
    static const struct token_form form = { .address = "id", .verified = "isVerified" };
    json_t *doc = provider_end(call) == ASK_OFFERED ? provider_answer(call) : NULL;
    bool read = token_list_read(out, doc, &form, c, a);

    json_decref(doc);
    return read;
}

static const struct provider_service jupiter_service = {
    .url = "https://api.jup.ag",
    .rate = "1/s",
    .keyless_rate = "1/2s",
};

const struct provider jupiter = {
    .key = "jupiter",
    .name = "jupiter",
    .service = &jupiter_service,
    .supports = jupiter_supports,
    .ask = jupiter_ask,
    .read = jupiter_read,
    .ask_tx = jupiter_ask_tx,
    .read_tx = jupiter_read_tx,
    .ask_send = jupiter_ask_send,
    .ask_tokens = jupiter_ask_tokens,
    .read_tokens = jupiter_read_tokens,
};
