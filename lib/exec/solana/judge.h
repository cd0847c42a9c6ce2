/* Recipients on Solana: exec/recipient.h. */
#ifndef EXEC_SOLANA_JUDGE_H
#define EXEC_SOLANA_JUDGE_H

#include "exec/recipient.h"

const char *solana_recipient_fault(const char *address);
const struct err *solana_judge(const struct ctx *ctx, struct arena *a, const struct recipient *r);

#endif
