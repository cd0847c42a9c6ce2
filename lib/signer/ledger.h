/* What was signed away since midnight, UTC, on this host: a sum for each limit that holds for a day, in a
 * small file of the signer's own. A sum is written before its signature is given out, into the older of two
 * places, so that whatever moment a process dies at, one of them is whole. It is written and not flushed:
 * when the machine loses power, the last seconds may be missing.
 *
 * A nonce can be used once, so signing for it again (a higher fee, a repeated request) counts only by what it
 * is more; which nonces were counted is remembered for the latest few thousand, until the signer ends. */
#ifndef SIGNER_LEDGER_H
#define SIGNER_LEDGER_H

#include "codec/hash.h"
#include "signer/limits.h"

struct ledger;

/* Carries today's sums over into a new file for the present limits. NULL with a reason. */
struct ledger *ledger_open(const char *path, const struct limits *l, int64_t now_s, char *why,
                           size_t why_len);
void ledger_close(struct ledger *g);

struct ledger_entry {
    const struct limit *limit; /* a row of the limits it was opened for, with per_day */
    uint8_t use[HASH_LEN];     /* what can happen only once: wallet, chain, nonce */
    struct u256 amount;
};

/* Whether the day has room for it. Days never go back, whatever the clock does. */
bool ledger_has_room(struct ledger *g, const struct ledger_entry *e, int64_t now_s);
/* Counts it; false when there is no room or the sum cannot be written, and then nothing may be signed. */
bool ledger_count(struct ledger *g, const struct ledger_entry *e, int64_t now_s);

#endif
