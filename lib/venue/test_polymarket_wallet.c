#include "venue/polymarket_wallet.c"

#include "venue/test_polymarket_rows.h"

static void check_address(const json_t *row, const char *name, enum polymarket_wallet_form form)
{
    char text[EVM_ADDR_TEXT_LEN + 1];

    evm_addr_text(text, polymarket_wallet_of(evm_addr_or_zero(test_text(row, "owner")), form));
    CHECK_STR(text, test_text(json_object_get(row, name), "address"));
}

static void addresses_follow_from_owners(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(test_section("deposit_wallet_addresses"), i, row)
    {
        check_address(row, "uups", POLYMARKET_WALLET_UUPS);
        check_address(row, "beacon", POLYMARKET_WALLET_BEACON);
    }
    CHECK(i > 0);
}

static void batches_hash_as_wallets_check_them(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(test_section("deposit_wallet_batches"), i, row)
    {
        struct polymarket_call calls[POLYMARKET_CALLS_MAX];
        const struct polymarket_batch b = row_batch(row, calls);
        uint8_t digest[HASH_LEN];

        polymarket_batch_digest(digest, &b);
        CHECK_STR(test_hex(digest, HASH_LEN), test_text(row, "digest"));
    }
    CHECK(i > 0);
}

TEST_MAIN(TEST(addresses_follow_from_owners), TEST(batches_hash_as_wallets_check_them))
