/* The EVM as a family of chains. */
#ifndef EXEC_EVM_EVM_FAMILY_H
#define EXEC_EVM_EVM_FAMILY_H

#include "exec/family.h"

extern const struct family evm_family;

#endif
