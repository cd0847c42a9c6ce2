#include "chain/solana/solana_programs.c"

#include "base/test.h"

static const struct {
    const struct solana_addr *addr;
    const char *text;
} rows[] = {
    { &SOLANA_SYSTEM, "11111111111111111111111111111111" },
    { &SOLANA_TOKEN, "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" },
    { &SOLANA_TOKEN_2022, "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb" },
    { &SOLANA_ASSOCIATED_TOKEN, "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL" },
    { &SOLANA_COMPUTE_BUDGET, "ComputeBudget111111111111111111111111111111" },
    { &SOLANA_MEMO, "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr" },
    { &SOLANA_LOOKUP_TABLES, "AddressLookupTab1e1111111111111111111111111" },
    { &SOLANA_JUPITER, "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4" },
    { &SOLANA_RELAY_DEPOSITORY, "99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2" },
    { &SOLANA_WRAPPED_COIN, "So11111111111111111111111111111111111111112" },
};

static void texts(void)
{
    char text[SOLANA_ADDR_TEXT_LEN + 1];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        solana_addr_text(text, rows[i].addr);
        CHECK_STR(text, rows[i].text);
    }
}

TEST_MAIN(TEST(texts))
