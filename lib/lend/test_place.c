/* Which market an agent means, and what operations need of it; the list of markets is the test's own. */
#include "base/test.h"

#define lend_chain_of      chain_of_tests
#define lend_markets_often markets_of_tests
#define lend_market_find   market_of_tests
#include "lend/place.c"

#define WETH    "0x4200000000000000000000000000000000000006"
#define USDC    "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
#define STRANGE "0x00000000000000000000000000000000000000ee"
#define A_TOKEN "0x00000000000000000000000000000000000000a1"
#define DEBT    "0x00000000000000000000000000000000000000d1"
#define ORACLE  "0x0000000000000000000000000000000000000077"
#define RATES   "0x0000000000000000000000000000000000000088"
#define LLTV    "860000000000000000"

#define AAVE(id, symbol, address, rest)                                                                      \
    "{\"id\":\"" id "\",\"protocol\":\"aave-v3\",\"chain\":\"base\",\"loanToken\":\"" symbol                 \
    "\",\"collateralToken\":\"*\",\"address\":\"" address "\"" rest "}"
#define AAVE_REST(can, decimals)                                                                             \
    ",\"aToken\":\"" A_TOKEN "\",\"debtToken\":\"" DEBT "\",\"canBeCollateral\":" can                        \
    ",\"terms\":{\"decimals\":" decimals "}"
#define MORPHO(id, collateral, address, decimals, irm)                                                       \
    "{\"id\":\"" id "\",\"protocol\":\"morpho\",\"chain\":\"base\",\"loanToken\":\"USDC\""                   \
    ",\"collateralToken\":\"" collateral "\",\"address\":\"" USDC "\",\"oracle\":\"" ORACLE                  \
    "\",\"irm\":\"" irm "\",\"terms\":{\"decimals\":6,\"collateral\":\"" address                             \
    "\",\"collateralDecimals\":" decimals ",\"lltv\":\"" LLTV "\"}}"

/* The fifth and those behind it cannot be read. */
static const char markets[] =
    "{\"markets\":[" MORPHO("0x01", "WETH", WETH, "18", RATES) "," MORPHO("0x02", "ODD", STRANGE, "78", "") "," AAVE(
        "a-weth", "WETH", WETH,
        AAVE_REST(
            "true",
            "18")) "," AAVE("a-odd", "ODD", STRANGE,
                            AAVE_REST(
                                "false",
                                "8")) "," AAVE("a-plain", "USDC", USDC,
                                               "") "," AAVE("a-nowhere", "USDC", "",
                                                            AAVE_REST(
                                                                "true",
                                                                "6")) "," AAVE("a-untold", "USDC", USDC,
                                                                               ",\"aToken\":\"\",\"debtToken\":\"" DEBT
                                                                               "\",\"terms\":{}") "]}";

static struct arena *a;
static json_t *doc;

const struct err *lend_chain_of(const struct ctx *ctx, struct arena *arena, const char *key, uint64_t id,
                                const struct chain **out)
{
    (void)ctx;
    (void)arena;
    *out = key != NULL ? chain_find(key) : id != 0 ? chain_by_id(id) : NULL;
    return *out == NULL && (key != NULL || id != 0) ? &E_LEND_CHAIN : NULL;
}

const struct err *lend_markets_often(const struct ctx *ctx, struct arena *arena, const struct chain *c,
                                     const json_t **out)
{
    (void)ctx;
    (void)arena;
    (void)c;
    *out = doc;
    return NULL;
}

const struct err *lend_market_find(const struct ctx *ctx, struct arena *arena, const struct chain *c,
                                   const char *id, const json_t **out)
{
    size_t i;

    (void)ctx;
    (void)arena;
    (void)c;
    json_array_foreach(json_object_get(doc, "markets"), i, *out)
    {
        if (strcmp(text_of(*out, "id"), id) == 0)
            return NULL;
    }
    return &E_MARKET_NOT_FOUND;
}

static const struct err *find(struct lend_place *out, const char *market, const char *chain,
                              const char *asset)
{
    const struct lend_named named = { .market = market, .chain = chain, .asset = asset };

    return lend_place_find(NULL, a, &named, out);
}

