/* The amounts signed away on this host since midnight UTC: a sum for each daily limit, in a small file of the
 * signer's. A sum is written before its signature is returned, into the older of two places, so that one of
 * them is whole whenever the process dies. It is not synced: a power failure may lose the last seconds.
 *
 * A nonce is used once, so signing for it again (a higher fee, a repeated request) counts only the
 * difference; the latest few thousand nonces are remembered while the signer runs. */
#ifndef SIGNER_LEDGER_H
#define SIGNER_LEDGER_H

#include "codec/hash.h"
#include "signer/signer_limits.h"

struct ledger;

/* Carries today's sums over into a new file for the present limits, whichever version wrote them. NULL with a
 * reason. */
struct ledger *ledger_open(const char *path, const struct limits *l, int64_t now_s, char *why,
                           size_t why_len);
void ledger_close(struct ledger *g);

struct ledger_entry {
    const struct limit *limit; /* a row, with per_day, of the limits it was opened for */
    uint8_t use[HASH_LEN];     /* identifies what happens only once: wallet, chain, nonce */
    struct u256 amount;
};

/* Whether it fits into the day. Days never go back, even if the clock does. */
bool ledger_has_room(struct ledger *g, const struct ledger_entry *e, int64_t now_s);
/* Counts it; false when it does not fit or the sum cannot be written: then nothing may be signed. */
bool ledger_count(struct ledger *g, const struct ledger_entry *e, int64_t now_s);

#endif
