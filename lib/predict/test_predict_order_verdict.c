#include "predict/predict_order_verdict.c"

#include "base/test.h"

enum { SIZE = 2000, SHARES = SIZE * ORDER_SIZE_UNITS, HALF = SHARES / 2, NOW = 1000000000 };

/* Buys 20 at 0.40, and was looked at long ago. */
static struct order order_of(enum order_status status, uint64_t matched)
{
    return (struct order){ .execution_id = 7,
                           .type = ORDER_GTC,
                           .price = 4000,
                           .size = SIZE,
                           .status = status,
                           .matched = matched,
                           .updated_ms = NOW - 2 * PATIENCE_MS };
}

static struct arena *a;

/* The fills of the test before are forgotten. */
static struct order_fills fills_none(void)
{
    if (a == NULL)
        a = arena_new();
    arena_reset(a);
    return (struct order_fills){ .count = 0 };
}

static struct fill part_of(const char *trade, enum fill_state state, uint64_t size)
{
    return (
        struct fill){ .trade = trade, .state = state, .size = size, .paid = size / 10 * 4, .price = 4000 };
}

/* Adds a fill that was stored before this poll. */
static void fills_store(struct order_fills *fills, const char *trade, enum fill_state state, uint64_t size)
{
    const struct fill f = part_of(trade, state, size);

    fills_add(a, fills, &f);
}

static struct order_observation observation_of(enum order_says says, enum clob_order_status status,
                                               uint64_t matched, const struct order_fills *fills)
{
    return (struct order_observation){ .says = says,
                                       .at_venue = { .status = status, .size = SHARES, .matched = matched },
                                       .fills = fills,
                                       .now_ms = NOW };
}

static void the_venues_word_becomes_a_status(void)
{
    static const struct {
        enum order_status was;
        enum order_type type;
        enum clob_order_status venue;
        uint64_t matched;
        enum order_status is;
        const char *event;
        bool corrected;
    } cases[] = {
        { ORDER_PENDING, ORDER_GTC, CLOB_LIVE, 0, ORDER_OPEN, NULL, false },
        { ORDER_PENDING, ORDER_GTC, CLOB_LIVE, HALF, ORDER_OPEN, "order.partially_filled", false },
        { ORDER_PENDING, ORDER_GTC, CLOB_MATCHED, SHARES, ORDER_FILLED, "order.filled", false },
        { ORDER_OPEN, ORDER_GTC, CLOB_LIVE, 0, ORDER_OPEN, NULL, false },
        { ORDER_OPEN, ORDER_GTC, CLOB_LIVE, HALF, ORDER_OPEN, "order.partially_filled", false },
        /* The list lags behind the match. */
        { ORDER_OPEN, ORDER_GTC, CLOB_LIVE, SHARES, ORDER_FILLED, "order.filled", false },
        { ORDER_OPEN, ORDER_GTC, CLOB_ENDED, SHARES, ORDER_FILLED, "order.filled", false },
        { ORDER_OPEN, ORDER_GTC, CLOB_ENDED, HALF, ORDER_CANCELLED, "order.cancelled", false },
        { ORDER_OPEN, ORDER_GTD, CLOB_ENDED, 0, ORDER_CANCELLED, "order.cancelled", false },
        /* Said to be matched before it is said how much. */
        { ORDER_OPEN, ORDER_GTC, CLOB_MATCHED, 0, ORDER_OPEN, NULL, false },
        { ORDER_OPEN, ORDER_FOK, CLOB_MATCHED, 0, ORDER_OPEN, NULL, false },
        { ORDER_OPEN, ORDER_FAK, CLOB_MATCHED, 0, ORDER_OPEN, NULL, false },
        { ORDER_OPEN, ORDER_FAK, CLOB_MATCHED, HALF, ORDER_CANCELLED, "order.cancelled", false },
        /* Less than can be traded is left. */
        { ORDER_OPEN, ORDER_GTC, CLOB_MATCHED, SHARES - 9999, ORDER_FILLED, "order.filled", false },
        { ORDER_OPEN, ORDER_GTC, CLOB_LIVE, SHARES - 10000, ORDER_OPEN, "order.partially_filled", false },
        /* It appears after its end was told. */
        { ORDER_REJECTED, ORDER_GTC, CLOB_LIVE, 0, ORDER_OPEN, "order.partially_filled", true },
        { ORDER_REJECTED, ORDER_GTC, CLOB_MATCHED, SHARES, ORDER_FILLED, "order.filled", true },
        { ORDER_REJECTED, ORDER_GTC, CLOB_ENDED, HALF, ORDER_CANCELLED, "order.cancelled", true },
        { ORDER_REJECTED, ORDER_GTC, CLOB_ENDED, 0, ORDER_REJECTED, NULL, false },
        { ORDER_CANCELLED, ORDER_GTC, CLOB_LIVE, 0, ORDER_OPEN, "order.partially_filled", true },
        { ORDER_CANCELLED, ORDER_GTC, CLOB_ENDED, HALF, ORDER_CANCELLED, "order.partially_filled", false },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct order o = order_of(cases[i].was, 0);
        struct order_fills fills = fills_none();
        struct order_observation s = observation_of(ORDER_SEEN, cases[i].venue, cases[i].matched, &fills);
        struct order_verdict v;

        o.type = cases[i].type;
        o.side = ORDER_SELL; /* a purchase at once is for money: see below */
        v = order_verdict(&o, &s);
        CHECK(v.status == cases[i].is && v.matched == cases[i].matched && v.settled == 0);
        CHECK(v.paid == cases[i].matched / ORDER_PRICE_ONE * 4000);
        CHECK(v.corrected == cases[i].corrected && v.missed == 0);
        CHECK((v.event == NULL) == (cases[i].event == NULL));
        if (v.event != NULL)
            CHECK_STR(v.event, cases[i].event);
        CHECK(order_wants_trades(&o, &s) == (cases[i].matched > 0));
    }
}

