/* The recipient of a purchase on a chain of another family, where the payer's own address is not valid. */
#ifndef SWAP_PURCHASE_RECIPIENT_H
#define SWAP_PURCHASE_RECIPIENT_H

#include "base/arena.h"
#include "base/err.h"
#include "model/quote.h"
#include "model/wallet.h"
#include "route/provider.h"
#include "service/ctx.h"

/* Whether a quote pays another address than its payer. */
bool recipient_is_far(const struct quote *q);

/* For a new quote: `named`, or for NULL the agent's oldest wallet; "": it has none yet, or the payer is paid.
 * E_RECIPIENT, E_RECIPIENT_NEAR. */
const struct err *recipient_choose(const struct ctx *ctx, struct arena *a, uint64_t agent_id,
                                   const struct route_in *r, const char *named,
                                   char out[static WALLET_ADDR_MAX]);

/* Before a far quote is built: of one that was given before the agent had a wallet there, the oldest by now.
 * E_WALLET_NOT_FOUND. */
const struct err *recipient_settle(const struct ctx *ctx, struct arena *a, struct quote *q);
/* Whether the recipient is a wallet of the agent's own. */
bool recipient_is_own(const struct ctx *ctx, const struct quote *q);
/* Before one is executed: the agent's own wallet that is paid, which has to be one. E_WALLET_NOT_FOUND,
 * E_WALLET_NOT_YOURS. */
const struct err *recipient_own(const struct ctx *ctx, struct arena *a, struct quote *q, struct wallet *out);

#endif
