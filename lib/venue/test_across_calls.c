#include "venue/across_calls.h"
#include "venue/test_util.h"

#define POOL      "0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5"
#define BASE_USDC "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
#define BASE_WETH "0x4200000000000000000000000000000000000006"

static struct across_deposit honest(void)
{
    return (struct across_deposit){ .depositor = address(AT_WALLET),
                                    .recipient = address(AT_WALLET),
                                    .sent = address(AT_USDC),
                                    .bought = address(BASE_USDC),
                                    .amount = u256_from_u64(1000),
                                    .output = u256_from_u64(990),
                                    .far_chain = 8453,
                                    .relayer = address(AT_OTHER),
                                    .quoted = 1799990000,
                                    .deadline = 1800000000,
                                    .exclusive = 1799990100 };
}

static enum trade_reading read_deposit(struct trade *t, const struct across_deposit *d, uint64_t value)
{
    struct buf b = BUF_INIT(1024);
    enum trade_reading got;

    across_deposit_write(&b, d);
    got = read_call(t, POOL, value, &b);
    buf_free(&b);
    return got;
}

static void deposits_are_read_whole(void)
{
    const struct across_deposit d = honest();
    struct buf b = BUF_INIT(1024);
    struct trade t;

    across_deposit_write(&b, &d);
    check_whole(POOL, 0, &b);
    buf_free(&b);
    CHECK(read_deposit(&t, &d, 0) == TRADE_READ && t.act == TRADE_BRIDGE && t.far_chain == 8453);
    CHECK(equals(t.amount, 1000) && equals(t.minimum, 990) && t.far_deadline == 1800000000);
    CHECK_STR(t.sell, AT_USDC);
    CHECK_STR(t.buy, BASE_USDC);
    CHECK_STR(t.recipient, AT_WALLET);
    CHECK_STR(t.refund, AT_WALLET);
    CHECK(equals(t.value_spent, 0));
}

/* The pool wraps what comes as value, and has a plain wallet paid in coin. */
static void coin_is_its_wrapped_token(void)
{
    struct across_deposit d = honest();
    struct trade t;

    d.sent = address(AT_WETH);
    d.bought = address(BASE_WETH);
    CHECK(read_deposit(&t, &d, 1000) == TRADE_READ && equals(t.value_spent, 1000));
    CHECK(trade_buys_coin(&t));
    CHECK_STR(t.sell, AT_WETH);
    CHECK(read_deposit(&t, &d, 0) == TRADE_READ && equals(t.value_spent, 0)); /* the token itself */
    d.sent = address(AT_USDC);
    CHECK(read_deposit(&t, &d, 1000) == TRADE_READ && equals(t.value_spent, 0)); /* left where it is */
}

static void deposits_without_binding_terms_are_unreadable(void)
{
    struct across_deposit d = honest();
    struct trade t;

    d.far_chain = 1;
    CHECK(read_deposit(&t, &d, 0) == TRADE_UNREADABLE);
    d.far_chain = 4242;
    CHECK(read_deposit(&t, &d, 0) == TRADE_UNREADABLE);
    d = honest();
    d.deadline = 0;
    CHECK(read_deposit(&t, &d, 0) == TRADE_UNREADABLE);
    d = honest();
    d.bought = address(AT_COIN);
    CHECK(read_deposit(&t, &d, 0) == TRADE_UNREADABLE);
    d = honest();
    d.sent = address(AT_COIN);
    CHECK(read_deposit(&t, &d, 0) == TRADE_UNREADABLE);
}

/* Words of 32 bits hold no more. */
static void words_fit_their_types(void)
{
    static const unsigned words[] = { 8, 9, 10 };
    const struct across_deposit d = honest();
    struct trade t;

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct buf b = BUF_INIT(1024);

        across_deposit_write(&b, &d);
        b.data[ABI_SELECTOR + (words[i] + 1) * ABI_WORD - 5] = 1;
        CHECK(read_call(&t, POOL, 0, &b) == TRADE_UNREADABLE);
        buf_free(&b);
    }
}

TEST_MAIN(TEST(deposits_are_read_whole), TEST(coin_is_its_wrapped_token),
          TEST(deposits_without_binding_terms_are_unreadable), TEST(words_fit_their_types))