/* Size that a failed settlement gives back is open again, whether or not the venue still counts it. */
/* Buys 20 at 0.40 at once: for 8 dollars. */
static struct order order_for_money(enum order_type type, enum order_status status, uint64_t matched,
                                    uint64_t paid)
{
    struct order o = order_of(status, matched);

    o.type = type;
    o.paid = paid;
    return o;
}

static struct fill paid_of(const char *trade, enum fill_state state, uint64_t size, uint64_t paid)
{
    struct fill f = part_of(trade, state, size);

    f.paid = paid;
    return f;
}

/* 8 dollars bring 25 shares at 0.32: more than its size. The row says nothing of that, or too much. */
static void money_is_spent_and_brings_any_number_of_shares(void)
{
    static const enum order_says says[] = { ORDER_UNKNOWN, ORDER_UNAVAILABLE, ORDER_SEEN };

    for (size_t i = 0; i < 3; i++) {
        struct order o = order_for_money(ORDER_FOK, ORDER_OPEN, 0, 0);
        struct order_fills fills = fills_none();
        struct order_observation s = observation_of(says[i], CLOB_ENDED, 2 * SHARES, &fills);
        struct fill first = paid_of("a", FILL_MATCHED, 12000000, 4000000);
        struct fill second = paid_of("b", FILL_CONFIRMED, 13000000, 4000000);
        struct fill third = paid_of("c", FILL_MATCHED, 1, 20000);
        struct order_verdict v;

        CHECK(order_wants_trades(&o, &s) == (says[i] != ORDER_UNAVAILABLE));
        fills_merge(a, &o, &fills, &first);
        fills_merge(a, &o, &fills, &second);
        fills_merge(a, &o, &fills, &third); /* more money than it has */
        v = order_verdict(&o, &s);
        CHECK(fills.count == 2 && v.status == ORDER_FILLED && v.matched == 25000000 && v.paid == 8000000);
        CHECK(v.settled == 13000000 && !v.final && !v.corrected);
        CHECK_STR(v.event, "order.filled");
        first.state = FILL_CONFIRMED;
        fills_merge(a, &o, &fills, &first);
        CHECK(order_verdict(&o, &s).final && order_verdict(&o, &s).settled == 25000000);
    }
}

