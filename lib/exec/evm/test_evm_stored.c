#include "base/test.h"
#include "exec/evm/evm_stored.c"

static void addresses_have_one_form(void)
{
    struct arena *a = arena_new();
    struct address_bytes mixed, lower;

    evm_address_bytes(&mixed, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48");
    evm_address_bytes(&lower, "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48");
    CHECK(mixed.len == 20 && mixed.bytes[0] == 0xa0 && address_bytes_equal(&mixed, &lower));
    CHECK_STR(evm_address_text(a, &lower), "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48");
    evm_address_bytes(&lower, "no address");
    CHECK(!address_bytes_equal(&mixed, &lower));
    CHECK_STR(evm_address_text(a, &lower), "0x0000000000000000000000000000000000000000");
    arena_free(a);
}

static void hashes_as_nodes_write_them(void)
{
    struct arena *a = arena_new();
    struct tx_hash empty;

    evm_hash_set(&empty, (const uint8_t *)"", 0);
    CHECK_STR(evm_hash_text(a, &empty), "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
    arena_free(a);
}

TEST_MAIN(TEST(addresses_have_one_form), TEST(hashes_as_nodes_write_them))
