#include "venue/uniswap_v3.h"

#include <string.h>

#include "chain/evm/abi.h"
#include "chain/tokens.h"
#include "codec/hash.h"
#include "codec/hex.h"
#include "venue/calls.h"

enum {
    SEL_QUOTE_SINGLE = 0xc6a5026a,
    SEL_QUOTE_PATH = 0xcdca1753,
    SEL_INPUT_SINGLE = 0x04e45aaf,
    SEL_INPUT_PATH = 0xb858183f,
    SEL_UNWRAP = 0x49404b7c,    /* unwrapWETH9 */
    SEL_MULTICALL = 0x5ae401dc, /* the one with a deadline */
};

/* As a recipient: the router keeps the output until a later call of the same multicall passes it on. */
static const struct evm_addr the_router = { { [19] = 2 } };

enum { FEE_LEN = 3, HOP_LEN = EVM_ADDR_LEN + FEE_LEN };

/* ---- reading ---- */

static void trade_token(char out[static TRADE_ADDRESS_MAX], const uint8_t *bytes)
{
    struct evm_addr a;

    memcpy(a.bytes, bytes, EVM_ADDR_LEN);
    evm_addr_text(out, a);
}

/* Token, fee, token, and so on, without gaps. */
static bool check_path(struct trade *out, const struct evm_call *call, const struct form *f)
{
    const uint8_t *path = form_content(f->first[0]);
    size_t n = form_length(f->first[0]);

    (void)call;
    if (n < EVM_ADDR_LEN + HOP_LEN || (n - EVM_ADDR_LEN) % HOP_LEN != 0)
        return false;
    trade_token(out->sell, path);
    trade_token(out->buy, path + n - EVM_ADDR_LEN);
    return true;
}

/* The last word of the first is a price to stop at, which would leave some of the input behind. */
static const struct call_row input_calls[] = {
    { SEL_INPUT_SINGLE, TRADE_SWAP,
      "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))", .sell = { WORD, 0 },
      .amount = { WORD, 4 }, .buy = { WORD, 1 }, .minimum = { WORD, 5 }, .recipient = { WORD, 3 },
      .zeros = 1 << 6 },
    { SEL_INPUT_PATH, TRADE_SWAP, "exactInput((bytes,address,uint256,uint256))", .amount = { WORD, 2 },
      .minimum = { WORD, 3 }, .recipient = { WORD, 1 }, .check = check_path },
    { 0 },
};
/* All that the router holds of the wrapped coin, if it is at least so much. */
static const struct call_row pay_calls[] = {
    { SEL_UNWRAP, TRADE_SWAP, "unwrapWETH9(uint256,address)", .buy = { COIN }, .minimum = { WORD, 0 },
      .recipient = { WORD, 1 } },
    { 0 },
};

/* Output that stays with the router has to be unwrapped for the recipient in the same transaction: any caller
 * may take what is left there. */
static void pay_in_coin(struct trade *out, const struct trade *unwrapped, const struct chain *c)
{
    const struct token *wrapped = token_wrapped_native(c);
    char kept[EVM_ADDR_TEXT_LEN + 1];
    bool all;

    evm_addr_text(kept, the_router);
    all =
        wrapped != NULL && strcmp(out->recipient, kept) == 0 && strcmp(out->buy, wrapped->address_text) == 0;
    memcpy(out->buy, unwrapped->buy, sizeof out->buy);
    memset(out->recipient, 0, sizeof out->recipient);
    if (all)
        memcpy(out->recipient, unwrapped->recipient, sizeof out->recipient);
    if (u256_cmp(unwrapped->minimum, out->minimum) > 0)
        out->minimum = unwrapped->minimum;
}

/* One call, or two of which the second pays what the first bought. */
static bool check_multicall(struct trade *out, const struct evm_call *call, const struct form *f)
{
    enum { CALLS = 1, A_CALL };
    struct trade unwrapped = { .act = TRADE_SWAP };
    size_t n = form_length(f->first[CALLS]);

    if (n < 1 || n > 2 || !call_read_inner(out, input_calls, call, f->first[A_CALL]))
        return false;
    if (n == 1)
        return true;
    if (!call_read_inner(&unwrapped, pay_calls, call, f->last[A_CALL]))
        return false;
    pay_in_coin(out, &unwrapped, call->chain);
    return true;
}

static const struct call_row calls[] = {
    { SEL_MULTICALL, TRADE_SWAP, "multicall(uint256,bytes[])", .deadline = { WORD, 0 }, .takes_coin = true,
      .check = check_multicall },
    { 0 },
};

