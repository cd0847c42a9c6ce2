#include "venue/hyperliquid_deposit.c"

#include "venue/erc20.h"
#include "venue/test_util.h"

#define BRIDGE    "0x2Df1c51E09aECF9cacB7bc98cB1742757f163dF7"
#define MESSENGER "0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d"
#define ARB_USDC  "0xaf88d065e77c8cC2239327C5EDb3A432268e5831"
#define BRIDGED   "0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8"

/* ---- the bridge ---- */

static enum trade_reading read_transfer(struct trade *t, const char *chain, const char *token, const char *to,
                                        uint64_t amount)
{
    struct buf b = BUF_INIT(128);
    struct evm_tx tx = { .to = address(token) };
    enum trade_reading got;

    erc20_transfer(&b, address(to), u256_from_u64(amount));
    tx.data = (const uint8_t *)b.data;
    tx.data_len = b.len;
    got = trade_read_evm(t, chain_find(chain), &tx, AT_WALLET, NO_PROOF);
    buf_free(&b);
    return got;
}

static void a_transfer_to_the_bridge_is_a_deposit(void)
{
    struct trade t;

    CHECK(read_transfer(&t, "arbitrum", ARB_USDC, BRIDGE, 5000000) == TRADE_READ);
    CHECK(t.act == TRADE_DEPOSIT && equals(t.amount, 5000000) && equals(t.minimum, 5000000));
    CHECK_STR(t.sell, ARB_USDC);
    CHECK_STR(t.recipient, AT_WALLET);
    CHECK_STR(t.contract->venue, "hyperliquid");
}

