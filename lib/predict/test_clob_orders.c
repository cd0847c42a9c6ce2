#include "predict/clob_orders.c"

#include "base/test.h"

static struct arena *a;

#define HASH_1 "0x1111111111111111111111111111111111111111111111111111111111111111"
#define HASH_2 "0x2222222222222222222222222222222222222222222222222222222222222222"

static struct buf order_answer(const char *text)
{
    return (struct buf){ .data = (char *)(uintptr_t)text, .len = strlen(text) };
}

static struct clob_page orders_page(const char *text, bool fine)
{
    struct buf answer = order_answer(text);
    struct clob_page page;

    CHECK(clob_read_orders(a, &answer, &page) == fine);
    return page;
}

static struct clob_page trades_page(const char *text, bool fine)
{
    struct buf answer = order_answer(text);
    struct clob_page page;

    CHECK(clob_read_trades(a, &answer, &page) == fine);
    return page;
}

static const char *order_row(const char *status, const char *size, const char *matched)
{
    return arena_printf(
        a, "{\"id\":\"" HASH_1 "\",\"status\":\"%s\",\"original_size\":\"%s\",\"size_matched\":%s}", status,
        size, matched);
}

static void an_order_is_read_with_its_status_in_any_spelling(void)
{
    static const struct word cases[] = {
        { "LIVE", CLOB_LIVE },
        { "ORDER_STATUS_LIVE", CLOB_LIVE },
        { "live", CLOB_LIVE },
        { "order_status_matched", CLOB_MATCHED },
        { "Canceled", CLOB_ENDED },
        { "CANCELLED", CLOB_ENDED },
        { "ORDER_STATUS_", 0 },
        { "LIVELY", 0 },
        { "", 0 },
        { "ORDER_STATUS_CANCELED_MARKET_RESOLVED", CLOB_ENDED },
        { "ORDER_STATUS_INVALID", CLOB_ENDED },
        { "CANCELED_order couldn't be fully filled. FOK orders are fully filled or killed.", CLOB_ENDED },
        { "ORDER_STATUS_CANCELED_order is done", CLOB_ENDED },
        { "MATCHED now", CLOB_MATCHED },
        { "LIVE_", CLOB_LIVE },
        { "_LIVE", 0 },
    };

    a = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *row = order_row(cases[i].text, "20", "\"7.5\"");
        struct clob_page page = orders_page(
            arena_printf(a, "{\"data\":[%s],\"next_cursor\":\"LTE=\",\"limit\":100,\"count\":1}", row), true);
        struct buf answer = order_answer(row);
        struct clob_order one;
        bool known;

        CHECK(page.count == (cases[i].value != 0) && page.next == NULL);
        CHECK(clob_read_order(&answer, &one, &known) == (cases[i].value != 0) && known);
        if (page.count == 0)
            continue;
        CHECK((int)page.orders[0].status == cases[i].value && (int)one.status == cases[i].value);
        CHECK(page.orders[0].size == 20000000 && page.orders[0].matched == 7500000);
        CHECK(page.orders[0].hash[0] == 0x11 && page.orders[0].hash[31] == 0x11);
    }
    arena_free(a);
}

static bool terms_are_read(const char *price, const char *type, const char *expiration)
{
    const char *row = arena_printf(
        a,
        "{\"id\":\"" HASH_1 "\",\"status\":\"LIVE\",\"original_size\":\"20\",\"size_matched\":\"0\","
        "\"asset_id\":\"77\",\"side\":\"SELL\",\"price\":\"%s\",\"order_type\":\"%s\","
        "\"created_at\":1700000000,\"expiration\":\"%s\"}",
        price, type, expiration);
    struct clob_page page = orders_page(arena_printf(a, "{\"data\":[%s]}", row), true);
    const struct clob_order *o = page.orders;

    CHECK(page.count == 1 && o->status == CLOB_LIVE);
    return o->has_terms && u256_cmp(o->token, u256_from_u64(77)) == 0 && o->side == ORDER_SELL &&
           o->price == 625 && o->created_ms == 1700000000000;
}

/* An order is one without them, too: they matter where nothing else says them. */
static void terms_of_orders_are_read(void)
{
    a = arena_new();
    CHECK(terms_are_read("0.0625", "GTC", "0") && terms_are_read("0.0625", "GTD", "1800000000"));
    CHECK(!terms_are_read("0.06251", "GTC", "0") && !terms_are_read("0", "GTC", "0"));
    CHECK(!terms_are_read("1", "GTC", "0") && !terms_are_read("0.0625", "GTX", "0"));
    CHECK(!terms_are_read("0.0625", "GTC", "soon"));
    CHECK(!orders_page("{\"data\":[{\"id\":\"" HASH_1 "\",\"status\":\"LIVE\",\"original_size\":\"20\","
                       "\"size_matched\":\"0\"}]}",
                       true)
               .orders[0]
               .has_terms);
    arena_free(a);
}

