#include "venue/trade.c"

#include "venue/erc20.h"
#include "venue/test_util.h"
#include "venue/wrapped_native.h"

static const char AT_V2[] = "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D",
                  AT_QUOTER[] = "0x61fFE014bA17989E743c5F6cB21bF9697530B21e",
                  AT_LIFI[] = "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE";

static void payments(void)
{
    struct trade t;

    CHECK(read_sent(&t, AT_OTHER, 7, (const uint8_t *)"", 0) == TRADE_READ);
    CHECK(t.act == TRADE_PAYMENT && equals(t.amount, 7) && equals(t.value, 7) && equals(t.value_spent, 7));
    CHECK_STR(t.recipient, AT_OTHER);
    CHECK_STR(t.sell, AT_COIN);
}

static void tokens_calls(void)
{
    struct buf b = BUF_INIT(256);
    struct trade t;

    erc20_approve(&b, address(AT_V2), u256_from_u64(1000000));
    check_hex(&b, "0x095ea7b30000000000000000000000007a250d5630b4cf539739df2c5dacb4c659f2488d"
                  "00000000000000000000000000000000000000000000000000000000000f4240");
    CHECK(read_call(&t, AT_USDC, 0, &b) == TRADE_READ && t.act == TRADE_ALLOWANCE &&
          equals(t.amount, 1000000));
    CHECK_STR(t.sell, AT_USDC);
    CHECK_STR(t.spender, AT_V2);
    CHECK_STR(t.recipient, "");
    check_whole(AT_USDC, 0, &b);
    check_whole(AT_WETH, 0, &b); /* on the list as more than a token */
    buf_reset(&b);
    erc20_transfer(&b, address(AT_OTHER), u256_from_u64(5));
    CHECK(read_call(&t, AT_USDC, 3, &b) == TRADE_READ && t.act == TRADE_TRANSFER && equals(t.amount, 5));
    CHECK(equals(t.value, 3) && equals(t.value_spent, 0));
    CHECK_STR(t.recipient, AT_OTHER);
    check_whole(AT_USDC, 0, &b);
    buf_free(&b);
}

static void wrapping(void)
{
    struct buf b = BUF_INIT(256);
    struct trade t;

    wrapped_native_deposit(&b);
    CHECK(read_call(&t, AT_WETH, 9, &b) == TRADE_READ && t.act == TRADE_SWAP);
    CHECK(equals(t.amount, 9) && equals(t.minimum, 9) && equals(t.value_spent, 9));
    CHECK_STR(t.sell, AT_COIN);
    CHECK_STR(t.buy, AT_WETH);
    CHECK_STR(t.recipient, AT_WALLET);
    check_whole(AT_WETH, 9, &b);
    buf_reset(&b);
    wrapped_native_withdraw(&b, u256_from_u64(8));
    CHECK(read_call(&t, AT_WETH, 1, &b) == TRADE_READ && equals(t.amount, 8) && equals(t.minimum, 8));
    CHECK(equals(t.value_spent, 0));
    CHECK_STR(t.sell, AT_WETH);
    CHECK_STR(t.buy, AT_COIN);
    check_whole(AT_WETH, 0, &b);
    CHECK(read_call(&t, AT_USDC, 0, &b) == TRADE_UNLISTED); /* only there */
    buf_free(&b);
}

static uint32_t written_selector(const struct buf *b)
{
    return abi_get_selector((const uint8_t *)b->data);
}

static void token_selectors_are_right(void)
{
    struct buf b = BUF_INIT(1024);

    erc20_decimals(&b);
    CHECK(b.len == 4 && written_selector(&b) == abi_selector_of("decimals()"));
    buf_reset(&b);
    erc20_symbol(&b);
    CHECK(b.len == 4 && written_selector(&b) == abi_selector_of("symbol()"));
    buf_reset(&b);
    erc20_balance_of(&b, address(AT_WALLET));
    CHECK(b.len == 36 && written_selector(&b) == abi_selector_of("balanceOf(address)"));
    buf_reset(&b);
    erc20_allowance(&b, address(AT_WALLET), address(AT_V2));
    CHECK(b.len == 68 && written_selector(&b) == abi_selector_of("allowance(address,address)"));
    buf_reset(&b);
    erc20_transfer(&b, address(AT_OTHER), U256_ZERO);
    CHECK(written_selector(&b) == abi_selector_of("transfer(address,uint256)"));
    buf_reset(&b);
    wrapped_native_deposit(&b);
    CHECK(written_selector(&b) == abi_selector_of("deposit()"));
    buf_reset(&b);
    wrapped_native_withdraw(&b, U256_ZERO);
    CHECK(written_selector(&b) == abi_selector_of("withdraw(uint256)"));
    buf_free(&b);
}

static void unlisted_calls_are_recognised(void)
{
    static const uint8_t permit[] = { 0xd5, 0x05, 0xac, 0xcf, 0, 0 };
    static const uint32_t by_relays_depository[] = { 0x092e8fa4, 0xa3443faa }; /* bind no recipient */
    struct buf b = BUF_INIT(256);
    struct trade t;

    CHECK(read_sent(&t, AT_USDC, 0, permit, sizeof permit) == TRADE_UNLISTED);
    CHECK(read_sent(&t, AT_V2, 0, permit, sizeof permit) == TRADE_UNLISTED);
    CHECK(read_sent(&t, AT_QUOTER, 0, permit, sizeof permit) == TRADE_UNLISTED);
    CHECK(read_sent(&t, AT_V2, 0, permit, 3) == TRADE_UNLISTED);
    for (size_t i = 0; i < sizeof by_relays_depository / sizeof by_relays_depository[0]; i++) {
        buf_reset(&b);
        abi_selector(&b, by_relays_depository[i]);
        abi_u64(&b, 3 * ABI_WORD);
        CHECK(read_call(&t, AT_LIFI, 0, &b) == TRADE_UNLISTED);
    }
    buf_free(&b);
}

TEST_MAIN(TEST(payments), TEST(tokens_calls), TEST(wrapping), TEST(token_selectors_are_right),
          TEST(unlisted_calls_are_recognised))
