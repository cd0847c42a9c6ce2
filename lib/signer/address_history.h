/* The signer's memory of the addresses that agents' wallets may pay, out of reach of code in a worker: its
 * own time, the agents that it made wallets for, and the addresses that were removed. Allowed addresses are
 * not in it: those are sealed in records (signer/address_seal.h).
 *
 * Its time goes on with the machine, independent of the wall clock and of restarts of the signer. Only after
 * a start of the machine is the wall clock asked, and never to go back.
 *
 * An address counts at once for an agent that no wallet was ever made for, as there is nothing to take. Only
 * a signer that has kept its history since the keys were made, alone, knows which these are: the keyring's
 * mark of unused keys shows it once. */
#ifndef SIGNER_ADDRESS_HISTORY_H
#define SIGNER_ADDRESS_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/uuid.h"
#include "signer/address_seal.h"

#define HISTORY_FILE "book" /* in signer_dir, next to the removals */

struct history_terms {
    const char *dir;     /* signer_dir */
    const char *key_dir; /* where the mark of unused keys is */
    unsigned delay_s;    /* before an address counts */
    unsigned hosts;      /* that have these keys: with more than one, none knows every agent */
};

struct history_clock {
    int64_t (*wall_s)(void);
    int64_t (*boot_s)(void); /* since the machine's start */
    struct uuid boot;        /* which start it was; zero: not known */
};
struct history_clock history_clock_own(void);

struct address_history;

/* Reads the wallets that there are: it takes a while, and a previous signer may still work. NULL without
 * memory. */
struct address_history *history_new(const struct history_terms *terms, const struct history_clock *clock);
/* Once no other signer works. False with a reason. */
bool history_open(struct address_history *b, char *why, size_t why_len);
void history_free(struct address_history *b); /* NULL is allowed */

int64_t history_now(const struct address_history *b);
bool history_is_complete(const struct address_history *b); /* so that addresses may count at once */
/* The seconds by which its time is ahead of the wall clock. */
int64_t history_ahead_s(const struct address_history *b);

/* A wallet is made for the agent, and its line is in the file of wallets. */
void history_see(struct address_history *b, struct uuid agent);
/* Now and then, so that a start of the machine finds a time that is not old. */
void history_tick(struct address_history *b);

/* Whether an address of this agent counts at once. */
bool history_is_new(const struct address_history *b, struct uuid agent);
/* Sets the members of a new record of it. HISTORY_LATER: it was removed many times within a minute;
 * HISTORY_FAILED: the time could not be stored. Then there is no record. */
enum history_admission { HISTORY_ADMITTED, HISTORY_LATER, HISTORY_FAILED };
enum history_admission history_admit(struct address_history *b, struct sealed_address *a, bool at_once);
/* Removes it, with all that this signer ever admitted of it. False, with errno, when that is not on the disk.
 */
bool history_remove(struct address_history *b, const struct sealed_address *a);

/* The seconds of the wall clock whose orders for the address still count: those of the last minutes, but none
 * from before it was removed. None where *first is above *last. */
void history_order_times(const struct address_history *b, const struct allowlist_address *p, int64_t *first,
                         int64_t *last);
/* Whether it ever was: then an order without a time says nothing of it. */
bool history_was_removed(const struct address_history *b, const struct allowlist_address *p);

enum address_state { ADDRESS_COUNTS, ADDRESS_WAITS, ADDRESS_REMOVED };
/* *wait_s: for how long it waits. */
enum address_state history_state(const struct address_history *b, const struct sealed_address *a,
                                 int64_t *wait_s);

#endif
