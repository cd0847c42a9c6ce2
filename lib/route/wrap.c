#include "route/wrap.h"

#include "chain/rpc/node.h"
#include "chain/tokens.h"
#include "route/gas_price.h"
#include "route/onchain.h"
#include "venue/contracts.h"
#include "venue/wrapped_native.h"
#include "venue/wrapped_sol.h"

enum { GAS_WRAP = 45000, MULTICALL_BYTES = 4096, PULSE_BYTES = 256 };

/* The payload: its first byte, and a zero. */
enum direction { WRAP = 1, UNWRAP = 2 };

/* 0: the pair is another one. */
static unsigned direction_of(const struct route_in *in)
{
    const struct token *from = token_known(&in->from), *to = token_known(&in->to);

    if (in->from_chain != in->to_chain || from == NULL || to == NULL)
        return 0;
    if (token_is_native(from))
        return to->wrapped_native ? WRAP : 0;
    return token_is_native(to) && from->wrapped_native ? UNWRAP : 0;
}

bool wrap_is_pair(const struct route_in *in)
{
    return direction_of(in) != 0;
}

static const struct contract *wrap_contract(const struct chain *c)
{
    return c->type == CHAIN_SOLANA ? &wrapped_sol_program : contract_of(c, &wrapped_native_contract);
}

static bool wrap_supports(const struct chain *from, const struct chain *to)
{
    return from == to && wrap_contract(from) != NULL;
}

/* ---- offers: one to one, once the chain answers ---- */

static void wrap_offer(struct route_answer *out, const struct route_in *in, struct arena *a)
{
    const uint8_t payload[] = { (uint8_t)direction_of(in), 0 };

    out->reference_out = in->amount_in;
    out->offers[out->count++] = (struct offer){
        .label = payload[0] == WRAP ? "wrap" : "unwrap",
        .out = in->amount_in,
        .payload = { arena_memdup(a, payload, sizeof payload), sizeof payload },
    };
}

/* On the EVM only what gas costs is asked. */
struct wrap_query {
    struct onchain onchain;
    struct gas_price_query gas;
};

static bool wrap_ask_evm(struct call *call, const struct ctx *ctx, const struct route_in *in, struct arena *a)
{
    struct wrap_query *q = ARENA_NEW(a, struct wrap_query);
    struct multicall m = MULTICALL_INIT(MULTICALL_BYTES);
    bool asked;

    gas_price_ask(&q->gas, &m, in);
    asked = onchain_begin(&q->onchain, q, call, ctx, in, &m, a);
    multicall_free(&m);
    return asked;
}

static enum ask_end wrap_read_evm(const struct call *call, const struct route_in *in, struct arena *a,
                                  struct route_answer *out)
{
    struct wrap_query *q = onchain_owner(call);
    struct multicall_results r;

    if (!onchain_end(&q->onchain, &r, a))
        return ASK_UNAVAILABLE;
    gas_price_read(&out->gas, &q->gas, &r);
    out->gas.output = (struct rate){ u256_from_u64(1), u256_from_u64(1) };
    wrap_offer(out, in, a);
    out->offers[0].gas_units = GAS_WRAP;
    return ASK_OFFERED;
}

/* On Solana the cost is known: the node is asked only whether it answers. */
struct pulse {
    struct buf body;
    struct rpc_batch batch;
    struct node_query query;
};

static bool wrap_ask_solana(struct call *call, const struct ctx *ctx, const struct route_in *in,
                            struct arena *a)
{
    struct pulse *q = ARENA_NEW(a, struct pulse);

    *q = (struct pulse){ .body = BUF_INIT(PULSE_BYTES) };
    q->batch = rpc_begin(&q->body);
    rpc_add(&q->batch, "getSlot", "[{\"commitment\":\"confirmed\"}]");
    rpc_end(&q->batch);
    q->query = (struct node_query){ .chain = in->from_chain,
                                    .batch = &q->batch,
                                    .role = in->verifies ? NODE_VERIFY : NODE_READ,
                                    .owner = q };
    if (node_begin(call, ctx, &q->query, a))
        return true;
    buf_free(&q->body);
    return false;
}

static enum ask_end wrap_read_solana(const struct call *call, const struct route_in *in, struct arena *a,
                                     struct route_answer *out)
{
    const struct node_query *asked = call->owner;
    struct pulse *q = asked->owner;
    bool there;

    buf_free(&q->body);
    if (!node_end(&q->query))
        return ASK_UNAVAILABLE;
    there = json_is_integer(q->query.answers.items[0].result);
    rpc_answers_free(&q->query.answers);
    if (!there)
        return ASK_UNAVAILABLE;
    wrap_offer(out, in, a);
    out->offers[0].fee = u256_from_u64(WRAPPED_SOL_FEE);
    return ASK_OFFERED;
}

static bool wrap_ask(struct call *call, const struct ctx *ctx, const struct route_in *in, struct arena *a)
{
    if (direction_of(in) == 0)
        return false;
    return (in->from_chain->type == CHAIN_SOLANA ? wrap_ask_solana : wrap_ask_evm)(call, ctx, in, a);
}

static enum ask_end wrap_read(const struct call *call, const struct route_in *in, struct arena *a,
                              struct route_answer *out)
{
    return (in->from_chain->type == CHAIN_SOLANA ? wrap_read_solana : wrap_read_evm)(call, in, a, out);
}

/* ---- the transaction of an offer ---- */

static const uint8_t *wrap_data(size_t *len, const struct route_in *in, unsigned direction, struct arena *a)
{
    struct buf data = BUF_INIT(64);
    const uint8_t *out;

    if (direction == WRAP)
        wrapped_native_deposit(&data);
    else
        wrapped_native_withdraw(&data, in->amount_in);
    out = arena_memdup(a, data.data, data.len);
    *len = data.len;
    buf_free(&data);
    return out;
}

/* Solana's transaction has to name data that only a node knows: the code that asks the node writes it. */
static enum tx_end wrap_read_tx(struct call *call, const struct tx_in *in, struct arena *a,
                                struct wallet_call *out)
{
    const struct route_in *r = &in->route;
    const struct contract *coin = wrap_contract(r->from_chain);
    unsigned direction = direction_of(r);

    (void)call;
    if (coin == NULL || direction == 0)
        return TX_NO_ROUTE;
    *out = (struct wallet_call){
        .to = coin->address,
        .value = direction == WRAP ? r->amount_in : U256_ZERO,
        .min_out = r->amount_in,
        .reference_out = r->amount_in,
    };
    if (r->from_chain->type == CHAIN_EVM)
        out->data = wrap_data(&out->data_len, r, direction, a);
    return TX_READY;
}

const struct provider wrap = {
    .key = "wrapped",
    .former_key = "wrap",
    .name = "wrapped",
    .supports = wrap_supports,
    .ask = wrap_ask,
    .read = wrap_read,
    .read_tx = wrap_read_tx,
};
