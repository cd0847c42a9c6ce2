/* A swap as agents see it. */
#ifndef SWAP_SWAP_VIEW_H
#define SWAP_SWAP_VIEW_H

#include "base/json_writer.h"
#include "exec/kind.h"

extern const struct exec_kind swap_kind;

/* Its members as lists show it: the specification's four statuses. */
void swap_view_listed(struct json_writer *w, const struct execution *s);
/* Reads its data in addition to the execution: its bridge; nothing for a swap on a single chain. */
bool swap_own_read(struct db *db, struct arena *a, const struct execution *x, const void **own);
/* As GET /swap/status shows it: all statuses, the transactions, and its bridge. */
void swap_view(struct json_writer *w, const struct execution_shown *x);
/* "Swap 7 of WETH to USDC: failed. Not included in time", in the arena. */
const char *swap_sentence(struct arena *a, const struct execution_shown *x);
/* A transaction's hash as its chain writes it, in the arena. NULL while there is none. */
const char *tx_hash_text(struct arena *a, uint64_t chain_id, const struct tx_hash *hash);

#endif
