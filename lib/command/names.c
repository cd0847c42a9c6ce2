#include "command/names.h"

#include <ctype.h>
#include <string.h>

#include "chain/tokens.h"
#include "route/provider.h"

enum { TABLE_SIZE = 512, SLIP_MIN = 3, LONG_KEY = 6 };

static struct {
    bool read;
    struct name {
        char text[SPOKEN_NAME_MAX + 1];
        bool token;
        const struct chain *chain;
    } table[TABLE_SIZE];
} names;

static struct name *name_place(const char *word, size_t len)
{
    unsigned h = 5381;

    for (size_t i = 0; i < len; i++)
        h = h * 33 + (unsigned char)word[i];
    for (h %= TABLE_SIZE; names.table[h].text[0] != '\0' &&
                          (strncmp(names.table[h].text, word, len) != 0 || names.table[h].text[len] != '\0');
         h = (h + 1) % TABLE_SIZE)
        ;
    return &names.table[h];
}

static struct name *name_add(const char *text)
{
    char lower[SPOKEN_NAME_MAX + 1] = "";
    size_t len = strnlen(text, SPOKEN_NAME_MAX);
    struct name *n;

    for (size_t i = 0; i < len; i++)
        lower[i] = (char)tolower((unsigned char)text[i]);
    n = name_place(lower, len);
    memcpy(n->text, lower, sizeof lower);
    return n;
}

static void read_names(void)
{
    for (size_t i = 0; i < tokens_count; i++)
        name_add(tokens[i].symbol)->token = true;
    for (size_t i = 0; i < chains_count; i++) {
        name_add(chains[i].key)->chain = &chains[i];
        if (chains[i].alias != NULL)
            name_add(chains[i].alias)->chain = &chains[i];
    }
    name_add("mainnet")->chain = &chains[0];
    names.read = true;
}

bool names_find(const char *word, size_t len, const struct chain **chain)
{
    const struct name *n;

    *chain = NULL;
    if (!names.read)
        read_names();
    if (len == 0 || len > SPOKEN_NAME_MAX)
        return false;
    n = name_place(word, len);
    *chain = n->chain;
    return n->token;
}

static bool is_word(const char *name, const char *word, size_t len)
{
    return strlen(name) == len && memcmp(name, word, len) == 0;
}

struct nickname {
    const char *name, *symbol;
};

/* A row without a name ends the list. */
static const char *nickname_find(const struct nickname *list, const char *word, size_t len)
{
    while (list->name != NULL && !is_word(list->name, word, len))
        list++;
    return list->symbol;
}

const char *names_coin(const char *word, size_t len)
{
    static const struct nickname coins[] = {
        { "bitcoin", "BTC" },  { "btc", "BTC" },    { "ether", "ETH" },
        { "ethereum", "ETH" }, { "solana", "SOL" }, { 0 },
    };

    return nickname_find(coins, word, len);
}

const char *names_asset(const char *word, size_t len)
{
    static const struct nickname assets[] = {
        { "avalanche", "AVAX" }, { "arbitrum", "ARB" },   { "dogecoin", "DOGE" },
        { "ripple", "XRP" },     { "chainlink", "LINK" }, { 0 },
    };
    const char *coin = names_coin(word, len);

    return coin != NULL ? coin : nickname_find(assets, word, len);
}

static bool is_nickname(const char *const *list, const char *word, size_t len)
{
    while (list != NULL && *list != NULL && !is_word(*list, word, len))
        list++;
    return list != NULL && *list != NULL;
}

const char *names_provider(const char *word, size_t len)
{
    for (const struct provider *const *p = providers; *p != NULL; p++)
        if (is_word((*p)->key, word, len) || is_nickname((*p)->nicknames, word, len))
            return (*p)->key;
    for (const struct provider_ended *e = providers_ended; e->key != NULL; e++)
        if (is_word(e->key, word, len))
            return e->key;
    return NULL;
}

const char *names_lender(const char *word, size_t len)
{
    static const struct {
        const char *name, *key;
    } lenders[] = { { "aave", LENDER_AAVE }, { "aavev3", LENDER_AAVE }, { "morpho", LENDER_MORPHO } };

    for (size_t i = 0; i < sizeof lenders / sizeof lenders[0]; i++)
        if (is_word(lenders[i].name, word, len))
            return lenders[i].key;
    return NULL;
}

/* ---- slips ---- */

static const char *const forgiven[] = { "please",   "swap",     "exchange", "convert", "trade",
                                        "sell",     "purchase", "spend",    "change",  "bridge",
                                        "slippage", "quote",    "balance",  "estimate" };

static bool is_slip(const char *word, size_t len, const char *meant)
{
    size_t n = strlen(meant), same = 0;

    while (same < len && same < n && word[same] == meant[same])
        same++;
    if (same == 0)
        return false;
    word += same;
    len -= same;
    meant += same;
    n -= same;
    if (len + 1 == n) /* one left out */
        return strncmp(word, meant + 1, len) == 0;
    if (len == n + 1) /* one doubled */
        return word[0] == word[-1] && strncmp(word + 1, meant, n) == 0;
    return len == n && n >= 2 && word[0] == meant[1] && word[1] == meant[0] &&
           strncmp(word + 2, meant + 2, n - 2) == 0;
}

const char *names_slip(const char *word, size_t len)
{
    if (len < SLIP_MIN)
        return NULL;
    for (size_t i = 0; i < sizeof forgiven / sizeof forgiven[0]; i++)
        if (is_slip(word, len, forgiven[i]))
            return forgiven[i];
    for (size_t i = 0; i < chains_count; i++)
        if (strlen(chains[i].key) >= LONG_KEY && is_slip(word, len, chains[i].key))
            return chains[i].key;
    return NULL;
}
