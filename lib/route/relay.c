#include "route/relay.h"

#include <string.h>

#include "base/json_writer.h"
#include "chain/evm/evm_addr.h"
#include "chain/tokens.h"
#include "codec/base58.h"
#include "codec/hex.h"
#include "codec/query_string.h"
#include "codec/u256_member.h"
#include "route/provider_json.h"
#include "route/provider_service.h"
#include "venue/erc20.h"
#include "venue/relay_calls.h"
#include "venue/relay_solana.h"

enum { BODY_MAX = 4096, STEPS_MAX = 2, APPROVAL_MAX = 4 + 2 * 32 };

static const char *const relay_chains[] = { "ethereum", "optimism",  "bsc",    "polygon", "arbitrum",
                                            "base",     "avalanche", "gnosis", "scroll",  "mantle",
                                            "linea",    "solana",    NULL };

static const struct provider_json_code relay_codes[] = {
    { "AMOUNT_TOO_LOW", ASK_TOO_SMALL },
    { "CHAIN_DISABLED", ASK_REFUSED },
    { "FORBIDDEN", ASK_REFUSED },
    { "INVALID_INPUT_CURRENCY", ASK_REFUSED },
    { "INVALID_OUTPUT_CURRENCY", ASK_REFUSED },
    { "UNAUTHORIZED", ASK_REFUSED },
    { "UNSUPPORTED_CHAIN", ASK_REFUSED },
    { "UNSUPPORTED_CURRENCY", ASK_REFUSED },
    { "UNSUPPORTED_ROUTE", ASK_REFUSED },
    { "UNAUTHORIZED_QUOTE", ASK_REFUSED },
    { "PRICE_FETCH_FAILED", ASK_UNAVAILABLE },
    { "REQUEST_TIMED_OUT", ASK_UNAVAILABLE },
    { "SERVICE_UNAVAILABLE", ASK_UNAVAILABLE },
    { "SWAP_QUOTE_FAILED", ASK_UNAVAILABLE },
    { "UNKNOWN_ERROR", ASK_UNAVAILABLE },
    { NULL, ASK_NO_ROUTE },
};

static bool relay_supports(const struct chain *from, const struct chain *to)
{
    return from != to && provider_json_lists(relay_chains, from) && provider_json_lists(relay_chains, to);
}

/* Solana has another id there. */
static uint64_t relay_chain_id(const struct chain *c)
{
    return c->type == CHAIN_SOLANA ? 792703809 : c->id;
}

static bool relay_says_chain(const json_t *doc, const char *name, const struct chain *c)
{
    return provider_json_says_amount(doc, name, u256_from_u64(relay_chain_id(c)));
}

/* ---- questions ---- */

static void relay_fee(struct json_writer *w, const struct provider_fee *fee, struct arena *a)
{
    if (fee == NULL)
        return;
    jw_array(w, "appFees");
    jw_object(w, NULL);
    jw_string(w, "recipient", fee->receiver);
    jw_string(w, "fee", arena_printf(a, "%u", fee->bps));
    jw_end(w);
    jw_end(w);
}

static const char *relay_body(const struct ctx *ctx, const struct route_in *in, struct ppm slippage,
                              struct arena *a)
{
    struct json_writer w;

    jw_init(&w, a, BODY_MAX);
    jw_object(&w, NULL);
    jw_string(&w, "user", provider_json_payer(in));
    jw_string(&w, "recipient", provider_json_payee(in));
    jw_string(&w, "refundTo", provider_json_payer(in));
    jw_integer(&w, "originChainId", (int64_t)relay_chain_id(in->from_chain));
    jw_integer(&w, "destinationChainId", (int64_t)relay_chain_id(in->to_chain));
    jw_string(&w, "originCurrency", provider_json_token(a, &in->from, provider_json_zero(&in->from)));
    jw_string(&w, "destinationCurrency", provider_json_token(a, &in->to, provider_json_zero(&in->to)));
    jw_string(&w, "amount", provider_json_amount(a, in->amount_in));
    jw_string(&w, "tradeType", "EXACT_INPUT");
    jw_string(&w, "slippageTolerance", arena_printf(a, "%u", provider_json_bps(slippage)));
    jw_bool(&w, "includeProtocolData", true); /* the order is in no other answer */
    relay_fee(&w, provider_fee(ctx, &relay), a);
    jw_end(&w);
    return jw_finish(&w);
}

