/* Nonces that the chain counts as used while no receipt of ours is there. That alone does not prove that a
 * transaction from elsewhere took them: nodes behind a load balancer omit receipts for minutes. So the
 * transaction itself is searched for, from the newest block downwards, a few blocks in each pass; no archive
 * node is needed. */
#ifndef EXEC_EVM_FOREIGN_NONCE_H
#define EXEC_EVM_FOREIGN_NONCE_H

#include "base/arena.h"
#include "exec/tracked.h"
#include "service/ctx.h"
#include "store/db.h"

/* Marks as foreign in w->observations every nonce that a transaction from elsewhere has taken: it was found
 * in a block that is deep enough to stay, and another node shows it there too. */
void evm_poll_closely(const struct ctx *ctx, struct arena *a, struct tracked *w);
/* Forgets the searches for the nonces of w, inside the caller's transaction. */
bool evm_follow_end(struct db *db, const struct tracked *w);

#endif
