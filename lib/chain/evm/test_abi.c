#include "base/test.h"
#include "chain/evm/abi.c"
#include "codec/test_vectors.h"

static void selectors(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(test_section("abi_calls"), i, row)
    {
        char text[16];

        snprintf(text, sizeof text, "0x%08x", abi_selector_of(test_text(row, "signature")));
        CHECK_STR(text, test_text(row, "selector"));
    }
}

/* One argument by its form: address, 32 bytes, boolean, number. */
static void add_argument(struct buf *out, const json_t *arg)
{
    const char *text = json_string_value(arg);
    struct evm_addr a;
    struct u256 v;

    if (json_is_boolean(arg))
        abi_u64(out, json_is_true(arg));
    else if (json_is_integer(arg))
        abi_u64(out, (uint64_t)json_integer_value(arg));
    else if (evm_addr_parse(&a, text))
        abi_addr(out, a);
    else if (u256_parse_hex(&v, text) || u256_parse(&v, text))
        abi_u256(out, v);
    else
        CHECK(false);
}

/* Heads first; an array's head is where its tail begins, its tail the count and the items. */
static void add_arguments(struct buf *out, const json_t *args)
{
    struct buf tails = BUF_INIT(4096);
    const json_t *arg, *item;
    size_t i, k;

    json_array_foreach(args, i, arg)
    {
        if (!json_is_array(arg)) {
            add_argument(out, arg);
            continue;
        }
        abi_u64(out, json_array_size(args) * ABI_WORD + tails.len);
        abi_u64(&tails, json_array_size(arg));
        json_array_foreach(arg, k, item) add_argument(&tails, item);
    }
    buf_add(out, tails.data, tails.len);
    buf_free(&tails);
}

static void calldata(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(test_section("abi_calls"), i, row)
    {
        struct buf out = BUF_INIT(4096);

        abi_selector(&out, abi_selector_of(test_text(row, "signature")));
        add_arguments(&out, json_object_get(row, "args"));
        CHECK_STR(test_hex(out.data, out.len), test_text(row, "calldata"));
        buf_free(&out);
    }
}

static struct evm_addr addr(const char *text)
{
    struct evm_addr a = { { 0 } };

    CHECK(evm_addr_parse(&a, text));
    return a;
}

static struct u256 number(const char *text)
{
    struct u256 v = U256_ZERO;

    CHECK(u256_parse(&v, text));
    return v;
}

#define WETH "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
#define USDC "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
#define USDT "0xdAC17F958D2ee523a2206206994597C13D831ec7"
#define ONES "0x1111111111111111111111111111111111111111"

static void check_and_reset(struct buf *out, const char *want)
{
    CHECK_STR(test_hex(out->data, out->len), want);
    buf_reset(out);
}

/* Calls of the routers, worked out with a reference library. */
static void router_calls(void)
{
    struct buf out = BUF_INIT(4096);
    const struct u256 ether = number("1000000000000000000");

    abi_selector(&out, abi_selector_of("getAmountsOut(uint256,address[])"));
    abi_u256(&out, ether);
    abi_u64(&out, 2 * ABI_WORD);
    abi_u64(&out, 2);
    abi_addr(&out, addr(WETH));
    abi_addr(&out, addr(USDC));
    check_and_reset(
        &out,
        "0xd06ca61f0000000000000000000000000000000000000000000000000de0b6b3a764000000000000000000000000000000000000000000000000000000000000000000400000000000000000000000000000000000000000000000000000000000000002000000000000000000000000c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2000000000000000000000000a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48");
    abi_selector(&out, abi_selector_of("swapExactETHForTokens(uint256,address[],address,uint256)"));
    abi_u64(&out, 2900000000);
    abi_u64(&out, 4 * ABI_WORD);
    abi_addr(&out, addr(ONES));
    abi_u64(&out, 1800000000);
    abi_u64(&out, 2);
    abi_addr(&out, addr(WETH));
    abi_addr(&out, addr(USDC));
    check_and_reset(
        &out,
        "0x7ff36ab500000000000000000000000000000000000000000000000000000000acda7d0000000000000000000000000000000000000000000000000000000000000000800000000000000000000000001111111111111111111111111111111111111111000000000000000000000000000000000000000000000000000000006b49d2000000000000000000000000000000000000000000000000000000000000000002000000000000000000000000c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2000000000000000000000000a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48");
    abi_selector(&out, abi_selector_of("quoteExactInputSingle((address,address,uint256,uint24,uint160))"));
    abi_addr(&out, addr(WETH));
    abi_addr(&out, addr(USDC));
    abi_u256(&out, ether);
    abi_u64(&out, 500);
    abi_u64(&out, 0);
    check_and_reset(
        &out,
        "0xc6a5026a000000000000000000000000c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2000000000000000000000000a0b86991c6218b36c1d19d4a2e9eb0ce3606eb480000000000000000000000000000000000000000000000000de0b6b3a764000000000000000000000000000000000000000000000000000000000000000001f40000000000000000000000000000000000000000000000000000000000000000");
    abi_selector(
        &out, abi_selector_of("exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))"));
    abi_addr(&out, addr(WETH));
    abi_addr(&out, addr(USDC));
    abi_u64(&out, 500);
    abi_addr(&out, addr(ONES));
    abi_u256(&out, ether);
    abi_u64(&out, 2900000000);
    abi_u64(&out, 0);
    check_and_reset(
        &out,
        "0x04e45aaf000000000000000000000000c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2000000000000000000000000a0b86991c6218b36c1d19d4a2e9eb0ce3606eb4800000000000000000000000000000000000000000000000000000000000001f400000000000000000000000011111111111111111111111111111111111111110000000000000000000000000000000000000000000000000de0b6b3a764000000000000000000000000000000000000000000000000000000000000acda7d000000000000000000000000000000000000000000000000000000000000000000");
    abi_selector(&out, abi_selector_of("approve(address,uint256)"));
    abi_addr(&out, addr("0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D"));
    abi_u64(&out, 1000000);
    check_and_reset(
        &out,
        "0x095ea7b30000000000000000000000007a250d5630b4cf539739df2c5dacb4c659f2488d00000000000000000000000000000000000000000000000000000000000f4240");
    buf_free(&out);
}

