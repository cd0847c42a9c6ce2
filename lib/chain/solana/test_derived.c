#include "chain/solana/derived.c"

#define TEST_VECTORS "tests/vectors/solana.json"
#include "base/test.h"
#include "codec/test_vectors.h"

static void token_accounts(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(test_member("associated_token_accounts"), "cases"), i, row)
    {
        struct solana_addr owner, mint, program, want, got;

        CHECK(solana_addr_parse(&owner, test_text(row, "owner")) &&
              solana_addr_parse(&mint, test_text(row, "mint")) &&
              solana_addr_parse(&program, test_text(row, "token_program")) &&
              solana_addr_parse(&want, test_text(row, "address")));
        CHECK(solana_token_account(&got, &owner, &program, &mint) && solana_addr_eq(&got, &want));
    }
    CHECK(i == 16);
}

static void too_many_seeds(void)
{
    static const uint8_t seed[32];
    struct solana_seed seeds[40];
    struct solana_addr out;

    for (size_t i = 0; i < 40; i++)
        seeds[i] = (struct solana_seed){ seed, sizeof seed };
    CHECK(!solana_derived(&out, &SOLANA_TOKEN, seeds, 40));
}

TEST_MAIN(TEST(token_accounts), TEST(too_many_seeds))