/* A payment that the bridge would not credit reads as a plain transfer, not as a deposit. */
static void uncredited_payments_are_no_deposit(void)
{
    static const struct {
        const char *chain, *token, *to;
        uint64_t amount;
    } rows[] = {
        { "arbitrum", ARB_USDC, BRIDGE, 4999999 },   { "arbitrum", BRIDGED, BRIDGE, 5000000 },
        { "arbitrum", ARB_USDC, AT_OTHER, 5000000 }, { "arbitrum", ARB_USDC, MESSENGER, 5000000 },
        { "ethereum", AT_USDC, BRIDGE, 5000000 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct trade t;

        CHECK(read_transfer(&t, rows[i].chain, rows[i].token, rows[i].to, rows[i].amount) == TRADE_READ);
        CHECK(t.act == TRADE_TRANSFER);
        CHECK_STR(t.recipient, rows[i].to);
    }
}

static void no_allowance_for_the_bridge(void)
{
    CHECK(!hyperliquid_bridge.spender && circle_messenger.spender && !circle_messenger.trusted);
}

/* ---- CCTP ---- */

static struct hyperliquid_burn honest(void)
{
    return (struct hyperliquid_burn){ .token = address(AT_USDC),
                                      .amount = u256_from_u64(1000000000),
                                      .max_fee = u256_from_u64(300000),
                                      .recipient = address(AT_WALLET) };
}

/* As ethers writes it. */
static const char ENCODED[] = "0x779b432d"
                              "000000000000000000000000000000000000000000000000000000003b9aca00"
                              "0000000000000000000000000000000000000000000000000000000000000013"
                              "000000000000000000000000b21d281dedb17ae5b501f6aa8256fe38c4e45757"
                              "000000000000000000000000a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
                              "000000000000000000000000b21d281dedb17ae5b501f6aa8256fe38c4e45757"
                              "00000000000000000000000000000000000000000000000000000000000493e0"
                              "00000000000000000000000000000000000000000000000000000000000003e8"
                              "0000000000000000000000000000000000000000000000000000000000000100"
                              "0000000000000000000000000000000000000000000000000000000000000038"
                              "636374702d666f72776172640000000000000000000000000000000000000018"
                              "1111111111111111111111111111111111111111000000000000000000000000";

static enum trade_reading read_burn(struct trade *t, const struct hyperliquid_burn *b)
{
    struct buf call = BUF_INIT(1024);
    enum trade_reading got;

    hyperliquid_burn_write(&call, b);
    got = read_call(t, MESSENGER, 0, &call);
    buf_free(&call);
    return got;
}

static void burns_are_read_whole(void)
{
    struct hyperliquid_burn b = honest();
    struct buf call = BUF_INIT(1024);
    struct trade t;

    hyperliquid_burn_write(&call, &b);
    check_hex(&call, ENCODED);
    check_whole(MESSENGER, 0, &call);
    buf_free(&call);
    CHECK(read_burn(&t, &b) == TRADE_READ && t.act == TRADE_DEPOSIT);
    CHECK(equals(t.amount, 1000000000) && equals(t.minimum, 999700000));
    CHECK_STR(t.sell, AT_USDC);
    CHECK_STR(t.recipient, AT_WALLET);
    b.spot = true;
    b.recipient = address(AT_OTHER);
    CHECK(read_burn(&t, &b) == TRADE_READ);
    CHECK_STR(t.recipient, AT_OTHER);
}

/* Any bit changes the amount, the fee or the recipient, or makes it no such call. */
static void nothing_else_may_differ(void)
{
    struct hyperliquid_burn b = honest();
    struct buf call = BUF_INIT(1024);
    size_t read = 0;

    hyperliquid_burn_write(&call, &b);
    for (size_t i = ABI_SELECTOR; i < call.len; i++) {
        struct trade t;

        call.data[i] = (char)(call.data[i] ^ 1);
        if (read_call(&t, MESSENGER, 0, &call) == TRADE_READ) {
            CHECK(!equals(t.amount, 1000000000) || !equals(t.minimum, 999700000) ||
                  strcmp(t.recipient, AT_WALLET) != 0);
            read++;
        }
        call.data[i] = (char)(call.data[i] ^ 1);
    }
    CHECK(read == 32 + 4 + EVM_ADDR_LEN); /* of the fee only what the amount exceeds */
    buf_free(&call);
}

static void burns_above_the_fee_limit_are_unreadable(void)
{
    struct hyperliquid_burn b = honest();
    struct trade t;

    b.max_fee = b.amount;
    CHECK(read_burn(&t, &b) == TRADE_READ && equals(t.minimum, 0));
    b.max_fee = u256_from_u64(1000000001);
    CHECK(read_burn(&t, &b) == TRADE_UNREADABLE);
    b = honest();
    b.token = address(AT_USDT);
    CHECK(read_burn(&t, &b) == TRADE_UNREADABLE);
}

static void value_is_not_taken(void)
{
    struct hyperliquid_burn b = honest();
    struct buf call = BUF_INIT(1024);
    struct trade t;

    hyperliquid_burn_write(&call, &b);
    CHECK(read_call(&t, MESSENGER, 1, &call) == TRADE_READ && equals(t.value_spent, 0));
    buf_free(&call);
}

static void chains_have_their_numbers(void)
{
    uint32_t domain;

    for (size_t i = 0; i < DOMAINS; i++) {
        const struct chain *c = chain_find(domains[i].chain);

        CHECK(hyperliquid_domain(&domain, c) && domain == domains[i].domain);
        CHECK(hyperliquid_is_domain(domain) && contract_of(c, &circle_messenger) != NULL);
    }
    CHECK(!hyperliquid_domain(&domain, chain_find("polygon")));
    CHECK(!hyperliquid_is_domain(5) && !hyperliquid_is_domain(VENUES_DOMAIN));
}

TEST_MAIN(TEST(a_transfer_to_the_bridge_is_a_deposit), TEST(uncredited_payments_are_no_deposit),
          TEST(no_allowance_for_the_bridge), TEST(burns_are_read_whole), TEST(nothing_else_may_differ),
          TEST(burns_above_the_fee_limit_are_unreadable), TEST(value_is_not_taken),
          TEST(chains_have_their_numbers))
