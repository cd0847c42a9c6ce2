#include "predict/gamma.c"

#include "base/test.h"

static struct arena *a;

static struct buf gamma_answer(const char *text)
{
    return (struct buf){ .data = (char *)(uintptr_t)text, .len = strlen(text) };
}

#define CONDITION "\"conditionId\":\"0x9f1c2e6d4b8a70535c1f2e3d4a5b6c7d8e9fa0b1c2d3e4f5061728394a5b6c7d\""
#define NAMES     "\"outcomes\":\"[\\\"Yes\\\",\\\"No\\\"]\",\"clobTokenIds\":\"[\\\"11\\\",\\\"22\\\"]\""
#define TRADED    "\"active\":true,\"closed\":false,\"acceptingOrders\":true,\"enableOrderBook\":true"
#define PRICES    "\"outcomePrices\":\"[\\\"0.415\\\",\\\"0.585\\\"]\""
#define BARE      "\"id\":\"7\",\"question\":\"Rain?\"," CONDITION

static bool read_one(struct market *m, const char *text)
{
    struct buf b = gamma_answer(text);

    return gamma_read_market(a, &b, m);
}

static void a_market_as_the_service_sends_it(void)
{
    struct market m;

    CHECK(read_one(
        &m,
        "{" BARE "," NAMES "," PRICES "," TRADED
        ",\"version\":\"v1\",\"negRisk\":false,\"endDate\":\"2026-11-03T12:00:00Z\",\"volume\":\"1250.10\","
        "\"liquidityNum\":80.250,\"tags\":[{\"slug\":\"Weather\"}],\"orderPriceMinTickSize\":0.01,"
        "\"orderMinSize\":5,\"createdAt\":\"2026-01-02\",\"description\":\"It rains.\"}"));
    CHECK_STR(m.id, "7");
    CHECK_STR(m.question, "Rain?");
    CHECK_STR(m.category, "weather");
    CHECK_STR(m.volume, "1250.10"); /* as it came */
    CHECK_STR(m.liquidity, "80.250");
    CHECK_STR(m.end_date, "2026-11-03T12:00:00Z");
    CHECK_STR(m.created, "2026-01-02T00:00:00Z");
    CHECK_STR(m.tick, "0.01");
    CHECK_STR(m.min_size, "5");
    CHECK(m.status == MARKET_OPEN && m.has_exchange && m.exchange == POLYMARKET_V2);
    CHECK(m.outcome_count == 2 && m.resolved_outcome == NULL);
    CHECK_STR(m.outcomes[1].name, "No");
    CHECK_STR(m.outcomes[1].price, "0.585");
    CHECK_STR(m.outcomes[1].token, "22");
}