/* Rows do not say what was charged. */
static void takers_pay_the_fee_of_their_market(void)
{
    struct order o = order_of(ORDER_OPEN, 0);
    struct order_fills fills = fills_none();
    struct fill taker = part_of("a", FILL_MATCHED, HALF), maker = part_of("b", FILL_MATCHED, HALF);

    o.fee_rate = 70000000;
    o.fee_exponent = 1;
    maker.maker = true;
    fills_merge(a, &o, &fills, &taker);
    fills_merge(a, &o, &fills, &maker);
    CHECK(fills.list[0].fee == 168000 && fills.list[1].fee == 0); /* 10 x 0.07 x 0.24 */
}

/* The venue's rounding up hides no trade, and is not reported as spent. */
static void money_is_never_more_than_was_given(void)
{
    struct order o = order_for_money(ORDER_FAK, ORDER_OPEN, 0, 0);
    struct order_fills fills = fills_none();
    struct order_observation s = observation_of(ORDER_UNKNOWN, CLOB_ENDED, 0, &fills);
    struct fill part = paid_of("a", FILL_MATCHED, 25000000, 8000003);

    fills_merge(a, &o, &fills, &part);
    CHECK(fills.count == 1 && order_verdict(&o, &s).paid == 8000000);
    CHECK(order_verdict(&o, &s).status == ORDER_FILLED);
}

/* It ends by itself: an order that never rests needs no cancel. */
static void unknown_orders_that_never_rest_end(void)
{
    static const struct {
        enum order_type type;
        uint64_t paid;
        int64_t missed_ms;
        enum order_status is;
    } cases[] = {
        { ORDER_FAK, 4000000, 0, ORDER_OPEN },
        { ORDER_FAK, 4000000, AGAIN_MS - 1, ORDER_OPEN },
        { ORDER_FAK, 4000000, AGAIN_MS, ORDER_CANCELLED },
        { ORDER_FOK, 7900000, AGAIN_MS, ORDER_FILLED }, /* all or nothing: the venue keeps what it rounds */
        { ORDER_FAK, 0, PATIENCE_MS - 1, ORDER_OPEN },
        { ORDER_FAK, 0, PATIENCE_MS, ORDER_CANCELLED },
        { ORDER_FOK, 0, PATIENCE_MS, ORDER_CANCELLED },
        { ORDER_GTC, 4000000, PATIENCE_MS, ORDER_OPEN },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct order o = order_for_money(cases[i].type, ORDER_OPEN, 0, 0);
        struct order_fills fills = fills_none();
        struct order_observation s = observation_of(ORDER_UNKNOWN, 0, 0, &fills);
        struct fill part = paid_of("a", FILL_CONFIRMED, cases[i].paid * 2, cases[i].paid);
        struct order_verdict v;

        o.missed = cases[i].missed_ms > 0;
        o.polled_ms = NOW - cases[i].missed_ms;
        if (cases[i].paid > 0)
            fills_merge(a, &o, &fills, &part);
        v = order_verdict(&o, &s);
        CHECK(v.status == cases[i].is && v.matched == cases[i].paid * 2 && !v.final);
        if (v.status == ORDER_OPEN)
            continue;
        o.status = v.status; /* as it is stored, and looked at again */
        o.matched = v.matched;
        o.paid = v.paid;
        o.updated_ms = NOW - AGAIN_MS;
        v = order_verdict(&o, &s);
        CHECK(v.status == o.status && v.final && v.event == NULL);
    }
}

/* The venue answers an ended order with null: its trades are asked for, of any kind. */
static void an_ended_order_is_proven_by_its_trades(void)
{
    struct order o = order_of(ORDER_OPEN, 0);
    struct order_fills fills = fills_none();
    struct order_observation s = observation_of(ORDER_UNKNOWN, 0, 0, &fills);
    struct fill whole = part_of("a", FILL_CONFIRMED, SHARES);

    CHECK(order_wants_trades(&o, &s));
    fills_merge(a, &o, &fills, &whole);
    CHECK(order_verdict(&o, &s).status == ORDER_FILLED && order_verdict(&o, &s).final);
    fills = fills_none();
    s.cancelled = s.taken_back = true; /* its own answer is the venue's word, once */
    CHECK(order_verdict(&o, &s).status == ORDER_CANCELLED && !order_verdict(&o, &s).final);
    s.says = ORDER_UNAVAILABLE;
    CHECK(order_verdict(&o, &s).status == ORDER_OPEN);
}

