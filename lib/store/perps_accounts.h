/* Wallets with orders or positions in perpetuals, and when they are looked at next: as those of prediction
 * markets (store/predict_accounts.h). */
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

/* Inside the transaction that places or cancels an order: due in `ms`, unless it is sooner anyway. */
bool perps_accounts_due(struct db *db, uint64_t wallet_id, uint64_t agent_id, unsigned ms);

/* Claims up to `max` due accounts, those that have waited longest first. Returns how many. */
int64_t perps_accounts_claim(struct db *db, const struct uuid *owner, unsigned lease_s, unsigned max);
/* What the owner has claimed, by wallet. Returns how many. */
int perps_accounts_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct perps_due **out);
enum found perps_accounts_get(struct db *db, uint64_t wallet_id, struct perps_due *out);
/* All trades, or payments, before that time are recorded by now. */
bool perps_accounts_read(struct db *db, uint64_t wallet_id, int64_t fills_since_ms, int64_t funding_since_ms,
                         bool funding_asked);
/* Ends the claim on one of them, which is due again in `ms`; 0: nothing is left to look at. */
bool perps_accounts_release(struct db *db, const struct uuid *owner, uint64_t wallet_id, unsigned ms);
/* By how many seconds the account that has waited longest is overdue. */
int64_t perps_accounts_overdue(struct db *db);

#endif