static void add_path_part(struct buf *path, const char *token, uint32_t fee)
{
    const uint8_t bytes[] = { (uint8_t)(fee >> 16), (uint8_t)(fee >> 8), (uint8_t)fee };

    buf_add(path, addr(token).bytes, EVM_ADDR_LEN);
    buf_add(path, bytes, fee > 0 ? sizeof bytes : 0);
}

static void calls_with_bytes(void)
{
    struct buf out = BUF_INIT(4096), path = BUF_INIT(128), inner = BUF_INIT(128);

    add_path_part(&path, WETH, 500);
    add_path_part(&path, USDC, 100);
    add_path_part(&path, USDT, 0);
    abi_selector(&out, abi_selector_of("quoteExactInput(bytes,uint256)"));
    abi_u64(&out, 2 * ABI_WORD);
    abi_u256(&out, number("1000000000000000000"));
    abi_bytes_tail(&out, path.data, path.len);
    check_and_reset(
        &out,
        "0xcdca175300000000000000000000000000000000000000000000000000000000000000400000000000000000000000000000000000000000000000000de0b6b3a76400000000000000000000000000000000000000000000000000000000000000000042c02aaa39b223fe8d0a0e5c4f27ead9083c756cc20001f4a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48000064dac17f958d2ee523a2206206994597c13d831ec7000000000000000000000000000000000000000000000000000000000000");

    abi_selector(&out, abi_selector_of("aggregate3((address,bool,bytes)[])"));
    abi_u64(&out, ABI_WORD);
    abi_u64(&out, 2);
    abi_u64(&out, 2 * ABI_WORD);
    abi_u64(&out, 8 * ABI_WORD);
    abi_addr(&out, addr(USDC));
    abi_u64(&out, 1);
    abi_u64(&out, 3 * ABI_WORD);
    abi_selector(&inner, abi_selector_of("balanceOf(address)"));
    abi_addr(&inner, addr(ONES));
    abi_bytes_tail(&out, inner.data, inner.len);
    buf_reset(&inner);
    abi_addr(&out, addr(USDC));
    abi_u64(&out, 1);
    abi_u64(&out, 3 * ABI_WORD);
    abi_selector(&inner, abi_selector_of("decimals()"));
    abi_bytes_tail(&out, inner.data, inner.len);
    check_and_reset(
        &out,
        "0x82ad56cb0000000000000000000000000000000000000000000000000000000000000020000000000000000000000000000000000000000000000000000000000000000200000000000000000000000000000000000000000000000000000000000000400000000000000000000000000000000000000000000000000000000000000100000000000000000000000000a0b86991c6218b36c1d19d4a2e9eb0ce3606eb4800000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000060000000000000000000000000000000000000000000000000000000000000002470a08231000000000000000000000000111111111111111111111111111111111111111100000000000000000000000000000000000000000000000000000000000000000000000000000000a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48000000000000000000000000000000000000000000000000000000000000000100000000000000000000000000000000000000000000000000000000000000600000000000000000000000000000000000000000000000000000000000000004313ce56700000000000000000000000000000000000000000000000000000000");
    buf_free(&out);
    buf_free(&path);
    buf_free(&inner);
}

static void reverts(void)
{
    const json_t *row;
    size_t i, n;

    json_array_foreach(test_section("revert_data"), i, row)
    {
        const uint8_t *data = test_bytes(row, "data", &n);
        char *text = abi_revert_text(test_arena, data, n);

        if (strcmp(test_text(row, "kind"), "Error(string)") == 0)
            CHECK_STR(text, test_text(row, "reason"));
        else if (strcmp(test_text(row, "kind"), "Panic(uint256)") == 0)
            CHECK_STR(text, "Panic(0x11)");
        else
            CHECK(text == NULL);
    }
}

