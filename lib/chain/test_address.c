#include "base/test.h"
#include "chain/address.c"

static void addresses_of_wallets(void)
{
    static const struct {
        const char *text;
        bool evm, solana;
    } rows[] = {
        { "0x1111111111111111111111111111111111111111", true, false },
        { "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", true, false },
        { "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB49", false, false }, /* not its checksum */
        { "0x0000000000000000000000000000000000000000", false, false },
        { "So11111111111111111111111111111111111111112", false, true },
        { "", false, false },
        { "me", false, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK(address_is_wallet(CHAIN_EVM, rows[i].text) == rows[i].evm);
        CHECK(address_is_wallet(CHAIN_SOLANA, rows[i].text) == rows[i].solana);
        CHECK(address_is_wallet(CHAIN_MOVE, rows[i].text) && address_is_wallet(CHAIN_TON, rows[i].text));
    }
}

TEST_MAIN(TEST(addresses_of_wallets))
