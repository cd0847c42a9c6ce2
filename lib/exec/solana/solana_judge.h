/* Recipients on Solana: exec/payable.h. */
#ifndef EXEC_SOLANA_SOLANA_JUDGE_H
#define EXEC_SOLANA_SOLANA_JUDGE_H

#include "exec/payable.h"

const char *solana_recipient_fault(const char *address);
const struct err *solana_judge(const struct ctx *ctx, struct arena *a, const struct recipient *r);

#endif
