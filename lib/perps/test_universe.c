#include "perps/universe.c"

#include "base/test.h"

#define ETH "{\"szDecimals\":4,\"name\":\"ETH\",\"maxLeverage\":25,\"marginTableId\":55}"
#define BTC "{\"szDecimals\":5,\"name\":\"BTC\",\"maxLeverage\":40,\"marginTableId\":40}"
#define ARB                                                                                                  \
    "{\"szDecimals\":1,\"name\":\"ARB\",\"maxLeverage\":10,\"marginTableId\":10,\"onlyIsolated\":true}"
#define TABLES                                                                                               \
    "[[40,{\"description\":\"\",\"marginTiers\":[{\"lowerBound\":\"0.0\",\"maxLeverage\":40}]}]," TIERED
#define TIERED                                                                                               \
    "[55,{\"marginTiers\":[{\"lowerBound\":\"0.0\",\"maxLeverage\":25},{\"lowerBound\":\"2000000.0\",\"maxLeverage\":15}]}]]"
#define META(universe) "{\"universe\":[" universe "],\"marginTables\":" TABLES "}"
#define CONTEXT(mark)                                                                                                     \
    "{\"funding\":\"0.0000125\",\"openInterest\":\"402105.50\",\"prevDayPx\":\"2000.0\",\"dayNtlVlm\":\"1169046294.06\"," \
    "\"premium\":null,\"oraclePx\":\"3000.1\",\"markPx\":\"" mark                                                         \
    "\",\"midPx\":\"3000.45\",\"impactPxs\":null}"

static struct arena *a;
static const struct perps_names names = { { "BTC", "ETH", "ARB" }, 3 };

static bool read_meta(struct perps_universe *u, const char *text)
{
    struct buf answer = { .data = (char *)(uintptr_t)text, .len = strlen(text) };

    return perps_read_meta(a, &answer, &names, u);
}

static bool read_contexts(struct perps_universe *u, const char *text)
{
    struct buf answer = { .data = (char *)(uintptr_t)text, .len = strlen(text) };

    return perps_read_contexts(a, &answer, &names, u);
}

static void assets_have_their_numbers_and_tiers(void)
{
    struct perps_universe u;
    const struct perps_asset *p;

    a = arena_new();
    CHECK(read_meta(&u, META(ETH "," ARB "," BTC)) && u.count == 3 && u.missing == NULL);
    p = &u.markets[0].asset;
    CHECK_STR(p->name, "BTC");
    CHECK(p->index == 2 && p->sz_decimals == 5 && p->leverage == 40 && p->tier_count == 1 &&
          !p->only_isolated);
    p = &u.markets[1].asset;
    CHECK_STR(p->name, "ETH");
    CHECK(p->index == 0 && p->sz_decimals == 4 && p->tier_count == 2 && p->tiers[1].leverage == 15);
    CHECK_STR(amount_text(a, p->tiers[1].from), "2000000");
    p = &u.markets[2].asset;
    CHECK(p->index == 1 && p->only_isolated && p->tier_count == 1 && p->tiers[0].leverage == 10);
}

static void contexts_belong_to_the_names_beside_them(void)
{
    struct perps_universe u;

    CHECK(read_contexts(&u, "[" META(BTC "," ETH "," ARB) ",[" CONTEXT("60000.0") "," CONTEXT(
                                "3000.50") "," CONTEXT("0.8") "]]"));
    CHECK_STR(u.markets[1].mark, "3000.5");
    CHECK_STR(u.markets[1].change, "50.025");
    CHECK(read_contexts(&u, "[" META(ARB "," ETH "," BTC) ",[" CONTEXT("0.8") "," CONTEXT(
                                "3000.5") "," CONTEXT("60000.0") "]]"));
    CHECK(u.count == 3 && u.markets[0].asset.index == 2 && u.markets[2].asset.index == 0);
    CHECK_STR(u.markets[0].mark, "60000");
    CHECK_STR(u.markets[2].mark, "0.8");
    CHECK_STR(u.markets[2].change, "-99.96");
    CHECK_STR(u.markets[2].funding, "0.0000125");
    CHECK_STR(u.markets[2].open_interest, "402105.5");
    CHECK_STR(u.markets[2].volume, "1169046294.06");
}

static void a_delisted_asset_is_missing(void)
{
    struct perps_universe u;

    CHECK(read_meta(&u,
                    META("{\"szDecimals\":5,\"name\":\"BTC\",\"maxLeverage\":40,\"isDelisted\":true}," ETH)));
    CHECK(u.count == 1 && u.markets[0].asset.index == 1 && u.missing != NULL);
    CHECK(read_meta(&u, META("{\"name\":\"SOL\"}")) && u.count == 0);
}

