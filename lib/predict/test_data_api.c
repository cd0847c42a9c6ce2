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

static void malformed_lists_are_refused(void)
{
    struct market_trade *list;
    size_t n;

    CHECK(!read_trades("{}", 20, &list, &n) && !read_trades("", 20, &list, &n));
    CHECK(read_trades("[]", 20, &list, &n) && n == 0);
    arena_free(a);
}

#define HOLDER "0x52908400098527886e0f7030069857d2e4169ee7"
#define POSITION(holder, size, more)                                                                         \
    "{\"proxyWallet\":\"" holder "\",\"asset\":\"91\",\"conditionId\":\"0x11111111111111111111111111111111"  \
    "11111111111111111111111111111111\",\"size\":" size ",\"avgPrice\":0.4,\"curPrice\":1e-3,"               \
    "\"title\":\"Will it rain?\",\"outcome\":\"Yes\"" more "}"

static void positions_are_those_of_the_wallet(void)
{
    struct buf answer = BUF_INIT(10000);
    struct market_position *list;
    size_t n, rows;

    a = arena_new();
    buf_adds(
        &answer,
        "[" POSITION(HOLDER, "10.5", ",\"cashPnl\":-1.25e-3,\"realizedPnl\":-0.0000001") ",null,{}," POSITION(
            "0x0000000000000000000000000000000000000001", "3",
            "") "," POSITION(HOLDER, "0.0",
                             "") "," POSITION(HOLDER, "-1",
                                              "") "," POSITION(HOLDER, "2",
                                                               ",\"cashPnl\":\"much\",\"realizedPnl\":1e300") "]");
    CHECK(data_read_positions(a, &answer, "0x52908400098527886E0F7030069857D2E4169EE7", &list, &n, &rows));
    CHECK(n == 2 && rows == 7);
    CHECK_STR(list[0].size, "10.5");
    CHECK_STR(list[0].token, "91");
    CHECK_STR(list[0].average_price, "0.4");
    CHECK_STR(list[0].price, "0.001");
    CHECK_STR(list[0].unrealized_profit, "-0.00125");
    CHECK_STR(list[0].realized_profit, "0");
    CHECK_STR(list[0].question, "Will it rain?");
    CHECK_STR(list[1].size, "2");
    CHECK(list[1].unrealized_profit == NULL && list[1].realized_profit == NULL);
    buf_free(&answer);
    buf_adds(&answer, "{\"error\":\"x\"}");
    CHECK(!data_read_positions(a, &answer, HOLDER, &list, &n, &rows) && n == 0);
    buf_free(&answer);
    arena_free(a);
}

TEST_MAIN(TEST(the_newest_come_first), TEST(malformed_lists_are_refused),
          TEST(positions_are_those_of_the_wallet))
