#include "venue/polymarket_order.h"

#include <string.h>

#include "chain/evm/abi.h"
#include "chain/evm/eip712.h"
#include "venue/polymarket_calls.h"

#define ORDER_TYPE                                                                                           \
    "Order(uint256 salt,address maker,address signer,uint256 tokenId,uint256 makerAmount,uint256 "           \
    "takerAmount,uint8 side,uint8 signatureType,uint256 timestamp,bytes32 metadata,bytes32 builder)"
#define ENVELOPE_TYPE                                                                                        \
    "TypedDataSign(Order contents,string name,string version,uint256 chainId,address verifyingContract,"     \
    "bytes32 salt)" ORDER_TYPE
#define AUTH_TYPE "ClobAuth(address address,string timestamp,uint256 nonce,string message)"

enum { STRUCT_MAX = 16 * ABI_WORD };

static const struct {
    const char *name, *version;
} exchanges[] = {
    [POLYMARKET_V2] = { "v2", "2" },
    [POLYMARKET_NEG_RISK] = { "neg_risk", "2" },
    [POLYMARKET_V3] = { "v3", "3" },
};

const char *polymarket_exchange_name(enum polymarket_exchange e)
{
    return exchanges[e].name;
}

struct evm_addr polymarket_exchange_addr(enum polymarket_exchange e)
{
    return contract_addr(contract_of(chain_by_id(POLYMARKET_CHAIN_ID), &polymarket_exchange[e]));
}

/* ---- prices and sizes ---- */

bool polymarket_price_fits(uint32_t price, uint32_t tick)
{
    return tick != 0 && tick < POLYMARKET_PRICE_ONE && price % tick == 0 && price >= tick &&
           price <= POLYMARKET_PRICE_ONE - tick;
}

/* ---- signing ---- */

static void exchange_separator(uint8_t out[static HASH_LEN], enum polymarket_exchange e)
{
    const struct evm_addr at = polymarket_exchange_addr(e);

    eip712_separator(out, "Polymarket CTF Exchange", exchanges[e].version, POLYMARKET_CHAIN_ID, &at);
}

static void order_struct_hash(uint8_t out[static HASH_LEN], const struct polymarket_order *o)
{
    struct buf b = BUF_INIT(STRUCT_MAX);

    eip712_text(&b, ORDER_TYPE);
    abi_u64(&b, o->salt);
    abi_addr(&b, o->maker);
    abi_addr(&b, o->signer);
    abi_u256(&b, o->token);
    abi_u256(&b, o->maker_amount);
    abi_u256(&b, o->taker_amount);
    abi_u64(&b, o->side);
    abi_u64(&b, o->signature_type);
    abi_u64(&b, o->timestamp);
    buf_add(&b, o->metadata, HASH_LEN);
    buf_add(&b, o->builder, HASH_LEN);
    eip712_words_hash(out, &b);
}

void polymarket_order_hash(uint8_t out[static HASH_LEN], enum polymarket_exchange e,
                           const struct polymarket_order *o)
{
    uint8_t separator[HASH_LEN], contents[HASH_LEN];

    exchange_separator(separator, e);
    order_struct_hash(contents, o);
    eip712_seal(out, separator, contents);
}

/* The order as the contents of a message of the deposit wallet, which stands as the inner domain. */
static void envelope_hash(uint8_t out[static HASH_LEN], const struct polymarket_order *o)
{
    static const uint8_t no_salt[HASH_LEN];
    uint8_t contents[HASH_LEN];
    struct buf b = BUF_INIT(STRUCT_MAX);

    order_struct_hash(contents, o);
    eip712_text(&b, ENVELOPE_TYPE);
    buf_add(&b, contents, HASH_LEN);
    eip712_text(&b, "DepositWallet");
    eip712_text(&b, "1");
    abi_u64(&b, POLYMARKET_CHAIN_ID);
    abi_addr(&b, o->maker);
    buf_add(&b, no_salt, HASH_LEN);
    eip712_words_hash(out, &b);
}

void polymarket_order_digest(uint8_t out[static HASH_LEN], enum polymarket_exchange e,
                             const struct polymarket_order *o)
{
    uint8_t separator[HASH_LEN], envelope[HASH_LEN];

    if (o->signature_type != POLYMARKET_DEPOSIT_WALLET) {
        polymarket_order_hash(out, e, o);
        return;
    }
    exchange_separator(separator, e);
    envelope_hash(envelope, o);
    eip712_seal(out, separator, envelope);
}

void polymarket_order_signature(struct buf *out, enum polymarket_exchange e, const struct polymarket_order *o,
                                const uint8_t sig[static 65])
{
    static const char type[] = ORDER_TYPE;
    const uint8_t type_len[2] = { (sizeof type - 1) >> 8, (sizeof type - 1) & 0xff };
    uint8_t hash[HASH_LEN];

    buf_add(out, sig, 65);
    if (o->signature_type != POLYMARKET_DEPOSIT_WALLET)
        return;
    exchange_separator(hash, e);
    buf_add(out, hash, HASH_LEN);
    order_struct_hash(hash, o);
    buf_add(out, hash, HASH_LEN);
    buf_adds(out, type);
    buf_add(out, type_len, sizeof type_len);
}

void polymarket_auth_digest(uint8_t out[static HASH_LEN], struct evm_addr key, uint64_t timestamp,
                            uint64_t nonce)
{
    uint8_t separator[HASH_LEN], auth[HASH_LEN];
    char seconds[24];
    struct buf b = BUF_INIT(STRUCT_MAX);

    snprintf(seconds, sizeof seconds, "%llu", (unsigned long long)timestamp);
    eip712_text(&b, AUTH_TYPE);
    abi_addr(&b, key);
    eip712_text(&b, seconds);
    abi_u64(&b, nonce);
    eip712_text(&b, "This message attests that I control the given wallet");
    eip712_words_hash(auth, &b);
    eip712_separator(separator, "ClobAuthDomain", "1", POLYMARKET_CHAIN_ID, NULL);
    eip712_seal(out, separator, auth);
}
