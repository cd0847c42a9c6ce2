/* Polymarket's orders: what they say, their hash, and their signature as the exchange takes it. EIP-712, and
 * ERC-7739 for those of deposit wallets. Everything here is on Polygon. */
#ifndef VENUE_POLYMARKET_ORDER_H
#define VENUE_POLYMARKET_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "chain/evm/evm_addr.h"
#include "codec/hash.h"
#include "codec/u256.h"

enum { POLYMARKET_CHAIN_ID = 137, POLYMARKET_DECIMALS = 6 }; /* of collateral and of shares */

/* By the market's version, and by whether its outcomes exclude one another. */
enum polymarket_exchange {
    POLYMARKET_V2,
    POLYMARKET_NEG_RISK,
    POLYMARKET_V3,
};

enum polymarket_side { POLYMARKET_BUY = 0, POLYMARKET_SELL = 1 };

/* The holder of collateral and shares, which signs. Proxies and Safes, 1 and 2, are never made here. */
enum polymarket_signature {
    POLYMARKET_EOA = 0,            /* the key's own account */
    POLYMARKET_DEPOSIT_WALLET = 3, /* a contract: maker and signer of the order; its owner signs */
};

struct polymarket_order {
    uint64_t salt; /* below 2^53: it is sent as a JSON number */
    struct evm_addr maker, signer;
    struct u256 token;
    struct u256 maker_amount, taker_amount; /* BUY gives collateral and takes shares; SELL the reverse */
    enum polymarket_side side;
    uint8_t signature_type; /* enum polymarket_signature */
    uint64_t timestamp;     /* milliseconds */
    uint8_t metadata[HASH_LEN], builder[HASH_LEN];
};

/* "v2", "neg_risk", "v3" */
const char *polymarket_exchange_name(enum polymarket_exchange e);
struct evm_addr polymarket_exchange_addr(enum polymarket_exchange e);

/* ---- prices and sizes ---- */

/* Prices are ten-thousandths of a dollar and sizes hundredths of a share, so that every tick is whole and
 * their product is the smallest unit of collateral. */
enum { POLYMARKET_PRICE_ONE = 10000, POLYMARKET_PRICE_PLACES = 4, POLYMARKET_SIZE_PLACES = 2 };

/* From a tick to one less a tick, in whole ticks. */
bool polymarket_price_fits(uint32_t price, uint32_t tick);

/* ---- signing ---- */

/* The venue's id of the order, and what the exchange checks a signature against. */
void polymarket_order_hash(uint8_t out[static HASH_LEN], enum polymarket_exchange e,
                           const struct polymarket_order *o);
/* The digest that the key signs: the hash itself, or the ERC-7739 envelope around it for a deposit wallet. */
void polymarket_order_digest(uint8_t out[static HASH_LEN], enum polymarket_exchange e,
                             const struct polymarket_order *o);

enum { POLYMARKET_SIGNATURE_MAX = 512 };
/* The signature as the order bears it, of the key's `sig` (r, s, 27 or 28). */
void polymarket_order_signature(struct buf *out, enum polymarket_exchange e, const struct polymarket_order *o,
                                const uint8_t sig[static 65]);

/* The digest that a key signs to get its API credentials: ClobAuth. */
void polymarket_auth_digest(uint8_t out[static HASH_LEN], struct evm_addr key, uint64_t timestamp,
                            uint64_t nonce);

#endif
