#include "base/test.h"
#include "chain/explorer.c"

/* In place of the settings. */
static const char *own;

const char *conf_chain(const struct conf *c, const char *name, const char *chain_key)
{
    (void)c, (void)name, (void)chain_key;
    return own;
}

static void a_setting_changes_the_table(void)
{
    static const struct conf conf;
    const struct chain *base = chain_find("base");

    CHECK_STR(explorer_of(base), base->explorer_tx);
    explorer_configure(&conf);
    CHECK_STR(explorer_of(base), base->explorer_tx);
    own = "https://explorer.example/tx/";
    explorer_configure(&conf);
    CHECK_STR(explorer_of(base), "https://explorer.example/tx/");
    own = "";
    explorer_configure(&conf);
    CHECK(explorer_of(base) == NULL);
}

TEST_MAIN(TEST(a_setting_changes_the_table))
