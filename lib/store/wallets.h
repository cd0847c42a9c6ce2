/* Managed wallets. The oldest of a kind is the one used unless a request names another. */
#ifndef STORE_WALLETS_H
#define STORE_WALLETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/page.h"
#include "model/wallet.h"
#include "store/db.h"

/* Leaves *w as it is; its id is the database's. created_ms 0: now. UNCHANGED if the agent is gone. */
enum db_update wallets_add(struct db *db, const struct wallet *w, int64_t created_ms);

/* All of the agent's, oldest first, in the arena. Returns how many. */
int wallets_list(struct db *db, struct arena *a, uint64_t agent_id, struct wallet **out);
/* A page of them, at most p->limit, and how many there are. */
int wallets_page(struct db *db, uint64_t agent_id, const struct page *p, struct wallet *out, uint64_t *total);

/* The agent's oldest of the kind, or the one at `address` (NULL: any). */
enum lookup wallets_pick(struct db *db, uint64_t agent_id, enum wallet_kind kind, const char *address,
                         struct wallet *out);

enum lookup wallets_get(struct db *db, uint64_t id, struct wallet *out);
/* Those of all executions that the owner has claimed, by id. Returns how many. */
int wallets_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct wallet **out);
/* The wallets whose accounts at the prediction venue the owner has claimed. Returns how many. */
int wallets_of_accounts(struct db *db, struct arena *a, const struct uuid *owner, struct wallet **out);

/* Those after `after_id` by id, of all agents, whose keys are there; at most `max` into `out`. Returns how
 * many. */
int wallets_after(struct db *db, uint64_t after_id, struct wallet *out, unsigned max);
/* Whether there is one with this id. */
enum lookup wallets_known(struct db *db, const struct uuid *id);

/* What an agent's rows show of where its money may be. */
struct wallet_traces {
    const char
        *held_on;   /* keys of chains and names of markets where its wallets held something: ",base,perps," */
    uint32_t kinds; /* bits of the kinds of its executions that are no swaps */
};
/* In one statement, into the arena. False: the database failed. */
bool wallets_traces(struct db *db, struct arena *a, uint64_t agent_id, struct wallet_traces *out);
/* Whether a wallet was seen to hold something at that place. */
bool wallet_traces_have(const struct wallet_traces *t, struct arena *a, const char *place);
/* The wallet was seen to hold something there. */
bool wallets_holds_on(struct db *db, uint64_t agent_id, const char *address, const char *place);

/* The members of a wallet that can change until it is locked. */
struct wallet_locked {
    uint64_t turn;       /* as in struct wallet */
    uint64_t next_nonce; /* on one chain, the lowest that is free by what is stored */
    int64_t asked_ms;    /* the database's time when the lock was asked for */
};

/* Inside a transaction: locks the wallet against another execute. LOOKUP_NONE: it is gone with its agent,
 * or its key is. */
enum lookup wallets_lock(struct db *db, uint64_t id, uint64_t chain_id, struct wallet_locked *out);
/* Inside the same transaction: `next` is the lowest nonce that is still free. */
bool wallets_nonce_set(struct db *db, uint64_t id, uint64_t chain_id, uint64_t next);

/* The stored nonce; 0 before the wallet's first transaction. */
bool wallets_nonce(struct db *db, uint64_t id, uint64_t chain_id, uint64_t *next);
/* To `next`, unless it is higher already. */
bool wallets_nonce_raise(struct db *db, uint64_t id, uint64_t chain_id, uint64_t next);

#endif
