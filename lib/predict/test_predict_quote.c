#include "predict/predict_quote.c"

#include "base/test.h"

/* Asks of 10 at 0.41, 20 at 0.45 and 100 at 0.5, bids of 10 at 0.4 and 20 at 0.3. */
static struct book book_of(void)
{
    static struct book_level asks[] = {
        { "0.41", "10" }, { "0.45", "20.00" }, { "rubbish", "1" }, { "0.5", "100" }
    };
    static struct book_level bids[] = { { "0.4", "10" }, { "0.30", "20" } };

    return (struct book){ .asks = asks, .ask_count = 4, .bids = bids, .bid_count = 2 };
}

static struct order order_of(enum order_side side, enum order_type type, uint32_t price, uint64_t size)
{
    return (struct order){ .side = side, .type = type, .price = price, .size = size };
}

static void a_book_is_walked_from_its_best_level(void)
{
    static const struct {
        enum order_side side;
        enum order_type type;
        uint32_t price;
        uint64_t size;
        struct predict_fill want;
    } rows[] = {
        { ORDER_BUY, ORDER_GTC, 9900, 1000, { 10000000, 4100000, 96760, 4100, true } },
        { ORDER_BUY, ORDER_GTC, 9900, 1500, { 15000000, 6350000, 146260, 4500, true } },
        { ORDER_BUY, ORDER_GTC, 4300, 1500, { 10000000, 4100000, 96760, 4100, false } },
        { ORDER_BUY, ORDER_GTC, 4000, 1500, { 0, 0, 0, 0, false } },
        { ORDER_BUY, ORDER_GTC, 9900, 20000, { 130000000, 63100000, 1294760, 5000, false } },
        /* for 4.05 dollars, 9.878048 shares at 0.41 */
        { ORDER_BUY, ORDER_FOK, 4500, 900, { 9878048, 4049999, 95580, 4100, true } },
        /* for 9, of which 4.1 are spent at 0.41 and the rest at 0.45 */
        { ORDER_BUY, ORDER_FAK, 4500, 2000, { 20888888, 8999999, 204560, 4500, true } },
        { ORDER_BUY, ORDER_FAK, 4400, 2000, { 10000000, 4100000, 96760, 4100, false } },
        { ORDER_SELL, ORDER_FAK, 100, 1500, { 15000000, 5500000, 138000, 3000, true } },
        { ORDER_SELL, ORDER_GTC, 4000, 1500, { 10000000, 4000000, 96000, 4000, false } },
    };
    const struct clob_market rules = { .tick = 100, .fee_rate = 40000000, .fee_exponent = 1 };
    const struct book book = book_of();

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct order o = order_of(rows[i].side, rows[i].type, rows[i].price, rows[i].size);
        const struct predict_fill *want = &rows[i].want;
        struct predict_fill got;

        CHECK(predict_walk(&got, &o, &rules, &book));
        CHECK(got.shares == want->shares && got.paid == want->paid && got.worst == want->worst);
        CHECK(got.fee == want->fee && got.whole == want->whole);
    }
}

static void the_largest_of_all_fits_or_is_refused(void)
{
    static struct book_level asks[] = { { "0.9999", "9223372036854.775807" },
                                        { "0.9999", "9223372036854.775807" } };
    const struct book book = { .asks = asks, .ask_count = 2 };
    const struct clob_market rules = { .tick = 1, .fee_rate = CLOB_RATE_ONE };
    const struct order o = order_of(ORDER_BUY, ORDER_GTC, 9999, 100000000000000),
                       spends = order_of(ORDER_BUY, ORDER_FAK, 9999, 100000000000000);
    struct predict_fill got;

    CHECK(predict_walk(&got, &o, &rules, &book) && got.whole && got.shares == 1000000000000000000);
    CHECK(predict_walk(&got, &spends, &rules, &book) && got.whole && got.paid <= order_cost(&spends));
}

TEST_MAIN(TEST(a_book_is_walked_from_its_best_level), TEST(the_largest_of_all_fits_or_is_refused))
