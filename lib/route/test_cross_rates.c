#include "route/cross_rates.c"

#include "base/test.h"

static struct price cents_price(uint64_t hundredths)
{
    struct price p = { .state = PRICE_KNOWN, .usd.decimals = RATE_PLACES };

    CHECK(u256_mul(&p.usd.raw, u256_from_u64(hundredths), u256_from_u64(10000000000000000)));
    return p;
}

/* An amount of the one token in the other's smallest units. */
static struct u256 exchanged(uint64_t amount, const struct price *x, uint8_t x_decimals,
                             const struct price *y, uint8_t y_decimals)
{
    struct rate rate = cross_rate(x, x_decimals, y, y_decimals);
    struct u256 out;

    CHECK(u256_muldiv(&out, u256_from_u64(amount), rate.get, rate.give));
    return out;
}

static void worth_in_the_other_token(void)
{
    struct price ether = cents_price(300000), dollar = cents_price(100), cent = cents_price(1);

    CHECK(u256_cmp(exchanged(100000000000000000, &ether, 18, &dollar, 6), u256_from_u64(300000000)) == 0);
    CHECK(u256_cmp(exchanged(300000000, &dollar, 6, &ether, 18), u256_from_u64(100000000000000000)) == 0);
    CHECK(u256_cmp(exchanged(5, &dollar, 0, &cent, 0), u256_from_u64(500)) == 0);
    CHECK(u256_cmp(exchanged(5, &dollar, 6, &dollar, 6), u256_from_u64(5)) == 0);
}

static void prices_that_are_not_known(void)
{
    struct price known = cents_price(100), unknown = { .state = PRICE_UNAVAILABLE }, zero = cents_price(0);

    CHECK(u256_is_zero(cross_rate(&known, 6, &unknown, 6).get));
    CHECK(u256_is_zero(cross_rate(&unknown, 6, &known, 6).get));
    CHECK(u256_is_zero(cross_rate(&known, 6, &zero, 6).get));
    CHECK(u256_is_zero(cross_rate(&known, 6, &known, 78).get)); /* more than an amount has */
}

TEST_MAIN(TEST(worth_in_the_other_token), TEST(prices_that_are_not_known))
