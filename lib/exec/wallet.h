/* Which of the agent's managed wallets a request means. */
#ifndef EXEC_WALLET_H
#define EXEC_WALLET_H

#include "base/err.h"
#include "base/found.h"
#include "model/wallet.h"
#include "service/ctx.h"

/* The one at `address`, in whatever case it is written; NULL: the agent's oldest of the kind. */
enum found wallet_of(const struct ctx *ctx, uint64_t agent_id, enum wallet_kind kind, const char *address,
                     struct wallet *out);
/* The same for whoever cannot do without it: NULL, or E_WALLET_NOT_FOUND, E_WALLET_NOT_YOURS for one that was
 * named, E_INTERNAL. */
const struct err *wallet_need(const struct ctx *ctx, uint64_t agent_id, enum wallet_kind kind,
                              const char *address, struct wallet *out);

#endif