static void relay_key(struct call *call, const struct ctx *ctx, struct arena *a)
{
    if (provider_key(ctx, &relay) != NULL)
        provider_header(call, arena_printf(a, "x-api-key: %s", provider_key(ctx, &relay)));
}

/* The third version wants a key; the second ends on 2027-02-23. Both take the same body. */
static bool relay_quote(struct call *call, const struct ctx *ctx, const struct route_in *in,
                        struct ppm slippage, struct arena *a)
{
    const char *body = relay_body(ctx, in, slippage, a);
    const char *path = provider_key(ctx, &relay) == NULL ? "/quote/v2" : "/quote/v3";

    if (body == NULL || !provider_post(call, ctx, &relay, a, path, body))
        return false;
    relay_key(call, ctx, a);
    return true;
}

/* Wrapped SOL has the coin's address at Relay, so that a payment could be either. */
static bool relay_brings(const struct route_in *in)
{
    const struct token *t = token_known(&in->to);

    return t == NULL || !t->wrapped_native || in->to_chain->type != CHAIN_SOLANA;
}

static bool relay_ask(struct call *call, const struct ctx *ctx, const struct route_in *in, struct arena *a)
{
    return relay_brings(in) && relay_quote(call, ctx, in, in->slippage, a);
}

static bool relay_ask_tx(struct call *call, const struct ctx *ctx, const struct tx_in *in, struct arena *a)
{
    return relay_quote(call, ctx, &in->route, provider_json_half(in->route.slippage), a);
}

/* ---- answers ---- */

struct relay_deposit {
    struct u256 out, min_out;
    unsigned seconds;
    const json_t *approval; /* the transaction before it; NULL: none */
    const json_t *tx;
    const char *request_id;
};

/* `side` is what comes in or goes out. */
static bool relay_echoes(const json_t *side, const struct token_ref *t, const struct chain *c)
{
    const json_t *currency = json_object_get(side, "currency");

    return relay_says_chain(currency, "chainId", c) &&
           provider_json_says_token(currency, "address", t, provider_json_zero(t));
}

static bool relay_details_read(struct relay_deposit *out, const json_t *details, const struct route_in *in)
{
    const json_t *from = json_object_get(details, "currencyIn"),
                 *to = json_object_get(details, "currencyOut");

    return relay_echoes(from, &in->from, in->from_chain) && relay_echoes(to, &in->to, in->to_chain) &&
           provider_json_says_amount(from, "amount", in->amount_in) &&
           provider_json_says_address(details, "sender", provider_json_payer(in)) &&
           provider_json_says_address(details, "recipient", provider_json_payee(in)) &&
           u256_member(&out->out, to, "amount") && u256_member(&out->min_out, to, "minimumAmount") &&
           u256_cmp(out->min_out, out->out) <= 0 &&
           provider_json_seconds(&out->seconds, details, "timeEstimate");
}

/* The transaction of the step with that name, which has it itself or, in the second version, in its only
 * item; NULL where the wallet would do something else. */
static const json_t *relay_step(const json_t *step, const char *id)
{
    const json_t *items = json_object_get(step, "items"),
                 *holder = items == NULL ? step : json_array_get(items, 0);

    return provider_json_says(step, "id", id) && provider_json_says(step, "kind", "transaction") &&
                   json_array_size(items) <= 1
               ? json_object_get(holder, "data")
               : NULL;
}

/* An approval and a deposit at most, which an order stands behind: nothing else is signed. */
static bool relay_steps_read(struct relay_deposit *out, const json_t *doc, struct arena *a)
{
    const json_t *steps = json_object_get(doc, "steps");
    size_t n = json_array_size(steps);
    const json_t *last = n == 0 ? NULL : json_array_get(steps, n - 1),
                 *id = json_object_get(last, "requestId");

    if (n > STEPS_MAX ||
        (n == STEPS_MAX && (out->approval = relay_step(json_array_get(steps, 0), "approve")) == NULL))
        return false;
    out->tx = relay_step(last, "deposit");
    out->request_id = provider_json_hash(a, id != NULL ? id : json_object_get(doc, "requestId"));
    return out->tx != NULL && out->request_id != NULL;
}

static bool relay_has_order(const json_t *doc, struct arena *a)
{
    const json_t *order = json_object_get(json_object_get(doc, "protocol"), "v2");

    return provider_json_hash(a, json_object_get(order, "orderId")) != NULL &&
           json_is_object(json_object_get(order, "orderData"));
}

