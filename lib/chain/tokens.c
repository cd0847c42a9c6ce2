#include "chain/tokens.h"

#include <stdio.h>
#include <strings.h>

/* One row per token; the last column names what it has of: wrapped native, connector, stable, paid out at
 * par, reset first. */
#define W     .wrapped_native = true
#define C     .connector = true
#define S     .stable = true
#define PAR   .at_par = true
#define RF    .reset_first = true
#define PLAIN .reset_first = false

/* Not here on purpose: Fantom's older "USDC" and "fUSDT", whose bridge is gone and which nothing backs any
 * more; Optimism's second tether; Avalanche's bridged USDT.e, which some lists call USDT. */
const struct token tokens[] = {
    { "ethereum", "ETH", "Ether", 18, EVM_ADDR_ZERO, PLAIN },
    { "ethereum", "WETH", "Wrapped Ether", 18, "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", W, C },
    { "ethereum", "USDC", "USD Coin", 6, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", C, S },
    { "ethereum", "USDT", "Tether USD", 6, "0xdAC17F958D2ee523a2206206994597C13D831ec7", C, S, RF },
    { "ethereum", "WBTC", "Wrapped BTC", 8, "0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599", PLAIN },

    { "optimism", "ETH", "Ether", 18, EVM_ADDR_ZERO, PLAIN },
    { "optimism", "WETH", "Wrapped Ether", 18, "0x4200000000000000000000000000000000000006", W, C },
    { "optimism", "USDC", "USD Coin", 6, "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85", C, S },
    { "optimism", "USDC.e", "Bridged USDC", 6, "0x7F5c764cBc14f9669B88837ca1490cCa17c31607", S },
    { "optimism", "USDT", "Tether USD", 6, "0x94b008aA00579c1307B0EF2c499aD98a8ce58e58", C, S },

    { "bsc", "BNB", "BNB", 18, EVM_ADDR_ZERO, PLAIN },
    { "bsc", "WBNB", "Wrapped BNB", 18, "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c", W, C },
    { "bsc", "USDC", "USD Coin", 18, "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d", C, S },
    { "bsc", "USDT", "Tether USD", 18, "0x55d398326f99059fF775485246999027B3197955", C, S },
    { "bsc", "BUSD", "Binance USD", 18, "0xe9e7CEA3DedcA5984780Bafc599bD69ADd087D56", S },

    { "polygon", "MATIC", "Polygon", 18, EVM_ADDR_ZERO, PLAIN },
    { "polygon", "WMATIC", "Wrapped Matic", 18, "0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270", W, C },
    { "polygon", "USDC", "USD Coin", 6, "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359", C, S },
    { "polygon", "USDC.e", "Bridged USDC", 6, "0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174", S },
    { "polygon", "USDT", "Tether USD", 6, "0xc2132D05D31c914a87C6611C10748AEb04B58e8F", C, S },
    { "polygon", "pUSD", "Polymarket USD", 6, "0xC011a7E12a19f7B1f670d46F03B03f3342E82DFB", PAR },

    { "arbitrum", "ETH", "Ether", 18, EVM_ADDR_ZERO, PLAIN },
    { "arbitrum", "WETH", "Wrapped Ether", 18, "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1", W, C },
    { "arbitrum", "USDC", "USD Coin", 6, "0xaf88d065e77c8cC2239327C5EDb3A432268e5831", C, S },
    { "arbitrum", "USDC.e", "Bridged USDC", 6, "0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8", S },
    { "arbitrum", "USDT", "Tether USD", 6, "0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9", C, S },

    { "base", "ETH", "Ether", 18, EVM_ADDR_ZERO, PLAIN },
    { "base", "WETH", "Wrapped Ether", 18, "0x4200000000000000000000000000000000000006", W, C },
    { "base", "USDC", "USD Coin", 6, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", C, S },
    { "base", "DAI", "Dai Stablecoin", 18, "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb", S },

    { "avalanche", "AVAX", "Avalanche", 18, EVM_ADDR_ZERO, PLAIN },
    { "avalanche", "WAVAX", "Wrapped AVAX", 18, "0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7", W, C },
    { "avalanche", "USDC", "USD Coin", 6, "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E", C, S },
    { "avalanche", "USDC.e", "Bridged USDC", 6, "0xA7D7079b0FEaD91F3e65f86E8915Cb59c1a4C664", S },
    { "avalanche", "USDT", "Tether USD", 6, "0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7", C, S },

    { "fantom", "FTM", "Fantom", 18, EVM_ADDR_ZERO, PLAIN },
    { "fantom", "WFTM", "Wrapped Fantom", 18, "0x21be370D5312f44cB42ce377BC9b8a0cEF1A4C83", W, C },
    { "fantom", "USDC", "USD Coin (LayerZero)", 6, "0x28a92dde19D9989F39A49905d7C9C2FAc7799bDf", C, S },

    { "linea", "ETH", "Ether", 18, EVM_ADDR_ZERO, PLAIN },
    { "linea", "WETH", "Wrapped Ether", 18, "0xe5D7C2a44FfDDf6b295A15c148167daaAf5Cf34f", W, C },
    { "linea", "USDC", "USD Coin", 6, "0x176211869cA2b568f2A7D4EE941E073a821EE1ff", C, S },
    { "linea", "USDT", "Tether USD", 6, "0xA219439258ca9da29E9Cc4cE5596924745e12B93", C, S },

    { "mantle", "MNT", "Mantle", 18, EVM_ADDR_ZERO, PLAIN },
    { "mantle", "WMNT", "Wrapped Mantle", 18, "0x78c1b0C915c4FAA5FffA6CAbf0219DA63d7f4cb8", W, C },
    { "mantle", "USDC", "USD Coin", 6, "0x09Bc4E0D864854c6aFB6eB9A9cdF58aC190D0dF9", C, S },
    { "mantle", "USDT", "Tether USD", 6, "0x201EBa5CC46D216Ce6DC03F6a759e8E766e956aE", C, S },
    { "mantle", "WETH", "Wrapped Ether", 18, "0xdEAddEaDdeadDEadDEADDEAddEADDEAddead1111", PLAIN },

    { "gnosis", "xDAI", "xDAI", 18, EVM_ADDR_ZERO, S },
    { "gnosis", "WXDAI", "Wrapped xDAI", 18, "0xe91D153E0b41518A2Ce8Dd3D7944Fa863463a97d", W, C, S },
    { "gnosis", "USDC", "USD Coin", 6, "0xDDAfbb505ad214D7b80b1f830fcCc89B60fb7A83", C, S },
    { "gnosis", "USDC.e", "Bridged USDC", 6, "0x2a22f9c3b484c3629090FeED35F17Ff8F88f76F0", S },
    { "gnosis", "USDT", "Tether USD", 6, "0x4ECaBa5870353805a9F068101A40E0f32ed605C6", C, S },
    { "gnosis", "WETH", "Wrapped Ether", 18, "0x6A023CCd1ff6F2045C3309768eAd9E68F978f6e1", PLAIN },

    { "scroll", "ETH", "Ether", 18, EVM_ADDR_ZERO, PLAIN },
    { "scroll", "WETH", "Wrapped Ether", 18, "0x5300000000000000000000000000000000000004", W, C },
    { "scroll", "USDC", "USD Coin", 6, "0x06eFdBFf2a14a7c8E15944D1F4A48F9F95F663A4", C, S },
    { "scroll", "USDT", "Tether USD", 6, "0xf55BEC9cafDbE8730f096Aa55dad6D22d44099Df", C, S },
    { "scroll", "DAI", "Dai Stablecoin", 18, "0xcA77eB3fEFe3725Dc33bccB54eDEFc3D9f764f97", S },

    { "solana", "SOL", "Solana", 9, "So11111111111111111111111111111111111111112", PLAIN },
    { "solana", "WSOL", "Wrapped SOL", 9, "So11111111111111111111111111111111111111112", W },
    { "solana", "USDC", "USD Coin", 6, "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", S },
    { "solana", "USDT", "Tether USD", 6, "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", S },
    { "solana", "PYUSD", "PayPal USD", 6, "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo", S },
    { "solana", "JUP", "Jupiter", 6, "JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN", PLAIN },
    { "solana", "BONK", "Bonk", 5, "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263", PLAIN },
    { "solana", "WIF", "dogwifhat", 6, "EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm", PLAIN },
    { "solana", "PYTH", "Pyth Network", 6, "HZ1JovNiVvGrGNiiYvEozEVgZ58xaU3RKwX8eACQBCt3", PLAIN },
    { "solana", "RAY", "Raydium", 6, "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R", PLAIN },
    { "solana", "ORCA", "Orca", 6, "orcaEKTdK7LKz57vaAYr9QeNsVEPfiu6QeMU1kektZE", PLAIN },
    { "solana", "mSOL", "Marinade staked SOL", 9, "mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So", PLAIN },
    { "solana", "JitoSOL", "Jito staked SOL", 9, "J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn", PLAIN },
    { "solana", "RENDER", "Render", 8, "rndrizKT3MK1iimdxRdWabcF7Zg7AR5T4nud4EkHBof", PLAIN },
    { "solana", "HNT", "Helium", 8, "hntyVP6YFm1Hg25TN9WGLqM12b8TQmcknKrdu1oxWux", PLAIN },
    { "solana", "WBTC", "Wrapped BTC (Wormhole)", 8, "3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh", PLAIN },
    { "solana", "WETH", "Wrapped Ether (Wormhole)", 8, "7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs",
      PLAIN },

    { "sui", "SUI", "Sui", 9, "0x2::sui::SUI", PLAIN },
    { "sui", "USDC", "USD Coin", 6,
      "0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC", S },

    { "ton", "TON", "Toncoin", 9, "EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c", PLAIN },
};

const size_t tokens_count = sizeof tokens / sizeof tokens[0];

/* Coins whose names changed; the specification, and on polygon the contracts, kept the old ones. */
static const struct alias {
    const char *chain;
    const char *alias;
    const char *symbol;
} aliases[] = {
    { "polygon", "POL", "MATIC" },
    { "polygon", "WPOL", "WMATIC" },
    { "ton", "GRAM", "TON" },
};

static const char *canonical_symbol(const struct chain *c, const char *text)
{
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
        if (strcmp(aliases[i].chain, c->key) == 0 && strcasecmp(aliases[i].alias, text) == 0)
            return aliases[i].symbol;
    }
    return text;
}

static bool on_chain(const struct token *t, const struct chain *c)
{
    return strcmp(t->chain, c->key) == 0;
}

/* By its address as the table spells it, which is how it is stored: no checksum has to be computed. */
static const struct token *token_spelt(const struct chain *c, const char *address)
{
    for (size_t i = 0; i < tokens_count; i++)
        if (strcmp(tokens[i].address_text, address) == 0 && on_chain(&tokens[i], c))
            return &tokens[i];
    return NULL;
}

const struct token *token_find(const struct chain *c, const char *text)
{
    const char *symbol = canonical_symbol(c, text);
    const struct token *t = token_spelt(c, text);
    struct evm_addr a;

    if (t != NULL)
        return t;
    if (c->type == CHAIN_EVM && evm_addr_parse(&a, text))
        return token_by_addr(c, a);
    for (size_t i = 0; i < tokens_count; i++) {
        if (!on_chain(&tokens[i], c))
            continue;
        if (strcasecmp(tokens[i].symbol, symbol) == 0)
            return &tokens[i];
    }
    return NULL;
}

/* On Solana the coin and its wrapped form have one address. */
const struct token *token_known(const struct token_ref *t)
{
    const struct chain *c = chain_by_id(t->chain_id);
    const struct token *found = c == NULL ? NULL : token_find(c, t->address), *wrapped;

    if (found == NULL || strcasecmp(found->address_text, t->address) != 0)
        return NULL;
    wrapped = c->type == CHAIN_SOLANA ? token_wrapped_native(c) : NULL;
    return wrapped != NULL && strcmp(wrapped->symbol, t->symbol) == 0 ? wrapped : found;
}

/* The letter that a sign is taken for at a glance; NUL: none. */
static char looks_like(char c)
{
    static const char *const alike[] = { "0O", "1I", "lI", "|I", "!I", "5S", "$S", "8B" };

    for (size_t i = 0; i < sizeof alike / sizeof alike[0]; i++)
        if (alike[i][0] == c)
            return alike[i][1];
    c = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '\0';
}

void token_symbol_skeleton(char out[static TOKEN_SYMBOL_MAX + 1], const char *symbol)
{
    size_t n = 0;

    symbol += strspn(symbol, "$"); /* as a prefix it is no letter */
    for (; *symbol != '\0' && n < TOKEN_SYMBOL_MAX; symbol++)
        if (looks_like(*symbol) != '\0')
            out[n++] = looks_like(*symbol);
    out[n] = '\0';
}

static bool reads_alike(const char *x, const char *y)
{
    char left[2][TOKEN_SYMBOL_MAX + 1];

    token_symbol_skeleton(left[0], x);
    token_symbol_skeleton(left[1], y);
    return strcmp(left[0], left[1]) == 0;
}

bool token_symbol_passes(const struct chain *c, const char *symbol)
{
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
        if (strcmp(aliases[i].chain, c->key) == 0 && reads_alike(aliases[i].alias, symbol))
            return true;
    for (size_t i = 0; i < tokens_count; i++)
        if (on_chain(&tokens[i], c) && reads_alike(tokens[i].symbol, symbol))
            return true;
    return false;
}

const struct token *token_by_addr(const struct chain *c, struct evm_addr a)
{
    if (c->type != CHAIN_EVM)
        return NULL;
    for (size_t i = 0; i < tokens_count; i++) {
        if (on_chain(&tokens[i], c) && evm_addr_eq(token_addr(&tokens[i]), a))
            return &tokens[i];
    }
    return NULL;
}

const struct token *token_wrapped_native(const struct chain *c)
{
    for (size_t i = 0; i < tokens_count; i++) {
        if (tokens[i].wrapped_native && on_chain(&tokens[i], c))
            return &tokens[i];
    }
    return NULL;
}

const struct token *token_dollar(const struct chain *c, const struct token *t)
{
    static const char *const dollars[] = { "USDC", "USDT", "DAI" };

    for (size_t i = 0; i < sizeof dollars / sizeof dollars[0]; i++) {
        const struct token *d = token_find(c, dollars[i]);

        if (d != NULL && d != t)
            return d;
    }
    return NULL;
}

/* By address, or by the chain's own coin where addresses are not Ethereum's. */
bool token_is_native(const struct token *t)
{
    const struct chain *c = chain_find(t->chain);

    if (strcmp(t->address_text, EVM_ADDR_ZERO) == 0)
        return true;
    return c != NULL && c->type != CHAIN_EVM && strcmp(t->symbol, c->native) == 0;
}

static bool is_form_of_coin(const struct token *t)
{
    return t->wrapped_native || token_is_native(t);
}

static bool are_forms_of_one_coin(const struct token *t, const struct token *other)
{
    return is_form_of_coin(t) && is_form_of_coin(other) &&
           strcmp(chain_find(t->chain)->native, chain_find(other->chain)->native) == 0;
}

bool token_is_worth(const struct token *t, const struct token *other)
{
    return t == other || (t->stable && other->stable) || are_forms_of_one_coin(t, other);
}

bool token_equivalent(const struct token *t, const struct token *other)
{
    return strcmp(t->chain, other->chain) == 0 && token_is_worth(t, other);
}

bool token_is_same(const struct token *t, const struct token *other)
{
    return strcmp(t->symbol, other->symbol) == 0 || are_forms_of_one_coin(t, other);
}

struct evm_addr token_addr(const struct token *t)
{
    struct evm_addr a;

    if (!evm_addr_read(&a, t->address_text))
        memset(&a, 0, sizeof a);
    return a;
}

struct u256 token_dollars(const struct token_ref *t, struct u256 amount)
{
    enum { PLACES = 18 };
    const struct token *known = token_known(t);

    if (known == NULL || !(known->stable || known->at_par))
        return U256_ZERO;
    for (int d = known->decimals; d < PLACES; d++)
        if (!u256_mul(&amount, amount, u256_from_u64(10)))
            return U256_ZERO;
    return amount;
}

struct token_ref token_ref_of(const struct token *t)
{
    struct token_ref out = { .chain_id = chain_find(t->chain)->id, .decimals = t->decimals };

    (void)snprintf(out.symbol, sizeof out.symbol, "%s", t->symbol);
    (void)snprintf(out.address, sizeof out.address, "%s", t->address_text);
    return out;
}
