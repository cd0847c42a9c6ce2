/* Classifies an answer of an EVM chain's node, for all implementations: one table over error code, message
 * and HTTP status. */
#ifndef CHAIN_EVM_EVM_RPC_CLASS_H
#define CHAIN_EVM_EVM_RPC_CLASS_H

#include "chain/rpc/rpc_class.h"

rpc_classifier evm_classify;

#endif