static void a_failed_settlement_gives_its_size_back(void)
{
    static const uint64_t said[] = { SHARES, HALF };

    for (size_t i = 0; i < 2; i++) {
        struct order o = order_of(ORDER_FILLED, SHARES);
        struct order_fills fills = fills_none();
        struct fill failed = part_of("b", FILL_FAILED, HALF);
        struct order_observation s = observation_of(ORDER_SEEN, CLOB_LIVE, said[i], &fills);
        struct order_verdict v;

        o.updated_ms = NOW - 1;
        fills_store(&fills, "a", FILL_CONFIRMED, HALF);
        fills_store(&fills, "b", FILL_MINED, HALF);
        fills_merge(a, &o, &fills, &failed);
        CHECK(fills.news[1] && !fills.news[0] && fills.failed_now == HALF);
        v = order_verdict(&o, &s);
        CHECK(v.status == ORDER_OPEN && v.matched == HALF && v.settled == HALF && v.corrected && !v.final);
        CHECK(v.paid == HALF / 10 * 4);
        CHECK_STR(v.event, "order.partially_filled");
        s.at_venue.status = CLOB_MATCHED; /* it is off the book, and stays so */
        v = order_verdict(&o, &s);
        CHECK(v.status == ORDER_CANCELLED && v.corrected && !v.final);
        CHECK_STR(v.event, "order.cancelled");
        s.says = ORDER_UNAVAILABLE; /* the trade alone was read */
        v = order_verdict(&o, &s);
        CHECK(v.status == ORDER_OPEN && v.matched == HALF && v.corrected);
    }
}

/* It was matched whole and rests nowhere: without its trade it is over, whether the venue knows it or not. */
static void an_order_that_never_rests_ends_with_its_failed_trade(void)
{
    static const enum order_type types[] = { ORDER_FOK, ORDER_FAK, ORDER_GTC };

    for (size_t i = 0; i < 3; i++) {
        struct order o = order_of(ORDER_FILLED, SHARES);
        struct order_fills fills = fills_none();
        struct fill failed = part_of("a", FILL_FAILED, SHARES);
        struct order_observation s = observation_of(ORDER_UNKNOWN, 0, 0, &fills);
        struct order_verdict v;

        o.type = types[i];
        o.updated_ms = NOW - 1;
        fills_store(&fills, "a", FILL_MINED, SHARES);
        fills_merge(a, &o, &fills, &failed);
        v = order_verdict(&o, &s);
        CHECK(v.status == (types[i] == ORDER_GTC ? ORDER_OPEN : ORDER_CANCELLED) && v.matched == 0 &&
              !v.final);
        o = order_of(ORDER_OPEN, 0); /* as an earlier look recorded it */
        o.type = types[i];
        o.missed = 1;
        o.polled_ms = NOW - AGAIN_MS;
        v = order_verdict(&o, &s);
        CHECK(v.status == (types[i] == ORDER_GTC ? ORDER_OPEN : ORDER_CANCELLED));
    }
}

static void all_that_fails_is_taken_back(void)
{
    struct order o = order_of(ORDER_OPEN, HALF);
    struct order_fills fills = fills_none();
    struct fill failed = part_of("a", FILL_FAILED, HALF);
    struct order_observation s = observation_of(ORDER_SEEN, CLOB_LIVE, HALF, &fills);
    struct order_verdict v;

    o.updated_ms = NOW;
    fills_merge(a, &o, &fills, &failed); /* was never seen before it failed */
    v = order_verdict(&o, &s);
    CHECK(v.status == ORDER_OPEN && v.matched == 0 && v.paid == 0 && v.corrected);
    CHECK_STR(v.event, "order.partially_filled");
}

