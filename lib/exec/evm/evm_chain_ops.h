/* The EVM as a family of chains. */
#ifndef EXEC_EVM_EVM_CHAIN_OPS_H
#define EXEC_EVM_EVM_CHAIN_OPS_H

#include "exec/chain_ops.h"

extern const struct chain_ops evm_chain_ops;

#endif
