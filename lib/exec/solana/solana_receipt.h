/* The amounts that a transaction in a block of Solana moved, by the balances before and after it. */
#ifndef EXEC_SOLANA_SOLANA_RECEIPT_H
#define EXEC_SOLANA_SOLANA_RECEIPT_H

#include "chain/rpc/rpc.h"
#include "codec/u256.h"
#include "model/execution.h"
#include "store/account_changes.h"

void solana_receipt_ask(struct rpc_batch *b, const char *signature);

/* The amount of one of the token balances in a receipt. */
bool solana_receipt_amount(uint64_t *out, const json_t *balance);

/* The amount of the bought token that came to the wallet; for the coin with its wrapped form, the
 * transaction's fee apart. False: the answer does not show it. */
bool solana_receipt_arrived(struct u256 *out, const struct rpc_answer *r, const struct execution *x,
                            const char *wallet);
/* The changes of the coin and all tokens of the wallet that pays for it. False: the answer does not show
 * them. */
bool solana_receipt_changes(struct account_change *out, const struct rpc_answer *r, const char *wallet);

#endif
