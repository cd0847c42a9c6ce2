/* The newest block of a chain. */
#ifndef EXEC_NEWEST_H
#define EXEC_NEWEST_H

#include "base/arena.h"
#include "chain/chains.h"
#include "chain/rpc/rpc.h"
#include "service/ctx.h"
#include "store/db.h"

/* The questions for nodes of a family. */
struct height_words {
    const char *method, *params; /* that ask for the newest block */
    bool (*read)(uint64_t *block, const struct rpc_answer *r);
    void (*ask_time)(struct rpc_batch *b, uint64_t block); /* when that block was made */
    bool (*read_time)(int64_t *seconds, const struct rpc_answer *r);
};

/* Its newest block by what two nodes say, the lower one: what happens from now on is in a later block than
 * that. Where they are ten minutes apart, or one of them is silent, each is asked when the lower block was
 * made: one whose words do not fit our clock and the chain's pace is behind, or lies. Of two whose words fit,
 * that one counts which goes on from what two nodes agreed on before. LOOKUP_NONE: the chain has no node;
 * LOOKUP_ERROR: none says it, or says what fits, or two do who are apart. */
enum lookup newest_block(const struct ctx *ctx, struct arena *a, const struct chain *c,
                         const struct height_words *words, uint64_t *block);

#endif
