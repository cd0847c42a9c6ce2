/* The venue's ledger of a wallet's deposits and withdrawals: an answer to `userNonFundingLedgerUpdates`.
 * Pure. */
#ifndef PERPS_VENUE_LEDGER_H
#define PERPS_VENUE_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "chain/evm/evm_addr.h"
#include "codec/u256.h"

enum ledger_what {
    LEDGER_OTHER,
    LEDGER_CREDIT,     /* by one of the ways from chains */
    LEDGER_ACTIVATION, /* what the first credit of an account costs */
    LEDGER_WITHDRAWAL, /* by one of the ways to chains */
};

/* Dollars of six places. */
struct ledger_row {
    enum ledger_what what;
    int64_t time_ms;
    const char *id; /* of a transaction of the venue's own */
    struct u256 amount;
    uint64_t nonce; /* of a withdrawal: that of its action */
};

struct venue_ledger {
    struct ledger_row *rows; /* oldest first */
    size_t count;
};

/* False when it is malformed, or is about another wallet as far as it says so. */
bool venue_ledger_read(struct arena *a, const struct buf *answer, const struct evm_addr *user,
                       struct venue_ledger *out);

bool venue_ledger_has_id(const struct venue_ledger *l, const char *id); /* a credit with it */
bool venue_ledger_has(const struct venue_ledger *l, uint64_t nonce);    /* a withdrawal with it */

/* A deposit that is looked for. */
struct ledger_wanted {
    struct u256 most, expected, least; /* may be credited of it */
    int64_t since_ms;
    const char *const *taken; /* the ids of credits that others have brought, ending with NULL */
};

/* The credit of what is expected or, where there is none, of the most that it may be. NULL: there is none
 * yet. *kept is what is left of it once its account is paid for. */
const struct ledger_row *venue_ledger_credit(const struct venue_ledger *l, const struct ledger_wanted *w,
                                             struct u256 *kept);

#endif
