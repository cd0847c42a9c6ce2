#include "base/edit_distance.c"
#include "base/test.h"

static void distances(void)
{
    static const struct {
        const char *a, *b;
        unsigned distance;
    } rows[] = {
        { "chain", "chain", 0 },
        { "Chain", "chain", 0 },
        { "fromToken", "from_token", 0 },
        { "WALLET_ADDRESS_", "wallet_address", 0 },
        { "wallet-address", "wallet_address", 0 },
        { "chian", "chain", 1 }, /* neighbours swapped */
        { "hcain", "chain", 1 },
        { "chai", "chain", 1 },
        { "chains", "chain", 1 },
        { "chxin", "chain", 1 },
        { "cian", "chain", 2 },
        { "chainId", "chain", 2 },
        { "slipage", "slippage", 1 },
        { "wallet_adress", "wallet_address", 1 },
        { "hcian", "chain", 2 },
        { "niahc", "chain", 3 },
        { "chain_idx", "chain", 3 },
        { "", "", 0 },
        { "", "ab", 2 },
        { "", "abc", 3 },
        { "_", "", 0 },
        { "caf\xc3\xa9", "cafe", 2 },
        { "0123456789012345678901234567890123456789012345678", "chain", 3 },
        { "012345678901234567890123456789012345678901234567",
          "012345678901234567890123456789012345678901234567", 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK(edit_distance(rows[i].a, rows[i].b) == rows[i].distance);
        CHECK(edit_distance(rows[i].b, rows[i].a) == rows[i].distance);
    }
}

static void alike_is_distance_0(void)
{
    static const char *const names[] = { "fromToken", "from_token", "-FROM_token_", "from_tokens", "from",
                                         "",          "_" };
    enum { N = sizeof names / sizeof names[0] };

    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            CHECK(names_alike(names[i], names[j]) == (edit_distance(names[i], names[j]) == 0));
}

static void names_within_names(void)
{
    static const struct {
        const char *name, *part;
        bool contains;
    } rows[] = {
        { "limit_price_usd", "price", true },
        { "limitPriceUsd", "limit_price", true },
        { "price", "price", true },
        { "price", "limit_price", false },
        { "pri", "price", false },
        { "p_r_i_c_e", "price", true },
        { "pprice", "price", true },
        { "", "price", false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(name_contains(rows[i].name, rows[i].part) == rows[i].contains);
}

TEST_MAIN(TEST(distances), TEST(alike_is_distance_0), TEST(names_within_names))
