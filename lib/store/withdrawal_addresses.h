/* The addresses to which agents may withdraw, as they are shown and looked up. What may be paid is not told
 * by these rows, but by the signer, which has sealed a record for each. */
#ifndef STORE_WITHDRAWAL_ADDRESSES_H
#define STORE_WITHDRAWAL_ADDRESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/withdrawal.h"
#include "store/db.h"

/* Inside a transaction: adds it, active in `wait_s` seconds; sets its id and times. UNCHANGED: the agent is
 * gone, or has an address or a label like this. */
enum db_update withdrawal_addresses_add(struct db *db, struct withdrawal_address *wa, uint64_t wait_s);
/* The agent's (0: any agent's). */
enum lookup withdrawal_addresses_get(struct db *db, uint64_t agent_id, uint64_t id,
                                     struct withdrawal_address *out);
/* The agent's that is not removed and is this address, or has this label, in any case of its letters. */
enum lookup withdrawal_addresses_at(struct db *db, uint64_t agent_id, enum wallet_kind kind,
                                    const char *address, struct withdrawal_address *out);
enum lookup withdrawal_addresses_labelled(struct db *db, uint64_t agent_id, enum wallet_kind kind,
                                          const char *label, struct withdrawal_address *out);
/* All of the agent's, the removed ones too, newest first, at most ADDRESSES_SHOWN. Returns how many. */
enum { ADDRESSES_SHOWN = 100 };
int withdrawal_addresses_list(struct db *db, struct arena *a, uint64_t agent_id,
                              struct withdrawal_address **out);
/* To the address of a withdrawal. */
enum lookup withdrawal_addresses_record(struct db *db, uint64_t execution_id, struct address_record *out);
/* By the operator's order it is active from now on, by this record. UNCHANGED: it was removed. */
enum db_update withdrawal_addresses_activate(struct db *db, uint64_t id, const struct address_record *record);

/* ---- removal: by the signers of all hosts, then here ---- */

/* This host asks the others to take it, anew unless that was asked within a minute. */
bool withdrawal_addresses_ask(struct db *db, uint64_t id, const struct uuid *host);
/* The addresses that other hosts ask this one (as in store/restore_guard.h) to take, and that it has not
 * taken yet, at most 16. Returns how many. */
int withdrawal_addresses_asked(struct db *db, struct arena *a, const struct uuid *host,
                               struct withdrawal_address **out);
/* This host's signer has taken it. */
bool withdrawal_addresses_taken(struct db *db, uint64_t id, const struct uuid *host);
/* The number of hosts that have taken the address. */
enum lookup withdrawal_addresses_hosts(struct db *db, uint64_t id, uint64_t *hosts);
/* No signer is asked any more: not all of them could be reached. */
bool withdrawal_addresses_recall(struct db *db, uint64_t id);
/* Inside a transaction: it is removed. UNCHANGED: it is already. */
enum db_update withdrawal_addresses_remove(struct db *db, uint64_t agent_id, uint64_t id);

#endif
