#include "base/test.h"
#include "registry/chain_families.c"

static void every_verb_is_there(void)
{
    for (size_t i = 0; chain_families[i] != NULL; i++) {
        const struct chain_ops *f = chain_families[i];

        CHECK(f->try_plan != NULL && f->cost != NULL && f->guard != NULL);
        CHECK(f->sign != NULL && f->address_bytes != NULL && f->hash_text != NULL);
        CHECK(f->balances != NULL && f->describe_token != NULL && f->token_decimals != NULL);
        CHECK(f->hash_read != NULL && f->newest_block != NULL);
        CHECK(f->payments_begin != NULL && f->payments_end != NULL);
        CHECK(f->send != NULL && f->poll_begin != NULL && f->poll_end != NULL && f->poll_closely != NULL);
        CHECK(f->repair != NULL && f->arrived != NULL && f->poll_free != NULL && f->follow_end != NULL);
    }
}

/* Nothing is executed where there is none, and nothing that is there can be followed then. */
static void chains_have_families(void)
{
    for (size_t i = 0; i < chains_count; i++) {
        CHECK((chain_ops_of(&chains[i]) == &evm_chain_ops) == (chains[i].type == CHAIN_EVM));
        CHECK((chain_ops_of(&chains[i]) == &solana_chain_ops) == (chains[i].type == CHAIN_SOLANA));
    }
    CHECK(chain_ops_of(NULL) == NULL);
}

TEST_MAIN(TEST(every_verb_is_there), TEST(chains_have_families))
