/* The questions to nodes of EVM chains for their chain and their blocks. */
#ifndef CHAIN_EVM_EVM_DIALECT_H
#define CHAIN_EVM_EVM_DIALECT_H

#include "chain/rpc/dialect.h"

extern const struct dialect evm_dialect;

#endif