/* A size as a JSON number is one too; nothing passes through floating point. */
static void sizes_are_decimals(void)
{
    static const struct {
        const char *size, *matched;
        bool fine;
    } cases[] = {
        { "20", "7.5", true },
        { "20", "\"20\"", true },
        { "20", "\"20.000001\"", true }, /* more than there is: of what spends, sizes are in collateral */
        { "20", "\"-1\"", false },
        { "20", "\"1e1\"", false },
        { "20", "\"NaN\"", false },
        { "20", "null", false },
        { "20", "[1]", false },
        { "20", "\"\"", true }, /* it does not say */
        { "", "\"\"", false },
        { "9223372036854", "1", true },
        { "9223372036854775808", "1", false },
        { "99999999999999999999999999999999999999999999999999", "1", false },
        { "", "0", false },
    };

    a = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK(orders_page(arena_printf(a, "{\"data\":[%s],\"next_cursor\":\"\"}",
                                       order_row("LIVE", cases[i].size, cases[i].matched)),
                          true)
                  .count == cases[i].fine);
    arena_free(a);
}

static void rows_that_make_no_sense_are_left_out(void)
{
    struct clob_page page;

    a = arena_new();
    page = orders_page(arena_printf(a,
                                    "{\"data\":[null,7,[],{},{\"id\":\"0x12\",\"status\":\"LIVE\"},%s,\"x\"],"
                                    "\"next_cursor\":\"MTAw\"}",
                                    order_row("LIVE", "5", "0")),
                       true);
    CHECK(page.count == 1);
    CHECK_STR(page.next, "MTAw");
    arena_free(a);
}

static void answers_that_are_none_are_refused(void)
{
    static const char *const cases[] = {
        "",
        "null",
        "[]",
        "{}",
        "{\"data\":{}}",
        "{\"data\":null,\"next_cursor\":\"LTE=\"}",
        "<html>",
        "{\"data\":[",
        "{\"data\":[],\"next_cursor\":\"a b\"}",
        "{\"data\":[],\"next_cursor\":\"a&owner=1\"}",
    };

    a = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        (void)orders_page(cases[i], false);
        (void)trades_page(cases[i], false);
    }
    (void)orders_page(arena_printf(a, "{\"data\":[],\"next_cursor\":\"%0300d\"}", 1), false);
    arena_free(a);
}

static void single_orders_are_known_or_not(void)
{
    static const struct {
        const char *text;
        bool fine, known;
    } cases[] = {
        { "", true, false },        { "null", true, false },
        { " null\n", true, false }, { "\n", true, false },
        { "{}", false, true },      { "[]", false, true },
        { "nul", false, true },     { "{\"error\":\"not found\"}", false, true },
    };
    struct clob_order o;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buf answer = order_answer(cases[i].text);
        bool known;

        CHECK(clob_read_order(&answer, &o, &known) == cases[i].fine && known == cases[i].known);
    }
}

#define TRADE(state, more)                                                                                   \
    "{\"id\":\"t-1\",\"taker_order_id\":\"" HASH_1                                                           \
    "\",\"size\":\"10\",\"price\":\"0.4\",\"fee_rate_bps\":\"0\",\"status\":\"" state                        \
    "\",\"match_time\":\"1767225600\"" more "}"
#define MAKERS                                                                                               \
    ",\"maker_orders\":[{\"order_id\":\"" HASH_2                                                             \
    "\",\"matched_amount\":\"6.5\",\"price\":\"0.6\"},{\"order_id\":7},"                                     \
    "{\"order_id\":\"" HASH_1 "\",\"matched_amount\":\"0\",\"price\":\"0.6\"}]"

static void a_trade_is_read_as_a_fill_of_each_order_in_it(void)
{
    struct clob_page page;

    a = arena_new();
    page = trades_page("{\"data\":[" TRADE("TRADE_STATUS_mined", MAKERS ",\"transaction_hash\":\"" HASH_2
                                                                        "\"") "],\"next_cursor\":\"LTE=\"}",
                       true);
    CHECK(page.count == 2);
    CHECK(!page.fills[0].fill.maker && page.fills[0].order[0] == 0x11);
    CHECK(page.fills[0].fill.size == 10000000 && page.fills[0].fill.price == 4000);
    CHECK(page.fills[0].fill.fee == 0 && page.fills[1].fill.fee == 0); /* that is not in the row */
    CHECK(page.fills[0].fill.paid == 4000000 && page.fills[1].fill.paid == 3900000);
    CHECK(page.fills[1].fill.maker && page.fills[1].order[0] == 0x22);
    CHECK(page.fills[1].fill.size == 6500000 && page.fills[1].fill.price == 6000);
    for (size_t i = 0; i < 2; i++) {
        CHECK_STR(page.fills[i].fill.trade, "t-1");
        CHECK(page.fills[i].fill.state == FILL_MINED && page.fills[i].fill.at_ms == 1767225600000);
        CHECK(page.fills[i].fill.has_tx && page.fills[i].fill.tx_hash[0] == 0x22);
    }
    arena_free(a);
}

