/* The operator's kill switch: no agent, or one agent no more, gets anything signed, and the agent cannot
 * change what concerns its safety. */
#ifndef STORE_TRADING_HALTS_H
#define STORE_TRADING_HALTS_H

#include <stdbool.h>
#include <stdint.h>

#include "store/db.h"

enum { HALT_ALL = 0 }; /* in the place of an agent's id */

/* Each is in force by itself, until it is ended; bits of one column. */
enum halt_kind {
    HALT_TRADING = 1,
    HALT_ACCESS = 2, /* banned: its key opens nothing (agents.banned says so too); never of all */
    HALT_RESTORED =
        4, /* of all: the database is older than it was (store/restore_guard.h), and not reconciled */
};

/* Whether the agent is stopped in any way, by itself or with all. */
enum lookup trading_halts_check(struct db *db, uint64_t agent_id);
/* Whether HALT_RESTORED is in force. */
enum lookup trading_halts_restored(struct db *db);
/* The same as the check inside a transaction, which no stop can overtake: a stop waits until the transaction
 * has ended, and later ones see it. To be the first of the transaction's locks. */
enum lookup trading_halts_hold(struct db *db, uint64_t agent_id);
/* Does not look at stops: of this transaction and one that holds on another node of a cluster at the same
 * time, one is run again and sees the other. Does nothing without a cluster, where locks are enough. */
bool trading_halts_pass(struct db *db, uint64_t agent_id);

/* Stops or resumes an agent or HALT_ALL. Returns when what was in progress has ended. */
bool trading_halts_set(struct db *db, uint64_t agent_id, enum halt_kind kind, bool stopped);

/* db_transact for what an agent asks for itself and a stop forbids; `fn` need not check. As db_outcome says,
 * or HALTED. */
MUST_CHECK enum db_update trading_halts_transact(struct db *db, uint64_t agent_id, tx_fn *fn, void *arg);

struct active_halts {
    bool all;      /* trading is stopped for all agents */
    bool restored; /* by HALT_RESTORED */
    uint64_t stopped, banned;
};
bool trading_halts_count(struct db *db, struct active_halts *out);

/* All stopped or banned agents, HALT_ALL first; in the arena. Returns how many. */
struct trading_halt {
    uint64_t agent_id;
    struct uuid agent; /* not for HALT_ALL */
    const char *name;  /* the agent's; NULL for HALT_ALL */
    unsigned kinds;    /* of enum halt_kind */
    int64_t since_ms;
};
int trading_halts_list(struct db *db, struct arena *a, struct trading_halt **out);
/* Whether that list names the agent, or all. */
bool trading_halts_name(const struct trading_halt *list, int n, uint64_t agent_id);

#endif
