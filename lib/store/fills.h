/* Fills of orders: a row for each order's part in a trade. */
#ifndef STORE_FILLS_H
#define STORE_FILLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/order.h"
#include "store/db.h"

/* Adds it, or sets the state and the transaction of the one with this trade. */
bool fills_put(struct db *db, const struct fill *f);

/* Fills of up to FILLS_ORDERS_MAX orders, by order, oldest first. Returns how many. */
enum { FILLS_ORDERS_MAX = 160 };
int fills_of(struct db *db, struct arena *a, const uint64_t *execution_ids, size_t n, struct fill **out);
/* The same for the orders that are not final of all wallets whose accounts the owner has claimed. */
int fills_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct fill **out);

/* The trades of a wallet in the last minutes, since its last redemption, newest first; orders that have
 * matched more than their known trades come before all others. Returns how many, -1: the database failed. */
struct fill_lately {
    struct u256 token;
    uint8_t condition[HASH_LEN];
    const char *outcome, *question;
    bool sells;
    uint64_t size;  /* units */
    uint32_t price; /* as an order's */
};
int fills_lately(struct db *db, struct arena *a, uint64_t agent_id, uint64_t wallet_id,
                 struct fill_lately **out);
/* Trades of the wallet that have settled, of orders on which something moved in the last minutes: the newest
 * first. Returns how many, -1: the database failed. */
enum { FILLS_SETTLED_MAX = 32 };
struct fill_settled {
    bool sells;
    uint64_t paid, fee; /* units of collateral */
    uint8_t tx_hash[HASH_LEN];
    int64_t known_ms; /* that it has settled was recorded by then */
};
int fills_settled(struct db *db, struct arena *a, uint64_t wallet_id, struct fill_settled **out);
/* The same for the wallet at the address, provided that it trades itself; else there are none. */
int fills_settled_itself(struct db *db, struct arena *a, const char *address, struct fill_settled **out);
/* The sum of all matched amounts of the wallet's orders for the token. False when the database failed. */
bool fills_sum(struct db *db, uint64_t wallet_id, const struct u256 *token, int64_t *out);

#endif
