#include "api/endpoint/toolsets.c"
#include "base/test.h"

/* Every documented row as this program has them; the tables of the API are linked. */

static void lists_are_names_with_commas(void)
{
    static const char *const wrong[] = { "",       ",",     "banana", "trade,banana", "trade,,perps",
                                         "trade,", "TRADE", "cor",    "trade perps" };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK(toolsets_fault(wrong[i], NULL) != NULL);
    for (const char *const *known = toolsets_known(); *known != NULL; known++) {
        CHECK(toolsets_fault(*known, NULL) == NULL);
        CHECK(strstr(toolsets_fault("banana", NULL), *known) != NULL);
    }
    CHECK(toolsets_fault("trade,perps", NULL) == NULL && toolsets_fault("core,all", NULL) == NULL);
}

static void each_tool_is_in_one_set(void)
{
    for (const struct endpoint *const *ep = endpoints_all(); *ep != NULL; ep++) {
        unsigned sets = 0;

        for (size_t i = 1; i < TOOLSETS; i++)
            sets += toolsets_have(doc_toolsets[i].name, *ep);
        CHECK(sets == ((*ep)->tool != NULL));
        CHECK(toolsets_have(ALL, *ep) == ((*ep)->tool != NULL));
    }
}

static void the_default_is_part_of_all(void)
{
    const struct endpoint *borrow = endpoints_find_tool("borrow_lending"),
                          *quote = endpoints_find_tool("get_quote");

    CHECK(toolsets_have(TOOLSETS_DEFAULT, quote) && !toolsets_have(TOOLSETS_DEFAULT, borrow));
    CHECK(toolsets_have("core,lend", quote) && toolsets_have("core,lend", borrow));
    CHECK(!toolsets_have("lend", quote) && toolsets_have("lend", borrow));
}

TEST_MAIN(TEST(lists_are_names_with_commas), TEST(each_tool_is_in_one_set), TEST(the_default_is_part_of_all))
