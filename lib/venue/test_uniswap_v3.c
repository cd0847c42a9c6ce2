#include "venue/uniswap_v3.c"

#include "venue/test_util.h"

static const char AT_ROUTER[] = "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45";

static struct pool_path one_hop(const char *a, const char *b)
{
    return (struct pool_path){ .hops = 1, .token = { address(a), address(b) }, .fee = { 500 } };
}

static struct pool_swap swap_of(const struct pool_path *path)
{
    return (struct pool_swap){ .path = path,
                               .amount = u256_from_u64(10),
                               .minimum = u256_from_u64(4),
                               .recipient = address(AT_WALLET),
                               .deadline = 1800000000 };
}

static void v3_selectors_are_right(void)
{
    CHECK(SEL_QUOTE_SINGLE ==
          abi_selector_of("quoteExactInputSingle((address,address,uint256,uint24,uint160))"));
    CHECK(SEL_QUOTE_PATH == abi_selector_of("quoteExactInput(bytes,uint256)"));
    CHECK(SEL_INPUT_SINGLE ==
          abi_selector_of("exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))"));
    CHECK(SEL_INPUT_PATH == abi_selector_of("exactInput((bytes,address,uint256,uint256))"));
    CHECK(SEL_UNWRAP == abi_selector_of("unwrapWETH9(uint256,address)"));
    CHECK(SEL_MULTICALL == abi_selector_of("multicall(uint256,bytes[])"));
}

static void calls_as_others_encode_them(void)
{
    struct pool_path path = one_hop(AT_WETH, AT_USDC);
    struct pool_swap s = swap_of(&path);
    struct buf b = BUF_INIT(1024);

    uniswap_v3_price(&b, &path, u256_from_u64(1000000000000000000));
    check_hex(&b, "0xc6a5026a000000000000000000000000c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                  "000000000000000000000000a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
                  "0000000000000000000000000000000000000000000000000de0b6b3a7640000"
                  "00000000000000000000000000000000000000000000000000000000000001f4"
                  "0000000000000000000000000000000000000000000000000000000000000000");
    buf_reset(&b);
    s.amount = u256_from_u64(1000000000000000000);
    s.minimum = u256_from_u64(2900000000);
    encode_input(&b, &s);
    check_hex(&b, "0x04e45aaf000000000000000000000000c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                  "000000000000000000000000a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
                  "00000000000000000000000000000000000000000000000000000000000001f4"
                  "0000000000000000000000001111111111111111111111111111111111111111"
                  "0000000000000000000000000000000000000000000000000de0b6b3a7640000"
                  "00000000000000000000000000000000000000000000000000000000acda7d00"
                  "0000000000000000000000000000000000000000000000000000000000000000");
    buf_reset(&b);
    path = (struct pool_path){ .hops = 2,
                               .token = { address(AT_WETH), address(AT_USDC), address(AT_USDT) },
                               .fee = { 500, 100 } };
    uniswap_v3_price(&b, &path, u256_from_u64(1000000000000000000));
    check_hex(&b, "0xcdca17530000000000000000000000000000000000000000000000000000000000000040"
                  "0000000000000000000000000000000000000000000000000de0b6b3a7640000"
                  "0000000000000000000000000000000000000000000000000000000000000042"
                  "c02aaa39b223fe8d0a0e5c4f27ead9083c756cc20001f4a0b86991c6218b36c1d19d4a2e9eb0ce36"
                  "06eb48000064dac17f958d2ee523a2206206994597c13d831ec70000000000000000000000000000"
                  "00000000000000000000000000000000");
    buf_free(&b);
}

static void swaps_are_read_back(void)
{
    static const struct {
        const char *from, *middle, *to;
        bool coin_in, coin_out;
        const char *buy;
    } rows[] = {
        { AT_USDC, NULL, AT_USDT, false, false, AT_USDT },
        { AT_USDC, NULL, AT_WETH, false, false, AT_WETH },
        { AT_USDC, NULL, AT_WETH, false, true, AT_COIN },
        { AT_WETH, NULL, AT_USDC, true, false, AT_USDC },
        { AT_USDC, AT_USDT, AT_WETH, false, true, AT_COIN },
        { AT_WETH, AT_USDC, AT_USDT, true, false, AT_USDT },
        { AT_USDC, AT_WETH, AT_USDT, false, false, AT_USDT },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pool_path path = one_hop(rows[i].from, rows[i].to);
        struct pool_swap s = swap_of(&path);
        uint64_t value = rows[i].coin_in ? 10 : 0;
        struct buf b = BUF_INIT(2048);
        struct trade t;

        if (rows[i].middle != NULL)
            path = (struct pool_path){ .hops = 2,
                                       .token = { address(rows[i].from), address(rows[i].middle),
                                                  address(rows[i].to) },
                                       .fee = { 100, 3000 } };
        s.coin_in = rows[i].coin_in;
        s.coin_out = rows[i].coin_out;
        uniswap_v3_swap(&b, &s);
        CHECK(read_call(&t, AT_ROUTER, value, &b) == TRADE_READ && t.act == TRADE_SWAP);
        CHECK_STR(t.sell, rows[i].from);
        CHECK_STR(t.buy, rows[i].buy);
        CHECK_STR(t.recipient, AT_WALLET);
        CHECK(equals(t.amount, 10) && equals(t.minimum, 4) && t.deadline == 1800000000 &&
              equals(t.value_spent, value));
        check_whole(AT_ROUTER, value, &b);
        buf_free(&b);
    }
}

