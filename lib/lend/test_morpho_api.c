#include "lend/morpho_api.c"

#include "base/test.h"

static struct arena *a;

#define USDC   "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
#define WETH   "0x4200000000000000000000000000000000000006"
#define ORACLE "0xFEa2D58cEfCb9fcb597723c6bAE66fFE4193aFE4"
#define IRM    "0x46415998764C29aB2a25CbeA6254146D50D22687"
#define ID     "0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda"
#define LLTV   "860000000000000000"

/* An item whose members may be others. */
struct item {
    const char *id, *loan_symbol, *collateral, *collateral_symbol, *oracle, *lltv, *listed, *more;
};
static const struct item honest = { ID, "USDC", WETH, "WETH", ORACLE, LLTV, "true", "" };

static char *item_text(const struct item *it)
{
    return arena_printf(
        a,
        "{\"marketId\":\"%s\",\"lltv\":\"%s\",\"loanAsset\":{\"address\":\"" USDC "\",\"symbol\":\"%s\"},"
        "\"collateralAsset\":{\"address\":\"%s\",\"symbol\":\"%s\"},\"oracle\":{\"address\":\"%s\"},"
        "\"irmAddress\":\"" IRM "\",\"listed\":%s%s}",
        it->id, it->lltv, it->loan_symbol, it->collateral, it->collateral_symbol, it->oracle, it->listed,
        it->more);
}

static bool read_items(const char *items, struct lend_listing **out, size_t *count)
{
    struct buf answer = BUF_INIT(65536);
    bool read;

    buf_addf(&answer, "{\"data\":{\"markets\":{\"items\":[%s]}}}", items);
    read = morpho_api_read(a, chain_by_id(8453), &answer, out, count);
    buf_free(&answer);
    return read;
}

static size_t read_item(struct item it, struct lend_listing **out)
{
    size_t count = 0;

    CHECK(read_items(item_text(&it), out, &count));
    return count;
}

static void honest_items_are_listed(void)
{
    struct item it = honest;
    struct lend_listing *list;

    it.more = ",\"creationTimestamp\":1704067200,\"warnings\":[{\"type\":\"bad_debt\",\"level\":\"RED\"},"
              "{\"type\":\"<b>\",\"level\":\"RED\"},{\"type\":\"x\",\"level\":\"GREEN\"},{\"type\":7},null]";
    CHECK(read_item(it, &list) == 1);
    CHECK(list[0].id[0] == 0x87 && list[0].id[31] == 0xda && list[0].created_ms == 1704067200000);
    CHECK_STR(list[0].warnings, "[{\"type\":\"bad_debt\",\"level\":\"RED\"}]");
    it.more = ",\"creationTimestamp\":\"1704067200\"";
    CHECK(read_item(it, &list) == 1 && list[0].created_ms == 1704067200000);
    CHECK_STR(list[0].warnings, "[]");
}

static void times_that_are_none(void)
{
    static const char *const times[] = { "-5", "1e400", "253402300800", "\"soon\"", "\"-1\"", "null", "1.5" };
    struct item it = honest;
    struct lend_listing *list;

    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        size_t count = 0;

        it.more = arena_printf(a, ",\"creationTimestamp\":%s", times[i]);
        if (read_items(item_text(&it), &list, &count))
            CHECK(count == 1 && list[0].created_ms == 0);
    }
}

static void inconsistent_items_are_not_listed(void)
{
    struct lend_listing *list;
    struct item it = honest;

    it.oracle = "0x2222222222222222222222222222222222222222";
    CHECK(read_item(it, &list) == 0);
    it = honest;
    it.lltv = "860000000000000001";
    CHECK(read_item(it, &list) == 0);
    it = honest;
    it.loan_symbol = "WETH"; /* another token's */
    CHECK(read_item(it, &list) == 0);
    it = honest;
    it.collateral_symbol = "U5DC"; /* the name does not matter for a listed token */
    CHECK(read_item(it, &list) == 1);
    it = honest;
    it.listed = "false";
    CHECK(read_item(it, &list) == 0);
    it.listed = "1";
    CHECK(read_item(it, &list) == 0);
    it = honest;
    it.id = "0x87";
    CHECK(read_item(it, &list) == 0);
    it = honest;
    it.collateral = "";
    CHECK(read_item(it, &list) == 0);
}

static void symbols_of_unknown_tokens(void)
{
    const struct chain *c = chain_by_id(8453);
    const struct evm_addr unknown = { { 0x77 } };
    struct evm_addr usdc;

    CHECK(evm_addr_parse(&usdc, USDC));
    CHECK(symbol_is_honest(c, unknown, "LONGTAIL") && !symbol_is_honest(c, unknown, "USDC"));
    CHECK(!symbol_is_honest(c, unknown, "U5DC") && symbol_is_honest(c, usdc, "usdc"));
    CHECK(!symbol_is_honest(c, usdc, "WETH"));
}

static void answers_that_are_none(void)
{
    static const char *const answers[] = {
        "", "{}", "[]", "{\"data\":null}", "{\"data\":{\"markets\":{\"items\":{}}}}", "<html>"
    };
    struct lend_listing *list;
    size_t count = 9;

    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        struct buf answer = BUF_INIT(1024);

        buf_adds(&answer, answers[i]);
        CHECK(!morpho_api_read(a, chain_by_id(8453), &answer, &list, &count) && count == 0);
        buf_free(&answer);
    }
    CHECK(read_items("", &list, &count) && count == 0);
    CHECK(
        read_items(arena_printf(a, "null,7,%s,%s", item_text(&honest), item_text(&honest)), &list, &count) &&
        count == 1); /* listed once */
}

static void the_question(void)
{
    struct buf q = BUF_INIT(1024);
    json_t *doc;

    morpho_api_ask(&q, chain_by_id(8453));
    doc = json_read(buf_text(&q), q.len);
    CHECK(strstr(json_string_value(json_object_get(doc, "query")), "chainId_in:[8453],listed:true") != NULL);
    json_decref(doc);
    buf_free(&q);
    CHECK_STR(morpho_api_url(a, "https://api.morpho.org"), "https://api.morpho.org/graphql");
}

static void api_test_start(void)
{
    a = arena_new();
}

static void api_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(api_test_start), TEST(honest_items_are_listed), TEST(times_that_are_none),
          TEST(inconsistent_items_are_not_listed), TEST(symbols_of_unknown_tokens),
          TEST(answers_that_are_none), TEST(the_question), TEST(api_test_end))
