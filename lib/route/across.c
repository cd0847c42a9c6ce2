#include "route/across.h"

#include <inttypes.h>
#include <string.h>

#include "chain/evm/evm_addr.h"
#include "chain/tokens.h"
#include "codec/query_string.h"
#include "codec/u256_member.h"
#include "model/amount.h"
#include "route/provider_json.h"
#include "route/provider_service.h"
#include "venue/across_calls.h"

enum { ACROSS_GAS = 120000, DEPOSIT_MAX = 512 };

/* On Scroll it ended on 2026-04-30. */
static const char *const across_chains[] = { "ethereum", "optimism", "bsc",   "polygon",
                                             "arbitrum", "base",     "linea", NULL };

static const struct provider_json_code across_codes[] = {
    { "AMOUNT_TOO_LOW", ASK_TOO_SMALL },        { "UPSTREAM_RPC_ERROR", ASK_UNAVAILABLE },
    { "UPSTREAM_HTTP_ERROR", ASK_UNAVAILABLE }, { "UPSTREAM_GATEWAY_TIMEOUT", ASK_TIMEOUT },
    { "UNEXPECTED_ERROR", ASK_UNAVAILABLE },    { NULL, ASK_NO_ROUTE },
};

static bool across_supports(const struct chain *from, const struct chain *to)
{
    return from != to && provider_json_lists(across_chains, from) && provider_json_lists(across_chains, to);
}

/* ---- questions ---- */

static bool across_get(struct call *call, const struct ctx *ctx, const char *path, struct arena *a)
{
    if (!provider_get(call, ctx, &across, a, path))
        return false;
    if (provider_key(ctx, &across) != NULL)
        provider_header(call, arena_printf(a, "Authorization: Bearer %s", provider_key(ctx, &across)));
    return true;
}

/* The integrator's id, which it wants besides the key. */
static const char *across_integrator(const struct ctx *ctx, struct arena *a)
{
    const char *id = provider_setting(ctx, &across, "integrator");

    return id == NULL ? "" : arena_printf(a, "&integratorId=%s", id);
}

static const char *across_token(struct arena *a, const struct token_ref *t)
{
    /* It knows a coin by the token that wraps it. NULL: nothing wraps it. */
    const struct token *wrapped = token_wrapped_native(chain_by_id(t->chain_id));

    return provider_json_token(a, t, wrapped == NULL ? EVM_ADDR_ZERO : wrapped->address_text);
}

/* A plain wallet is paid in coin, never in what wraps it. */
static bool across_brings(const struct route_in *in)
{
    const struct token *t = token_known(&in->to);

    return t == NULL || !t->wrapped_native;
}

static bool across_ask(struct call *call, const struct ctx *ctx, const struct route_in *in, struct arena *a)
{
    const char *path = arena_printf(a,
                                    "/suggested-fees?inputToken=%s&outputToken=%s&originChainId=%" PRIu64
                                    "&destinationChainId=%" PRIu64 "&amount=%s&recipient=%s%s",
                                    across_token(a, &in->from), across_token(a, &in->to), in->from_chain->id,
                                    in->to_chain->id, provider_json_amount(a, in->amount_in),
                                    provider_json_payee(in), across_integrator(ctx, a));

    return across_brings(in) && across_get(call, ctx, path, a);
}

static bool across_ask_tx(struct call *call, const struct ctx *ctx, const struct tx_in *in, struct arena *a)
{
    return across_ask(call, ctx, &in->route, a);
}

/* ---- answers ---- */

struct across_terms {
    struct u256 output;
    uint64_t quoted, deadline, exclusive; /* Unix seconds; see venue/across_calls.h */
    const char *relayer;
    unsigned seconds;
};

static bool across_echoes(const json_t *side, const struct token_ref *t, struct arena *a)
{
    return provider_json_says_address(side, "address", across_token(a, t)) &&
           provider_json_says_chain(side, "chainId", chain_by_id(t->chain_id));
}

/* The deposit could go nowhere else, but an answer about another pool is about something else. */
static bool across_names_pool(const json_t *doc, const struct route_in *in)
{
    const struct contract *pool = contract_of(in->from_chain, &across_spoke_pool);

    return pool != NULL && provider_json_says_address(doc, "spokePoolAddress", pool->address);
}

