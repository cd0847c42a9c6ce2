#include "base/test.h"
#include "predict/order_worth.c"

static void what_leaves(void)
{
    static const struct {
        enum polymarket_side side;
        uint32_t price;
        uint64_t size, fee;
        const char *midpoint;
        bool known;
        uint64_t want;
    } rows[] = {
        { POLYMARKET_BUY, 4000, 2000, 0, NULL, true, 8000000 }, /* 20 at 0.40 */
        { POLYMARKET_BUY, 4000, 2000, 336000, "0.9", true, 8336000 },
        { POLYMARKET_BUY, 1, 1, 0, NULL, true, 1 },
        { POLYMARKET_SELL, 4000, 2000, 336000, "0.39", true, 8000000 }, /* what it brings pays the fee */
        { POLYMARKET_SELL, 4000, 2000, 0, "0.405", true, 8100000 },
        { POLYMARKET_SELL, 1, 1, 0, "0.00015", true, 2 }, /* 1.5 units: against the agent */
        { POLYMARKET_SELL, 100, 100, 0, "0.500000000000000001", true, 500001 },
        { POLYMARKET_SELL, 4000, 2000, 0, NULL, false, 0 },
        { POLYMARKET_SELL, 4000, 2000, 0, "1e-1", false, 0 },
        { POLYMARKET_SELL, 4000, 2000, 0, "-0.4", false, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct u256 got;

        CHECK(order_worth(&got, rows[i].side, rows[i].price, rows[i].size, rows[i].fee, rows[i].midpoint) ==
              rows[i].known);
        CHECK(!rows[i].known || u256_cmp(got, u256_from_u64(rows[i].want)) == 0);
    }
}

static void the_largest_of_all_fits(void)
{
    struct u256 got;

    CHECK(order_worth(&got, POLYMARKET_BUY, 9999, UINT64_MAX, UINT64_MAX, NULL));
    CHECK(order_worth(&got, POLYMARKET_SELL, 1, UINT64_MAX, 0, "0.999999999999999999"));
    CHECK(u256_cmp(got, u256_from_u64(UINT64_MAX)) > 0);
}

TEST_MAIN(TEST(what_leaves), TEST(the_largest_of_all_fits))
