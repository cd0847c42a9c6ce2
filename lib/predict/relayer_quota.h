/* The relayer takes so many transactions a day of the operator's key, and then none until the day is over.
 * Its refusal says how long that is: until then no host sends it anything. */
#ifndef PREDICT_RELAYER_QUOTA_H
#define PREDICT_RELAYER_QUOTA_H

#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "predict/relayer_key.h"
#include "service/ctx.h"
#include "store/db.h"

/* The answer of a 429: seconds until there is quota again, as in "quota exceeded: 0 units remaining, resets
 * in 41230 seconds", at most a day; a while where it does not say. Pure. */
unsigned relayer_quota_wait(const struct buf *answer);

/* Keeps that; logged. */
void relayer_quota_note(const struct ctx *ctx, struct arena *a, unsigned seconds);
/* The time when the relayer accepts requests again, by its last answer, in milliseconds since 1970; 0: now.
 * `key`: only answers about that one, for another has a quota of its own; NULL: about any. */
int64_t relayer_quota_until(struct db *db, struct arena *a, const struct relayer_key *key);

/* For what needs the relayer by `deadline` (Unix seconds): NULL, E_PROVIDER_REFUSED, or `failure` with a hint
 * and a wait if it has no quota until then. */
const struct err *relayer_quota_check(const struct ctx *ctx, struct arena *a, int64_t deadline,
                                      const struct err *failure);

#endif
