/* Success of an execution is what two nodes report, where there are two. */
#ifndef EXEC_EVM_SUCCESS_H
#define EXEC_EVM_SUCCESS_H

#include "exec/chain_ops.h"

/* Asks two nodes, at once, about what the observations of the batch would complete or settle. What they do
 * not agree about is neither confirmed nor settled; what another node shows to be in no block, its nonce
 * unused, counts as in none, so that it is sent to that one too. */
void success_poll(const struct ctx *ctx, struct arena *a, const struct chain_batch *s);

#endif