/* ASK_OFFERED: there is a deposit that can be made. Points into `doc`. */
static enum ask_end relay_answer(struct relay_deposit *out, const struct call *call, const json_t *doc,
                                 const struct route_in *in, struct arena *a)
{
    *out = (struct relay_deposit){ .tx = NULL };
    if (provider_end(call) != ASK_OFFERED)
        return provider_json_refusal(call, json_string_value(json_object_get(doc, "errorCode")), relay_codes);
    if (!relay_details_read(out, json_object_get(doc, "details"), in))
        return ASK_UNAVAILABLE;
    if (!relay_steps_read(out, doc, a) || !relay_has_order(doc, a))
        return ASK_NO_ROUTE;
    return u256_is_zero(out->min_out) ? ASK_TOO_SMALL : ASK_OFFERED;
}

/* Whether the deposit is made on Solana. */
static bool relay_is_solana(const struct route_in *in)
{
    return in->from_chain->type == CHAIN_SOLANA;
}

/* Solana has none: what a deposit costs there is known. */
static uint64_t relay_gas(const struct relay_deposit *deposit, const struct route_in *in)
{
    return relay_is_solana(in) ? 0 : provider_json_gas(deposit->tx, "gas");
}

static enum ask_end relay_read(const struct call *call, const struct route_in *in, struct arena *a,
                               struct route_answer *out)
{
    json_t *doc = provider_answer(call);
    struct relay_deposit deposit;
    enum ask_end end = relay_answer(&deposit, call, doc, in, a);

    if (end == ASK_OFFERED &&
        (end = provider_json_offer(out, "Relay", deposit.out, relay_gas(&deposit, in))) == ASK_OFFERED) {
        if (relay_is_solana(in))
            out->offers[0].fee = u256_from_u64(RELAY_SOLANA_FEE);
        out->offers[0].min_out = deposit.min_out;
        out->offers[0].seconds = deposit.seconds;
    }
    json_decref(doc);
    return end;
}

/* ---- transactions ---- */

/* Approvals are made by ourselves; one that asks for more than the deposit takes is a warning. */
static bool relay_approval_fits(const json_t *approval, const struct wallet_call *tx,
                                const struct route_in *in, struct arena *a)
{
    struct buf want = BUF_INIT(APPROVAL_MAX);
    const uint8_t *data;
    bool fits;
    size_t n;

    if (approval == NULL)
        return true;
    erc20_approve(&want, evm_addr_or_zero(tx->to), in->amount_in);
    data = provider_json_bytes(a, &n, approval, "data");
    fits = !provider_json_is_coin(&in->from) &&
           provider_json_says_token(approval, "to", &in->from, EVM_ADDR_ZERO) && data != NULL &&
           n == want.len && memcmp(data, want.data, n) == 0;
    buf_free(&want);
    return fits;
}

/* ---- the order behind a deposit ---- */

static bool relay_text(const char **out, const json_t *doc, const char *name)
{
    *out = json_string_value(json_object_get(doc, name));
    return *out != NULL;
}

/* Hex behind "0x", or Base58 on Solana, which knows no zero. */
static bool relay_raw(struct relay_bytes *out, const json_t *doc, const char *name, struct arena *a)
{
    const char *text = json_string_value(json_object_get(doc, name));
    uint8_t *bytes;

    if (text == NULL || strncmp(text, "0x", 2) == 0) {
        out->p = provider_json_bytes(a, &out->n, doc, name);
        return out->p != NULL;
    }
    out->p = bytes = arena_alloc(a, SOLANA_ADDR_LEN);
    return base58_decode(bytes, SOLANA_ADDR_LEN, &out->n, text) && out->n == SOLANA_ADDR_LEN;
}

static bool relay_time(uint32_t *out, const json_t *doc, const char *name)
{
    uint64_t v;

    if (!provider_json_u64(&v, doc, name) || v > UINT32_MAX)
        return false;
    *out = (uint32_t)v;
    return true;
}

static bool relay_refund_json(struct relay_refund *out, const json_t *doc, struct arena *a)
{
    return relay_text(&out->chain, doc, "chainId") && relay_raw(&out->recipient, doc, "recipient", a) &&
           relay_raw(&out->currency, doc, "currency", a) &&
           provider_json_quantity(&out->minimum, doc, "minimumAmount") &&
           relay_time(&out->deadline, doc, "deadline") && relay_raw(&out->extra, doc, "extraData", a);
}

