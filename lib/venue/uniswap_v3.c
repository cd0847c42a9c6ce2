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

static bool read_multicall(struct trade *out, const struct evm_call *call);

static const struct call_row calls[] = {
    { SEL_MULTICALL, TRADE_SWAP, .read = read_multicall, .takes_coin = true },
    { 0 },
};

const struct contract_kind uniswap_v3_router = { .calls = calls, .spender = true };
const struct contract_kind uniswap_v3_quoter = { .calls = NULL }, uniswap_v3_factory = { .calls = NULL };

/* Token, fee, token, and so on, without gaps. */
static bool tail_path(struct call_tail *t)
{
    struct evm_call tail = { .args = t->data, .len = t->len };
    const uint8_t *path;
    size_t at = 0, n;

    if (!call_read_bytes(&path, &n, &tail, &at) || at != t->len || n < EVM_ADDR_LEN + HOP_LEN ||
        (n - EVM_ADDR_LEN) % HOP_LEN != 0)
        return false;
    memcpy(t->first.bytes, path, EVM_ADDR_LEN);
    memcpy(t->last.bytes, path + n - EVM_ADDR_LEN, EVM_ADDR_LEN);
    return true;
}

/* exactInputSingle's struct: tokens, fee, recipient, input, least output, and a price to stop at, which would
 * leave some of the input behind. */
static const struct call_row input_single = { .act = TRADE_SWAP,
                                              .words = 7,
                                              .zeros = 1 << 6,
                                              .sell = { WORD, 0 },
                                              .amount = { WORD, 4 },
                                              .buy = { WORD, 1 },
                                              .minimum = { WORD, 5 },
                                              .recipient = { WORD, 3 } };
/* exactInput's: path, recipient, input, least output. */
static const struct call_row input_path = { .act = TRADE_SWAP,
                                            .in_struct = true,
                                            .words = 4,
                                            .tail = tail_path,
                                            .sell = { TAIL_FIRST },
                                            .amount = { WORD, 2 },
                                            .buy = { TAIL_LAST },
                                            .minimum = { WORD, 3 },
                                            .recipient = { WORD, 1 } };
/* unwrapWETH9: all that the router holds of the wrapped coin, if it is at least so much. */
static const struct call_row unwrap = {
    .act = TRADE_SWAP, .words = 2, .buy = { COIN }, .minimum = { WORD, 0 }, .recipient = { WORD, 1 }
};

/* multicall(deadline, calls): deadline, offset of the array, its count, offsets of its calls, and these. */
enum { DEADLINE_AT, ARRAY_AT, COUNT_AT, OFFSETS_AT, CALLS_MAX = 2 };

static bool word_is(const struct evm_call *call, size_t index, uint64_t want)
{
    uint64_t v;

    return abi_get_u64(&v, call->args, call->len, index) && v == want;
}

struct inner_call {
    uint32_t selector;
    struct evm_call call;
};

static bool read_inner(struct inner_call *out, const struct evm_call *call, size_t *at)
{
    const uint8_t *p;
    size_t n;

    if (!call_read_bytes(&p, &n, call, at) || n < ABI_SELECTOR)
        return false;
    out->selector = abi_get_selector(p);
    out->call = *call;
    out->call.args = p + ABI_SELECTOR;
    out->call.len = n - ABI_SELECTOR;
    return true;
}

/* The calls one behind the other, and nothing else. */
static size_t read_inner_calls(struct inner_call out[static CALLS_MAX], const struct evm_call *call)
{
    uint64_t count;
    size_t at;

    if (!word_is(call, ARRAY_AT, (uint64_t)COUNT_AT * ABI_WORD) ||
        !abi_get_u64(&count, call->args, call->len, COUNT_AT) || count < 1 || count > CALLS_MAX)
        return 0;
    at = (OFFSETS_AT + (size_t)count) * ABI_WORD;
    for (size_t i = 0; i < count; i++)
        if (!word_is(call, OFFSETS_AT + i, at - (size_t)OFFSETS_AT * ABI_WORD) ||
            !read_inner(&out[i], call, &at))
            return 0;
    return at == call->len ? (size_t)count : 0;
}

/* What the router keeps for a moment has to be unwrapped for the recipient in the same transaction: anybody
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

static bool read_multicall(struct trade *out, const struct evm_call *call)
{
    struct inner_call inner[CALLS_MAX] = { 0 };
    struct trade unwrapped = { .act = TRADE_SWAP };
    size_t n = read_inner_calls(inner, call);
    bool single;

    if (n == 0 || !abi_get_u64(&out->deadline, call->args, call->len, DEADLINE_AT))
        return false;
    single = inner[0].selector == SEL_INPUT_SINGLE;
    if ((!single && inner[0].selector != SEL_INPUT_PATH) ||
        !call_read(out, single ? &input_single : &input_path, &inner[0].call))
        return false;
    if (n == 1)
        return true;
    if (inner[1].selector != SEL_UNWRAP || !call_read(&unwrapped, &unwrap, &inner[1].call))
        return false;
    pay_in_coin(out, &unwrapped, call->chain);
    return true;
}

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
