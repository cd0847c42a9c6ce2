/* Solana, as the engine sees it. */
#ifndef EXEC_SOLANA_SOLANA_CHAIN_OPS_H
#define EXEC_SOLANA_SOLANA_CHAIN_OPS_H

#include "exec/chain_ops.h"

extern const struct chain_ops solana_chain_ops;

#endif
