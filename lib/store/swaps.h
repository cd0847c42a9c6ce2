/* Swaps, their signed transactions and their history. */
#ifndef STORE_SWAPS_H
#define STORE_SWAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "codec/u256.h"
#include "model/page.h"
#include "model/swap.h"
#include "store/db.h"

/* ---- inside the execute transaction ---- */

/* Writes a new pending swap with its first history row and the agent's total; sets s->id. The poller looks at
 * it only after `hands_off_s`, the time that the request itself takes to offer it. 1, 0 the agent is gone:
 * roll back, -1 the database failed. */
int swaps_add(struct db *db, struct swap *s, unsigned hands_off_s);
/* A pending swap that was waiting for an approval goes on, with the terms of its new quote. 1, 0 it is not
 * pending any more or the agent is gone: roll back, -1 the database failed. */
int swaps_begin(struct db *db, const struct swap *s, unsigned hands_off_s);
bool swaps_add_tx(struct db *db, struct swap_tx *t); /* sets t->id */

/* What unsettled transactions of the wallet on the chain may still take out of it beyond what its balances at
 * block `seen` show: of one nonce the dearest counts. */
struct reservation {
    struct u256 native; /* value + gas limit * max fee */
    struct u256 token;  /* of the token asked for */
};
bool swaps_reserved(struct db *db, uint64_t wallet_id, uint64_t chain_id, uint64_t seen,
                    const uint8_t token[static 20], struct reservation *out);
/* ---- reading ---- */

/* The swap that consumed the agent's quote. 1, 0, -1. */
int swaps_by_quote(struct db *db, uint64_t agent_id, const struct uuid *quote_id, uint64_t *id);
/* agent_id 0: whosever. 1, 0, -1. */
int swaps_get(struct db *db, struct arena *a, uint64_t agent_id, uint64_t id, struct swap *out);
/* As what a swap failed when it was told last, and when; for one that was corrected since. 1, 0, -1. */
int swaps_failed_as(struct db *db, struct arena *a, uint64_t id, const char **why, int64_t *at_ms);
/* Its transactions in nonce order, then in the order of signing. Count, or -1. */
int swaps_txs(struct db *db, struct arena *a, uint64_t swap_id, struct swap_tx **out);
/* Newest first; listed 0: any. Count, or -1. */
int swaps_page(struct db *db, struct arena *a, uint64_t agent_id, enum swap_status listed,
               const struct page *p, struct swap *out);

/* ---- following, inside a transaction ---- */

struct swap_move {
    uint64_t id;
    uint64_t agent_id;
    enum swap_status from, to;
    const char *why;               /* for the history */
    const uint8_t *tx_hash;        /* 32 bytes to show from now on, or NULL to leave it */
    const struct u256 *amount_out; /* what arrived, for COMPLETED */
    const char *error_code;        /* for FAILED; NULL otherwise */
    const char *error_message;
};
/* Status where it still is `from`, a history row, the agent's totals; from FAILED it counts as corrected. 1
 * moved, 0 it was elsewhere, -1 failed.
 * A move that the table does not allow ends the program: it is a bug. */
int swaps_move(struct db *db, const struct swap_move *m);
/* Not in flight any more, and not followed further or once more. */
bool swaps_settle(struct db *db, uint64_t id, enum swap_follow next);

/* ---- the poller's work list ---- */

/* Claims up to `max` due swaps for `owner`, those in flight first. Rows claimed, or -1. */
int64_t swaps_claim(struct db *db, const struct uuid *owner, unsigned lease_s, unsigned max);
/* What the owner holds. Count, or -1. */
int swaps_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct swap **out);
/* The transactions of all of them, by swap, nonce and order of signing. Count, or -1. */
int swaps_claimed_txs(struct db *db, struct arena *a, const struct uuid *owner, struct swap_tx **out);
/* Gives back what the owner holds; the next look comes sooner for the young than for the old, and after
 * `second_look_s` where it is one more look at a failure. */
bool swaps_release(struct db *db, const struct uuid *owner, unsigned second_look_s);
/* How long the longest waiting swap is overdue, in seconds; -1: the database failed. */
int64_t swaps_overdue(struct db *db);
/* How many are followed; -1: the database failed. */
int64_t swaps_in_flight(struct db *db);

/* ---- transactions ---- */

struct tx_offer {
    uint64_t id;
    enum tx_said said;
};
bool swaps_tx_offered(struct db *db, const struct tx_offer *o);
/* In a block (block 0: not any more). */
bool swaps_tx_in_block(struct db *db, uint64_t id, uint64_t block, bool succeeded);
/* The transaction has won its nonce for good, in this block: it is settled, all others with the nonce are
 * lost, whatever was settled before. */
bool swaps_tx_settled(struct db *db, const struct swap_tx *winner, uint64_t block, bool succeeded);
/* Whether any transaction of ours has the nonce. 1, 0, -1. */
int swaps_nonce_known(struct db *db, uint64_t wallet_id, uint64_t chain_id, uint64_t nonce);
/* Somebody else's transaction took the nonce for good. */
bool swaps_nonce_lost(struct db *db, uint64_t wallet_id, uint64_t chain_id, uint64_t nonce);

#endif