/* It is one token on both sides. */
static bool across_takes_a_fee(const struct route_in *in, struct u256 output)
{
    static const uint64_t ONE = 1000000000000000000; /* RATE_PLACES */
    struct amount rate;

    return amount_rate(&rate, (struct amount){ in->amount_in, in->from.decimals },
                       (struct amount){ output, in->to.decimals }) &&
           u256_cmp(rate.raw, u256_from_u64(ONE)) <= 0;
}

/* If both sides have the same decimals, input less output has to be the fee. */
static bool across_adds_up(const json_t *doc, const struct route_in *in, struct u256 output)
{
    struct u256 fee, left;

    if (in->from.decimals != in->to.decimals)
        return across_takes_a_fee(in, output);
    return u256_member(&fee, json_object_get(doc, "totalRelayFee"), "total") &&
           u256_sub(&left, in->amount_in, fee) && u256_cmp(left, output) == 0;
}

static bool across_times_read(struct across_terms *out, const json_t *doc)
{
    return provider_json_u64(&out->quoted, doc, "timestamp") && out->quoted <= UINT32_MAX &&
           provider_json_u64(&out->deadline, doc, "fillDeadline") && out->deadline <= UINT32_MAX &&
           provider_json_u64(&out->exclusive, doc, "exclusivityDeadline") && out->exclusive <= UINT32_MAX &&
           out->deadline > out->quoted && provider_json_seconds(&out->seconds, doc, "estimatedFillTimeSec");
}

static enum ask_end across_terms_read(struct across_terms *out, const json_t *doc, const struct route_in *in,
                                      struct arena *a)
{
    if (!across_echoes(json_object_get(doc, "inputToken"), &in->from, a) ||
        !across_echoes(json_object_get(doc, "outputToken"), &in->to, a) || !across_names_pool(doc, in))
        return ASK_UNAVAILABLE;
    if (json_is_true(json_object_get(doc, "isAmountTooLow")))
        return ASK_TOO_SMALL;
    out->relayer = provider_json_address(a, doc, "exclusiveRelayer");
    if (out->relayer == NULL || !u256_member(&out->output, doc, "outputAmount") ||
        !across_adds_up(doc, in, out->output) || !across_times_read(out, doc))
        return ASK_UNAVAILABLE;
    return u256_is_zero(out->output) ? ASK_TOO_SMALL : ASK_OFFERED;
}

/* ASK_OFFERED: there are terms. */
static enum ask_end across_answer(struct across_terms *out, const struct call *call,
                                  const struct route_in *in, struct arena *a)
{
    json_t *doc = provider_answer(call);
    const char *code = json_string_value(json_object_get(doc, "code"));
    enum ask_end end;

    *out = (struct across_terms){ .relayer = NULL };
    if (code == NULL) /* of a token that it does not know there is none */
        code = json_string_value(json_object_get(doc, "type"));
    end = provider_end(call) == ASK_OFFERED ? across_terms_read(out, doc, in, a)
                                            : provider_json_refusal(call, code, across_codes);
    json_decref(doc);
    return end;
}

static enum ask_end across_read(const struct call *call, const struct route_in *in, struct arena *a,
                                struct route_answer *out)
{
    struct across_terms terms;
    enum ask_end end = across_answer(&terms, call, in, a);

    if (end == ASK_OFFERED &&
        (end = provider_json_offer(out, "Across", terms.output, ACROSS_GAS)) == ASK_OFFERED)
        out->offers[0].seconds = terms.seconds;
    return end;
}

/* ---- transactions ---- */

static bool across_deposit_encode(struct wallet_call *out, const struct across_terms *terms,
                                  const struct route_in *in, struct arena *a)
{
    struct across_deposit d = { .depositor = evm_addr_or_zero(in->wallet),
                                .recipient = evm_addr_or_zero(provider_json_payee(in)),
                                .sent = evm_addr_or_zero(across_token(a, &in->from)),
                                .bought = evm_addr_or_zero(across_token(a, &in->to)),
                                .amount = in->amount_in,
                                .output = terms->output,
                                .far_chain = in->to_chain->id,
                                .relayer = evm_addr_or_zero(terms->relayer),
                                .quoted = (uint32_t)terms->quoted,
                                .deadline = (uint32_t)terms->deadline,
                                .exclusive = (uint32_t)terms->exclusive };
    struct buf data = BUF_INIT(DEPOSIT_MAX);

    across_deposit_write(&data, &d);
    out->data = data.overflow ? NULL : arena_memdup(a, data.data, data.len);
    out->data_len = data.len;
    buf_free(&data);
    return out->data != NULL;
}

