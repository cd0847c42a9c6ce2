#include "base/test.h"
#include "model/order.c"

static struct order buy(enum order_status status)
{
    /* 20 shares at 0.40 */
    return (
        struct order){ .side = ORDER_BUY, .status = status, .price = 4000, .size = 2000, .fee_most = 90001 };
}

static void what_a_whole_fill_moves(void)
{
    struct order o = buy(ORDER_OPEN);

    CHECK(order_shares(&o) == 20000000 && order_cost(&o) == 8000000);
}

static void what_an_order_holds(void)
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
        o.side = ORDER_SELL; /* shares, whatever they cost */
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

TEST_MAIN(TEST(what_a_whole_fill_moves), TEST(what_an_order_holds), TEST(names), TEST(ids))
