/* Bridges of executions, and what has proven that they paid. */
#ifndef STORE_BRIDGES_H
#define STORE_BRIDGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/bridge.h"
#include "store/db.h"

/* Inside the execute transaction: a new one, whose bridge provider may be asked at once. */
bool bridges_add(struct db *db, const struct bridge *b);

/* ---- reading ---- */

enum lookup bridges_get(struct db *db, struct arena *a, uint64_t execution_id, struct bridge *out);
/* Bridges of all executions that the owner has claimed, by execution; proofs only of those in flight, which
 * may have to be signed again. Returns how many. */
int bridges_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct bridge **out);

/* Those that the follower waits for. */
struct bridges_figures {
    uint64_t under_way;
    int64_t oldest_s, overdue_s;
    uint64_t contradicted; /* paid, as their bridge providers have said for a while, and no chain shows it */
};
bool bridges_figures(struct db *db, unsigned contradicted_s, struct bridges_figures *out);

/* ---- following ---- */

/* Records the result of its turn: all members from `state` on. UNCHANGED: another process has recorded its
 * b->asks-th turn. */
enum db_update bridges_record(struct db *db, const struct bridge *b);

/* A payment in a transaction, as the proof of one execution's delivery or refund. */
struct arrival_claim {
    uint64_t execution_id;
    uint64_t chain_id;
    const struct tx_hash *tx;
    uint64_t block;
    const char *recipient;
};

/* Inside the transaction that records the delivery. UNCHANGED: another execution has it. */
enum db_update arrivals_add(struct db *db, const struct arrival_claim *c, const struct arrival *moved);
/* It proves nothing any more for the execution. */
bool arrivals_remove(struct db *db, uint64_t execution_id);
/* Amounts that others have claimed already: of the transaction, and coin of the recipient in its block. */
struct arrival_taken {
    bool same_tx; /* else another one of the block */
    int log_index;
    struct u256 amount;
};
/* Returns how many. */
int arrivals_taken(struct db *db, struct arena *a, const struct arrival_claim *c, struct arrival_taken **out);

#endif
