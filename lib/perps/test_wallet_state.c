#include "perps/wallet_state.c"

#include <strings.h>

#include "base/test.h"

#define USER  "0x52908400098527886e0f7030069857d2e4169ee7"
#define OTHER "0x8617e340b3d01fa5f11f306f4090fd50e238070d"
#define POSITION(coin, szi, more)                                                                            \
    "{\"type\":\"oneWay\",\"position\":{\"coin\":\"" coin "\",\"szi\":\"" szi                                \
    "\",\"leverage\":{\"type\":\"isolated\",\"value\":5,\"rawUsd\":\"-1200.3\"},\"entryPx\":\"3000.60\","    \
    "\"positionValue\":\"1550.25\",\"unrealizedPnl\":\"-49.950\",\"returnOnEquity\":\"0.1\","                \
    "\"marginUsed\":\"310.05\",\"maxLeverage\":25,"                                                          \
    "\"cumFunding\":{\"allTime\":\"1.5\",\"sinceOpen\":\"-0.0375\",\"sinceChange\":\"0.0\"}" more "}}"
#define LIQUIDATION ",\"liquidationPx\":\"2449.46938776\""
#define STATE(positions, more)                                                                                 \
    "{\"marginSummary\":{\"accountValue\":\"1052.25\",\"totalNtlPos\":\"1550.25\",\"totalRawUsd\":\"-498.0\"," \
    "\"totalMarginUsed\":\"310.05\"},\"withdrawable\":\"742.2\",\"assetPositions\":[" positions                \
    "],\"time\":1790000000000" more "}"

static struct arena *a;
static struct evm_addr user;

static struct buf said(const char *text)
{
    return (struct buf){ .data = (char *)(uintptr_t)text, .len = strlen(text) };
}

static bool read_state(struct perps_state *s, const char *text)
{
    struct buf answer = said(text);

    return perps_read_state(a, &answer, &user, s);
}

static void positions_are_read_whole(void)
{
    struct perps_state s;
    const struct perps_position *p;

    a = arena_new();
    CHECK(evm_addr_parse(&user, USER));
    CHECK(read_state(&s, STATE(POSITION("ETH", "0.5000", LIQUIDATION) "," POSITION("kPEPE", "-3",
                                                                                   ",\"liquidationPx\":null"),
                               "")));
    CHECK(s.count == 2);
    CHECK_STR(s.value, "1052.25");
    CHECK_STR(s.withdrawable, "742.2");
    CHECK_STR(s.margin, "310.05");
    p = &s.positions[0];
    CHECK_STR(p->asset, "ETH");
    CHECK(!p->is_short && !p->is_cross && p->leverage == 5);
    CHECK_STR(p->size, "0.5");
    CHECK_STR(p->entry, "3000.6");
    CHECK_STR(p->value, "1550.25");
    CHECK_STR(p->gain, "-49.95");
    CHECK_STR(p->margin, "310.05");
    CHECK_STR(p->liquidation, "2449.46938776");
    CHECK_STR(p->funding, "-0.0375");
    CHECK(s.positions[1].is_short);
    CHECK_STR(s.positions[1].size, "3");
    CHECK_STR(s.positions[1].liquidation, "0");
}

static void a_position_that_is_closed_is_none(void)
{
    struct perps_state s;

    CHECK(read_state(&s, STATE(POSITION("BTC", "0.0", "") "," POSITION("ETH", "1", LIQUIDATION), "")) &&
          s.count == 1);
    CHECK_STR(s.positions[0].asset, "ETH");
    CHECK(read_state(&s, STATE("", "")) && s.count == 0);
    CHECK(read_state(&s, STATE(POSITION("ETH", "1", ",\"liquidationPx\":\"-5.5\""), "")));
    CHECK_STR(s.positions[0].liquidation, "0");
}

static void an_answer_about_another_wallet_is_refused(void)
{
    struct perps_state s;
    struct perps_leverage l;
    struct buf
        own = said("{\"user\":\"" USER "\",\"coin\":\"ETH\",\"leverage\":{\"type\":\"cross\",\"value\":20}}"),
        others = said(
            "{\"user\":\"0x00000000000000000000000000000000000000aa\",\"coin\":\"ETH\",\"leverage\":{\"type\":\"cross\",\"value\":20}}"),
        nobodys = said("{\"coin\":\"ETH\",\"leverage\":{\"type\":\"cross\",\"value\":20}}");

    CHECK(read_state(&s, STATE("", ",\"user\":\"" USER "\"")));
    CHECK(!read_state(&s, STATE("", ",\"user\":\"0x00000000000000000000000000000000000000aa\"")));
    CHECK(!read_state(&s, STATE("", ",\"user\":7")));
    CHECK(perps_read_leverage(&own, &user, "ETH", &l) && l.is_cross && l.value == 20);
    CHECK(!perps_read_leverage(&own, &user, "BTC", &l));
    CHECK(!perps_read_leverage(&others, &user, "ETH", &l) &&
          !perps_read_leverage(&nobodys, &user, "ETH", &l));
}

