/* A swap as agents see it. */
#ifndef SWAP_VIEW_H
#define SWAP_VIEW_H

#include <jansson.h>

#include "base/arena.h"
#include "model/execution.h"

/* As lists show it: the specification's four statuses. New reference. */
json_t *swap_view_listed(struct arena *a, const struct execution *s);
/* As GET /swap/status shows it: all statuses, and the transactions. */
json_t *swap_view(struct arena *a, const struct execution *s, const struct transaction *txs, unsigned n);
/* "Swap 7 of WETH to USDC: failed. Not included in time", in the arena. */
const char *swap_sentence(struct arena *a, const struct execution *s);
/* "0x" and the digits of a transaction's hash, in the arena. */
char *tx_hash_text(struct arena *a, const uint8_t hash[static 32]);

#endif
