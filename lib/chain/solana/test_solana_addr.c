#include "chain/solana/solana_addr.c"

#define TEST_VECTORS "tests/vectors/solana.json"
#include "base/test.h"
#include "codec/test_vectors.h"

static void syntax(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(test_section("address_syntax"), i, row)
    {
        char text[SOLANA_ADDR_TEXT_LEN + 1];
        struct solana_addr a;
        bool valid = solana_addr_parse(&a, test_text(row, "address"));

        CHECK(valid == json_is_true(json_object_get(row, "valid")));
        if (!valid)
            continue;
        solana_addr_text(text, &a);
        CHECK_STR(text, test_text(row, "address"));
    }
}

static void of_public_keys(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(test_section("keypairs"), i, row)
    {
        char text[SOLANA_ADDR_TEXT_LEN + 1];
        struct solana_addr a;
        size_t n;
        const uint8_t *key = test_plain_bytes(row, "public_key_hex", &n);

        CHECK(n == sizeof a.bytes && solana_addr_parse(&a, test_text(row, "address")));
        CHECK(memcmp(a.bytes, key, n) == 0);
        solana_addr_text(text, &a);
        CHECK_STR(text, test_text(row, "address"));
    }
}

TEST_MAIN(TEST(syntax), TEST(of_public_keys))