static bool relay_refunds_json(struct relay_order *out, const json_t *refunds, struct arena *a)
{
    out->input.refund_count = json_array_size(refunds);
    if (out->input.refund_count > RELAY_REFUNDS)
        return false;
    for (size_t i = 0; i < out->input.refund_count; i++)
        if (!relay_refund_json(&out->input.refunds[i], json_array_get(refunds, i), a))
            return false;
    return true;
}

static bool relay_input_json(struct relay_order *out, const json_t *inputs, struct arena *a)
{
    const json_t *input = json_array_get(inputs, 0), *payment = json_object_get(input, "payment");

    return json_array_size(inputs) == 1 && relay_text(&out->input.chain, payment, "chainId") &&
           relay_raw(&out->input.currency, payment, "currency", a) &&
           provider_json_quantity(&out->input.amount, payment, "amount") &&
           provider_json_quantity(&out->input.weight, payment, "weight") &&
           relay_refunds_json(out, json_object_get(input, "refunds"), a);
}

static bool relay_output_json(struct relay_order *out, const json_t *output, struct arena *a)
{
    const json_t *payments = json_object_get(output, "payments"), *payment = json_array_get(payments, 0),
                 *calls = json_object_get(output, "calls");

    return json_array_size(payments) == 1 && json_is_array(calls) && json_array_size(calls) == 0 &&
           relay_text(&out->output.chain, output, "chainId") &&
           relay_raw(&out->output.recipient, payment, "recipient", a) &&
           relay_raw(&out->output.currency, payment, "currency", a) &&
           provider_json_quantity(&out->output.minimum, payment, "minimumAmount") &&
           provider_json_quantity(&out->output.expected, payment, "expectedAmount") &&
           relay_time(&out->output.deadline, output, "deadline") &&
           relay_raw(&out->output.extra, output, "extraData", a);
}

static bool relay_fee_json(struct relay_fee *out, const json_t *doc, struct arena *a)
{
    return relay_text(&out->recipient_chain, doc, "recipientChainId") &&
           relay_raw(&out->recipient, doc, "recipient", a) &&
           relay_text(&out->currency_chain, doc, "currencyChainId") &&
           relay_raw(&out->currency, doc, "currency", a) &&
           provider_json_quantity(&out->amount, doc, "amount");
}

static bool relay_fees_json(struct relay_order *out, const json_t *fees, struct arena *a)
{
    out->fee_count = json_array_size(fees);
    if (out->fee_count > RELAY_FEES)
        return false;
    for (size_t i = 0; i < out->fee_count; i++)
        if (!relay_fee_json(&out->fees[i], json_array_get(fees, i), a))
            return false;
    return true;
}

/* Texts lead into `doc`. False for an order that is not signed: with several inputs or payments, or calls. */
static bool relay_order_json(struct relay_order *out, const json_t *doc, struct arena *a)
{
    *out = (struct relay_order){ .version = NULL };
    return relay_text(&out->version, doc, "version") &&
           relay_text(&out->solver_chain, doc, "solverChainId") &&
           relay_raw(&out->solver, doc, "solver", a) && provider_json_quantity(&out->salt, doc, "salt") &&
           relay_input_json(out, json_object_get(doc, "inputs"), a) &&
           relay_output_json(out, json_object_get(doc, "output"), a) &&
           relay_fees_json(out, json_object_get(doc, "fees"), a);
}

static const char *relay_hash_text(const uint8_t id[static HASH_LEN], struct arena *a)
{
    char hex[2 * HASH_LEN + 1];

    hex_encode(hex, id, HASH_LEN);
    return arena_printf(a, "0x%s", hex);
}

/* The order whose hash the deposit bears, to be shown to the signer. */
static bool relay_prove(struct wallet_call *out, uint8_t id[static HASH_LEN], const json_t *doc,
                        struct arena *a)
{
    const json_t *v2 = json_object_get(json_object_get(doc, "protocol"), "v2");
    struct buf proof = BUF_INIT(RELAY_ORDER_MAX);
    const char *said = provider_json_hash(a, json_object_get(v2, "orderId"));
    struct relay_order order;
    bool same = said != NULL && relay_order_json(&order, json_object_get(v2, "orderData"), a);