static void an_asset_that_makes_no_sense_is_missing(void)
{
    static const char *const bad[] = {
        META("{\"name\":\"BTC\",\"maxLeverage\":40}"),
        META("{\"name\":\"BTC\",\"szDecimals\":7,\"maxLeverage\":40}"),
        META("{\"name\":\"BTC\",\"szDecimals\":-1,\"maxLeverage\":40}"),
        META("{\"name\":\"BTC\",\"szDecimals\":5,\"maxLeverage\":0}"),
        META("{\"name\":\"BTC\",\"szDecimals\":5,\"maxLeverage\":1e9}"),
        "{\"universe\":[" BTC "],\"marginTables\":[[40,{\"marginTiers\":[]}]]}",
        "{\"universe\":[" BTC
        "],\"marginTables\":[[40,{\"marginTiers\":[{\"lowerBound\":\"5\",\"maxLeverage\":40}]}]]}",
        "{\"universe\":[" BTC
        "],\"marginTables\":[[40,{\"marginTiers\":[{\"lowerBound\":\"0\",\"maxLeverage\":40},"
        "{\"lowerBound\":\"0\",\"maxLeverage\":20}]}]]}",
        "{\"universe\":[" BTC
        "],\"marginTables\":[[40,{\"marginTiers\":[{\"lowerBound\":\"0\",\"maxLeverage\":20},"
        "{\"lowerBound\":\"9\",\"maxLeverage\":40}]}]]}",
        "{\"universe\":[" BTC
        "],\"marginTables\":[[40,{\"marginTiers\":[{\"lowerBound\":\"0\",\"maxLeverage\":0}]}]]}",
    };
    struct perps_universe u;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(read_meta(&u, bad[i]) && u.count == 0);
    CHECK(read_contexts(&u, "[" META(BTC "," ETH) ",[" CONTEXT("0.0") "," CONTEXT("3000") "]]"));
    CHECK(u.count == 1 && u.markets[0].asset.index == 1);
    CHECK(read_contexts(&u, "[" META(BTC) ",[{\"markPx\":\"1\"}]]") && u.count == 0);
}

static void malformed_universes_are_refused(void)
{
    static const char *const bad[] = { "",
                                       "null",
                                       "[]",
                                       "{}",
                                       "{\"universe\":[]}",
                                       "{\"universe\":{}}",
                                       META(BTC "," BTC),
                                       META(ETH "," BTC "," ETH) };
    static const char *const contexts[] = { META(BTC), "[" META(BTC) "]", "[" META(BTC) ",[]]",
                                            "[" META(BTC) ",[" CONTEXT("1") "," CONTEXT("1") "]]",
                                            "[null,null]" };
    struct perps_universe u;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!read_meta(&u, bad[i]));
    for (size_t i = 0; i < sizeof contexts / sizeof contexts[0]; i++)
        CHECK(!read_contexts(&u, contexts[i]));
}

static void an_asset_is_kept_as_it_was(void)
{
    struct perps_universe u;
    struct perps_asset again;
    struct json_writer w;
    json_t *doc;

    CHECK(read_meta(&u, META(ARB "," ETH)));
    for (size_t i = 0; i < u.count; i++) {
        const struct perps_asset *p = &u.markets[i].asset;
        const char *text;

        jw_init(&w, a, 4096);
        perps_asset_write(&w, p);
        text = jw_finish(&w);
        doc = json_read_texts(text, strlen(text));
        CHECK(perps_asset_read(a, doc, &again));
        CHECK_STR(again.name, p->name);
        CHECK(again.index == p->index && again.sz_decimals == p->sz_decimals &&
              again.leverage == p->leverage);
        CHECK(again.only_isolated == p->only_isolated && again.tier_count == p->tier_count);
        CHECK(memcmp(again.tiers, p->tiers, sizeof again.tiers) == 0);
        json_decref(doc);
    }
}

static void names_are_listed_once(void)
{
    static const char *const bad[] = { "",
                                       " ",
                                       "BTC ETH btc",
                                       "BTC-USD",
                                       "ABCDEFGHIJKLMNOPQ",
                                       "BTC;ETH",
                                       "a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6" };
    struct perps_names out;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!perps_names_of(&out, a, &(struct conf){ .perps_assets = bad[i] }));
    CHECK(perps_names_of(&out, a, &(struct conf){ .perps_assets = " BTC,ETH  kPEPE " }) && out.count == 3);
    CHECK_STR(out.list[2], "kPEPE");
}

static void markets_go_by_two_names(void)
{
    CHECK(perps_is_meant("ETH", "ETH-USD") && perps_is_meant("ETH", "eth") &&
          perps_is_meant("kPEPE", "KPEPE-usd"));
    CHECK(!perps_is_meant("ETH", "ETHW") && !perps_is_meant("ETH", "ET") &&
          !perps_is_meant("ETH", "ETH-USDC"));
    CHECK(!perps_is_meant("ETH", "") && !perps_is_meant("ETH", "ETH-"));
    arena_free(a);
}

TEST_MAIN(TEST(assets_have_their_numbers_and_tiers), TEST(contexts_belong_to_the_names_beside_them),
          TEST(a_delisted_asset_is_missing), TEST(an_asset_that_makes_no_sense_is_missing),
          TEST(malformed_universes_are_refused), TEST(an_asset_is_kept_as_it_was),
          TEST(names_are_listed_once), TEST(markets_go_by_two_names))
