/* What a chain's gas costs now. */
#ifndef EXEC_EVM_FEES_H
#define EXEC_EVM_FEES_H

#include "exec/plan.h"
#include "service/ctx.h"

struct rpc_batch;
struct rpc_answer;

/* "eth_feeHistory" (or "eth_gasPrice") as the next call of a batch, and the fees that follow from its answer.
 */
void fees_ask(struct rpc_batch *b, const struct chain *c);
bool fees_read(struct fees *out, const struct ctx *ctx, const struct chain *c,
               const struct rpc_answer *answer);

#endif