    if (same) {
        relay_order_id(id, &order);
        relay_order_write(&proof, &order);
        same = strcmp(said, relay_hash_text(id, a)) == 0 && !proof.overflow;
    }
    if (same) {
        out->proof = arena_memdup(a, proof.data, proof.len);
        out->proof_len = proof.len;
        out->refund_after = order.output.deadline;
    }
    buf_free(&proof);
    return same;
}

/* ---- deposits on EVM chains ---- */

static bool relay_evm_tx(struct wallet_call *out, const struct relay_deposit *deposit,
                         const struct route_in *in, struct arena *a)
{
    out->gas_units = provider_json_gas(deposit->tx, "gas");
    return provider_json_tx(out, deposit->tx, in, a) && provider_json_pays_input(out, in) &&
           relay_approval_fits(deposit->approval, out, in, a);
}

/* ---- deposits on Solana: we make the transaction, of what its instructions say ---- */

enum { CALLS_MAX = 4, ACCOUNTS_MAX = 16 };

static bool relay_account_json(struct solana_account *out, const json_t *key)
{
    const char *text = json_string_value(json_object_get(key, "pubkey"));

    out->signs = json_is_true(json_object_get(key, "isSigner"));
    out->writes = json_is_true(json_object_get(key, "isWritable"));
    return text != NULL && solana_addr_parse(&out->key, text);
}

static bool relay_accounts_json(struct solana_call *out, const json_t *keys, struct arena *a)
{
    struct solana_account *accounts = ARENA_ARRAY(a, struct solana_account, ACCOUNTS_MAX);
    const json_t *each;
    size_t i;

    out->account_count = json_array_size(keys);
    if (out->account_count > ACCOUNTS_MAX)
        return false;
    out->accounts = accounts;
    json_array_foreach(keys, i, each)
    {
        if (!relay_account_json(&accounts[i], each))
            return false;
    }
    return true;
}

static bool relay_call_json(struct solana_call *out, const json_t *instruction, struct arena *a)
{
    const char *program = json_string_value(json_object_get(instruction, "programId")),
               *data = json_string_value(json_object_get(instruction, "data"));
    uint8_t *bytes;

    if (program == NULL || data == NULL || !solana_addr_parse(&out->program, program))
        return false;
    out->data_len = strlen(data) / 2;
    out->data = bytes = arena_alloc(a, out->data_len);
    return hex_decode(bytes, out->data_len, data, strlen(data)) &&
           relay_accounts_json(out, json_object_get(instruction, "keys"), a);
}

static bool relay_solana_json(struct relay_solana_deposit *out, const struct relay_deposit *deposit,
                              const struct route_in *in, struct arena *a)
{
    const json_t *list = json_object_get(deposit->tx, "instructions"), *each;
    struct solana_call calls[CALLS_MAX];
    struct solana_addr wallet;
    size_t i;

    if (json_array_size(list) > CALLS_MAX)
        return false;
    json_array_foreach(list, i, each)
    {
        if (!relay_call_json(&calls[i], each, a))
            return false;
    }
    return deposit->approval == NULL && solana_addr_parse(&wallet, in->wallet) &&
           relay_solana_read(out, &wallet, calls, json_array_size(list));
}

/* It deposits the sold token, and nothing else, for that order. */
static bool relay_deposit_fits(const struct relay_solana_deposit *d, const struct route_in *in,
                               const uint8_t id[static HASH_LEN])
{
    const struct token *sold = token_known(&in->from);
    char mint[SOLANA_ADDR_TEXT_LEN + 1];

    solana_addr_text(mint, &d->mint);
    return d->coin == (sold != NULL && token_is_native(sold)) &&
           (d->coin || strcmp(mint, in->from.address) == 0) &&
           u256_cmp(u256_from_u64(d->amount), in->amount_in) == 0 && memcmp(d->order, id, HASH_LEN) == 0;
}

/* It bears no blockhash yet. */
static bool relay_solana_tx(struct wallet_call *out, const struct relay_deposit *deposit,
                            const struct route_in *in, const uint8_t id[static HASH_LEN], struct arena *a)
{
    static const uint8_t no_blockhash[SOLANA_BLOCKHASH_LEN];
    struct buf tx = BUF_INIT(SOLANA_TX_MAX);
    struct relay_solana_deposit d;
    bool made = relay_solana_json(&d, deposit, in, a) && relay_deposit_fits(&d, in, id) &&
                relay_solana_write(&tx, &d, no_blockhash);

    if (made) {
        out->to = RELAY_SOLANA_PROGRAM;
        out->value = d.coin ? in->amount_in : U256_ZERO;
        out->data = arena_memdup(a, tx.data, tx.len);
        out->data_len = tx.len;
    }
    buf_free(&tx);
    return made;
}

