/* The number of nodes that have to confirm a success. */
#ifndef EXEC_OPINION_H
#define EXEC_OPINION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chain/chains.h"
#include "chain/rpc/node.h"
#include "service/ctx.h"

/* How long other nodes are waited for, by our own clock: one without an answer, before an execution is
 * reported as done; and any that does not confirm it, before it is left alone as settled. */
enum { OPINION_SHORT_MS = 20000, OPINION_LONG_MS = 600000 };

/* Whether the chain has another node that could be asked. */
bool opinions_differ(const struct ctx *ctx, const struct chain *c);
/* As node_ask_two; of a chain that has no other node, node_ask. */
size_t opinions_ask(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
                    unsigned deadline_ms, struct arena *a, struct rpc_answers out[static NODE_OPINIONS]);
/* How many of them there are if all have answered. */
size_t opinions_all(const struct ctx *ctx, const struct chain *c);
/* Whether any chain has one. */
bool opinions_differ_anywhere(const struct ctx *ctx);
/* The same context, whose reads go to the second node of each chain first: what one node alone shows as
 * nothing is asked again with it. */
struct ctx opinion_second(const struct ctx *ctx);
/* Whether so many nodes that agree are enough, where none contradicts them: two; one where the chain has no
 * other, or where the others have been waited for so long. */
bool opinions_do(const struct ctx *ctx, const struct chain *c, size_t agreed, int64_t waited_ms,
                 int64_t patience_ms);

#endif
