/* Data of withdrawals in addition to their executions. */
#ifndef STORE_WITHDRAWALS_H
#define STORE_WITHDRAWALS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/execution.h"
#include "model/page.h"
#include "model/withdrawal.h"
#include "store/db.h"
#include "store/execution_own.h"

/* Inside the transaction that adds or begins its execution: one that is there gets this fee. */
bool withdrawals_put(struct db *db, const struct withdrawal *w);
/* Stores its final fee. */
bool withdrawals_set_fee(struct db *db, uint64_t execution_id, const struct u256 *fee);
enum lookup withdrawals_get(struct db *db, uint64_t execution_id, struct withdrawal *out);
struct withdrawal_listed {
    struct withdrawal own;
    struct execution execution; /* what lists show of it, and its id and kind */
};
/* The agent's, newest first, at most p->limit, texts in the arena, and how many
 * there are. Returns how many are read. */
int withdrawals_page(struct db *db, struct arena *a, uint64_t agent_id, const struct own_filter *f,
                     const struct page *p, struct withdrawal_listed *out, uint64_t *total);

#endif
