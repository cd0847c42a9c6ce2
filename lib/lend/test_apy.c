#include "lend/apy.c"

#include "base/test.h"

static struct u256 number(const char *digits)
{
    struct u256 v;

    CHECK(u256_parse(&v, digits));
    return v;
}

/* As Aave's own interface shows them. */
static void of_a_year(void)
{
    CHECK(apy_of_year(number("0")) == 0);
    CHECK(apy_of_year(number("23040000000000000000000")) == 2304);
    CHECK(apy_of_year(number("1066666666666666666666667")) == 106724);
    CHECK(apy_of_year(number("35000000000000000000000000")) == 3561971);
    CHECK(apy_of_year(number("52500000000000000000000000")) == 5390256);
    CHECK(apy_of_year(number("400000000000000000000000000")) == 49182469);
}

/* 10 % a year, continuously, is e^0.1 - 1. */
static void of_a_second(void)
{
    CHECK(apy_of_second(number("0")) == 0);
    CHECK(apy_of_second(number("3170979198")) == 10517092);
}

static void rates_beyond_belief(void)
{
    static const struct u256 most = { { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } };

    CHECK(apy_of_year(most) == APY_MOST && apy_of_second(most) == APY_MOST);
}

TEST_MAIN(TEST(of_a_year), TEST(of_a_second), TEST(rates_beyond_belief))
