/* Keys that trade perpetuals for wallets, sealed. */
#ifndef STORE_TRADING_KEYS_H
#define STORE_TRADING_KEYS_H

#include "model/trading_key.h"
#include "store/db.h"

/* requests.venue of approvals. */
#define TRADING_KEY_VENUE "hyperliquid-key"

/* Inside the transaction that stores its approval. Sets its id. */
bool trading_keys_add(struct db *db, struct trading_key *k);
/* The wallet's newest one that is in force, or will be once its approval has arrived, and the newest one that
 * is in force. False: the database failed. */
struct trading_keys {
    bool has_newest, has_approved;
    struct trading_key newest, approved;
};
bool trading_keys_current(struct db *db, uint64_t wallet_id, struct trading_keys *out);
/* The newest one that is in force. */
enum lookup trading_keys_approved(struct db *db, uint64_t wallet_id, struct trading_key *out);
/* The newest one that was made, in any state. */
enum lookup trading_keys_newest(struct db *db, uint64_t wallet_id, struct trading_key *out);
enum lookup trading_keys_get(struct db *db, const char *address, struct trading_key *out);
/* The venue does not know it any more, or it has been replaced. */
bool trading_keys_end(struct db *db, const char *address);

#endif
