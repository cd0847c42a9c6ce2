#include "base/test.h"
#include "policy/members.c"

static const char *const ETHEREUM_USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";

static struct token_ref token_on(uint64_t chain, const char *symbol, const char *address, uint8_t decimals)
{
    struct token_ref t = { .chain_id = chain, .decimals = decimals };

    (void)snprintf(t.symbol, sizeof t.symbol, "%s", symbol);
    (void)snprintf(t.address, sizeof t.address, "%s", address);
    return t;
}

/* Any contract can call itself USDC: by symbol only the table's own counts. */
static void a_symbol_is_the_tables(void)
{
    const struct token_ref real = token_on(1, "USDC", ETHEREUM_USDC, 6);
    const struct token_ref fake = token_on(1, "USDC", "0x7777777777777777777777777777777777777777", 6);

    CHECK(member_is_token("USDC", &real) && member_is_token("usdc", &real));
    CHECK(!member_is_token("USDT", &real) && !member_is_token("USDC", &fake));
    CHECK(member_is_token("0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", &real));
    CHECK(member_is_token("0x7777777777777777777777777777777777777777", &fake) &&
          !member_is_token(ETHEREUM_USDC, &fake));
}

TEST_MAIN(TEST(a_symbol_is_the_tables))
