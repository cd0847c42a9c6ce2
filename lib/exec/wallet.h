/* The agent's managed wallets: which one a request means, and its available balance. */
#ifndef EXEC_WALLET_H
#define EXEC_WALLET_H

#include "base/err.h"
#include "base/lookup.h"
#include "exec/plan.h"
#include "exec/tracked.h"
#include "model/wallet.h"
#include "service/ctx.h"
#include "store/transactions.h"

/* The wallet at `address`, which may be in any of its spellings; NULL: the agent's oldest of the kind. */
enum lookup wallet_of(const struct ctx *ctx, uint64_t agent_id, enum wallet_kind kind, const char *address,
                      struct wallet *out);
/* The same for callers that need the wallet: NULL, or E_WALLET_NOT_FOUND, E_WALLET_NOT_YOURS for one that was
 * named, E_INTERNAL. */
const struct err *wallet_need(const struct ctx *ctx, uint64_t agent_id, enum wallet_kind kind,
                              const char *address, struct wallet *out);
/* The error of wallet_need, for callers that have looked it up by themselves. */
const struct err *wallet_missing(enum lookup found, const char *address);

/* Whom the bridge of an execution pays, as the signer has to be shown: *shown is `out`, or NULL where the
 * payer is paid itself. False: the database failed, or the wallet is gone. */
bool wallet_paid_far(const struct ctx *ctx, const struct tracked *w, struct wallet *out,
                     const struct wallet **shown);

/* The balance of the chain's coin at `address`; false: the chain is silent. */
bool wallet_coin(const struct ctx *ctx, struct arena *a, const char *address, const struct chain *c,
                 struct u256 *out);

/* The amounts that executions in progress may still take out of it, beyond its balances in *st; by st->placed
 * some have been taken already. False: the database failed. */
bool wallet_reserved(struct db *db, const struct wallet *w, const struct plan *p,
                     const struct chain_state *st, struct reservation *out);
/* Looks up, after *st was asked for, which of the wallet's transactions are in blocks and not yet recorded as
 * such: until the follower comes by, what they took would count twice, as taken and as reserved. */
void wallet_place(const struct ctx *ctx, struct arena *a, const struct wallet *w, const struct plan *p,
                  struct chain_state *st);
/* Both, where anything is reserved. */
bool wallet_reserved_now(const struct ctx *ctx, struct arena *a, const struct wallet *w, const struct plan *p,
                         const struct chain_state *st, struct reservation *out);

#endif
