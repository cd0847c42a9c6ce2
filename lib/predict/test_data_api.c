#include "predict/data_api.c"

#include "base/test.h"

#define HASH_A "\"transactionHash\":\"0x1111111111111111111111111111111111111111111111111111111111111111\""
#define HASH_B "\"transactionHash\":\"0x2222222222222222222222222222222222222222222222222222222222222222\""
#define TRADE  "\"side\":\"BUY\",\"asset\":\"11\",\"size\":20.50,\"price\":0.4,\"outcome\":\"Yes\""

static struct arena *a;

static bool read_trades(const char *text, uint64_t max, struct market_trade **out, size_t *n)
{
    struct buf answer = { .data = (char *)(uintptr_t)text, .len = strlen(text) };

    return data_read_trades(a, &answer, max, out, n);
}

static void the_newest_come_first(void)
{
    struct market_trade *list;
    size_t n;

    a = arena_new();
    CHECK(read_trades("[{" TRADE "," HASH_A ",\"timestamp\":1000},{" TRADE "," HASH_B ",\"timestamp\":2000},"
                      "{" TRADE "," HASH_A ",\"timestamp\":1000},{" TRADE
                      ",\"timestamp\":3000},{\"side\":\"HOLD\"}]",
                      20, &list, &n));
    CHECK(n == 3 && list[0].time_ms == 2000000);
    CHECK_STR(list[0].size, "20.50");
    CHECK(strlen(list[1].id) == 66);
    CHECK(strcmp(list[2].id + 66, "-1") == 0 && strncmp(list[1].id, list[2].id, 66) == 0);
    CHECK(read_trades("[{" TRADE "," HASH_A ",\"timestamp\":1000},{" TRADE "," HASH_B ",\"timestamp\":2000}]",
                      1, &list, &n) &&
          n == 1 && list[0].time_ms == 2000000);
}

static void what_is_no_list_is_refused(void)
{
    struct market_trade *list;
    size_t n;

    CHECK(!read_trades("{}", 20, &list, &n) && !read_trades("", 20, &list, &n));
    CHECK(read_trades("[]", 20, &list, &n) && n == 0);
    arena_free(a);
}

TEST_MAIN(TEST(the_newest_come_first), TEST(what_is_no_list_is_refused))