static void versions_decide_which_tokens_are_traded(void)
{
    static const struct {
        const char *members;
        bool known;
        enum polymarket_exchange exchange;
        const char *token;
    } rows[] = {
        { "", true, POLYMARKET_V2, "11" }, /* no version, and tokens of the old kind */
        { ",\"version\":\"v1\",\"negRisk\":true", true, POLYMARKET_NEG_RISK, "11" },
        { ",\"version\":\"v1\",\"positionIds\":[\"33\",\"44\"]", true, POLYMARKET_V2, "11" },
        { ",\"version\":\"v2\",\"positionIds\":[\"33\",\"44\"]", true, POLYMARKET_V3, "33" },
        { ",\"version\":\"v9\",\"positionIds\":[\"33\",\"44\"]", false, POLYMARKET_V2, "11" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct market m;

        CHECK(read_one(&m, arena_printf(a, "{" BARE "," NAMES "%s}", rows[i].members)));
        CHECK(m.has_exchange == rows[i].known && m.exchange == rows[i].exchange);
        CHECK_STR(m.outcomes[0].token, rows[i].token);
    }
}

static void states_of_a_market(void)
{
#define ENDED "\"active\":true,\"closed\":true,\"outcomePrices\":\"[\\\"1\\\",\\\"0\\\"]\""
    static const struct {
        const char *members;
        enum market_status status;
        const char *resolved;
    } rows[] = {
        { TRADED, MARKET_OPEN, NULL },
        { "\"active\":true,\"acceptingOrders\":false,\"enableOrderBook\":true", MARKET_PAUSED, NULL },
        { "\"active\":false,\"acceptingOrders\":true,\"enableOrderBook\":true", MARKET_PAUSED, NULL },
        { ENDED, MARKET_CLOSED, NULL },
        { ENDED ",\"umaResolutionStatus\":\"proposed\"", MARKET_CLOSED, NULL },
        { ENDED ",\"umaResolutionStatus\":\"resolved\"", MARKET_RESOLVED, "Yes" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct market m;

        CHECK(read_one(&m, arena_printf(a, "{" BARE "," NAMES ",%s}", rows[i].members)));
        CHECK(m.status == rows[i].status);
        if (rows[i].resolved != NULL)
            CHECK_STR(m.resolved_outcome, rows[i].resolved);
        else
            CHECK(m.resolved_outcome == NULL);
    }
}

static void prices_that_are_missing_come_from_the_last_trade(void)
{
    static const struct {
        const char *members, *first, *second;
    } rows[] = {
        { "\"outcomePrices\":\"[]\"", "0", "0" },
        { "\"outcomePrices\":\"\",\"lastTradePrice\":0.30", "0.30", "0.70" },
        { "\"lastTradePrice\":0.125", "0.125", "0.875" },
        { "\"lastTradePrice\":1", "1", "0" },
        { "\"lastTradePrice\":0", "0", "1" },
        { "\"lastTradePrice\":1.0", "1.0", "0" },
        { "\"lastTradePrice\":0.0", "0.0", "1" },
        { "\"lastTradePrice\":0.001", "0.001", "0.999" },
        { "\"outcomePrices\":[\"0.2\",\"1.2\"]", "0.2", "0" },
        { "\"outcomePrices\":[\"-0.2\",\"1e-1\"]", "0", "0" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct market m;

        CHECK(read_one(&m, arena_printf(a, "{" BARE "," NAMES ",%s}", rows[i].members)));
        CHECK_STR(m.outcomes[0].price, rows[i].first);
        CHECK_STR(m.outcomes[1].price, rows[i].second);
    }
}

/* Those of the oldest markets have 34 decimals. */
static void prices_of_any_length_are_kept(void)
{
    struct market m;

    CHECK(read_one(
        &m, "{" BARE "," NAMES ",\"closed\":true,\"outcomePrices\":\"["
            "\\\"0.5843311669077693146635445446077281\\\",\\\"0.4156688330922306853364554553922719\\\"]\"}"));
    CHECK_STR(m.outcomes[0].price, "0.5843311669077693146635445446077281");
    CHECK_STR(m.outcomes[1].price, "0.4156688330922306853364554553922719");
}

#define TAGS                                                                                                 \
    "\"tags\":[{\"slug\":\"global-elections\"},{\"slug\":null},{\"slug\":\"Politics\"},{\"slug\":\"primaries\"}]"

/* A market says so itself, or by the event that it is in or is listed with. */
static void tags_come_in_any_order(void)
{
    static const char *const answers[] = {
        "[{" BARE "," NAMES "," TAGS "}]",
        "[{" BARE "," NAMES ",\"events\":[{" TAGS "}]}]",
        "{\"events\":[{\"id\":\"5\",\"title\":\"Votes\"," TAGS ",\"markets\":[{" BARE "," NAMES "}]}]}",
    };
    struct market *list;
    struct market_event *events;
    struct market m;
    size_t n;
    bool more;

    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        struct buf b = gamma_answer(answers[i]);

        CHECK(gamma_read_markets(a, &b, &list, &n, &more) && n == 1 && list[0].tags.count == 3);
        CHECK_STR(list[0].category, "politics");
        CHECK_STR(list[0].tags.list[0], "global-elections");
        CHECK_STR(list[0].tags.list[2], "primaries");
    }
    CHECK(gamma_read_events(a,
                            &(struct buf){ .data = (char *)(uintptr_t)answers[2], .len = strlen(answers[2]) },
                            &events, &n, &more));
    CHECK(n == 1 && events[0].tags.count == 3);
    CHECK_STR(events[0].category, "politics");
    CHECK(read_one(&m, "{" BARE "," NAMES ",\"tags\":[{\"slug\":\"first\"},{\"slug\":\"second\"}]}"));
    CHECK_STR(m.category, "first");
    CHECK(read_one(&m, "{" BARE "," NAMES ",\"category\":\"US-Current\"," TAGS "}"));
    CHECK_STR(m.category, "us-current");
    CHECK(read_one(&m, "{" BARE "," NAMES "}") && m.tags.count == 0);
    CHECK_STR(m.category, "other");
}

static void malformed_markets_are_refused(void)
{
    static const char *const bad[] = {
        "",
        "[]",
        "{}",
        "{\"id\":\"7\"," CONDITION "," NAMES "}",
        "{\"id\":\"x7\",\"question\":\"Rain?\"," CONDITION "," NAMES "}",
        "{\"id\":\"123456789012345678901\",\"question\":\"Rain?\"," CONDITION "," NAMES "}",
        "{\"id\":\"7\",\"question\":\"Rain?\",\"conditionId\":\"0x9f\"," NAMES "}",
        "{" BARE ",\"outcomes\":\"[\\\"Yes\\\"]\",\"clobTokenIds\":\"[\\\"11\\\",\\\"22\\\"]\"}",
        "{" BARE ",\"outcomes\":\"[\\\"Yes\\\",\\\"No\\\"]\",\"clobTokenIds\":\"[\\\"0x11\\\",\\\"22\\\"]\"}",
        "{" BARE ",\"outcomes\":\"[]\",\"clobTokenIds\":\"[]\"}",
        "{" BARE ",\"outcomes\":\"[1\",\"clobTokenIds\":\"[]\"}",
    };
    struct market m;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!read_one(&m, bad[i]));
}

static void lists_leave_out_what_makes_no_sense(void)
{
    struct buf b = gamma_answer("[{" BARE "," NAMES "},{\"id\":8},{" BARE "," NAMES "}]");
    struct market *list;
    size_t n;
    bool more;

    CHECK(gamma_read_markets(a, &b, &list, &n, &more) && n == 2 && more);
    b = gamma_answer("[]");
    CHECK(gamma_read_markets(a, &b, &list, &n, &more) && n == 0 && !more);
    b = gamma_answer("{\"error\":\"no\"}");
    CHECK(!gamma_read_markets(a, &b, &list, &n, &more));
    b = gamma_answer("<html>");
    CHECK(!gamma_read_markets(a, &b, &list, &n, &more));
}

/* A search answers with events, some of which have no markets. */
static void searches_are_read_as_lists_and_as_events(void)
{
    struct buf b = gamma_answer(
        "{\"events\":[{\"id\":\"5\",\"title\":\"Weather\",\"markets\":[{" BARE "," NAMES
        "}]},{\"id\":\"6\",\"title\":\"Empty\"}],\"profiles\":null,\"pagination\":{\"hasMore\":true}}");
    struct market *list;
    struct market_event *events;
    size_t n;
    bool more;

    CHECK(gamma_read_markets(a, &b, &list, &n, &more) && n == 1 && more);
    CHECK(gamma_read_events(a, &b, &events, &n, &more) && n == 2 && more);
    CHECK_STR(events[0].title, "Weather");
    CHECK(events[0].count == 1 && events[1].count == 0);
    CHECK_STR(events[1].volume, "0");
}

static void hidden_characters_are_shown(void)
{
    struct market m;

    CHECK(read_one(&m, "{\"id\":\"7\",\"question\":\"Rain\\u202e?\\n\"," CONDITION "," NAMES "}"));
    CHECK(strstr(m.question, "\xe2\x80\xae") == NULL && strchr(m.question, '\n') == NULL);
}

static void urls(void)
{
    const struct gamma_page search = { .query = "a&b c/ü", .number = 2 },
                            list = { .tag_id = "12", .tag_slug = "a b", .number = 1 };

    CHECK_STR(gamma_page_url(a, "http://g", "markets", &search),
              "http://g/public-search?q=a%26b%20c%2F%C3%BC&limit_per_type=100&page=3&keep_closed_markets=0");
    CHECK_STR(gamma_page_url(a, "http://g", "events", &list),
              "http://g/events?closed=false&active=true&limit=100&offset=100&order=volume24hr&ascending=false"
              "&include_tag=true&tag_id=12&tag_slug=a%20b&related_tags=true");
    CHECK_STR(gamma_tag_url(a, "http://g", "a/../b"), "http://g/tags/slug/a%2F..%2Fb");
    arena_free(a);
}

static void arena_begins(void)
{
    a = arena_new();
}

TEST_MAIN(TEST(arena_begins), TEST(a_market_as_the_service_sends_it),
          TEST(versions_decide_which_tokens_are_traded), TEST(states_of_a_market),
          TEST(prices_that_are_missing_come_from_the_last_trade), TEST(prices_of_any_length_are_kept),
          TEST(tags_come_in_any_order), TEST(malformed_markets_are_refused),
          TEST(lists_leave_out_what_makes_no_sense), TEST(searches_are_read_as_lists_and_as_events),
          TEST(hidden_characters_are_shown), TEST(urls))
