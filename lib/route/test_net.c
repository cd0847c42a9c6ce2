#include "base/test.h"
#include "route/net.c"

static struct u256 u(uint64_t v)
{
    return u256_from_u64(v);
}

static bool value_is(struct u256 v, uint64_t want)
{
    return u256_cmp(v, u(want)) == 0;
}

/* A unit of gas costs 2, and 5 of the coin are 10 of the bought token and 1 in dollars. */
static const struct gas_price gas = {
    .per_unit = { { 2 } },
    .output = { .give = { { 5 } }, .get = { { 10 } } },
    .usd = { .give = { { 5 } }, .get = { { 1 } } },
};

static void gas_and_fees_are_taken_off(void)
{
    struct offer list[] = {
        { .out = u(1000), .gas_units = 100 },              /* 400 for gas */
        { .out = u(900), .gas_units = 10 },                /* 40 */
        { .out = u(950), .gas_units = 10, .fee = u(100) }, /* 40, and 200 on top */
    };

    offers_rank(list, 3, &gas);
    CHECK(value_is(list[0].out, 900) && value_is(list[0].net, 860) && value_is(list[0].gas_usd, 4));
    CHECK(value_is(list[1].out, 950) && value_is(list[1].net, 710) && value_is(list[1].gas_usd, 4));
    CHECK(value_is(list[2].out, 1000) && value_is(list[2].net, 600) && value_is(list[2].gas_usd, 40));
}

static void without_a_price_gas_counts_nothing(void)
{
    static const struct gas_price unknown = { .per_unit = { { 2 } } };
    struct offer list[] = { { .out = u(900), .gas_units = 1 }, { .out = u(1000), .gas_units = 1000000 } };

    offers_rank(list, 2, &unknown);
    CHECK(value_is(list[0].out, 1000) && value_is(list[0].net, 1000) && value_is(list[0].gas_usd, 0));
    CHECK(value_is(list[1].net, 900));
}

/* An offer that costs more than it brings is worth nothing, and so is one that overflows. */
static void the_worthless_go_by_output(void)
{
    struct offer list[] = { { .out = u(10), .gas_units = 1000 },
                            { .out = u(30), .gas_units = 1000 },
                            { .out = u(50), .gas_units = 1, .fee = { .limb = { 0, 0, 0, UINT64_MAX } } },
                            { .out = u(20), .gas_units = 1 } };

    offers_rank(list, 4, &gas);
    CHECK(value_is(list[0].out, 20) && value_is(list[0].net, 16));
    CHECK(value_is(list[1].out, 50) && value_is(list[2].out, 30) && value_is(list[3].out, 10));
    for (int i = 1; i < 4; i++)
        CHECK(value_is(list[i].net, 0));
}

/* A provider that reports no gas for its call does not win by it, and one that reports more than a block has
 * is not dropped. */
static void gas_that_no_trade_takes_is_no_figure(void)
{
    const struct chain *c = chain_by_id(1), *dear = chain_by_id(5000);

    CHECK(gas_believed(0, c) == 0 && gas_believed(45000, c) == 45000 &&
          gas_believed(c->gas_max, c) == c->gas_max);
    CHECK(gas_believed(1, c) == PROVIDER_JSON_GAS && gas_believed(39999, c) == PROVIDER_JSON_GAS);
    CHECK(gas_believed(c->gas_max + 1, c) == PROVIDER_JSON_GAS &&
          gas_believed(1000000000000, c) == PROVIDER_JSON_GAS);
    CHECK(gas_believed(UINT64_MAX, dear) == PROVIDER_JSON_GAS &&
          gas_believed(dear->gas_max, dear) == dear->gas_max);
}

TEST_MAIN(TEST(gas_that_no_trade_takes_is_no_figure), TEST(gas_and_fees_are_taken_off),
          TEST(without_a_price_gas_counts_nothing), TEST(the_worthless_go_by_output))