static char *revert_of(const void *reason, size_t n)
{
    struct buf data = BUF_INIT(4096);
    char *text;

    abi_selector(&data, ERROR_STRING);
    abi_u64(&data, ABI_WORD);
    abi_bytes_tail(&data, reason, n);
    text = abi_revert_text(test_arena, (const uint8_t *)data.data, data.len);
    buf_free(&data);
    return text;
}

static void revert_texts_are_clean(void)
{
    char accents[302];

    CHECK_STR(revert_of("a\nb\0c\x7f", 6), "a?b?c?");
    CHECK_STR(revert_of("z\xc5\xbc \xe2\x82\xac \xf0\x9f\xa6\x86", 12),
              "z\xc5\xbc \xe2\x82\xac \xf0\x9f\xa6\x86");
    CHECK_STR(revert_of("\xc3", 1), "?");
    CHECK_STR(revert_of("\xc3(", 2), "?(");
    CHECK_STR(revert_of("\xc0\xaf", 2), "??");                 /* long form */
    CHECK_STR(revert_of("\xed\xa0\x80", 3), "???");            /* surrogate */
    CHECK_STR(revert_of("\xf4\x90\x80\x80", 4), "????");       /* beyond Unicode */
    CHECK_STR(revert_of("\xc2\x9b\xc2\xa0", 4), "??\xc2\xa0"); /* a control character in two bytes */
    accents[0] = 'x';
    for (size_t i = 1; i + 1 < sizeof accents; i += 2)
        memcpy(accents + i, "\xc3\xa9", 2);
    CHECK(strlen(revert_of(accents, 301)) == 199); /* no half character at the end */
    memset(accents, 'x', sizeof accents);
    CHECK(strlen(revert_of(accents, 301)) == 200);
}

/* Return values are foreign bytes: offsets and lengths may be anything. */
static void bytes_never_run_over_the_end(void)
{
    struct buf data = BUF_INIT(1024);
    const uint8_t *p, *d;
    size_t len;

    abi_u64(&data, ABI_WORD);
    abi_bytes_tail(&data, "hello", 5);
    d = (const uint8_t *)data.data;
    CHECK(abi_get_bytes(&p, &len, d, data.len, 0, 0) && len == 5 && memcmp(p, "hello", 5) == 0);
    CHECK(abi_get_bytes(&p, &len, d, data.len, 0, 0) && p == d + 64);
    for (size_t n = 0; n < 69; n++)
        CHECK(!abi_get_bytes(&p, &len, d, n, 0, 0));
    CHECK(abi_get_bytes(&p, &len, d, 69, 0, 0));
    CHECK(!abi_get_bytes(&p, &len, d, data.len, 0, 1));
    CHECK(!abi_get_bytes(&p, &len, d, data.len, 0, SIZE_MAX));
    CHECK(!abi_get_bytes(&p, &len, d, data.len, SIZE_MAX, 0));
    CHECK(!abi_get_bytes(&p, &len, d, data.len, data.len + 1, 0));
    buf_reset(&data);
    abi_u256(&data, (struct u256){ { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } });
    abi_u64(&data, UINT64_MAX);
    CHECK(!abi_get_bytes(&p, &len, (const uint8_t *)data.data, data.len, 0, 0));
    CHECK(!abi_get_bytes(&p, &len, (const uint8_t *)data.data, data.len, 0, ABI_WORD));
    buf_free(&data);
}

static void words(void)
{
    struct buf data = BUF_INIT(1024);
    struct evm_addr a;
    struct u256 v;
    uint64_t n;
    const uint8_t *d;

    abi_u64(&data, 7);
    abi_addr(&data, addr(USDC));
    abi_u256(&data, (struct u256){ { 1, 1, 0, 0 } });
    abi_u256(&data, (struct u256){ { 0, 0, (uint64_t)1 << 32, 0 } }); /* one bit above an address */
    d = (const uint8_t *)data.data;
    CHECK(abi_get_u64(&n, d, data.len, 0) && n == 7);
    CHECK(abi_get_addr(&a, d, data.len, 1) && evm_addr_eq(a, addr(USDC)));
    CHECK(!abi_get_u64(&n, d, data.len, 2) && abi_get_u256(&v, d, data.len, 2) && v.limb[1] == 1);
    CHECK(!abi_get_addr(&a, d, data.len, 3));
    CHECK(!abi_get_u256(&v, d, data.len, 4) && !abi_get_u256(&v, d, data.len - 1, 3));
    CHECK(!abi_get_u256(&v, d, data.len, SIZE_MAX) && !abi_get_u256(&v, NULL, 0, 0));
    buf_free(&data);
}

TEST_MAIN(TEST(selectors), TEST(calldata), TEST(router_calls), TEST(calls_with_bytes), TEST(reverts),
          TEST(revert_texts_are_clean), TEST(bytes_never_run_over_the_end), TEST(words))
