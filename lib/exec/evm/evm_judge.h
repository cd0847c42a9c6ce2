/* Recipients on EVM chains: exec/payable.h. */
#ifndef EXEC_EVM_EVM_JUDGE_H
#define EXEC_EVM_EVM_JUDGE_H

#include "exec/payable.h"

const char *evm_recipient_fault(const char *address);
const struct err *evm_judge(const struct ctx *ctx, struct arena *a, const struct recipient *r);

#endif
