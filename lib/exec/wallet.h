/* Which of the agent's managed wallets a request means. */
#ifndef EXEC_WALLET_H
#define EXEC_WALLET_H

#include "base/err.h"
#include "model/wallet.h"
#include "service/ctx.h"

/* The one at `address`, in whatever case it is written; NULL: the agent's oldest of the kind. Or
 * E_WALLET_NOT_FOUND, E_WALLET_NOT_YOURS for one that was named, E_INTERNAL. */
const struct err *wallet_find(const struct ctx *ctx, uint64_t agent_id, enum wallet_kind kind,
                              const char *address, struct wallet *out);

/* Whether both name one wallet: EVM addresses are the same in any case, others are not. */
bool wallet_same_address(const char *x, const char *y);

#endif
