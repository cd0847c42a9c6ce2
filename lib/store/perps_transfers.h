/* Data of transfers to and from the venue of perpetuals in addition to their executions. */
#ifndef STORE_PERPS_TRANSFERS_H
#define STORE_PERPS_TRANSFERS_H

#include "base/arena.h"
#include "base/lookup.h"
#include "model/perps_transfer.h"
#include "store/db.h"
#include "store/execution_own.h"

/* Inside the transaction that adds or begins its execution: one that is there gets these terms. */
bool perps_transfers_put(struct db *db, const struct perps_transfer *t);
enum lookup perps_transfers_get(struct db *db, uint64_t execution_id, struct perps_transfer *out);
/* Inside the transaction that records that it has arrived: what its request was filled by is its proof. False
 * when the database failed, or (db_duplicate) another transfer of the wallet has that proof. */
bool perps_transfers_prove(struct db *db, uint64_t execution_id);
/* The proofs of the wallet's that arrived after `since_ms`, in the arena, ending with NULL. False when the
 * database failed. */
bool perps_transfers_proofs(struct db *db, struct arena *a, uint64_t wallet_id, int64_t since_ms,
                            const char *const **out);
/* The amount that the wallet's withdrawals take out of its account at the venue, beyond the account's state
 * at `seen_ms` by the database's clock. False when the database failed. */
bool perps_transfers_leaving(struct db *db, uint64_t wallet_id, int64_t seen_ms, struct u256 *out);
own_page_fn perps_transfers_page;

/* Transfers of which the agent was told within the last half a minute that the venue has carried them out,
 * and by what its ledger shows them: a deposit's id, a withdrawal's nonce. Returns how many, -1: the database
 * failed. */
struct perps_transfer_lately {
    bool leaves;
    struct u256 amount; /* that came, or left; smallest units of the dollar */
    const char *id;
    uint64_t nonce;
};
int perps_transfers_lately(struct db *db, struct arena *a, uint64_t wallet_id,
                           struct perps_transfer_lately **out);

#endif
