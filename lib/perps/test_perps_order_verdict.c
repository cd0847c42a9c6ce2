#include "perps/perps_order_verdict.c"

#include "base/test.h"

enum { NOW = 1000000, SIZE = 50000000 };

static struct perps_order order(enum order_status status)
{
    return (struct perps_order){ .asset = "ETH",
                                 .size = SIZE,
                                 .status = status,
                                 .oid = status == ORDER_PENDING ? 0 : 7,
                                 .updated_ms = NOW - 1000 };
}

static struct perps_observation observation(enum perps_order_state state, uint64_t filled)
{
    return (struct perps_observation){
        .seen = true,
        .now_ms = NOW,
        .at_venue = { .oid = 7, .asset = "ETH", .size = SIZE, .left = SIZE - filled, .state = state },
    };
}

static void observations_move_orders(void)
{
    static const struct {
        enum order_status was;
        enum perps_order_state state;
        uint64_t filled;
        enum order_status now;
        const char *event;
    } rows[] = {
        { ORDER_PENDING, PERPS_RESTS, 0, ORDER_OPEN, NULL },
        { ORDER_OPEN, PERPS_RESTS, 0, ORDER_OPEN, NULL },
        { ORDER_OPEN, PERPS_RESTS, 5, ORDER_OPEN, "perps.order.partially_filled" },
        { ORDER_PENDING, PERPS_RESTS, 5, ORDER_OPEN, "perps.order.partially_filled" },
        { ORDER_OPEN, PERPS_FILLED, SIZE, ORDER_FILLED, "perps.order.filled" },
        { ORDER_OPEN, PERPS_CANCELLED, 5, ORDER_CANCELLED, "perps.order.cancelled" },
        { ORDER_OPEN, PERPS_REJECTED, 0, ORDER_REJECTED, "perps.order.rejected" },
        { ORDER_OPEN, PERPS_REJECTED, 5, ORDER_CANCELLED, "perps.order.cancelled" },
        /* the engine's to record */
        { ORDER_PENDING, PERPS_REJECTED, 0, ORDER_PENDING, NULL },
        /* an answer of the past takes nothing back */
        { ORDER_FILLED, PERPS_RESTS, 0, ORDER_FILLED, NULL },
        { ORDER_CANCELLED, PERPS_RESTS, 0, ORDER_CANCELLED, NULL },
        { ORDER_FILLED, PERPS_CANCELLED, 0, ORDER_FILLED, NULL },
        /* one that was given up turns up after all */
        { ORDER_REJECTED, PERPS_RESTS, 0, ORDER_OPEN, NULL },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct perps_order o = order(rows[i].was);
        const struct perps_observation s = observation(rows[i].state, rows[i].filled);
        struct perps_verdict v = perps_verdict(&o, &s);

        CHECK(v.now.status == rows[i].now && v.now.filled == rows[i].filled);
        CHECK((v.event == NULL) == (rows[i].event == NULL));
        if (v.event != NULL)
            CHECK_STR(v.event, rows[i].event);
    }
}

static void less_filled_than_before_is_old(void)
{
    struct perps_order o = order(ORDER_OPEN);
    struct perps_observation s = observation(PERPS_RESTS, 3);

    o.filled = 9;
    CHECK(perps_verdict(&o, &s).now.filled == 9 && perps_verdict(&o, &s).event == NULL);
}

static void rows_of_another_order_are_ignored(void)
{
    const struct perps_order o = order(ORDER_OPEN);
    struct perps_observation s = observation(PERPS_FILLED, SIZE);

    s.at_venue.size = 2 * (uint64_t)SIZE;
    CHECK(perps_verdict(&o, &s).now.status == ORDER_OPEN && perps_verdict(&o, &s).now.filled == 0);
    s = observation(PERPS_FILLED, SIZE);
    s.at_venue.asset = "SOL";
    CHECK(perps_verdict(&o, &s).now.status == ORDER_OPEN);
    s.at_venue.asset = "ETH";
    s.at_venue.sells = true;
    CHECK(perps_verdict(&o, &s).now.status == ORDER_OPEN);
}

/* A trigger may close less than it was made for. */
static void triggers_may_close_less(void)
{
    struct perps_order o = order(ORDER_OPEN);
    struct perps_observation s = observation(PERPS_FILLED, SIZE);

    o.role = PERPS_TAKE_PROFIT;
    s.at_venue.size = SIZE / 2;
    s.at_venue.left = 0;
    CHECK(perps_verdict(&o, &s).now.status == ORDER_FILLED && perps_verdict(&o, &s).now.filled == SIZE / 2);
}

static void orders_are_final_with_their_trades(void)
{
    const struct perps_order o = order(ORDER_OPEN);
    struct perps_observation s = observation(PERPS_FILLED, SIZE);
    struct perps_verdict v = perps_verdict(&o, &s);

    CHECK(!v.now.final && perps_wants_fills(&v));
    s.traded = (struct perps_traded){ .size = SIZE, .paid = 1500, .fee = 7 };
    v = perps_verdict(&o, &s);
    CHECK(v.now.final && v.now.paid == 1500 && v.now.fee == 7 && !perps_wants_fills(&v));
    s = observation(PERPS_CANCELLED, 0);
    CHECK(perps_verdict(&o, &s).now.final);
}

