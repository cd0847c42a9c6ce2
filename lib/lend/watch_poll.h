/* Looks at wallets that owe something to lenders, and tells their agents when that has become dangerous, and
 * when they were liquidated (lend/watch.h). Each is told once: a look and its events are one transaction. */
#ifndef LEND_WATCH_POLL_H
#define LEND_WATCH_POLL_H

#include <stdbool.h>

#include "base/arena.h"
#include "chain/chains.h"
#include "service/ctx.h"

/* Those on one chain, once. False when the database failed; a chain that is silent is looked at next time. */
bool lend_watch_chain(const struct ctx *ctx, struct arena *a, const struct chain *c, bool (*stopping)(void));

#endif
