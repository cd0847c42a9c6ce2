/* Data of operations at lenders in addition to their executions. */
#ifndef STORE_LEND_OPERATIONS_H
#define STORE_LEND_OPERATIONS_H

#include "base/arena.h"
#include "base/lookup.h"
#include "model/execution.h"
#include "model/lend_operation.h"
#include "store/db.h"
#include "store/execution_own.h"

/* Inside the transaction that adds or begins its execution: one that is there gets these terms. */
bool lend_operations_put(struct db *db, const struct lend_operation *o);
enum lookup lend_operations_get(struct db *db, uint64_t execution_id, struct lend_operation *out);
own_page_fn lend_operations_page;
/* Whether an operation of the wallet on the chain has not ended, or ended in a block after `seen`: a look at
 * the chain then does not show its effect; *id is one of these. Under the wallet's lock, where it decides. */
enum lookup lend_operations_under_way(struct db *db, uint64_t wallet_id, uint64_t chain_id, uint64_t seen,
                                      uint64_t *id);

#endif