/* A multicall of two calls of one's own making. */
static enum trade_reading read_two(struct trade *t, const struct buf *first, const struct buf *second)
{
    size_t padded = (first->len + ABI_WORD - 1) / ABI_WORD * ABI_WORD;
    enum trade_reading got;
    struct buf b = BUF_INIT(2048);

    abi_selector(&b, SEL_MULTICALL);
    abi_u64(&b, 1);
    abi_u64(&b, 2 * ABI_WORD);
    abi_u64(&b, 2);
    abi_u64(&b, 2 * ABI_WORD);
    abi_u64(&b, 3 * ABI_WORD + padded);
    abi_bytes_tail(&b, first->data, first->len);
    abi_bytes_tail(&b, second->data, second->len);
    got = read_call(t, AT_ROUTER, 0, &b);
    buf_free(&b);
    return got;
}

static void write_unwrap(struct buf *out, uint32_t selector, uint64_t minimum, const char *to)
{
    buf_reset(out);
    abi_selector(out, selector);
    abi_u64(out, minimum);
    abi_addr(out, address(to));
}

static void output_left_with_the_router_has_no_recipient(void)
{
    struct pool_path weth = one_hop(AT_USDC, AT_WETH), usdt = one_hop(AT_USDC, AT_USDT);
    struct pool_swap s = swap_of(&weth);
    struct buf in = BUF_INIT(512), out = BUF_INIT(128);
    struct trade t;

    s.coin_out = true;
    encode_input(&in, &s);
    write_unwrap(&out, SEL_UNWRAP, 3, AT_OTHER);
    CHECK(read_two(&t, &in, &out) == TRADE_READ &&
          equals(t.minimum, 4)); /* of the two, the higher one binds */
    CHECK_STR(t.recipient, AT_OTHER);
    write_unwrap(&out, SEL_UNWRAP, 5, AT_WALLET);
    CHECK(read_two(&t, &in, &out) == TRADE_READ && equals(t.minimum, 5));
    write_unwrap(&out, 0xdf2ab5bb, 5, AT_WALLET); /* sweepToken */
    CHECK(read_two(&t, &in, &out) == TRADE_UNREADABLE);
    write_unwrap(&out, SEL_UNWRAP, 5, AT_WALLET);
    CHECK(read_two(&t, &out, &in) == TRADE_UNREADABLE);
    buf_reset(&in);
    s.path = &usdt; /* another token than is unwrapped */
    encode_input(&in, &s);
    CHECK(read_two(&t, &in, &out) == TRADE_READ);
    CHECK_STR(t.recipient, "");
    buf_reset(&in);
    s.path = &weth;
    s.coin_out = false; /* paid already, and then the router's leftovers */
    encode_input(&in, &s);
    CHECK(read_two(&t, &in, &out) == TRADE_READ);
    CHECK_STR(t.recipient, "");
    buf_free(&in);
    buf_free(&out);
}

static void a_price_limit_is_not_read(void)
{
    enum { PRICE_LIMIT = ABI_SELECTOR + 5 * ABI_WORD + ABI_SELECTOR + 7 * ABI_WORD - 1 };
    struct pool_path path = one_hop(AT_USDC, AT_WETH);
    struct pool_swap s = swap_of(&path);
    struct buf b = BUF_INIT(1024);
    struct trade t;

    uniswap_v3_swap(&b, &s);
    b.data[PRICE_LIMIT] = 1;
    CHECK(read_call(&t, AT_ROUTER, 0, &b) == TRADE_UNREADABLE);
    buf_free(&b);
}

static void coins_beside_another_input_are_not_spent(void)
{
    struct pool_path usdc = one_hop(AT_USDC, AT_USDT), weth = one_hop(AT_WETH, AT_USDT);
    struct pool_swap s = swap_of(&usdc);
    struct buf b = BUF_INIT(1024);
    struct trade t;

    uniswap_v3_swap(&b, &s);
    CHECK(read_call(&t, AT_ROUTER, 10, &b) == TRADE_READ && equals(t.value, 10) && equals(t.value_spent, 0));
    buf_reset(&b);
    s.path = &weth;
    uniswap_v3_swap(&b, &s);
    CHECK(read_call(&t, AT_ROUTER, 11, &b) == TRADE_READ && equals(t.value, 11) && equals(t.value_spent, 10));
    buf_free(&b);
}

static void pools_stand_where_the_factory_puts_them(void)
{
    const struct contract *factory = contract_of(chain_by_id(1), &uniswap_v3_factory);
    struct evm_addr want = address("0x88e6A0c2dDD26FEEb64F039a2c41296FcB3f5640");

    CHECK(evm_addr_eq(uniswap_v3_pool(factory, address(AT_USDC), address(AT_WETH), 500), want));
    CHECK(evm_addr_eq(uniswap_v3_pool(factory, address(AT_WETH), address(AT_USDC), 500), want));
    want = address("0x8ad599c3A0ff1De082011EFDDc58f1908eb6e6D8");
    CHECK(evm_addr_eq(uniswap_v3_pool(factory, address(AT_WETH), address(AT_USDC), 3000), want));
}

TEST_MAIN(TEST(v3_selectors_are_right), TEST(calls_as_others_encode_them), TEST(swaps_are_read_back),
          TEST(output_left_with_the_router_has_no_recipient), TEST(a_price_limit_is_not_read),
          TEST(coins_beside_another_input_are_not_spent), TEST(pools_stand_where_the_factory_puts_them))
