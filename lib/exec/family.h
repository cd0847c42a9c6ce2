/* A family of chains that work alike, such as those of the EVM, as the engine sees it: one row of functions.
 * The row stands in the family's folder (exec/evm); the engine lies below, so it is found by family_of, which
 * registry/families.c defines. */
#ifndef EXEC_FAMILY_H
#define EXEC_FAMILY_H

#include "base/arena.h"
#include "chain/chains.h"
#include "exec/watch.h"
#include "model/execution.h"
#include "service/ctx.h"
#include "store/db.h"

struct family {
    /* Gives the stored bytes of `n` transactions of one chain to its nodes, in this order. out[i] is what was
     * said of txs[i]; whatever is not acceptance is logged. False: no node answered. */
    bool (*send)(const struct ctx *ctx, struct arena *a, const struct transaction *txs, unsigned n,
                 unsigned deadline_ms, enum broadcast_result *out);

    /* ---- following ---- */

    /* Makes the call that asks the chain's node about all executions of the slice. False: there is no node;
     * then nothing else is done with the slice. */
    bool (*look_begin)(const struct ctx *ctx, struct arena *a, struct slice *s, struct call *call);
    /* Ends the call, which has been run, and frees it. Sets `known` and `sights` of each watch about which
     * all was answered. */
    void (*look_end)(const struct ctx *ctx, struct arena *a, struct slice *s);
    /* Asks what a first look cannot tell: whose a taken place is (`foreign`). */
    void (*look_closer)(const struct ctx *ctx, struct arena *a, struct watch *w);
    /* What is stored and sent for transactions in no block: the same bytes, more fee, or a cancel. */
    void (*repair)(const struct ctx *ctx, struct arena *a, const struct watch *w);
    /* How much of what is bought arrived by txs[i], which is in a block. False: the chain does not tell. */
    bool (*arrived)(struct u256 *out, const struct watch *w, unsigned i);
    void (*look_free)(struct slice *s);
    /* Inside the transaction that ends the following: removes what the family has recorded for it. */
    bool (*follow_end)(struct db *db, const struct watch *w);
};

/* NULL for a chain that nothing is executed on, and for NULL. */
const struct family *family_of(const struct chain *c);

#endif