const struct contract_kind uniswap_v3_router = { .calls = calls, .spender = true };
const struct contract_kind uniswap_v3_quoter = { .calls = NULL }, uniswap_v3_factory = { .calls = NULL };

/* ---- encoding ---- */

static void encode_path(struct buf *out, const struct pool_path *path)
{
    for (unsigned i = 0; i <= path->hops; i++) {
        buf_add(out, path->token[i].bytes, EVM_ADDR_LEN);
        if (i < path->hops) {
            buf_addc(out, (uint8_t)(path->fee[i] >> 16));
            buf_addc(out, (uint8_t)(path->fee[i] >> 8));
            buf_addc(out, (uint8_t)path->fee[i]);
        }
    }
}

void uniswap_v3_price(struct buf *out, const struct pool_path *path, struct u256 amount)
{
    struct buf bytes = BUF_INIT(256);

    if (path->hops == 1) {
        abi_selector(out, SEL_QUOTE_SINGLE);
        abi_addr(out, path->token[0]);
        abi_addr(out, path->token[1]);
        abi_u256(out, amount);
        abi_u64(out, path->fee[0]);
        abi_u64(out, 0);
    } else {
        encode_path(&bytes, path);
        abi_selector(out, SEL_QUOTE_PATH);
        abi_u64(out, 2 * ABI_WORD);
        abi_u256(out, amount);
        abi_bytes_tail(out, bytes.data, bytes.len);
    }
    buf_free(&bytes);
}

bool uniswap_v3_price_read(struct u256 *out, uint64_t *gas, const uint8_t *data, size_t n)
{
    return abi_get_u256(out, data, n, 0) && abi_get_u64(gas, data, n, 3);
}

static void encode_input(struct buf *out, const struct pool_swap *s)
{
    struct evm_addr recipient = s->coin_out ? the_router : s->recipient;
    struct buf path = BUF_INIT(256);

    if (s->path->hops == 1) {
        abi_selector(out, SEL_INPUT_SINGLE);
        abi_addr(out, s->path->token[0]);
        abi_addr(out, s->path->token[1]);
        abi_u64(out, s->path->fee[0]);
        abi_addr(out, recipient);
        abi_u256(out, s->amount);
        abi_u256(out, s->minimum);
        abi_u64(out, 0);
    } else {
        encode_path(&path, s->path);
        abi_selector(out, SEL_INPUT_PATH);
        abi_u64(out, ABI_WORD);
        abi_u64(out, 4 * ABI_WORD);
        abi_addr(out, recipient);
        abi_u256(out, s->amount);
        abi_u256(out, s->minimum);
        abi_bytes_tail(out, path.data, path.len);
    }
    buf_free(&path);
}

/* The structs of SwapRouter02 carry no deadline of their own. */
void uniswap_v3_swap(struct buf *out, const struct pool_swap *s)
{
    struct buf input = BUF_INIT(2048), pay = BUF_INIT(256);
    size_t padded;

    encode_input(&input, s);
    padded = (input.len + ABI_WORD - 1) / ABI_WORD * ABI_WORD;
    abi_selector(out, SEL_MULTICALL);
    abi_u64(out, s->deadline);
    abi_u64(out, 2 * ABI_WORD);
    abi_u64(out, s->coin_out ? 2 : 1);
    abi_u64(out, s->coin_out ? 2 * ABI_WORD : ABI_WORD);
    if (s->coin_out)
        abi_u64(out, 3 * ABI_WORD + padded);
    abi_bytes_tail(out, input.data, input.len);
    if (s->coin_out) {
        abi_selector(&pay, SEL_UNWRAP);
        abi_u256(&pay, s->minimum);
        abi_addr(&pay, s->recipient);
        abi_bytes_tail(out, pay.data, pay.len);
    }
    buf_free(&input);
    buf_free(&pay);
}

/* CREATE2, with the tokens in order. */
struct evm_addr uniswap_v3_pool(const struct contract *factory, struct evm_addr a, struct evm_addr b,
                                uint32_t fee)
{
    static const char pool_code[] = "e34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54";
    bool in_order = memcmp(a.bytes, b.bytes, EVM_ADDR_LEN) < 0;
    uint8_t salt[HASH_LEN], code_hash[HASH_LEN];
    struct buf key = BUF_INIT(128);

    abi_addr(&key, in_order ? a : b);
    abi_addr(&key, in_order ? b : a);
    abi_u64(&key, fee);
    keccak256(salt, key.data, key.len);
    (void)hex_decode(code_hash, sizeof code_hash, pool_code, strlen(pool_code));
    buf_free(&key);
    return evm_addr_create2(contract_addr(factory), salt, code_hash);
}
