#include "base/test.h"
#include "route/price_feed.c"

static struct arena *a;
static struct feed_price *coins;

static bool read_text(const char *text)
{
    struct buf answer = BUF_INIT(64 * 1024);
    bool ok;

    buf_adds(&answer, text);
    ok = feed_read(coins, &answer);
    buf_free(&answer);
    return ok;
}

static const struct feed_price *coin(const char *symbol)
{
    return &coins[feed_find(symbol)];
}

/* As CoinGecko answers, with what it leaves out and how it writes small numbers. */
static void an_answer_is_read_digit_by_digit(void)
{
    CHECK(read_text(
        "{\"ethereum\":{\"usd\":2998.35,\"usd_24h_change\":-1.2345678901234567},\"bitcoin\":{\"usd\":60123,\"usd_24h_change\":0.5},\"bonk\":{\"usd\":1.234e-05,\"usd_24h_change\":null},\"solana\":{\"usd\":0.1,\"usd_24h_change\":2e1},\"tether\":{},\"dai\":{\"usd\":null},\"ripple\":{\"usd\":2}}"));
    CHECK_STR(amount_text(a, coin("ETH")->usd), "2998.35");
    CHECK(coin("ETH")->has_usd && coin("ETH")->has_change && coin("ETH")->change_minus);
    CHECK_STR(amount_text(a, coin("ETH")->change), "1.2345678901234567");
    CHECK_STR(amount_text(a, coin("WETH")->usd), "2998.35");
    CHECK_STR(amount_text(a, coin("BTC")->usd), "60123");
    CHECK(!coin("BTC")->change_minus);
    CHECK_STR(amount_text(a, coin("BONK")->usd), "0.00001234");
    CHECK(!coin("BONK")->has_change);
    CHECK_STR(amount_text(a, coin("SOL")->usd), "0.1"); /* which no binary fraction is */
    CHECK_STR(amount_text(a, coin("SOL")->change), "20");
    CHECK(!coin("USDT")->has_usd && !coin("DAI")->has_usd && !coin("ARB")->has_usd);
}

static void prices_that_are_none(void)
{
    static const char *const values[] = { "0", "0.0", "-1", "null", "true", "{}", "[1]", "\"free\"", "1e99" };

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        CHECK(read_text(arena_printf(a, "{\"ethereum\":{\"usd\":%s}}", values[i])));
        CHECK(!coin("ETH")->has_usd);
    }
}

static void feed_answers_that_are_none(void)
{
    static const char *const texts[] = { "",         "x",   "[]", "null",          "1", "{\"ethereum\":",
                                         "\"text\"", "{1}", "-",  "<html></html>", "\\" };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        CHECK(!read_text(texts[i]));
        CHECK(!coin("ETH")->has_usd);
    }
    CHECK(read_text("{\"status\":{\"error_code\":429,\"error_message\":\"limit \\\"1\\\" {2\"}}"));
    CHECK(read_text("{\"ethereum\":5}") && !coin("ETH")->has_usd);
}

/* One request asks for every coin once; the query of the operator's URL stays. */
static void one_request_asks_for_all_coins(void)
{
    const char *url = feed_url(a, "https://feed.example/simple/price");

    CHECK(strncmp(url, "https://feed.example/simple/price?ids=ethereum,bitcoin,", 54) == 0);
    CHECK(strstr(url, "&vs_currencies=usd&include_24hr_change=true") != NULL);
    CHECK(strstr(strstr(url, "ethereum") + 1, "ethereum") == NULL);
    CHECK(strstr(url, ",solana,") != NULL);
    CHECK(strstr(feed_url(a, "https://feed.example/p?key=1"), "/p?key=1&ids=ethereum,") != NULL);
    CHECK(feed_find("NOPE") == -1 && feed_find("JitoSOL") == feed_find("JITOSOL"));
    CHECK(feed_find("JitoSOL") >= 0 && feed_find("xDAI") >= 0);
}

static void price_feed_test_start(void)
{
    a = arena_new();
    coins = ARENA_ARRAY(a, struct feed_price, (size_t)feed_coins_count);
}

static void price_feed_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(price_feed_test_start), TEST(an_answer_is_read_digit_by_digit), TEST(prices_that_are_none),
          TEST(feed_answers_that_are_none), TEST(one_request_asks_for_all_coins), TEST(price_feed_test_end))
