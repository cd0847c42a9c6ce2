/* Data of withdrawals in addition to their executions. */
#ifndef STORE_WITHDRAWALS_H
#define STORE_WITHDRAWALS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/withdrawal.h"
#include "store/db.h"
#include "store/execution_own.h"

/* Inside the transaction that adds or begins its execution: one that is there gets this fee. */
bool withdrawals_put(struct db *db, const struct withdrawal *w);
/* Stores its final fee. */
bool withdrawals_set_fee(struct db *db, uint64_t execution_id, const struct u256 *fee);
enum lookup withdrawals_get(struct db *db, uint64_t execution_id, struct withdrawal *out);
own_page_fn withdrawals_page;

#endif
