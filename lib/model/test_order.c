#include "base/test.h"
#include "model/order.c"

static struct order buy(enum order_status status)
{
    /* 20 shares at 0.40 */
    return (
        struct order){ .side = ORDER_BUY, .status = status, .price = 4000, .size = 2000, .fee_most = 90001 };
}

static void shares_and_cost_of_a_whole_fill(void)
{
    struct order o = buy(ORDER_OPEN);

    CHECK(order_shares(&o) == 20000000 && order_cost(&o) == 8000000);
}

static void a_purchase_at_once_is_for_money(void)
{
    static const struct {
        uint32_t price;
        uint64_t size, cost, shares;
    } rows[] = {
        { 4500, 1000, 4500000, 10000000 }, /* 10 at 0.45 */
        { 4500, 1001, 4500000, 10000000 }, /* 10.01: 4.5045, rounded down */
        { 4300, 777, 3340000, 7767400 },   /* 3.3411 */
        { 3330, 500, 1660000, 4984900 },
        { 1, 100000000000000, 100000000000000, 1000000000000000000 },
        { 9999, 100000000000000, 999900000000000000, 1000000000000000000 },
        { 1, 99, 0, 0 },
        { 0, 99, 0, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct order o = {
            .side = ORDER_BUY, .type = ORDER_FAK, .price = rows[i].price, .size = rows[i].size
        };

        CHECK(order_spends(&o) && order_cost(&o) == rows[i].cost && order_shares(&o) == rows[i].shares);
        o.side = ORDER_SELL;
        CHECK(!order_spends(&o) && order_cost(&o) == rows[i].price * rows[i].size);
        CHECK(order_shares(&o) == rows[i].size * ORDER_SIZE_UNITS);
        o.side = ORDER_BUY;
        o.type = ORDER_GTD;
        CHECK(!order_spends(&o));
    }
}

/* Less than can be traded may be left: a hundredth of a share, or a cent. */
static void dust_counts_as_filled(void)
{
    struct order o = buy(ORDER_OPEN);

    CHECK(!order_is_whole(&o, 0, 0) && order_is_whole(&o, 19990001, 0) && !order_is_whole(&o, 19990000, 0));
    o.type = ORDER_FOK;
    CHECK(!order_is_whole(&o, 0, 8000000) && order_is_whole(&o, 1, 7990001));
    CHECK(!order_is_whole(&o, 20000000, 7990000));
}

/* 8 dollars, and a fee of 0.090001. */
static void holdings_of_a_purchase_for_money(void)
{
    static const struct {
        enum order_status status;
        uint64_t matched, paid, settled, now, since;
    } rows[] = {
        { ORDER_PENDING, 0, 0, 0, 8090001, 8090001 },
        { ORDER_OPEN, 25000000, 8000000, 0, 8090001, 8090001 },
        { ORDER_OPEN, 10000000, 4000000, 10000000, 4045001, 8090001 },
        { ORDER_FILLED, 25000000, 8000000, 0, 8090001, 8090001 }, /* more shares than its size */
        { ORDER_FILLED, 25000000, 8000000, 12500000, 4045001, 8090001 },
        { ORDER_FILLED, 25000000, 8000000, 25000000, 0, 8090001 },
        { ORDER_CANCELLED, 10000000, 4000000, 0, 4045001, 4045001 },
        { ORDER_CANCELLED, 0, 0, 0, 0, 0 },
        { ORDER_WAITING, 0, 0, 0, 0, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct order o = buy(rows[i].status);

        o.type = ORDER_FAK;
        o.matched = rows[i].matched;
        o.paid = rows[i].paid;
        o.settled = rows[i].settled;
        CHECK(order_holds(&o, false) == rows[i].now && order_holds(&o, true) == rows[i].since);
        CHECK(order_brings(&o, false) == rows[i].matched - rows[i].settled);
    }
}

static void holdings_of_an_order(void)
{
    static const struct {
        enum order_status status;
        uint64_t matched, settled, now, since;
    } rows[] = {
        { ORDER_PENDING, 0, 0, 8090001, 8090001 },
        { ORDER_OPEN, 10000000, 0, 8090001, 8090001 },
        { ORDER_OPEN, 10000000, 10000000, 4045001, 8090001 }, /* rounded up */
        { ORDER_CANCELLED, 10000000, 0, 4045001, 4045001 },
        { ORDER_CANCELLED, 10000000, 10000000, 0, 4045001 },
        { ORDER_FILLED, 20000000, 20000000, 0, 8090001 },
        { ORDER_REJECTED, 0, 0, 0, 0 },
        { ORDER_WAITING, 0, 0, 0, 0 },
        { ORDER_CANCELLED, 5, 6, 0, 3 }, /* never less than nothing */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct order o = buy(rows[i].status);

        o.matched = rows[i].matched;
        o.settled = rows[i].settled;
        CHECK(order_holds(&o, false) == rows[i].now && order_holds(&o, true) == rows[i].since);
        o.side = ORDER_SELL; /* shares, at any price */
        CHECK(order_holds(&o, false) == (rows[i].now == 0         ? 0
                                         : rows[i].now == 8090001 ? 20000000
                                                                  : 10000000));
    }
}

static void names(void)
{
    enum order_status status;
    enum order_side side;
    enum order_type type;

    CHECK(order_side_parse(&side, "sell") && side == ORDER_SELL && !order_side_parse(&side, "hold"));
    CHECK(order_type_parse(&type, "Gtd") && type == ORDER_GTD && !order_type_parse(&type, ""));
    CHECK(order_status_parse(&status, "rejected") && status == ORDER_REJECTED);
    CHECK(!order_status_parse(&status, "waiting") && !order_status_parse(&status, "all"));
    CHECK_STR(order_side_text(ORDER_BUY), "BUY");
    CHECK_STR(order_type_text(ORDER_FAK), "FAK");
    CHECK_STR(order_status_text(ORDER_CANCELLED), "cancelled");
}

static void ids(void)
{
    static const char text[] = "0x00ff112233445566778899aabbccddeeff00112233445566778899aabbccddee";
    struct arena *a = arena_new();
    uint8_t hash[HASH_LEN];

    CHECK(order_id_parse(hash, text) && hash[1] == 0xff);
    CHECK_STR(order_id_text(a, hash), text);
    CHECK(!order_id_parse(hash, text + 1) && !order_id_parse(hash, "0x") && !order_id_parse(hash, ""));
    CHECK(!order_id_parse(hash, "0y00ff112233445566778899aabbccddeeff00112233445566778899aabbccddee"));
    CHECK(!order_id_parse(hash, "0x00ff112233445566778899aabbccddeeff00112233445566778899aabbccddeg"));
    arena_free(a);
}

TEST_MAIN(TEST(shares_and_cost_of_a_whole_fill), TEST(a_purchase_at_once_is_for_money),
          TEST(dust_counts_as_filled), TEST(holdings_of_a_purchase_for_money), TEST(holdings_of_an_order),
          TEST(names), TEST(ids))
