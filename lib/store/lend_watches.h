/* Wallets that owe something to lenders, how far the chains' logs were read for them, and which liquidations
 * were told. */
#ifndef STORE_LEND_WATCHES_H
#define STORE_LEND_WATCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/execution.h"
#include "model/lend_watch.h"
#include "store/db.h"

/* Inside the transaction that records that the wallet will borrow. It is watched until nothing is owed. */
bool lend_watches_put(struct db *db, const struct lend_watch_key *key);
/* Those on a chain behind `after`, in the order of their ids, at most `most`. Returns how many. */
int lend_watches_page(struct db *db, struct arena *a, uint64_t chain_id, uint64_t after, unsigned most,
                      struct lend_watch *out);
/* Whether a lending operation of the wallet on the chain has not ended. */
enum lookup lend_watches_operating(struct db *db, const struct lend_watch *w);
/* The same, or one that was included in a block after w->held_block. */
enum lookup lend_watches_operated(struct db *db, const struct lend_watch *w);
/* The w->turn-th look. UNCHANGED: another one was recorded, or the wallet has just borrowed more. */
enum db_update lend_watches_record(struct db *db, const struct lend_watch *w);
/* The same, and the wallet is watched no more. */
enum db_update lend_watches_remove(struct db *db, const struct lend_watch *w);

/* The `place`-th of a transaction's liquidations of the wallet is being told. UNCHANGED: it was. */
enum db_update lend_liquidations_add(struct db *db, const struct lend_watch *w, const struct tx_hash *tx,
                                     unsigned place);

/* The block up to which logs of the chain were read. LOOKUP_NONE: none since the first wallet owes
 * something. */
enum lookup lend_scans_get(struct db *db, uint64_t chain_id, uint64_t *block);
bool lend_scans_put(struct db *db, uint64_t chain_id, uint64_t block);
/* For a chain on which no wallet owes anything. */
bool lend_scans_remove(struct db *db, uint64_t chain_id);

#endif
