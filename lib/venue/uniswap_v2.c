#include "venue/uniswap_v2.h"

#include "chain/evm/abi.h"
#include "venue/calls.h"

enum {
    SEL_GET_AMOUNTS_OUT = 0xd06ca61f,
    SEL_COIN_FOR_TOKENS = 0x7ff36ab5,   /* swapExactETHForTokens */
    SEL_TOKENS_FOR_COIN = 0x18cbafe5,   /* swapExactTokensForETH */
    SEL_TOKENS_FOR_TOKENS = 0x38ed1739, /* swapExactTokensForTokens */
};

/* Input, least output, path, recipient, deadline; no input in front where it is the coin. */
static const struct call_row calls[] = {
    { SEL_TOKENS_FOR_TOKENS, TRADE_SWAP, .words = 5, .tail_at = 2, .tail = call_tail_addresses,
      .sell = { TAIL_FIRST }, .amount = { WORD, 0 }, .buy = { TAIL_LAST }, .minimum = { WORD, 1 },
      .recipient = { WORD, 3 }, .deadline = { WORD, 4 } },
    { SEL_TOKENS_FOR_COIN, TRADE_SWAP, .words = 5, .tail_at = 2, .tail = call_tail_addresses,
      .sell = { TAIL_FIRST }, .amount = { WORD, 0 }, .buy = { COIN }, .minimum = { WORD, 1 },
      .recipient = { WORD, 3 }, .deadline = { WORD, 4 } },
    { SEL_COIN_FOR_TOKENS, TRADE_SWAP, .words = 4, .tail_at = 1, .tail = call_tail_addresses,
      .sell = { COIN }, .amount = { VALUE }, .buy = { TAIL_LAST }, .minimum = { WORD, 0 },
      .recipient = { WORD, 2 }, .deadline = { WORD, 3 } },
    { 0 },
};

const struct contract_kind uniswap_v2_router = { .calls = calls, .spender = true };

static void encode_path(struct buf *out, const struct pool_path *path)
{
    abi_u64(out, path->hops + 1);
    for (unsigned i = 0; i <= path->hops; i++)
        abi_addr(out, path->token[i]);
}

void uniswap_v2_price(struct buf *out, const struct pool_path *path, struct u256 amount)
{
    abi_selector(out, SEL_GET_AMOUNTS_OUT);
    abi_u256(out, amount);
    abi_u64(out, 2 * ABI_WORD);
    encode_path(out, path);
}

bool uniswap_v2_price_read(struct u256 *out, const struct pool_path *path, const uint8_t *data, size_t n)
{
    return abi_get_u256(out, data, n, 2 + path->hops); /* the last of an array of amounts */
}

void uniswap_v2_swap(struct buf *out, const struct pool_swap *s)
{
    abi_selector(out, s->coin_in    ? SEL_COIN_FOR_TOKENS
                      : s->coin_out ? SEL_TOKENS_FOR_COIN
                                    : SEL_TOKENS_FOR_TOKENS);
    if (!s->coin_in)
        abi_u256(out, s->amount);
    abi_u256(out, s->minimum);
    abi_u64(out, (s->coin_in ? 4 : 5) * ABI_WORD);
    abi_addr(out, s->recipient);
    abi_u64(out, s->deadline);
    encode_path(out, s->path);
}
