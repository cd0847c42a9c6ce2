#include "base/test.h"
#include "chain/evm/evm_addr.c"
#include "codec/test_vectors.h"

static void checksums(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(test_section("eip55"), i, row)
    {
        char text[EVM_ADDR_TEXT_LEN + 1];
        struct evm_addr lower, mixed;

        CHECK(evm_addr_parse(&lower, test_text(row, "lower")));
        CHECK(evm_addr_parse(&mixed, test_text(row, "checksummed")));
        CHECK(evm_addr_eq(lower, mixed));
        evm_addr_text(text, lower);
        CHECK_STR(text, test_text(row, "checksummed"));
    }
}

static void wrong_checksums(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(test_section("eip55_invalid"), i, row)
    {
        struct evm_addr a;

        CHECK(!evm_addr_parse(&a, test_text(row, "address")));
        CHECK(evm_addr_parse(&a, test_text(row, "correct")));
    }
}

static void addresses_in_one_case_need_no_checksum(void)
{
    struct evm_addr a, b;

    CHECK(evm_addr_parse(&a, "0xafbfb97a91baf30eb474ef17e11d8ea2e520326b"));
    CHECK(evm_addr_parse(&b, "0xAFBFB97A91BAF30EB474EF17E11D8EA2E520326B"));
    CHECK(evm_addr_eq(a, b) && !evm_addr_is_zero(a));
    CHECK(evm_addr_parse(&a, "0x0000000000000000000000000000000000000000") && evm_addr_is_zero(a));
}

static void wrong_text(void)
{
    static const char *const bad[] = { "",
                                       "0x",
                                       "afbfb97a91baf30eb474ef17e11d8ea2e520326b",
                                       "0Xafbfb97a91baf30eb474ef17e11d8ea2e520326b",
                                       "0xafbfb97a91baf30eb474ef17e11d8ea2e520326",
                                       "0xafbfb97a91baf30eb474ef17e11d8ea2e520326b0",
                                       "0xafbfb97a91baf30eb474ef17e11d8ea2e520326g",
                                       " 0xafbfb97a91baf30eb474ef17e11d8ea2e520326",
                                       "00afbfb97a91baf30eb474ef17e11d8ea2e520326b" };
    struct evm_addr a;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!evm_addr_parse(&a, bad[i]));
}

static void of_public_keys(void)
{
    const json_t *row;
    size_t i, n;

    json_array_foreach(test_section("keys"), i, row)
    {
        const uint8_t *pubkey = test_bytes(row, "public_key_uncompressed", &n);
        char text[EVM_ADDR_TEXT_LEN + 1];

        CHECK(n == EVM_PUBKEY_LEN);
        evm_addr_text(text, evm_addr_of_pubkey(pubkey));
        CHECK_STR(text, test_text(row, "address"));
    }
}

TEST_MAIN(TEST(checksums), TEST(wrong_checksums), TEST(addresses_in_one_case_need_no_checksum),
          TEST(wrong_text), TEST(of_public_keys))
