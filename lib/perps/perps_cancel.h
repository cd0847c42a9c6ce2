/* Cancels of orders for perpetuals: recorded first, and asked for until the venue's answer is definite. Each
 * is signed anew, for to cancel an order twice is to cancel it; where no key is in force, one is approved
 * first. */
#ifndef PERPS_PERPS_CANCEL_H
#define PERPS_PERPS_CANCEL_H

#include "base/err.h"
#include "model/perps_order.h"
#include "model/wallet.h"
#include "net/call.h"
#include "service/ctx.h"

/* The call that asks the venue for it, which the caller runs, reads and frees, and the key that signed it.
 * False: it cannot be signed now. */
bool perps_cancel_call(struct call *c, const struct ctx *ctx, struct arena *a, const struct wallet *w,
                       const struct perps_order *o, const char **signer);
/* Whether it cannot be filled any more, by the answer. */
bool perps_cancel_read(const struct ctx *ctx, struct arena *a, const struct call *c, const char *signer);

/* The agent's order, by its id. NULL, or E_PERPS_ORDER_NOT_FOUND, E_INTERNAL. */
const struct err *perps_order_find(const struct ctx *ctx, struct arena *a, uint64_t agent_id, const char *id,
                                   struct perps_order *out);
/* *out is the order as it stands when the venue has answered, or after three seconds: then it is open yet. */
const struct err *perps_order_cancel(const struct ctx *ctx, struct arena *a, uint64_t agent_id,
                                     const char *id, struct perps_order *out);

#endif
