#include "venue/uniswap_v2.h"

#include "chain/evm/abi.h"
#include "venue/calls.h"

enum {
    SEL_GET_AMOUNTS_OUT = 0xd06ca61f,
    SEL_COIN_FOR_TOKENS = 0x7ff36ab5,   /* swapExactETHForTokens */
    SEL_TOKENS_FOR_COIN = 0x18cbafe5,   /* swapExactTokensForETH */
    SEL_TOKENS_FOR_TOKENS = 0x38ed1739, /* swapExactTokensForTokens */
};

/* A path of a single token leads nowhere. */
static bool path_of_tokens(struct trade *out, const struct evm_call *call, const struct form *f)
{
    (void)out;
    (void)call;
    return form_length(f->first[2]) > 1;
}

static bool path_of_coin(struct trade *out, const struct evm_call *call, const struct form *f)
{
    (void)out;
    (void)call;
    return form_length(f->first[1]) > 1;
}

static const struct call_row calls[] = {
    { SEL_TOKENS_FOR_TOKENS, TRADE_SWAP,
      "swapExactTokensForTokens(uint256,uint256,address[],address,uint256)", .sell = { WORD, 3 },
      .amount = { WORD, 0 }, .buy = { LAST, 3 }, .minimum = { WORD, 1 }, .recipient = { WORD, 4 },
      .deadline = { WORD, 5 }, .check = path_of_tokens },
    { SEL_TOKENS_FOR_COIN, TRADE_SWAP, "swapExactTokensForETH(uint256,uint256,address[],address,uint256)",
      .sell = { WORD, 3 }, .amount = { WORD, 0 }, .buy = { COIN }, .minimum = { WORD, 1 },
      .recipient = { WORD, 4 }, .deadline = { WORD, 5 }, .check = path_of_tokens },
    { SEL_COIN_FOR_TOKENS, TRADE_SWAP, "swapExactETHForTokens(uint256,address[],address,uint256)",
      .sell = { COIN }, .amount = { VALUE }, .buy = { LAST, 2 }, .minimum = { WORD, 0 },
      .recipient = { WORD, 3 }, .deadline = { WORD, 4 }, .check = path_of_coin },
    { 0 },
};

const struct contract_kind uniswap_v2_router = { .calls = calls, .spender = true };
const struct contract_kind uniswap_v2_factory = { .calls = NULL };

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