/* ---- both ---- */

static bool relay_tx_read(struct wallet_call *out, const json_t *doc, const struct relay_deposit *deposit,
                          const struct route_in *in, struct arena *a)
{
    uint8_t id[HASH_LEN];

    if (!relay_prove(out, id, doc, a) ||
        !(relay_is_solana(in) ? relay_solana_tx(out, deposit, in, id, a) : relay_evm_tx(out, deposit, in, a)))
        return false;
    out->min_out = deposit->min_out;
    out->reference = deposit->request_id;
    out->seconds = deposit->seconds;
    return true;
}

static enum tx_end relay_read_tx(struct call *call, const struct tx_in *in, struct arena *a,
                                 struct wallet_call *out)
{
    json_t *doc = provider_answer(call);
    struct relay_deposit deposit;
    enum ask_end end = relay_answer(&deposit, call, doc, &in->route, a);

    if (end == ASK_OFFERED && !relay_tx_read(out, doc, &deposit, &in->route, a))
        end = ASK_UNAVAILABLE;
    json_decref(doc);
    return end == ASK_OFFERED ? TX_READY : provider_json_tx_end(end);
}

/* ---- bridges ---- */

static bool relay_ask_status(struct call *call, const struct ctx *ctx, const struct bridge_in *in,
                             struct arena *a)
{
    const char *path = arena_printf(a, "/intents/status/v3?requestId=%s", query_escape(a, in->reference));

    if (!provider_get(call, ctx, &relay, a, path))
        return false;
    relay_key(call, ctx, a);
    return true;
}

/* Anything else says nothing. */
static const struct {
    const char *status;
    enum bridge_state state;
} relay_states[] = {
    { "waiting", BRIDGE_UNDER_WAY },   { "depositing", BRIDGE_UNDER_WAY }, { "pending", BRIDGE_UNDER_WAY },
    { "submitted", BRIDGE_UNDER_WAY }, { "delayed", BRIDGE_UNDER_WAY },    { "success", BRIDGE_DONE },
    { "refund", BRIDGE_REFUNDED },     { "failure", BRIDGE_FAILED },
};

static enum bridge_state relay_state(const json_t *doc)
{
    for (size_t i = 0; i < sizeof relay_states / sizeof relay_states[0]; i++)
        if (provider_json_says(doc, "status", relay_states[i].status))
            return relay_states[i].state;
    return BRIDGE_UNKNOWN;
}

/* Whether the answer is about this deposit, which it may not have seen yet. */
static bool relay_is_about(const json_t *doc, const struct bridge_in *in, struct arena *a)
{
    const json_t *seen = json_object_get(doc, "inTxHashes"), *tx;
    size_t i;

    if (!relay_says_chain(doc, "originChainId", in->from_chain) ||
        !relay_says_chain(doc, "destinationChainId", in->to_chain))
        return false;
    json_array_foreach(seen, i, tx)
    {
        const char *hash = provider_json_tx_hash(a, tx, in->from_chain);

        if (hash != NULL && strcmp(hash, in->tx) == 0)
            return true;
    }
    return json_array_size(seen) == 0;
}

static void relay_read_status(const struct call *call, const struct bridge_in *in, struct arena *a,
                              struct bridge_status *out)
{
    json_t *doc = provider_end(call) == ASK_OFFERED ? provider_answer(call) : NULL;

    if (relay_is_about(doc, in, a)) {
        out->state = relay_state(doc);
        out->tx = provider_json_tx_hash(a, json_array_get(json_object_get(doc, "txHashes"), 0),
                                        out->state == BRIDGE_REFUNDED ? in->from_chain : in->to_chain);
    }
    json_decref(doc);
}

static const struct provider_service relay_service = {
    .url = "https://api.relay.link",
    .rate = "50/m",
    .wants_key = true,
};

const struct provider relay = {
    .key = "relay",
    .name = "relay",
    .service = &relay_service,
    .supports = relay_supports,
    .ask = relay_ask,
    .read = relay_read,
    .ask_tx = relay_ask_tx,
    .read_tx = relay_read_tx,
    .ask_status = relay_ask_status,
    .read_status = relay_read_status,
};