static enum tx_end across_read_tx(struct call *call, const struct tx_in *in, struct arena *a,
                                  struct wallet_call *out)
{
    const struct contract *pool = contract_of(in->route.from_chain, &across_spoke_pool);
    bool coin = provider_json_is_coin(&in->route.from);
    struct across_terms terms;
    enum ask_end end = across_answer(&terms, call, &in->route, a);

    if (end != ASK_OFFERED)
        return provider_json_tx_end(end);
    out->to = pool->address;
    out->spender = coin ? NULL : pool->address;
    out->value = coin ? in->route.amount_in : U256_ZERO;
    out->min_out = terms.output;
    out->gas_units = ACROSS_GAS;
    out->seconds = terms.seconds;
    out->refund_after = (int64_t)terms.deadline;
    return across_deposit_encode(out, &terms, &in->route, a) ? TX_READY : TX_UNAVAILABLE;
}

/* ---- bridges ---- */

static bool across_ask_status(struct call *call, const struct ctx *ctx, const struct bridge_in *in,
                              struct arena *a)
{
    return across_get(call, ctx,
                      arena_printf(a, "/deposit/status?depositTxnRef=%s%s", query_escape(a, in->tx),
                                   across_integrator(ctx, a)),
                      a);
}

/* Anything else says nothing. */
static const struct {
    const char *status;
    enum bridge_state state;
    const char *tx; /* the member that has what paid; NULL: nothing has */
} across_states[] = {
    { "pending", BRIDGE_UNDER_WAY, NULL },   { "slowFillRequested", BRIDGE_UNDER_WAY, NULL },
    { "expired", BRIDGE_UNDER_WAY, NULL }, /* its refund is still to come */
    { "filled", BRIDGE_DONE, "fillTxnRef" }, { "refunded", BRIDGE_REFUNDED, "depositRefundTxnRef" },
};

static bool across_is_about(const json_t *doc, const struct bridge_in *in, struct arena *a)
{
    const char *tx = provider_json_hash(a, json_object_get(doc, "depositTxnRef"));

    return tx != NULL && strcmp(tx, in->tx) == 0 &&
           provider_json_says_chain(doc, "originChainId", in->from_chain) &&
           provider_json_says_chain(doc, "destinationChainId", in->to_chain);
}

/* A deposit of the coin comes back as the token that wraps it. */
static void across_state(struct bridge_status *out, const json_t *doc, const struct bridge_in *in,
                         struct arena *a)
{
    const struct token *wrapped = token_wrapped_native(in->from_chain);

    for (size_t i = 0; i < sizeof across_states / sizeof across_states[0]; i++) {
        if (!provider_json_says(doc, "status", across_states[i].status))
            continue;
        out->state = across_states[i].state;
        if (across_states[i].tx != NULL)
            out->tx = provider_json_hash(a, json_object_get(doc, across_states[i].tx));
        if (out->state == BRIDGE_REFUNDED && wrapped != NULL)
            out->token = wrapped->address_text;
    }
}

static void across_read_status(const struct call *call, const struct bridge_in *in, struct arena *a,
                               struct bridge_status *out)
{
    json_t *doc = provider_end(call) == ASK_OFFERED ? provider_answer(call) : NULL;

    if (across_is_about(doc, in, a))
        across_state(out, doc, in, a);
    json_decref(doc);
}

static const struct provider_service across_service = {
    .url = "https://app.across.to/api",
    .rate = "5/s",
    .wants_key = true,
};

const struct provider across = {
    .key = "across",
    .name = "across",
    .service = &across_service,
    .supports = across_supports,
    .ask = across_ask,
    .read = across_read,
    .ask_tx = across_ask_tx,
    .read_tx = across_read_tx,
    .ask_status = across_ask_status,
    .read_status = across_read_status,
};
