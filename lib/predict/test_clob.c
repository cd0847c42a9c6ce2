#include "predict/clob.c"

#include "base/test.h"

static struct arena *a;

static bool read_book(struct book *b, const char *text)
{
    struct buf answer = { .data = (char *)(uintptr_t)text, .len = strlen(text) };

    return clob_read_book(a, &answer, b);
}

/* The service sends the worst levels first. */
static void the_best_levels_come_first(void)
{
    struct book b;

    a = arena_new();
    CHECK(read_book(
        &b,
        "{\"market\":\"0x1\",\"bids\":[{\"price\":\"0.01\",\"size\":\"9\"},{\"price\":\"0.4\",\"size\":\"1.5\"},"
        "{\"price\":\"0.39\",\"size\":\"3\"}],\"asks\":[{\"price\":\"0.99\",\"size\":\"5\"},{\"price\":\"0.43\",\"size\":\"2\"}],"
        "\"tick_size\":\"0.01\",\"min_order_size\":5,\"last_trade_price\":\"0.41\"}"));
    CHECK(b.bid_count == 3 && b.ask_count == 2);
    CHECK_STR(b.bids[0].price, "0.4");
    CHECK_STR(b.bids[2].price, "0.01");
    CHECK_STR(b.asks[0].price, "0.43");
    CHECK_STR(b.asks[0].size, "2");
    CHECK_STR(b.min_size, "5");
    CHECK_STR(book_midpoint(a, &b), "0.415");
}

static void a_side_without_levels(void)
{
    struct book b;

    CHECK(read_book(
        &b, "{\"bids\":[],\"asks\":[{\"price\":\"0.43\",\"size\":\"2\"}],\"last_trade_price\":\"0.4\"}"));
    CHECK_STR(book_midpoint(a, &b), "0.4");
    CHECK(read_book(&b, "{\"bids\":[],\"asks\":[]}") && book_midpoint(a, &b) == NULL);
}

static void crossed_and_absurd_books_have_no_midpoint(void)
{
    static const char *const bad[] = {
        "{\"bids\":[{\"price\":\"0.44\",\"size\":\"1\"}],\"asks\":[{\"price\":\"0.43\",\"size\":\"2\"}]}",
        "{\"bids\":[{\"price\":\"5\",\"size\":\"1\"}],\"asks\":[{\"price\":\"7\",\"size\":\"2\"}]}",
        "{\"bids\":[{\"price\":\"0.4\",\"size\":\"1\"}],\"asks\":[{\"price\":\"1e300\",\"size\":\"2\"}]}",
        "{\"bids\":[],\"asks\":[],\"last_trade_price\":\"40\"}",
        "{\"bids\":[],\"asks\":[],\"last_trade_price\":\"-0.4\"}",
    };
    struct book b;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!read_book(&b, bad[i]) || book_midpoint(a, &b) == NULL);
}

static void malformed_books_are_refused(void)
{
    static const char *const bad[] = { "",
                                       "[]",
                                       "{}",
                                       "{\"bids\":[]}",
                                       "{\"bids\":[],\"asks\":[{}]}",
                                       "{\"bids\":[{\"price\":\"x\",\"size\":\"1\"}],\"asks\":[]}",
                                       "{\"bids\":[{\"price\":\"0.1\"}],\"asks\":[]}" };
    struct book b;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!read_book(&b, bad[i]));
    arena_free(a);
}

TEST_MAIN(TEST(the_best_levels_come_first), TEST(a_side_without_levels),
          TEST(crossed_and_absurd_books_have_no_midpoint), TEST(malformed_books_are_refused))
