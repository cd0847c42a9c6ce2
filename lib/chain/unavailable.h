/* The agent's error when no node of a chain answers, or none sensibly. */
#ifndef CHAIN_UNAVAILABLE_H
#define CHAIN_UNAVAILABLE_H

#include "base/arena.h"
#include "base/err.h"
#include "chain/chains.h"
#include "service/ctx.h"

/* Every chain waits in a lane of its own (net/bulkhead.h). */
unsigned chain_lane(const struct chain *c);

/* E_BUSY when too many are waiting for the chain's nodes already, else E_UPSTREAM. */
const struct err *chain_unavailable(const struct ctx *ctx, struct arena *a, const struct chain *c);
/* E_BEHIND: the nodes do not show yet what the wallet did last, and without that nothing more can be said. */
const struct err *chain_behind(struct arena *a, const struct chain *c);
/* E_UPSTREAM, and a line in the log: what a node was asked for, it answered by something else. */
const struct err *chain_senseless(const struct chain *c, const char *asked_for);

#endif