static void a_market_is_named_by_its_id_or_its_token(void)
{
    const struct {
        const char *market, *chain, *asset, *id;
    } rows[] = {
        { "a-weth", NULL, NULL, "a-weth" },  { "0x01", "base", "USDC", "0x01" },
        { NULL, "base", "WETH", "a-weth" },  { NULL, "base", "weth", "a-weth" },
        { NULL, "base", "ETH", "a-weth" },   { NULL, "base", WETH, "a-weth" },
        { NULL, "base", "odd", "a-odd" },    { NULL, "base", STRANGE, "a-odd" },
        { "0x01", NULL, "nothing", "0x01" },
    };
    struct lend_place p;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK(find(&p, rows[i].market, rows[i].chain, rows[i].asset) == NULL);
        CHECK_STR(p.id, rows[i].id);
    }
}

static void unknown_places_are_refused(void)
{
    const struct {
        const char *market, *chain, *asset;
        const struct err *why;
        const char *text;
    } rows[] = {
        { NULL, NULL, "WETH", &E_REQUIRED, "market is required" },
        { NULL, "base", NULL, &E_REQUIRED, "asset is required" },
        { NULL, "nochain", "WETH", &E_LEND_CHAIN, NULL },
        { "none", "base", NULL, &E_MARKET_NOT_FOUND, "Market not found" },
        { NULL, "base", "DAI", &E_MARKET_NOT_FOUND, "Market not found" },
        { NULL, "base", ORACLE, &E_MARKET_NOT_FOUND, "Market not found" },
        { NULL, "base", "NOSUCH", &E_TOKEN_UNKNOWN, "Unknown token 'NOSUCH' on chain 'base'" },
        { "a-plain", NULL, NULL, &E_MARKET_NOT_FOUND, "Market not found" },
        { "a-nowhere", NULL, NULL, &E_MARKET_NOT_FOUND, "Market not found" },
        { "a-untold", NULL, NULL, &E_MARKET_NOT_FOUND, "Market not found" },
    };
    struct lend_place p;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct err *e = find(&p, rows[i].market, rows[i].chain, rows[i].asset);

        CHECK(e != NULL && err_is(e, rows[i].why));
        if (e != NULL && rows[i].text != NULL)
            CHECK_STR(e->text, rows[i].text);
        if (e != NULL && rows[i].why == &E_MARKET_NOT_FOUND)
            CHECK(e->hint != NULL);
    }
}

static void markets_of_aave_are_read(void)
{
    struct lend_place p;

    CHECK(find(&p, "a-weth", NULL, NULL) == NULL && !lend_place_is_morpho(&p));
    CHECK(p.lender == contract_of(chain_find("base"), &aave_pool) && p.can_be_collateral);
    CHECK(p.a_token.bytes[19] == 0xa1 && p.debt_token.bytes[19] == 0xd1);
    CHECK(p.loan.chain_id == 8453 && p.loan.decimals == 18 && p.collateral.chain_id == 0);
    CHECK(find(&p, "a-odd", NULL, NULL) == NULL && !p.can_be_collateral && p.loan.decimals == 8);
    CHECK_STR(p.loan.symbol, "ODD");
    CHECK(strcasecmp(p.loan.address, STRANGE) == 0);
}

/* A market's id is the hash of its terms, under any listed name. */
static void markets_of_morpho_are_read(void)
{
    struct lend_place p;
    uint8_t id[HASH_LEN];

    CHECK(find(&p, "0x01", NULL, NULL) == NULL && lend_place_is_morpho(&p));
    CHECK(p.lender == contract_of(chain_find("base"), &morpho_blue));
    CHECK(p.terms.oracle.bytes[19] == 0x77 && p.terms.rates.bytes[19] == 0x88);
    CHECK(p.terms.lltv.limb[0] == 860000000000000000);
    CHECK(strcasecmp(p.loan.address, USDC) == 0 && strcasecmp(p.collateral.address, WETH) == 0);
    CHECK(p.collateral.decimals == 18);
    morpho_market_id(id, &p.terms);
    CHECK(memcmp(id, p.market, sizeof id) == 0);
    /* without rates, and against a token of unknown decimals */
    CHECK(find(&p, "0x02", NULL, NULL) == NULL && evm_addr_is_zero(p.terms.rates));
    CHECK(p.collateral.chain_id == 0 && p.loan.chain_id == 8453);
}

static void place_test_start(void)
{
    a = arena_new();
    doc = json_loads(markets, 0, NULL);
    CHECK(json_array_size(json_object_get(doc, "markets")) == 7);
}

static void place_test_end(void)
{
    json_decref(doc);
    arena_free(a);
}

TEST_MAIN(TEST(place_test_start), TEST(a_market_is_named_by_its_id_or_its_token),
          TEST(unknown_places_are_refused), TEST(markets_of_aave_are_read), TEST(markets_of_morpho_are_read),
          TEST(place_test_end))
