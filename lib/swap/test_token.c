#include "base/test.h"
#include "swap/token.c"

#define SOMEWHERE "0x52908400098527886E0F7030069857D2E4169EE7"
#define ENDS      "0x5290…9EE7"
#define USDC      "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"

static struct token_ref token(uint64_t chain_id, const char *symbol, const char *address)
{
    struct token_ref t = { .chain_id = chain_id };

    snprintf(t.symbol, sizeof t.symbol, "%s", symbol);
    snprintf(t.address, sizeof t.address, "%s", address);
    return t;
}

static void labels(void)
{
    static const struct {
        uint64_t chain_id;
        const char *symbol, *address, *shown;
        bool listed, unverified;
    } rows[] = {
        { 1, "USDC", USDC, "USDC", true, false },
        { 1, "ETH", "0x0000000000000000000000000000000000000000", "ETH", true, false },
        { 8453, "USDC", USDC, "0xA0b8…eB48", false, true }, /* another chain's */
        { 1, "PEPE", SOMEWHERE, "PEPE", false, false },
        { 1, "DAI", SOMEWHERE, "DAI", false, false }, /* not of this chain */
        { 8453, "DAI", SOMEWHERE, ENDS, false, true },
        { 1, "USDC", SOMEWHERE, ENDS, false, true },
        { 1, "uSdC", SOMEWHERE, ENDS, false, true },
        { 1, "U5DC", SOMEWHERE, ENDS, false, true },
        { 1, "$USDC", SOMEWHERE, ENDS, false, true },
        { 1, "U$DC", SOMEWHERE, ENDS, false, true },
        { 1, "USDC.", SOMEWHERE, ENDS, false, true },
        { 1, "U-S-D-C", SOMEWHERE, ENDS, false, true },
        { 1, "W8TC", SOMEWHERE, ENDS, false, true },
        { 1, "USDC.e", SOMEWHERE, "USDC.e", false, false },
        { 10, "USDCe", SOMEWHERE, ENDS, false, true },
        { 137, "POL", SOMEWHERE, ENDS, false, true }, /* as MATIC is called today */
        { 1, "", SOMEWHERE, ENDS, false, true },
        { 1, ENDS, SOMEWHERE, ENDS, false, true },
        { 1, "0xA0b8..eB48", SOMEWHERE, ENDS, false, true },
        { 424242, "PEPE", SOMEWHERE, ENDS, false, true },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct token_ref t = token(rows[i].chain_id, rows[i].symbol, rows[i].address);
        const struct token_label label = token_label(&t);

        CHECK_STR(label.symbol, rows[i].shown);
        CHECK(label.listed == rows[i].listed && label.unverified == rows[i].unverified);
    }
}

TEST_MAIN(TEST(labels))
