#include "route/wrap.h"

#include "chain/tokens.h"
#include "route/gas_price.h"
#include "route/onchain.h"
#include "venue/contracts.h"
#include "venue/wrapped_native.h"

enum { GAS_WRAP = 45000, MULTICALL_BYTES = 4096 };

/* The payload: its first byte, and a zero. */
enum direction { WRAP = 1, UNWRAP = 2 };

static bool is_token(const struct token_ref *t, struct evm_addr want)
{
    struct evm_addr a;

    return evm_addr_read(&a, t->address) && evm_addr_eq(a, want);
}

/* 0: the pair is another one. */
static unsigned direction_of(const struct route_in *in)
{
    static const struct evm_addr native = { { 0 } };
    const struct token *wrapped = token_wrapped_native(in->from_chain);

    if (wrapped == NULL || in->from_chain != in->to_chain)
        return 0;
    if (is_token(&in->from, native))
        return is_token(&in->to, token_addr(wrapped)) ? WRAP : 0;
    return is_token(&in->to, native) && is_token(&in->from, token_addr(wrapped)) ? UNWRAP : 0;
}

bool wrap_is_pair(const struct route_in *in)
{
    return direction_of(in) != 0;
}

static bool wrap_supports(const struct chain *from, const struct chain *to)
{
    return from == to && from->type == CHAIN_EVM && contract_of(from, &wrapped_native_contract) != NULL;
}

/* ---- offers: only what gas costs is asked ---- */

struct wrap_query {
    struct onchain onchain;
    struct gas_price_query gas;
};

static bool wrap_ask(struct call *call, const struct ctx *ctx, const struct route_in *in, struct arena *a)
{
    struct wrap_query *q = ARENA_NEW(a, struct wrap_query);
    struct multicall m = MULTICALL_INIT(MULTICALL_BYTES);
    bool asked;

    if (direction_of(in) == 0)
        return false;
    gas_price_ask(&q->gas, &m, in);
    asked = onchain_begin(&q->onchain, q, call, ctx, in, &m, a);
    multicall_free(&m);
    return asked;
}

static enum ask_end wrap_read(const struct call *call, const struct route_in *in, struct arena *a,
                              struct route_answer *out)
{
    struct wrap_query *q = onchain_owner(call);
    const uint8_t payload[] = { (uint8_t)direction_of(in), 0 };
    struct multicall_results r;

    if (!onchain_end(&q->onchain, &r, a))
        return ASK_SILENT;
    gas_price_read(&out->gas, &q->gas, &r);
    out->gas.output = (struct rate){ u256_from_u64(1), u256_from_u64(1) };
    out->ideal = in->amount_in;
    out->offers[out->count++] = (struct offer){
        .label = payload[0] == WRAP ? "wrap" : "unwrap",
        .out = in->amount_in,
        .gas_units = GAS_WRAP,
        .payload = { arena_memdup(a, payload, sizeof payload), sizeof payload },
    };
    return ASK_OFFERED;
}

/* ---- what carries one out ---- */

static enum tx_end wrap_read_tx(struct call *call, const struct tx_in *in, struct arena *a,
                                struct wallet_call *out)
{
    const struct contract *coin = contract_of(in->route.from_chain, &wrapped_native_contract);
    unsigned direction = direction_of(&in->route);
    struct buf data = BUF_INIT(64);

    (void)call;
    if (coin == NULL || direction == 0)
        return TX_NO_ROUTE;
    if (direction == WRAP)
        wrapped_native_deposit(&data);
    else
        wrapped_native_withdraw(&data, in->route.amount_in);
    *out = (struct wallet_call){
        .to = coin->address,
        .value = direction == WRAP ? in->route.amount_in : U256_ZERO,
        .data = arena_memdup(a, data.data, data.len),
        .data_len = data.len,
        .min_out = in->route.amount_in,
    };
    buf_free(&data);
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
