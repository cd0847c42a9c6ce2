#include "base/test.h"
#include "predict/order_worth.c"

static void worth_of_orders(void)
{
    static const struct {
        enum order_side side;
        uint32_t price;
        uint64_t size, fee;
        const char *midpoint;
        bool known;
        uint64_t want;
    } rows[] = {
        { ORDER_BUY, 4000, 2000, 0, NULL, true, 8000000 }, /* 20 at 0.40 */
        { ORDER_BUY, 4000, 2000, 336000, "0.9", true, 8336000 },
        { ORDER_BUY, 1, 1, 0, NULL, true, 1 },
        { ORDER_SELL, 4000, 2000, 336000, "0.39", true, 8000000 }, /* what it brings pays the fee */
        { ORDER_SELL, 4000, 2000, 0, "0.405", true, 8100000 },
        { ORDER_SELL, 1, 1, 0, "0.00015", true, 2 }, /* 1.5 units: against the agent */
        { ORDER_SELL, 100, 100, 0, "0.500000000000000001", true, 500001 },
        { ORDER_SELL, 4000, 2000, 0, NULL, false, 0 },
        { ORDER_SELL, 4000, 2000, 0, "1e-1", false, 0 },
        { ORDER_SELL, 4000, 2000, 0, "-0.4", false, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct u256 got;

        struct order o = {
            .side = rows[i].side, .price = rows[i].price, .size = rows[i].size, .fee_most = rows[i].fee
        };

        CHECK(order_worth(&got, &o, rows[i].midpoint) == rows[i].known);
        CHECK(!rows[i].known || u256_cmp(got, u256_from_u64(rows[i].want)) == 0);
    }
}

/* The spent amount is in whole cents. */
static void worth_of_immediate_orders(void)
{
    struct order o = { .side = ORDER_BUY, .type = ORDER_FOK, .price = 4500, .size = 1001, .fee_most = 7 };
    struct u256 got;

    CHECK(order_worth(&got, &o, NULL) && u256_cmp(got, u256_from_u64(4500007)) == 0);
}

static void the_largest_of_all_fits(void)
{
    struct order o = { .price = 9999, .size = 100000000000000, .fee_most = UINT64_MAX };
    struct u256 got;

    CHECK(order_worth(&got, &o, NULL) && u256_cmp(got, u256_from_u64(UINT64_MAX)) > 0);
    o.side = ORDER_SELL;
    o.price = 1;
    CHECK(order_worth(&got, &o, "0.999999999999999999"));
    CHECK(u256_cmp(got, u256_from_u64(999999999999999999)) == 0);
}

TEST_MAIN(TEST(worth_of_orders), TEST(worth_of_immediate_orders), TEST(the_largest_of_all_fits))
