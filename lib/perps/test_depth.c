#include "perps/depth.c"

#include "base/test.h"

#define BOOK(bids, asks) "{\"coin\":\"ETH\",\"time\":1790000000000,\"levels\":[[" bids "],[" asks "]]}"
#define LEVEL(px, sz)    "{\"px\":\"" px "\",\"sz\":\"" sz "\",\"n\":1}"

static struct arena *a;

static bool read_depth(struct perps_depth *d, const char *text)
{
    struct buf answer = { .data = (char *)(uintptr_t)text, .len = strlen(text) };

    return perps_read_depth(a, &answer, "ETH", d);
}

/* The cost of an amount; NULL where the book has less. */
static const char *cost_of(const struct perps_level *side, size_t count, const char *size)
{
    struct amount n, cost;

    return perps_amount(&n, size) && perps_depth_cost(&cost, side, count, n) ? amount_text(a, cost) : NULL;
}

static void levels_are_taken_one_after_the_other(void)
{
    struct perps_depth d;

    a = arena_new();
    CHECK(read_depth(&d, BOOK(LEVEL("2999.5", "1.5") "," LEVEL("2999.0", "2"),
                              LEVEL("3000.10", "0.5000") "," LEVEL("3001", "2"))));
    CHECK(d.bid_count == 2 && d.ask_count == 2);
    CHECK_STR(d.asks[0].price, "3000.1");
    CHECK_STR(d.asks[0].size, "0.5");
    CHECK_STR(cost_of(d.asks, d.ask_count, "0.5"), "1500.05");
    CHECK_STR(cost_of(d.asks, d.ask_count, "0.0001"), "0.30001");
    CHECK_STR(cost_of(d.asks, d.ask_count, "1"), "3000.55");
    CHECK_STR(cost_of(d.asks, d.ask_count, "2.5"), "7502.05");
    CHECK(cost_of(d.asks, d.ask_count, "2.5001") == NULL);
    CHECK_STR(cost_of(d.bids, d.bid_count, "2"), "5998.75");
}

static void a_side_may_be_empty(void)
{
    struct perps_depth d;

    CHECK(read_depth(&d, BOOK("", LEVEL("3000", "1"))) && d.bid_count == 0 && d.ask_count == 1);
    CHECK(cost_of(d.bids, d.bid_count, "0.0001") == NULL);
    CHECK(read_depth(&d, BOOK(LEVEL("3000", "1"), "")) && d.bid_count == 1 && d.ask_count == 0);
    CHECK(read_depth(&d, BOOK("", "")) && d.bid_count == 0 && d.ask_count == 0);
}

static void malformed_books_are_refused(void)
{
    static const char *const bad[] = {
        "",
        "null",
        "{}",
        "[]",
        "{\"coin\":\"ETH\"}",
        "{\"coin\":\"BTC\",\"levels\":[[],[]]}",
        "{\"levels\":[[],[]]}",
        "{\"coin\":\"ETH\",\"levels\":[[]]}",
        "{\"coin\":\"ETH\",\"levels\":[[],[],[]]}",
        "{\"coin\":\"ETH\",\"levels\":[{},[]]}",
        BOOK(LEVEL("3001", "1"), LEVEL("3000", "1")),
        BOOK(LEVEL("3000", "1"), LEVEL("3000", "1")),
        BOOK(LEVEL("2998", "1") "," LEVEL("2999", "1"), ""),
        BOOK("", LEVEL("3001", "1") "," LEVEL("3000", "1")),
        BOOK("", LEVEL("3000", "1") "," LEVEL("3000.0", "1")),
        BOOK("", LEVEL("-3000", "1")),
        BOOK("", LEVEL("0", "1")),
        BOOK("", LEVEL("3000", "0.0")),
        BOOK("", LEVEL("NaN", "1")),
        BOOK("", LEVEL("3e3", "1")),
        BOOK("", LEVEL("3000.000000001", "1")),
        BOOK("", LEVEL("3000", "")),
        BOOK("", "{\"px\":\"3000\"}"),
        BOOK("", "null"),
    };
    struct perps_depth d;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!read_depth(&d, bad[i]));
}

static void more_than_numbers_hold_is_not_there(void)
{
    static const struct perps_level most = { "9999999999999999999999999999999999999999",
                                             "9999999999999999999999999999999999999999" };

    CHECK(cost_of(&most, 1, "9999999999999999999999999999999999999999") == NULL);
}

static void a_book_is_kept_as_it_was(void)
{
    struct perps_depth d, again;
    struct json_writer w;
    const char *text;

    CHECK(read_depth(&d, BOOK(LEVEL("2999.50", "1.5"), LEVEL("3000.1", "0.5") "," LEVEL("3001", "2"))));
    jw_init(&w, a, 4096);
    jw_object(&w, NULL);
    perps_depth_write(&w, &d);
    jw_end(&w);
    text = jw_finish(&w);
    CHECK_STR(text, "{\"bids\":[{\"price\":2999.5,\"size\":1.5}],"
                    "\"asks\":[{\"price\":3000.1,\"size\":0.5},{\"price\":3001,\"size\":2}]}");
    CHECK(perps_depth_of(a, text, &again) && again.bid_count == 1 && again.ask_count == 2);
    CHECK_STR(again.asks[1].price, "3001");
    arena_free(a);
}

TEST_MAIN(TEST(levels_are_taken_one_after_the_other), TEST(a_side_may_be_empty),
          TEST(malformed_books_are_refused), TEST(more_than_numbers_hold_is_not_there),
          TEST(a_book_is_kept_as_it_was))