/* Nothing of it is shown rather than half of it. */
static void one_malformed_position_spoils_all(void)
{
    static const char *const bad[] = {
        "",
        "null",
        "[]",
        "{}",
        STATE("null", ""),
        STATE("{}", ""),
        STATE(POSITION("ETH", "", LIQUIDATION), ""),
        STATE(POSITION("ETH", "one", LIQUIDATION), ""),
        STATE(POSITION("", "1", LIQUIDATION), ""),
        STATE(POSITION("E\\u0000TH", "1", LIQUIDATION), ""),
        STATE(POSITION("xyz:ETH", "1", LIQUIDATION), ""),
        STATE(POSITION("ETH", "1", ",\"liquidationPx\":\"soon\""), ""),
        STATE(POSITION("ETH", "1", LIQUIDATION) "," POSITION("ETH", "1e9", LIQUIDATION), ""),
        "{\"marginSummary\":{\"accountValue\":\"1\"},\"withdrawable\":\"1\",\"assetPositions\":[]}",
        "{\"marginSummary\":{\"accountValue\":\"1\",\"totalMarginUsed\":\"-1\"},\"withdrawable\":\"1\",\"assetPositions\":[]}",
        "{\"marginSummary\":{\"accountValue\":\"1\",\"totalMarginUsed\":\"1\"},\"withdrawable\":\"1\"}",
        "{\"marginSummary\":{\"accountValue\":\"1\",\"totalMarginUsed\":\"1\"},\"assetPositions\":[]}",
    };
    struct perps_state s;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!read_state(&s, bad[i]));
}

static void dollars_outside_of_positions(void)
{
    struct perps_spot s;
    struct buf
        two = said(
            "{\"balances\":[{\"coin\":\"HYPE\",\"token\":150,\"total\":\"7.0\",\"hold\":\"0.0\"},"
            "{\"coin\":\"PURR\",\"total\":\"0.0\"},{\"coin\":\"\\u00e9\",\"total\":\"1\"},{\"coin\":\"DUST\",\"total\":\"-1\"},7,"
            "{\"coin\":\"USDC\",\"token\":0,\"total\":\"1000.50\",\"hold\":\"300.06\",\"entryNtl\":\"0.0\"}]}"),
        none = said("{\"balances\":[]}");
    static const char *const bad[] = {
        "",
        "{}",
        "{\"balances\":{}}",
        "{\"balances\":[{\"coin\":\"USDC\"}]}",
        "{\"balances\":[{\"coin\":\"USDC\",\"total\":\"-1\",\"hold\":\"0\"}]}",
        "{\"balances\":[{\"coin\":\"USDC\",\"total\":\"1\",\"hold\":\"0\"},{\"coin\":\"USDC\",\"total\":\"2\",\"hold\":\"0\"}]}"
    };

    CHECK(perps_read_spot(a, &two, &s));
    CHECK_STR(s.total, "1000.5");
    CHECK_STR(s.hold, "300.06");
    CHECK(s.coin_count == 1);
    CHECK_STR(s.coins[0].name, "HYPE");
    CHECK_STR(s.coins[0].total, "7");
    CHECK(perps_read_spot(a, &none, &s));
    CHECK_STR(s.total, "0");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct buf answer = said(bad[i]);

        CHECK(!perps_read_spot(a, &answer, &s));
    }
}

static void a_mode_is_a_word(void)
{
    static const char *const words[] = { "default", "disabled", "unifiedAccount", "portfolioMargin" };
    static const char *const bad[] = { "", "default", "\"\"", "\"unified\"", "null", "{}", "[\"default\"]" };
    enum perps_mode m = PERPS_MODES;

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct buf answer = said(arena_printf(a, "\"%s\"", words[i]));

        CHECK(perps_read_mode(&answer, &m));
        CHECK_STR(perps_mode_name(m), words[i]);
        CHECK(perps_mode_is_unified(m) == (i >= 2));
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct buf answer = said(bad[i]);

        CHECK(!perps_read_mode(&answer, &m));
    }
}

