#include "chain/address.h"

#include <stdio.h>
#include <string.h>

#include "chain/evm/evm_addr.h"
#include "chain/solana/solana_addr.h"

bool address_canonical(char out[static WALLET_ADDR_MAX], enum chain_type type, const char *text)
{
    static const struct solana_addr zero;
    struct solana_addr solana;
    struct evm_addr evm;

    switch (type) {
    case CHAIN_EVM:
        if (!evm_addr_parse(&evm, text) || evm_addr_is_zero(evm))
            return false;
        evm_addr_text(out, evm);
        return true;
    case CHAIN_SOLANA:
        if (!solana_addr_parse(&solana, text) || solana_addr_eq(&solana, &zero))
            return false;
        break;
    case CHAIN_MOVE:
    case CHAIN_TON:
        break;
    }
    return snprintf(out, WALLET_ADDR_MAX, "%s", text) < WALLET_ADDR_MAX;
}

bool address_is_wallet(enum chain_type type, const char *text)
{
    char canonical[WALLET_ADDR_MAX];

    return address_canonical(canonical, type, text);
}

const char *address_fault(const char *text)
{
    return address_is_wallet(CHAIN_SOLANA, text) || address_is_wallet(CHAIN_EVM, text)
               ? NULL
               : "must be an address of 0x and 40 hex digits, or of 32 bytes in Base58 for Solana";
}

bool address_is_written(const char *text)
{
    static const char hex[] = "0123456789abcdefABCDEF",
                      base58[] = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
                      base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_";
    enum { HEX_LEAST = 40, BASE58_LEAST = 32, BASE58_MOST = 44, TON_LEN = 48 };
    size_t n;

    for (const char *at = text; *at != '\0'; at += n > 0 ? n : 1) {
        n = strspn(at, hex);
        if (n >= HEX_LEAST)
            return true;
    }
    for (const char *word = text; *word != '\0'; word += n > 0 ? n : 1) {
        n = strspn(word, base64);
        if (n == TON_LEN || (n >= BASE58_LEAST && n <= BASE58_MOST && strspn(word, base58) == n))
            return true;
    }
    return false;
}

enum chain_type wallet_chain_type(enum wallet_kind kind)
{
    return kind == WALLET_SOLANA ? CHAIN_SOLANA : CHAIN_EVM;
}

enum wallet_kind wallet_kind_on(const struct chain *c)
{
    return c->type == CHAIN_SOLANA ? WALLET_SOLANA : WALLET_EVM;
}

bool address_same(const char *x, const char *y)
{
    struct evm_addr a, b;

    if (evm_addr_parse(&a, x) && evm_addr_parse(&b, y))
        return evm_addr_eq(a, b);
    return strcmp(x, y) == 0;
}