/* Trades of more than was ordered are implausible. */
static void too_many_trades_are_none(void)
{
    const struct perps_order o = order(ORDER_OPEN);
    struct perps_observation s = observation(PERPS_RESTS, 0);

    s.traded = (struct perps_traded){ .size = SIZE + 1, .paid = 1, .fee = 1 };
    CHECK(perps_verdict(&o, &s).now.filled == 0 && perps_verdict(&o, &s).now.paid == 0);
}

static void silence_changes_nothing(void)
{
    static const enum order_status all[] = { ORDER_PENDING, ORDER_OPEN, ORDER_FILLED };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const struct perps_order o = order(all[i]);
        const struct perps_observation nothing = { .now_ms = NOW },
                                       unknown = { .unknown = true, .now_ms = NOW };

        CHECK(!perps_verdict(&o, &nothing).changed || all[i] == ORDER_FILLED);
        CHECK(perps_verdict(&o, &nothing).now.status == all[i]);
        CHECK(perps_verdict(&o, &unknown).now.status == all[i]);
        CHECK(perps_verdict(&o, &unknown).now.polled_ms == NOW);
    }
}

/* Only one that was cancelled, and was unknown some seconds before as well. */
static void a_forgotten_order_is_cancelled(void)
{
    struct perps_order o = order(ORDER_OPEN);
    struct perps_observation s = { .unknown = true, .cancelled = true, .now_ms = NOW };

    CHECK(perps_verdict(&o, &s).now.status == ORDER_OPEN);
    o.polled_ms = NOW - AGAIN_MS + 1;
    CHECK(perps_verdict(&o, &s).now.status == ORDER_OPEN);
    o.polled_ms = NOW - AGAIN_MS;
    CHECK(perps_verdict(&o, &s).now.status == ORDER_CANCELLED);
    s.cancelled = false;
    CHECK(perps_verdict(&o, &s).now.status == ORDER_OPEN);
    s.cancelled = true;
    s.parent = ORDER_OPEN; /* it has no place of its own yet */
    CHECK(perps_verdict(&o, &s).now.status == ORDER_OPEN);
}

/* Its trades tell that it was filled; else a cancel, which no later answer contradicts, tells that it is off.
 */
static void a_forgotten_order_is_told_by_its_trades(void)
{
    struct perps_order o = order(ORDER_OPEN);
    struct perps_observation s = { .unknown = true, .now_ms = NOW };
    struct perps_verdict v = perps_verdict(&o, &s);

    CHECK(v.now.status == ORDER_OPEN && v.now.polled_ms == NOW && perps_wants_fills(&v));
    CHECK(!perps_wants_cancel(&o, &s));
    s.traded = (struct perps_traded){ .size = SIZE, .paid = 1500, .fee = 7 };
    v = perps_verdict(&o, &s);
    CHECK(v.now.status == ORDER_FILLED && v.now.filled == SIZE && v.now.paid == 1500 && !v.now.final);
    CHECK_STR(v.event, "perps.order.filled");
    o = v.now;
    CHECK(perps_verdict(&o, &s).now.final);
    s.unknown = false; /* without an answer trades tell no end */
    o = order(ORDER_OPEN);
    CHECK(perps_verdict(&o, &s).now.status == ORDER_OPEN);
}

static void a_forgotten_order_is_cancelled_to_be_sure(void)
{
    struct perps_order o = order(ORDER_OPEN);
    struct perps_observation s = { .unknown = true, .now_ms = NOW, .traded = { .size = 5, .paid = 1 } };
    struct perps_verdict v;

    o.filled = 5;
    o.polled_ms = NOW - PATIENCE_MS + 1;
    CHECK(!perps_wants_cancel(&o, &s));
    o.polled_ms = NOW - PATIENCE_MS;
    CHECK(perps_wants_cancel(&o, &s) && perps_verdict(&o, &s).now.status == ORDER_OPEN);
    s.seen = true; /* it rests, after all */
    CHECK(!perps_wants_cancel(&o, &s));
    s.seen = false;
    s.cancelled = true;
    v = perps_verdict(&o, &s);
    CHECK(v.now.status == ORDER_CANCELLED && v.now.filled == 5 && !v.now.final && perps_wants_fills(&v));
    o = v.now;
    s.cancelled = false;
    s.now_ms += AGAIN_MS;
    CHECK(perps_verdict(&o, &s).now.final);
    s.traded.size = SIZE; /* the last trade came late */
    CHECK(perps_verdict(&o, &s).now.status == ORDER_FILLED);
}

static void triggers_end_with_their_order(void)
{
    struct perps_order o = order(ORDER_OPEN);
    struct perps_observation s = { .now_ms = NOW, .parent = ORDER_CANCELLED };

    o.role = PERPS_STOP_LOSS;
    CHECK(perps_verdict(&o, &s).now.status == ORDER_OPEN); /* it has a number */
    o.oid = 0;
    CHECK(perps_verdict(&o, &s).now.status == ORDER_CANCELLED && perps_verdict(&o, &s).now.final);
    s.parent = ORDER_FILLED;
    CHECK(perps_verdict(&o, &s).now.status == ORDER_OPEN);
}

TEST_MAIN(TEST(observations_move_orders), TEST(less_filled_than_before_is_old),
          TEST(rows_of_another_order_are_ignored), TEST(triggers_may_close_less),
          TEST(orders_are_final_with_their_trades), TEST(too_many_trades_are_none),
          TEST(silence_changes_nothing), TEST(a_forgotten_order_is_cancelled),
          TEST(a_forgotten_order_is_told_by_its_trades), TEST(a_forgotten_order_is_cancelled_to_be_sure),
          TEST(triggers_end_with_their_order))
