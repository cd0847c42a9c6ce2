/* A family of chains that work alike, such as those of the EVM, as the engine sees it: one row of functions.
 * The row stands in the family's folder (exec/evm); the engine lies below, so it is found by family_of, which
 * registry/families.c defines. */
#ifndef EXEC_FAMILY_H
#define EXEC_FAMILY_H

#include "base/arena.h"
#include "chain/chains.h"
#include "model/execution.h"
#include "service/ctx.h"

struct family {
    /* Gives the stored bytes of `n` transactions of one chain to its nodes, in this order. out[i] is what was
     * said of txs[i]; whatever is not acceptance is logged. False: no node answered. */
    bool (*send)(const struct ctx *ctx, struct arena *a, const struct transaction *txs, unsigned n,
                 unsigned deadline_ms, enum broadcast_result *out);
};

/* NULL for a chain that nothing is executed on, and for NULL. */
const struct family *family_of(const struct chain *c);

#endif