/* In a single look, the order may be older than its trades, or younger. */
static void older_observations_take_nothing_back(void)
{
    struct order o = order_of(ORDER_OPEN, SHARES / 4);
    struct order_fills fills = fills_none();
    struct order_observation s = observation_of(ORDER_SEEN, CLOB_LIVE, 0, &fills);

    fills_store(&fills, "a", FILL_CONFIRMED, SHARES / 4);
    CHECK(order_verdict(&o, &s).matched == SHARES / 4 && order_verdict(&o, &s).event == NULL);
    s.at_venue.matched = HALF;
    CHECK(order_verdict(&o, &s).matched == HALF && order_wants_trades(&o, &s));
    o.matched = HALF; /* said a moment ago, and no trade is known yet */
    o.updated_ms = NOW - PATIENCE_MS + 1;
    s.at_venue.matched = SHARES / 4;
    CHECK(order_verdict(&o, &s).matched == HALF);
    o.updated_ms = NOW - PATIENCE_MS;
    CHECK(order_verdict(&o, &s).matched == SHARES / 4 && order_verdict(&o, &s).corrected);
}

static void orders_are_final_with_settled_trades(void)
{
    struct order o = order_of(ORDER_FILLED, SHARES);
    struct order_fills fills = fills_none();
    struct order_observation s = observation_of(ORDER_UNKNOWN, 0, 0, &fills);
    struct fill confirmed = part_of("a", FILL_CONFIRMED, SHARES);
    struct order_verdict v = order_verdict(&o, &s);

    CHECK(!v.final && v.status == ORDER_FILLED && order_wants_trades(&o, &s)); /* no trade is known yet */
    fills_store(&fills, "a", FILL_MATCHED, SHARES);
    v = order_verdict(&o, &s);
    CHECK(v.status == ORDER_FILLED && !v.final && v.settled == 0 && order_wants_trades(&o, &s));
    fills_merge(a, &o, &fills, &confirmed);
    v = order_verdict(&o, &s);
    CHECK(v.status == ORDER_FILLED && v.final && v.settled == SHARES && v.event == NULL);
    CHECK(!order_wants_trades(&o, &s));
}

static void a_cancel_is_final_when_it_was_seen_twice(void)
{
    struct order o = order_of(ORDER_OPEN, 0);
    struct order_fills fills = fills_none();
    struct order_observation s = observation_of(ORDER_SEEN, CLOB_ENDED, 0, &fills);

    CHECK(!order_verdict(&o, &s).final);
    o.status = ORDER_CANCELLED;
    o.updated_ms = NOW - AGAIN_MS + 1;
    CHECK(!order_verdict(&o, &s).final);
    o.updated_ms = NOW - AGAIN_MS;
    CHECK(order_verdict(&o, &s).final && order_verdict(&o, &s).event == NULL);
    s.at_venue.matched = HALF; /* it was matched just before */
    CHECK(!order_verdict(&o, &s).final);
    CHECK_STR(order_verdict(&o, &s).event, "order.partially_filled");
}

static void an_unknown_order_stays_until_it_cannot_be_matched(void)
{
    struct order o = order_of(ORDER_OPEN, 0);
    struct order_fills fills = fills_none();
    struct order_observation s = observation_of(ORDER_UNKNOWN, 0, 0, &fills);
    struct order_verdict v = order_verdict(&o, &s);

    s.cancelled = true;
    CHECK(v.status == ORDER_OPEN && v.missed == 1 && v.event == NULL && !order_wants_cancel(&o, NOW));
    CHECK(order_verdict(&o, &s).status == ORDER_OPEN);
    o.missed = 1;
    o.polled_ms = NOW - PATIENCE_MS + 1;
    CHECK(!order_wants_cancel(&o, NOW) && order_wants_cancel(&o, NOW + 1));
    s.cancelled = false;
    CHECK(order_verdict(&o, &s).status == ORDER_OPEN);
    o.polled_ms = NOW - AGAIN_MS + 1;
    s.cancelled = true;
    CHECK(order_verdict(&o, &s).status == ORDER_OPEN);
    o.polled_ms--;
    v = order_verdict(&o, &s);
    CHECK(v.status == ORDER_CANCELLED && !v.final);
    CHECK_STR(v.event, "order.cancelled");
    s.says = ORDER_UNAVAILABLE;
    CHECK(order_verdict(&o, &s).status == ORDER_OPEN && order_verdict(&o, &s).missed == 1);
    s.says = ORDER_SEEN;
    s.at_venue.status = CLOB_LIVE;
    CHECK(order_verdict(&o, &s).status == ORDER_OPEN && order_verdict(&o, &s).missed == 0);
}

