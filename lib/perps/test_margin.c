#include "perps/margin.c"

#include "base/test.h"

static struct arena *a;

/* Tiers of the whole dollars and leverages; the list ends with 0 leverage. */
static struct perps_asset asset_of(const char *const *bounds, const unsigned *leverages)
{
    struct perps_asset p = { .name = "ETH", .leverage = leverages[0] };

    for (; leverages[p.tier_count] != 0; p.tier_count++) {
        struct perps_tier *t = &p.tiers[p.tier_count];

        t->leverage = leverages[p.tier_count];
        CHECK(amount_parse(&t->from, bounds[p.tier_count], PERPS_WORTH_PLACES) == AMOUNT_FINE);
    }
    return p;
}

static struct perps_asset eth(void)
{
    return asset_of((const char *const[]){ "0", "2000000" }, (const unsigned[]){ 25, 15, 0 });
}

static struct perps_asset sol(void)
{
    return asset_of((const char *const[]){ "0", "200000", "400000" }, (const unsigned[]){ 20, 10, 5, 0 });
}

/* "entry margin fee liquidation", with the fee of 0.045 %. */
static const char *estimate(struct perps_asset p, bool is_short, const char *size, const char *cost,
                            unsigned leverage)
{
    struct perps_bet bet = { .is_short = is_short, .leverage = leverage };
    struct perps_estimate e;
    struct amount rate;

    CHECK(perps_amount(&bet.size, size) && perps_amount(&rate, "0.00045"));
    CHECK(amount_parse(&bet.cost, cost, PERPS_WORTH_PLACES) == AMOUNT_FINE);
    if (!perps_estimate(&e, &p, &bet, rate))
        return "too large";
    return arena_printf(a, "%s %s %s %s", amount_text(a, e.entry), amount_text(a, e.margin),
                        amount_text(a, e.fee), amount_text(a, e.liquidation));
}

/* By the venue's formula, price - s * available / size / (1 - l * s): a long of 1 at 3000 with 5 times has a
 * margin of 600, of which maintenance takes 60: 3000 - 540 / 0.98. */
static void a_position_in_one_tier(void)
{
    a = arena_new();
    CHECK_STR(estimate(eth(), false, "1", "3000", 5), "3000 600 1.35 2448.97959184");
    CHECK_STR(estimate(eth(), true, "1", "3000", 5), "3000 600 1.35 3529.4117647");
    CHECK_STR(estimate(eth(), false, "1", "3000", 25), "3000 120 1.35 2938.77551021");
    CHECK_STR(estimate(eth(), true, "0.5", "1500.3", 10), "3000.6 150.03 0.675135 3235.94117647");
}

static void without_leverage_a_long_is_never_lost(void)
{
    CHECK_STR(estimate(eth(), false, "1", "3000", 1), "3000 3000 1.35 0");
    CHECK_STR(estimate(eth(), true, "1", "3000", 1), "3000 3000 1.35 5882.35294117");
    CHECK_STR(estimate(sol(), false, "4000", "600000", 1), "150 600000 270 0");
}

/* At 150, 4000 are worth 600000, in the third tier, whose deduction is 200000 * (1/20 - 1/40) +
 * 400000 * (1/10 - 1/20) = 25000. Long with 2 times: (600000 - (300000 + 25000)) / (4000 * 0.9) = 76.38...,
 * where it is worth 305555, in the second tier, whose deduction is 5000: (600000 - 305000) / (4000 * 0.95).
 */
static void a_position_that_changes_its_tier(void)
{
    CHECK_STR(estimate(sol(), false, "4000", "600000", 2), "150 300000 270 77.63157895");
    CHECK_STR(estimate(sol(), true, "1000", "150000", 4), "150 37500 67.5 182.92682926");
    /* The first tier alone would allow up to 195.12, where it is worth more than 200000. */
    CHECK_STR(estimate(sol(), true, "1200", "180000", 3), "150 60000 81 194.44444444");
    CHECK_STR(estimate(sol(), true, "4000", "600000", 2), "150 300000 270 210.22727272");
}

static void rounding_is_never_to_the_callers_advantage(void)
{
    CHECK_STR(estimate(eth(), false, "3", "10000", 3), "3333.33333334 3333.333334 4.5 2267.57369615");
    CHECK_STR(estimate(eth(), true, "3", "10000", 3), "3333.33333333 3333.333334 4.5 4357.29847494");
    CHECK_STR(estimate(eth(), false, "0.0001", "0.3", 7), "3000 0.042858 0.000135 2623.90670554");
}

static void large_positions_have_less_leverage(void)
{
    struct perps_asset p = sol();
    struct amount cost;

    CHECK(amount_parse(&cost, "199999.99", PERPS_WORTH_PLACES) == AMOUNT_FINE &&
          perps_leverage_at(&p, cost) == 20);
    CHECK(amount_parse(&cost, "200000", PERPS_WORTH_PLACES) == AMOUNT_FINE &&
          perps_leverage_at(&p, cost) == 10);
    CHECK(amount_parse(&cost, "9000000", PERPS_WORTH_PLACES) == AMOUNT_FINE &&
          perps_leverage_at(&p, cost) == 5);
    p.leverage = 3;
    CHECK(perps_leverage_at(&p, cost) == 3);
}

static void overflows_fail(void)
{
    struct perps_asset p = eth();
    struct perps_bet bet = { .leverage = 5, .size.raw = { { 1 } }, .cost.raw = { { 0, 0, 0, UINT64_MAX } } };
    struct perps_estimate e;

    CHECK(!perps_estimate(&e, &p, &bet, (struct amount){ { { 45000 } }, PERPS_PLACES }));
    bet.size.raw = U256_ZERO;
    bet.cost.raw = ONE;
    CHECK(!perps_estimate(&e, &p, &bet, (struct amount){ { { 45000 } }, PERPS_PLACES }));
    arena_free(a);
}

TEST_MAIN(TEST(a_position_in_one_tier), TEST(without_leverage_a_long_is_never_lost),
          TEST(a_position_that_changes_its_tier), TEST(rounding_is_never_to_the_callers_advantage),
          TEST(large_positions_have_less_leverage), TEST(overflows_fail))
