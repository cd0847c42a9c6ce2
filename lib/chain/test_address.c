#include "base/test.h"
#include "chain/address.c"

#define USDC   "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
#define LOWER  "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
#define WRONG  "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB49"
#define ZERO   "0x0000000000000000000000000000000000000000"
#define SOLANA "So11111111111111111111111111111111111111112"

static void forms(void)
{
    static const struct {
        enum chain_type type;
        const char *text, *want;
    } rows[] = {
        { CHAIN_EVM, USDC, USDC },
        { CHAIN_EVM, LOWER, USDC },
        { CHAIN_EVM, WRONG, NULL }, /* its checksum */
        { CHAIN_EVM, ZERO, NULL },
        { CHAIN_EVM, SOLANA, NULL },
        { CHAIN_EVM, "", NULL },
        { CHAIN_SOLANA, SOLANA, SOLANA },
        { CHAIN_SOLANA, USDC, NULL },
        { CHAIN_SOLANA, "11111111111111111111111111111111", NULL },
        { CHAIN_TON, "anything", "anything" },
        { CHAIN_TON,
          "a text of more than eighty characters, which no chain that we know of has as an address", NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char got[WALLET_ADDR_MAX] = "";

        CHECK(address_canonical(got, rows[i].type, rows[i].text) == (rows[i].want != NULL));
        CHECK(address_is_wallet(rows[i].type, rows[i].text) == (rows[i].want != NULL));
        if (rows[i].want != NULL)
            CHECK_STR(got, rows[i].want);
    }
}

static void same(void)
{
    CHECK(address_same(USDC, LOWER) && address_same(SOLANA, SOLANA));
    CHECK(!address_same(USDC, ZERO) && !address_same(USDC, SOLANA));
    CHECK(!address_same(SOLANA, "so11111111111111111111111111111111111111112"));
}

static void any_type_that_wallets_have(void)
{
    CHECK(address_fault(USDC) == NULL && address_fault(LOWER) == NULL && address_fault(SOLANA) == NULL);
    CHECK(address_fault(ZERO) != NULL && address_fault(WRONG) != NULL && address_fault("anything") != NULL);
    CHECK(address_is_wallet(wallet_chain_type(WALLET_EVM), USDC));
    CHECK(address_is_wallet(wallet_chain_type(WALLET_SOLANA), SOLANA));
}

static void written_as_an_address(void)
{
    static const char *const yes[] = { USDC,
                                       LOWER,
                                       WRONG,
                                       ZERO,
                                       SOLANA,
                                       " " USDC "\t",
                                       "my " USDC,
                                       "base:" USDC,
                                       "eip155:8453:" USDC,
                                       "solana:" SOLANA,
                                       "(" SOLANA ").",
                                       "\xe2\x80\x8b" USDC,
                                       USDC "\xe2\x80\x8b",
                                       "a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
                                       "0Xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
                                       "0x0000000000000000000000000000000000000000000000000000000000000002",
                                       "EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2" };
    static const char *const no[] = { "",
                                      "cold",
                                      "0x",
                                      "0x66",
                                      "0xcold",
                                      "a long label of several words, more than 32",
                                      "l0OI-11111111111111111111111111111111111111" };

    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++)
        CHECK(address_is_written(yes[i]));
    for (size_t i = 0; i < sizeof no / sizeof no[0]; i++)
        CHECK(!address_is_written(no[i]));
}

TEST_MAIN(TEST(written_as_an_address), TEST(any_type_that_wallets_have), TEST(forms), TEST(same))