static void an_expired_order_ends_without_a_cancel(void)
{
    struct order o = order_of(ORDER_OPEN, 0);
    struct order_fills fills = fills_none();
    struct order_observation s = observation_of(ORDER_UNKNOWN, 0, 0, &fills);

    o.type = ORDER_GTD;
    o.missed = 1;
    o.polled_ms = NOW - AGAIN_MS;
    o.expires_ms = NOW - PATIENCE_MS;
    CHECK(order_verdict(&o, &s).status == ORDER_OPEN);
    o.expires_ms--;
    CHECK(order_verdict(&o, &s).status == ORDER_CANCELLED);
    s.says = ORDER_SEEN; /* it is the venue that decides */
    s.at_venue.status = CLOB_LIVE;
    CHECK(order_verdict(&o, &s).status == ORDER_OPEN);
}

/* Whether it was ever taken is decided elsewhere. */
static void a_pending_order_is_left_alone_until_it_is_seen(void)
{
    struct order o = order_of(ORDER_PENDING, 0);
    struct order_fills fills = fills_none();
    struct order_observation s = observation_of(ORDER_UNKNOWN, 0, 0, &fills);
    struct fill traded = part_of("a", FILL_MATCHED, HALF);
    struct order_verdict v = order_verdict(&o, &s);

    s.cancelled = true;
    CHECK(v.status == ORDER_PENDING && v.missed == 0 && v.event == NULL && !v.final);
    fills_merge(a, &o, &fills, &traded);
    CHECK(order_verdict(&o, &s).status == ORDER_OPEN && order_verdict(&o, &s).matched == HALF);
}

static void requested_cancels_are_sent_at_once(void)
{
    struct order o = order_of(ORDER_OPEN, 0);

    CHECK(!order_wants_cancel(&o, NOW));
    o.cancel_requested_ms = NOW;
    CHECK(order_wants_cancel(&o, NOW));
    o.status = ORDER_PENDING;
    CHECK(order_wants_cancel(&o, NOW));
    o.status = ORDER_FILLED;
    CHECK(!order_wants_cancel(&o, NOW));
}

static void fills_are_merged_once(void)
{
    struct order o = order_of(ORDER_OPEN, 0);
    struct order_fills fills = fills_none();
    struct fill part = part_of("a", FILL_MATCHED, HALF), other = part_of("b", FILL_MATCHED, HALF + 1);

    fills_merge(a, &o, &fills, &part);
    fills_merge(a, &o, &fills, &part); /* the venue says it twice */
    CHECK(fills.count == 1 && fills.news[0] && fills.list[0].execution_id == 7 && fills_any_news(&fills));
    fills_merge(a, &o, &fills, &other); /* more than the order has */
    CHECK(fills.count == 1);
    fills.news[0] = false;
    fills_merge(a, &o, &fills, &part);
    CHECK(!fills_any_news(&fills));
    part.has_tx = true;
    part.tx_hash[0] = 9;
    fills_merge(a, &o, &fills, &part);
    CHECK(fills.news[0] && fills.list[0].has_tx && fills.list[0].tx_hash[0] == 9);
    part.state = FILL_FAILED;
    fills_merge(a, &o, &fills, &part);
    CHECK(fills.list[0].state == FILL_FAILED);
    part.state = FILL_MINED; /* stays failed */
    fills_merge(a, &o, &fills, &part);
    CHECK(fills.list[0].state == FILL_FAILED);
    fills_merge(a, &o, &fills, &other); /* there is room again */
    CHECK(fills.count == 2);
    part.state = FILL_CONFIRMED; /* now both would be more than the order has */
    fills_merge(a, &o, &fills, &part);
    CHECK(fills.list[0].state == FILL_FAILED);
    other.state = FILL_CONFIRMED;
    fills_merge(a, &o, &fills, &other);
    other.state = FILL_FAILED;
    fills_merge(a, &o, &fills, &other);
    CHECK(fills.list[1].state == FILL_CONFIRMED);
}

