/* The present price of a chain's gas. */
#ifndef EXEC_EVM_FEES_H
#define EXEC_EVM_FEES_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "chain/rpc/node.h"
#include "exec/plan.h"
#include "service/ctx.h"

/* "eth_feeHistory" (or "eth_gasPrice") as the next call of a batch, and the fees that follow from its answer.
 */
void fees_ask(struct rpc_batch *b, const struct chain *c);
bool fees_read(struct fees *out, const struct ctx *ctx, const struct chain *c,
               const struct rpc_answer *answer);

/* Without a base fee the bid is the price, and a single node would decide it. There the first node and
 * another are asked for the price, and for the prices that the last blocks paid: queries to ask together with
 * the one of fees_ask, which `out` owns until price_opinions_free. Returns how many: none where there is a
 * base fee. */
struct price_opinions {
    struct buf body;
    struct rpc_batch batch;
};
unsigned price_opinions_ask(struct price_opinions *out, struct node_query *queries, const struct chain *c);
/* Lowers the fees to the least of what was said. An error, with its reason: others said several times as
 * much, or it is more than the operator pays; the fees are the least of it, and at most that, all the same.
 * Frees the answers. */
const struct err *price_opinions_hold(struct fees *f, const struct ctx *ctx, struct arena *a,
                                      const struct chain *c, struct node_query *queries, unsigned count);
void price_opinions_free(struct price_opinions *o);
/* All of that in one call, for what is to be bid now and cannot be refused: who disputes a price delays
 * nothing that mends. */
struct fees fees_now(const struct ctx *ctx, struct arena *a, const struct chain *c, const struct fees *seen);
/* The same fees, but no more than the chain's bound where there is no base fee. */
struct fees fees_bounded(const struct ctx *ctx, const struct chain *c, struct fees f);

#endif
