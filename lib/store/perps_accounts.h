/* Wallets with orders or positions in perpetuals, and how far they are read. When they are looked at next:
 * store/order_leases.h. */
#ifndef STORE_PERPS_ACCOUNTS_H
#define STORE_PERPS_ACCOUNTS_H

#include "base/arena.h"
#include "model/wallet.h"
#include "store/db.h"

struct perps_due {
    struct wallet wallet;
    int64_t fills_since_ms, funding_since_ms;
    int64_t funding_ms; /* when payments were asked for; 0: never */
};

/* Before its first order is placed, inside that transaction; the wallet is locked. UNCHANGED: it is there. */
enum db_update perps_accounts_add(struct db *db, uint64_t wallet_id);
/* Whether it is due in so many milliseconds at the latest, without waiting for the holder of its lease; false
 * if there is no such account. */
enum lookup perps_accounts_due_in(struct db *db, uint64_t wallet_id, unsigned ms, bool *soon);

/* The accounts that the owner has claimed, by wallet. Returns how many. */
int perps_accounts_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct perps_due **out);
enum lookup perps_accounts_get(struct db *db, uint64_t wallet_id, struct perps_due *out);
/* All trades, or payments, before that time are recorded by now. */
bool perps_accounts_read(struct db *db, uint64_t wallet_id, int64_t fills_since_ms, int64_t funding_since_ms,
                         bool funding_asked);

#endif
