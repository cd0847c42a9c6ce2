#include "venue/uniswap_v2.c"

#include "venue/test_util.h"

static const char AT_ROUTER[] = "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D";

static struct pool_path one_hop(const char *a, const char *b)
{
    return (struct pool_path){ .hops = 1, .token = { address(a), address(b) } };
}

static struct pool_swap swap_of(const struct pool_path *path)
{
    return (struct pool_swap){ .path = path,
                               .amount = u256_from_u64(10),
                               .minimum = u256_from_u64(4),
                               .recipient = address(AT_WALLET),
                               .deadline = 1800000000 };
}

static void v2_selectors_are_right(void)
{
    CHECK(SEL_GET_AMOUNTS_OUT == abi_selector_of("getAmountsOut(uint256,address[])"));
    CHECK(SEL_COIN_FOR_TOKENS == abi_selector_of("swapExactETHForTokens(uint256,address[],address,uint256)"));
    CHECK(SEL_TOKENS_FOR_COIN ==
          abi_selector_of("swapExactTokensForETH(uint256,uint256,address[],address,uint256)"));
    CHECK(SEL_TOKENS_FOR_TOKENS ==
          abi_selector_of("swapExactTokensForTokens(uint256,uint256,address[],address,uint256)"));
}

static void calls_as_others_encode_them(void)
{
    struct pool_path path = one_hop(AT_WETH, AT_USDC);
    struct pool_swap s = swap_of(&path);
    struct buf b = BUF_INIT(1024);

    uniswap_v2_price(&b, &path, u256_from_u64(1000000000000000000));
    check_hex(&b, "0xd06ca61f0000000000000000000000000000000000000000000000000de0b6b3a7640000"
                  "0000000000000000000000000000000000000000000000000000000000000040"
                  "0000000000000000000000000000000000000000000000000000000000000002"
                  "000000000000000000000000c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                  "000000000000000000000000a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48");
    buf_reset(&b);
    s.coin_in = true;
    s.minimum = u256_from_u64(2900000000);
    uniswap_v2_swap(&b, &s);
    check_hex(&b, "0x7ff36ab500000000000000000000000000000000000000000000000000000000acda7d00"
                  "0000000000000000000000000000000000000000000000000000000000000080"
                  "0000000000000000000000001111111111111111111111111111111111111111"
                  "000000000000000000000000000000000000000000000000000000006b49d200"
                  "0000000000000000000000000000000000000000000000000000000000000002"
                  "000000000000000000000000c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                  "000000000000000000000000a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48");
    buf_free(&b);
}

static void swaps_are_read_back(void)
{
    static const struct {
        const char *from, *to;
        bool coin_in, coin_out;
        const char *sell, *buy;
    } rows[] = {
        { AT_USDC, AT_USDT, false, false, AT_USDC, AT_USDT },
        { AT_USDC, AT_WETH, false, false, AT_USDC, AT_WETH },
        { AT_USDC, AT_WETH, false, true, AT_USDC, AT_COIN },
        { AT_WETH, AT_USDC, true, false, AT_COIN, AT_USDC },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pool_path path = one_hop(rows[i].from, rows[i].to);
        struct pool_swap s = swap_of(&path);
        uint64_t value = rows[i].coin_in ? 10 : 0;
        struct buf b = BUF_INIT(1024);
        struct trade t;

        s.coin_in = rows[i].coin_in;
        s.coin_out = rows[i].coin_out;
        uniswap_v2_swap(&b, &s);
        CHECK(read_call(&t, AT_ROUTER, value, &b) == TRADE_READ && t.act == TRADE_SWAP);
        CHECK_STR(t.sell, rows[i].sell);
        CHECK_STR(t.buy, rows[i].buy);
        CHECK_STR(t.recipient, AT_WALLET);
        CHECK_STR(t.contract->venue, "uniswap");
        CHECK(equals(t.amount, 10) && equals(t.minimum, 4) && t.deadline == 1800000000 &&
              equals(t.value_spent, value));
        check_whole(AT_ROUTER, value, &b);
        buf_free(&b);
    }
}

static void two_hops_are_read_by_their_ends(void)
{
    struct pool_path path = { .hops = 2, .token = { address(AT_USDC), address(AT_WETH), address(AT_USDT) } };
    struct pool_swap s = swap_of(&path);
    struct buf b = BUF_INIT(1024);
    struct trade t;

    uniswap_v2_swap(&b, &s);
    CHECK(read_call(&t, AT_ROUTER, 0, &b) == TRADE_READ);
    CHECK_STR(t.sell, AT_USDC);
    CHECK_STR(t.buy, AT_USDT);
    check_whole(AT_ROUTER, 0, &b);
    b.data[ABI_SELECTOR + 7 * ABI_WORD] = 1; /* above the address in the middle */
    CHECK(read_call(&t, AT_ROUTER, 0, &b) == TRADE_UNREADABLE);
    buf_free(&b);
}

static void prices_are_the_last_amount(void)
{
    struct pool_path path = one_hop(AT_WETH, AT_USDC);
    uint8_t answer[4 * ABI_WORD] = {
        [ABI_WORD - 1] = 32, [2 * ABI_WORD - 1] = 2, [3 * ABI_WORD - 1] = 5, [4 * ABI_WORD - 1] = 7
    };
    struct u256 out;

    CHECK(uniswap_v2_price_read(&out, &path, answer, sizeof answer) && equals(out, 7));
    CHECK(!uniswap_v2_price_read(&out, &path, answer, sizeof answer - 1));
    CHECK(!uniswap_v2_price_read(&out, &path, answer, 0));
}

TEST_MAIN(TEST(v2_selectors_are_right), TEST(calls_as_others_encode_them), TEST(swaps_are_read_back),
          TEST(two_hops_are_read_by_their_ends), TEST(prices_are_the_last_amount))
