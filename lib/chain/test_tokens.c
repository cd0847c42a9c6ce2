#include "base/test.h"
#include "chain/tokens.c"

static const struct token *find(const char *chain, const char *text)
{
    return token_find(chain_find(chain), text);
}

static void by_symbol(void)
{
    CHECK_STR(find("ethereum", "usdc")->address_text, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48");
    CHECK(find("bsc", "USDC")->decimals == 18 && find("ethereum", "WBTC")->decimals == 8);
    CHECK(find("optimism", "usdc.E") != NULL && find("base", "USDT") == NULL);
    CHECK(find("ethereum", "USDT")->reset_first && !find("base", "USDC")->reset_first);
    CHECK(find("ethereum", "") == NULL && find("ethereum", "POL") == NULL);
}

static void aliases_of_renamed_coins(void)
{
    CHECK(find("polygon", "POL") == find("polygon", "MATIC") && find("polygon", "pol") != NULL);
    CHECK(find("polygon", "WPOL") == find("polygon", "WMATIC") && find("polygon", "WPOL")->wrapped_native);
}

static void by_address(void)
{
    const struct token *usdc = find("base", "USDC");

    CHECK(find("base", usdc->address_text) == usdc);
    CHECK(find("base", "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913") == usdc);
    CHECK(find("base", "0x833589FCD6eDb6E08f4c7C32D4f71b54bdA02914") == NULL); /* wrong checksum */
    CHECK(find("ethereum", usdc->address_text) == NULL);
    CHECK(token_is_native(find("base", EVM_ADDR_ZERO)));
    CHECK(find("solana", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v") == find("solana", "USDC"));
    CHECK(find("solana", "epjfwdd5aufqssqem2qn1xzybapc8g4weggkzwytdt1v") == NULL);
    CHECK(token_by_addr(chain_find("solana"), token_addr(find("base", "ETH"))) == NULL);
}

/* The coin goes by the mint of wrapped SOL; a mint in other letters is another one. */
static void mints(void)
{
    const struct token *sol = find("solana", "SOL");
    struct token_ref ref = token_ref_of(sol);

    CHECK(find("sol", "sol") == sol && token_is_native(sol) && !sol->wrapped_native);
    CHECK(find("solana", "So11111111111111111111111111111111111111112") == sol && token_known(&ref) == sol);
    CHECK(find("solana", "jitosol")->decimals == 9 && find("solana", "BONK")->decimals == 5);
    CHECK(find("solana", "J1TOSO1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn") == NULL);
    CHECK(!token_is_native(find("solana", "mSOL")) && find("ethereum", "mSOL") == NULL);
}

static void fantom_lists_no_unbacked_dollars(void)
{
    CHECK(find("fantom", "0x049d68029688eAbF473097a2fC38ef61633A3C7A") == NULL);
    CHECK(find("fantom", "USDT") == NULL && find("fantom", "fUSDT") == NULL);
}

static void every_chain_has_its_coins(void)
{
    for (size_t i = 0; i < chains_count; i++) {
        const struct chain *c = &chains[i];
        const struct token *native = token_find(c, c->native), *wrapped = token_wrapped_native(c);

        CHECK(native != NULL && token_is_native(native));
        CHECK(c->type != CHAIN_EVM || (native->decimals == 18 && wrapped != NULL && wrapped->decimals == 18));
        CHECK(c->type != CHAIN_EVM || (wrapped->connector && !token_is_native(wrapped)));
    }
}

static void tokens_that_stand_for_each_other(void)
{
    static const struct {
        const char *chain, *one, *other;
        bool stands;
    } rows[] = {
        { "base", "USDC", "DAI", true },    { "solana", "USDC", "PYUSD", true },
        { "base", "ETH", "WETH", true },    { "solana", "SOL", "WSOL", true },
        { "gnosis", "xDAI", "USDC", true }, { "base", "USDC", "USDC", true },
        { "base", "USDC", "WETH", false },  { "solana", "SOL", "mSOL", false },
        { "mantle", "MNT", "WETH", false }, { "solana", "WETH", "WSOL", false },
        { "solana", "BONK", "WIF", false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct token *one = find(rows[i].chain, rows[i].one),
                           *other = find(rows[i].chain, rows[i].other);

        CHECK(token_equivalent(one, other) == rows[i].stands &&
              token_equivalent(other, one) == rows[i].stands);
    }
    CHECK(!token_equivalent(find("base", "USDC"), find("ethereum", "USDC")));
}

static void tokens_of_equal_worth_on_other_chains(void)
{
    static const struct {
        const char *chain, *one, *other_chain, *other;
        bool worth, same;
    } rows[] = {
        { "base", "USDC", "ethereum", "USDC", true, true },
        { "base", "DAI", "ethereum", "USDC", true, false },
        { "base", "ETH", "ethereum", "WETH", true, true },
        { "base", "ETH", "polygon", "POL", false, false },
        { "solana", "SOL", "base", "ETH", false, false },
        { "solana", "USDC", "base", "USDC", true, true },
        { "base", "ETH", "ethereum", "USDC", false, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct token *one = find(rows[i].chain, rows[i].one),
                           *other = find(rows[i].other_chain, rows[i].other);

        CHECK(token_is_worth(one, other) == rows[i].worth && token_is_worth(other, one) == rows[i].worth);
        CHECK(token_is_same(one, other) == rows[i].same && token_is_same(other, one) == rows[i].same);
    }
}

static void rows_are_sound(void)
{
    for (size_t i = 0; i < tokens_count; i++) {
        const struct token *t = &tokens[i];
        const struct chain *c = chain_find(t->chain);
        struct evm_addr a;

        CHECK(c != NULL && strcmp(c->key, t->chain) == 0);
        CHECK(strlen(t->symbol) <= TOKEN_SYMBOL_MAX && t->name[0] != '\0' && t->decimals <= 18);
        CHECK(token_find(c, t->symbol) == t);
        CHECK(token_find(c, t->address_text) ==
              (c->type == CHAIN_SOLANA && t->wrapped_native ? token_find(c, "SOL") : t));
        CHECK(c->type != CHAIN_EVM || evm_addr_parse(&a, t->address_text));
    }
}

static void a_dollar_is_worth_a_dollar(void)
{
    static const struct {
        const char *chain, *symbol;
        bool dollar;
    } rows[] = {
        { "ethereum", "USDC", true }, { "solana", "USDC", true },   { "solana", "PYUSD", true },
        { "polygon", "pUSD", true },  { "ethereum", "ETH", false }, { "solana", "BONK", false },
    };
    struct token_ref stranger = token_ref_of(token_find(chain_by_id(1), "USDC"));

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct token_ref t = token_ref_of(token_find(chain_find(rows[i].chain), rows[i].symbol));
        const uint64_t usd = rows[i].dollar ? 2500000000000000000 : 0;

        CHECK(!rows[i].dollar || t.decimals == 6);
        CHECK(u256_cmp(token_dollars(&t, u256_from_u64(2500000)), u256_from_u64(usd)) == 0);
    }
    (void)snprintf(stranger.address, sizeof stranger.address, "0x7777777777777777777777777777777777777777");
    CHECK(u256_is_zero(token_dollars(&stranger, u256_from_u64(1000000))));
}

TEST_MAIN(TEST(by_symbol), TEST(aliases_of_renamed_coins), TEST(by_address), TEST(mints),
          TEST(fantom_lists_no_unbacked_dollars), TEST(every_chain_has_its_coins),
          TEST(tokens_that_stand_for_each_other), TEST(tokens_of_equal_worth_on_other_chains),
          TEST(a_dollar_is_worth_a_dollar), TEST(rows_are_sound))
