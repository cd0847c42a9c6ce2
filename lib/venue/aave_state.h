/* The state of Aave V3: questions to its contracts, and readers of the answers. */
#ifndef VENUE_AAVE_STATE_H
#define VENUE_AAVE_STATE_H

#include "base/buf.h"
#include "chain/evm/evm_addr.h"
#include "codec/u256.h"
#include "venue/contracts.h"

enum {
    AAVE_PRICE_PLACES = 8, /* of the oracle's dollars */
    AAVE_SHARE_PLACES = 4, /* of shares in basis points */
    AAVE_HEALTH_PLACES = 18,
};

/* The AddressesProvider's other contracts. */
void aave_ask_pool(struct buf *out);
void aave_ask_data_provider(struct buf *out);
void aave_ask_oracle(struct buf *out);

/* The Pool's reserves by their tokens. False when the bytes are no list, or one of more than `max`. */
void aave_ask_reserves(struct buf *out);
bool aave_read_reserves(struct evm_addr *out, size_t max, size_t *count, const uint8_t *data, size_t len);

/* The Pool's settings of a reserve. Shares are in basis points, caps in whole tokens, zero is none. */
struct aave_config {
    uint64_t ltv, threshold, borrow_cap, supply_cap;
    uint8_t decimals;
    bool active, frozen, paused, borrowing;
};
void aave_ask_config(struct buf *out, struct evm_addr asset);
bool aave_read_config(struct aave_config *out, const uint8_t *data, size_t len);

/* The data provider's figures of a reserve: smallest units with interest up to the block, rates a year of
 * 10^27. */
struct aave_reserve {
    struct u256 supplied, borrowed, supply_rate, borrow_rate;
};
void aave_ask_reserve(struct buf *out, struct evm_addr asset);
bool aave_read_reserve(struct aave_reserve *out, const uint8_t *data, size_t len);

struct aave_tokens {
    struct evm_addr supply, debt; /* aToken; variable debt */
};
void aave_ask_tokens(struct buf *out, struct evm_addr asset);
bool aave_read_tokens(struct aave_tokens *out, const uint8_t *data, size_t len);

/* A wallet's balances in a reserve, interest included. */
struct aave_holding {
    struct u256 supplied, borrowed;
    bool collateral; /* whether what is supplied serves as one */
};
void aave_ask_holding(struct buf *out, struct evm_addr asset, struct evm_addr wallet);
bool aave_read_holding(struct aave_holding *out, const uint8_t *data, size_t len);

/* A wallet's account with the Pool: dollars by the oracle, shares in basis points, and the health of 10^18,
 * which is the highest number there is without debt. */
struct aave_account {
    struct u256 collateral, debt, available, threshold, ltv, health;
};
void aave_ask_account(struct buf *out, struct evm_addr wallet);
bool aave_read_account(struct aave_account *out, const uint8_t *data, size_t len);

/* The oracle's price, one word. */
void aave_ask_price(struct buf *out, struct evm_addr asset);

/* Names the others. */
extern const struct contract_kind aave_provider;

#endif
