/* Giving stored bytes to the nodes, as often as it takes: the same bytes each time, so a repeat is harmless.
 */
#ifndef EXEC_BROADCAST_H
#define EXEC_BROADCAST_H

#include "base/arena.h"
#include "chain/chains.h"
#include "model/execution.h"
#include "service/ctx.h"

/* Sends the transactions in the order given and records what the node said; a pending execution whose own
 * transaction was taken becomes submitted. False when no node answered or the database failed: try again
 * later. *accepted: the execution's own transaction was taken. */
bool broadcast_txs(const struct ctx *ctx, struct arena *a, const struct chain *c, const struct execution *x,
                   const struct transaction *txs, unsigned n, unsigned deadline_ms, bool *accepted);

#endif
