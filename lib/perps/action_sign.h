/* Actions at the venue of perpetuals, signed: those of trading by the key that trades for a wallet, all
 * others by the wallet's own. */
#ifndef PERPS_ACTION_SIGN_H
#define PERPS_ACTION_SIGN_H

#include "base/arena.h"
#include "model/execution.h"
#include "model/trading_key.h"
#include "model/wallet.h"
#include "service/ctx.h"
#include "venue/hyperliquid_action.h"

/* A new key for the wallet, which the venue does not know yet. False when the signer is away (logged). */
bool perps_key_make(const struct ctx *ctx, const struct wallet *w, struct trading_key *out);

/* Sets body and venue_key of *out, in the arena: the whole of what is POSTed to /exchange, and the digest
 * that was signed. `key` signs what is traded, and is what an approval approves; otherwise it may be NULL.
 * Network and addresses are the caller's to set. False when the signer is away or refuses (logged). */
bool perps_action_sign(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                       const struct trading_key *key, const struct hyperliquid_action *action,
                       struct venue_request *out);

#endif
