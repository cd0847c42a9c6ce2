/* Wallet policies, and what executions took out of wallets that have some. A policy is never edited: it is
 * added, and it ends. */
#ifndef STORE_POLICIES_H
#define STORE_POLICIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/policy.h"
#include "store/db.h"

enum { POLICY_END_AFTER_S = 24 * 60 * 60, POLICY_WINDOW_MAX_S = 7 * 24 * 60 * 60 };

/* Inside a transaction: waits for executes of the agent's wallets that are in progress; later ones see the
 * policy. UNCHANGED if the agent is gone. */
enum db_update policies_add(struct db *db, const struct policy *p);
/* Ends it after so many seconds; if it is about to end, whichever is sooner. UNCHANGED if the agent has no
 * such policy. */
enum db_update policies_end(struct db *db, uint64_t agent_id, const struct uuid *id, unsigned after_s);
/* One that is in force. Texts in the arena. */
enum lookup policies_get(struct db *db, struct arena *a, uint64_t agent_id, const struct uuid *id,
                         struct policy *out);
/* All of the agent's that are in force, oldest first; wallet_id 0: any, else those that apply to the wallet.
 * Returns how many. */
int policies_list(struct db *db, struct arena *a, uint64_t agent_id, uint64_t wallet_id, struct policy **out);

/* ---- inside the execute transaction, under the wallet's lock ---- */

/* The wallet's spends and loans within the longest window, except those of executions that have failed for
 * good, and the database's present time. Returns how many there are. */
int spends_list(struct db *db, struct arena *a, uint64_t wallet_id, struct spend **out, int64_t *now_ms);
struct spend_new {
    uint64_t execution_id, agent_id, wallet_id;
    const struct u256 *usd, *ether; /* NULL: not valued */
    bool margin;                    /* as in struct spend */
};
/* Moves the wallet's turn too: of two sums on two nodes of a cluster, one is then done again. */
bool spends_add(struct db *db, const struct spend_new *s);

/* ---- later, by the process that follows it ---- */

/* Only `part` of `whole` was spent after all: what counts from now on, again and again as more becomes known.
 * `whole` is not 0. Does nothing where no policy had it counted. */
bool spends_keep(struct db *db, uint64_t execution_id, uint64_t part, uint64_t whole);

/* Removes spends that are older than any window, and policies that have ended. Returns how many rows. */
int64_t policies_purge(struct db *db, uint64_t max);

#endif