/* ---- all that may come together ---- */

static void verdict_check(const struct order *o, const struct order_observation *s)
{
    const struct order_verdict v = order_verdict(o, s);
    const struct fill_sums sums = fills_sum(s->fills);
    bool told = v.event != NULL;

    CHECK(v.matched <= SHARES && v.settled <= v.matched && v.matched >= sums.matched);
    CHECK((v.status == ORDER_FILLED) == (v.matched == SHARES));
    CHECK(!v.final || v.status == ORDER_REJECTED || (sums.all_settled && v.matched == v.settled));
    CHECK(!v.final || v.status == ORDER_FILLED || v.status == o->status);
    CHECK(told == (v.matched != o->matched || v.corrected ||
                   (v.status != o->status && (v.status == ORDER_FILLED || v.status == ORDER_CANCELLED))));
    if (s->says != ORDER_SEEN && v.matched == o->matched && o->status == ORDER_OPEN && o->missed == 0)
        CHECK(v.status == (v.matched == SHARES ? ORDER_FILLED : ORDER_OPEN));
    if (o->status == ORDER_REJECTED && s->says != ORDER_SEEN && sums.matched == 0 && o->matched == 0)
        CHECK(v.status == ORDER_REJECTED);
}

static void verdict_check_fills(struct order *o, struct order_observation *s)
{
    struct order_fills fills;

    s->fills = &fills;
    for (int first = 0; first <= FILL_FAILED; first++)
        for (int second = 0; second <= FILL_FAILED; second++)
            for (int now = 0; now <= FILL_FAILED; now++) {
                struct fill part = part_of("b", (enum fill_state)now, HALF);

                fills = fills_none();
                if (first != 0)
                    fills_store(&fills, "a", (enum fill_state)first, HALF);
                if (second != 0)
                    fills_store(&fills, "b", (enum fill_state)second, HALF);
                if (now != 0)
                    fills_merge(a, o, &fills, &part);
                verdict_check(o, s);
            }
}

static void nothing_breaks_the_rules(void)
{
    static const uint64_t amounts[] = { 0, HALF, SHARES };

    for (int was = ORDER_PENDING; was <= ORDER_REJECTED; was++)
        for (int says = ORDER_UNAVAILABLE; says <= ORDER_SEEN; says++)
            for (int venue = CLOB_LIVE; venue <= CLOB_ENDED; venue++)
                for (unsigned i = 0; i < 3 * 3 * 16; i++) {
                    struct order o = order_of((enum order_status)was, amounts[i % 3]);
                    struct order_observation s = observation_of(
                        (enum order_says)says, (enum clob_order_status)venue, amounts[i / 3 % 3], NULL);
                    unsigned more = i / 9;

                    o.missed = more & 1;
                    o.type = more & 2 ? ORDER_FAK : ORDER_GTC;
                    o.side = more & 2 ? ORDER_SELL : ORDER_BUY;
                    o.updated_ms = more & 4 ? NOW : o.updated_ms;
                    s.cancelled = more & 8;
                    verdict_check_fills(&o, &s);
                }
}

TEST_MAIN(TEST(the_venues_word_becomes_a_status), TEST(money_is_spent_and_brings_any_number_of_shares),
          TEST(takers_pay_the_fee_of_their_market), TEST(money_is_never_more_than_was_given),
          TEST(unknown_orders_that_never_rest_end), TEST(an_ended_order_is_proven_by_its_trades),
          TEST(a_failed_settlement_gives_its_size_back),
          TEST(an_order_that_never_rests_ends_with_its_failed_trade), TEST(all_that_fails_is_taken_back),
          TEST(older_observations_take_nothing_back), TEST(orders_are_final_with_settled_trades),
          TEST(a_cancel_is_final_when_it_was_seen_twice),
          TEST(an_unknown_order_stays_until_it_cannot_be_matched),
          TEST(an_expired_order_ends_without_a_cancel), TEST(a_pending_order_is_left_alone_until_it_is_seen),
          TEST(requested_cancels_are_sent_at_once), TEST(fills_are_merged_once),
          TEST(nothing_breaks_the_rules))
