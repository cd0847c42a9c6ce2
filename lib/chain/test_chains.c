#include "base/test.h"
#include "chain/chains.c"

#include <string.h>

static void keys_and_aliases(void)
{
    CHECK(chain_find("ethereum") == chain_by_id(1) && chain_find("ETH") == chain_by_id(1));
    CHECK(chain_find("Base") == chain_by_id(8453) && chain_find("sol") == chain_by_id(1151111081099710));
    CHECK(chain_find("bnb")->id == 56 && chain_find("matic")->id == 137 && chain_find("op")->id == 10);
    CHECK(chain_find("") == NULL && chain_find("none") == NULL && chain_find("ethereum ") == NULL);
    CHECK(chain_by_id(0) == NULL && chain_by_id(146) == NULL);
}

static void no_name_twice(void)
{
    for (size_t i = 0; i < chains_count; i++) {
        CHECK(chain_find(chains[i].key) == &chains[i]);
        CHECK(chain_by_id(chains[i].id) == &chains[i]);
        CHECK(chains[i].alias == NULL || chain_find(chains[i].alias) == &chains[i]);
    }
}

static void rows_are_whole(void)
{
    CHECK(chains_count == 15);
    for (size_t i = 0; i < chains_count; i++) {
        const struct chain *c = &chains[i];

        CHECK(c->name[0] != '\0' && c->native[0] != '\0' && chain_type_text(c->type)[0] != '\0');
        CHECK(c->tip_min <= c->tip_max && c->confirm_depth >= 1 && c->confirm_depth <= c->settle_depth);
        CHECK(c->explorer_tx == NULL || strncmp(c->explorer_tx, "https://", 8) == 0);
        CHECK(c->type != CHAIN_EVM || strncmp(c->rpc_default, "https://", 8) == 0);
    }
}

TEST_MAIN(TEST(keys_and_aliases), TEST(no_name_twice), TEST(rows_are_whole))