/* As the second version tells them: prices are quotients of what was paid, and makers have no rate at all. */
static void prices_are_quotients(void)
{
    struct clob_page page;

    a = arena_new();
    page =
        trades_page("{\"data\":[{\"id\":\"t-2\",\"taker_order_id\":\"" HASH_1
                    "\",\"size\":\"26.461537\",\"price\":\"0.3500000023297493\",\"fee_rate_bps\":\"0\","
                    "\"status\":\"CONFIRMED\",\"match_time\":\"1783166400\",\"trader_side\":\"TAKER\","
                    "\"maker_orders\":[{\"order_id\":\"" HASH_2
                    "\",\"matched_amount\":\"26.461537\",\"price\":\"0.6499999976702507\",\"fee_rate_bps\":"
                    "\"\"}]}]}",
                    true);
    CHECK(page.count == 2);
    CHECK(page.fills[0].fill.size == 26461537 && page.fills[0].fill.price == 3500);
    CHECK(page.fills[0].fill.paid == 9261538);
    CHECK(page.fills[1].fill.maker && page.fills[1].fill.price == 6500);
    CHECK(page.fills[1].fill.paid == 17199998);
    arena_free(a);
}

static void trades_have_states_in_any_spelling(void)
{
    static const struct {
        const char *page;
        enum fill_state state; /* 0: left out */
    } cases[] = {
        { "{\"data\":[" TRADE("MATCHED", "") "]}", FILL_MATCHED },
        { "{\"data\":[" TRADE("RETRYING", "") "]}", FILL_MATCHED },
        { "{\"data\":[" TRADE("Confirmed", "") "]}", FILL_CONFIRMED },
        { "{\"data\":[" TRADE("TRADE_STATUS_FAILED", ",\"transaction_hash\":\"\"") "]}", FILL_FAILED },
        { "{\"data\":[" TRADE("LIVE", "") "]}", 0 },
        { "{\"data\":[" TRADE("", "") "]}", 0 },
    };

    a = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct clob_page page = trades_page(cases[i].page, true);

        CHECK(page.count == (cases[i].state != 0));
        CHECK(page.count == 0 || (page.fills[0].fill.state == cases[i].state && !page.fills[0].fill.has_tx));
    }
    arena_free(a);
}

static void hostile_trades_are_left_out(void)
{
    static const char *const rows[] = {
        "{\"id\":\"t\",\"taker_order_id\":\"" HASH_1
        "\",\"size\":\"10\",\"price\":\"1.01\",\"status\":\"MINED\","
        "\"match_time\":\"1\"}",
        "{\"id\":\"t\",\"taker_order_id\":\"" HASH_1
        "\",\"size\":\"0\",\"price\":\"0.1\",\"status\":\"MINED\","
        "\"match_time\":\"1\"}",
        "{\"id\":\"\",\"taker_order_id\":\"" HASH_1
        "\",\"size\":\"1\",\"price\":\"0.1\",\"status\":\"MINED\","
        "\"match_time\":\"1\"}",
        "{\"id\":\"t\\u202e\",\"taker_order_id\":\"" HASH_1
        "\",\"size\":\"1\",\"price\":\"0.1\",\"status\":\"MINED\","
        "\"match_time\":\"1\"}",
        "{\"id\":\"t\",\"taker_order_id\":\"" HASH_1
        "\",\"size\":\"1\",\"price\":\"0.1\",\"status\":\"MINED\","
        "\"match_time\":\"999999999999999\"}",
        "{\"id\":\"t\",\"taker_order_id\":\"" HASH_1
        "\",\"size\":\"1\",\"price\":\"0.1\",\"status\":\"MINED\"}",
        "{\"id\":7,\"taker_order_id\":{},\"size\":[],\"price\":true,\"status\":null,\"match_time\":-1,"
        "\"maker_orders\":{\"a\":1}}",
        "{\"id\":"
        "\"ttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt\","
        "\"taker_order_id\":\"" HASH_1
        "\",\"size\":\"1\",\"price\":\"0.1\",\"status\":\"MINED\",\"match_time\":\"1\"}",
    };

    a = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(trades_page(arena_printf(a, "{\"data\":[%s]}", rows[i]), true).count == 0);
    arena_free(a);
}

TEST_MAIN(TEST(terms_of_orders_are_read), TEST(an_order_is_read_with_its_status_in_any_spelling),
          TEST(sizes_are_decimals), TEST(rows_that_make_no_sense_are_left_out),
          TEST(answers_that_are_none_are_refused), TEST(single_orders_are_known_or_not),
          TEST(a_trade_is_read_as_a_fill_of_each_order_in_it), TEST(prices_are_quotients),
          TEST(trades_have_states_in_any_spelling), TEST(hostile_trades_are_left_out))