static void fees_are_small_shares(void)
{
    static const char *const bad[] = { "",
                                       "{}",
                                       "{\"userCrossRate\":\"-0.1\"}",
                                       "{\"userCrossRate\":\"0.2\"}",
                                       "{\"userCrossRate\":\"45\"}",
                                       "{\"userCrossRate\":null}" };
    struct buf good = said("{\"userCrossRate\":\"0.00045\",\"userAddRate\":\"0.00015\"}");
    const char *taker;

    CHECK(perps_read_fees(a, &good, &taker));
    CHECK_STR(taker, "0.00045");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct buf answer = said(bad[i]);

        CHECK(!perps_read_fees(a, &answer, &taker));
    }
}

#define AGENT(name, until) AGENT_AT(USER, name, until)
#define AGENT_AT(address, name, until)                                                                       \
    "{\"address\":\"" address "\",\"name\":\"" name "\",\"validUntil\":" until "}"

static void a_trading_key_is_found_by_its_name(void)
{
    static const char *const good[] = { "[" AGENT("other", "1") "," AGENT("ours", "1790000000000") "]",
                                        "[" AGENT("ours valid_until 1790000000000", "1790000000000") "]" };
    static const char *const none[] = { "[]", "[" AGENT("ours2", "1") "," AGENT("our", "1") "]" };
    static const char *const bad[] = { "", "{}", "null", "[" AGENT("ours", "\"soon\"") "]",
                                       "[{\"address\":\"0x1\",\"name\":\"ours\",\"validUntil\":null}]" };
    static const char *const names[] = { "ours", "also-ours", NULL };
    struct buf forever = said("[" AGENT("ours", "null") "]");
    struct perps_agent agent;
    bool there;

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct buf answer = said(good[i]);

        CHECK(perps_read_agent(a, &answer, names, &agent, &there) && there &&
              agent.until_ms == 1790000000000);
        CHECK(strcasecmp(agent.address, USER) == 0);
    }
    CHECK(perps_read_agent(a, &forever, names, &agent, &there) && there && agent.until_ms == 0);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        struct buf answer = said(none[i]);

        CHECK(perps_read_agent(a, &answer, names, &agent, &there) && !there);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct buf answer = said(bad[i]);

        CHECK(!perps_read_agent(a, &answer, names, &agent, &there) && !there);
    }
    arena_free(a);
}

static void of_several_trading_keys_the_one_that_lasts_counts(void)
{
    static const char *const names[] = { "ours", "also-ours", NULL };
    static const char *const both[] = { "[" AGENT("ours", "5") "," AGENT_AT(OTHER, "also-ours", "6") "]",
                                        "[" AGENT_AT(OTHER, "ours", "6") "," AGENT("also-ours", "5") "]",
                                        "[" AGENT_AT(OTHER, "ours", "null") "," AGENT("also-ours", "5") "]" };
    struct evm_addr own, other;
    struct perps_agent agent;
    bool there;

    CHECK(evm_addr_read(&own, USER) && evm_addr_read(&other, OTHER));
    for (size_t i = 0; i < sizeof both / sizeof both[0]; i++) {
        struct buf answer = said(both[i]);

        CHECK(perps_read_agent(a, &answer, names, &agent, &there) && there);
        CHECK(strcasecmp(agent.address, OTHER) == 0);
        CHECK(perps_read_key(&answer, &own, &there) && there);
        CHECK(perps_read_key(&answer, &other, &there) && there);
    }
}

static void a_trading_key_is_found_by_its_address(void)
{
    struct buf answer = said("[" AGENT_AT(OTHER, "ours", "5") "]"), bad = said("{}");
    struct evm_addr own;
    bool there;

    CHECK(evm_addr_read(&own, USER));
    CHECK(perps_read_key(&answer, &own, &there) && !there);
    CHECK(!perps_read_key(&bad, &own, &there) && !there);
}

TEST_MAIN(TEST(positions_are_read_whole), TEST(a_position_that_is_closed_is_none),
          TEST(an_answer_about_another_wallet_is_refused), TEST(one_malformed_position_spoils_all),
          TEST(dollars_outside_of_positions), TEST(a_mode_is_a_word), TEST(fees_are_small_shares),
          TEST(of_several_trading_keys_the_one_that_lasts_counts),
          TEST(a_trading_key_is_found_by_its_address), TEST(a_trading_key_is_found_by_its_name))
