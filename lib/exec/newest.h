/* How far a chain has come. */
#ifndef EXEC_NEWEST_H
#define EXEC_NEWEST_H

#include "base/arena.h"
#include "chain/chains.h"
#include "chain/rpc/rpc.h"
#include "service/ctx.h"
#include "store/db.h"

/* Its newest block by what two nodes say, the lower one: what happens from now on is in a later block than
 * that. FOUND_NONE: the chain has no node; FOUND_FAILED: none says it, or two are ten minutes apart, so that
 * one of them is far behind or lies. */
enum found newest_block(const struct ctx *ctx, struct arena *a, const struct chain *c, const char *method,
                        const char *params, bool (*read)(uint64_t *out, const struct rpc_answer *r),
                        uint64_t *block);

#endif
