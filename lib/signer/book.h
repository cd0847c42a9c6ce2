/* The signer's memory of the addresses that agents' wallets may pay, out of reach of code in a worker: its
 * own time, the agents that it made wallets for, and the addresses that were removed. Allowed addresses are
 * not in it: those are sealed in records (signer/address_seal.h).
 *
 * Its time goes on with the machine, independent of the wall clock and of restarts of the signer. Only after
 * a start of the machine is the wall clock asked, and never to go back.
 *
 * An address counts at once for an agent that no wallet was ever made for, as there is nothing to take. Only
 * a signer that has kept its book since the keys were made, alone, knows which these are: the keyring's mark
 * of unused keys shows it once. */
#ifndef SIGNER_BOOK_H
#define SIGNER_BOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/uuid.h"
#include "signer/address_seal.h"

#define BOOK_FILE "book" /* in signer_dir, next to the removals */

struct book_terms {
    const char *dir;     /* signer_dir */
    const char *key_dir; /* where the mark of unused keys is */
    unsigned delay_s;    /* before an address counts */
    unsigned hosts;      /* that have these keys: with more than one, none knows every agent */
};

struct book_clock {
    int64_t (*wall_s)(void);
    int64_t (*boot_s)(void); /* since the machine's start */
    struct uuid boot;        /* which start it was; zero: not known */
};
struct book_clock book_clock_own(void);

struct book;

/* Reads the wallets that there are: it takes a while, and a previous signer may still work. NULL without
 * memory. */
struct book *book_new(const struct book_terms *terms, const struct book_clock *clock);
/* Once no other signer works. False with a reason. */
bool book_open(struct book *b, char *why, size_t why_len);
void book_free(struct book *b); /* NULL is allowed */

int64_t book_now(const struct book *b);
bool book_is_complete(const struct book *b); /* so that addresses may count at once */
/* The seconds by which its time is ahead of the wall clock. */
int64_t book_ahead_s(const struct book *b);

/* A wallet is made for the agent, and its line is in the file of wallets. */
void book_see(struct book *b, struct uuid agent);
/* Now and then, so that a start of the machine finds a time that is not old. */
void book_tick(struct book *b);

/* Whether an address of this agent counts at once. */
bool book_is_new(const struct book *b, struct uuid agent);
/* Sets the members of a new record of it. BOOK_LATER: it was removed many times within a minute; BOOK_FAILED:
 * the time could not be stored. Then there is no record. */
enum book_admission { BOOK_ADMITTED, BOOK_LATER, BOOK_FAILED };
enum book_admission book_admit(struct book *b, struct sealed_address *a, bool at_once);
/* Removes it, with all that this signer ever admitted of it. False, with errno, when that is not on the disk.
 */
bool book_strike(struct book *b, const struct sealed_address *a);

/* The seconds of the wall clock whose orders for the address still count: those of the last minutes, but none
 * from before it was removed. None where *first is above *last. */
void book_order_times(const struct book *b, const struct payout_address *p, int64_t *first, int64_t *last);
/* Whether it ever was: then an order without a time says nothing of it. */
bool book_was_removed(const struct book *b, const struct payout_address *p);

enum address_state { ADDRESS_COUNTS, ADDRESS_WAITS, ADDRESS_REMOVED };
/* *wait_s: for how long it waits. */
enum address_state book_state(const struct book *b, const struct sealed_address *a, int64_t *wait_s);

#endif
