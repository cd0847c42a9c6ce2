/* The questions to Solana's nodes for their chain, and the meaning of their errors. */
#ifndef CHAIN_SOLANA_SOLANA_DIALECT_H
#define CHAIN_SOLANA_SOLANA_DIALECT_H

#include "chain/rpc/dialect.h"

/* Errors of transactions are final where no node would judge them otherwise: whether a blockhash is known,
 * and an account funded, is what that node has seen so far. */
extern const struct dialect solana_dialect;

#endif
