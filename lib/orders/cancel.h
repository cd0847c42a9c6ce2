/* Finding and cancelling an order at any venue. A cancel is recorded first, and asked for until the venue's
 * answer is definite: at once, and later by the job that follows the order. */
#ifndef ORDERS_CANCEL_H
#define ORDERS_CANCEL_H

#include "base/err.h"
#include "orders/follower.h"

/* The agent's order, by its id, into the venue's own *out. NULL, or f->not_found, E_INTERNAL. */
const struct err *orders_find(const struct order_follower *f, const struct ctx *ctx, struct arena *a,
                              uint64_t agent_id, const char *id, void *out);
/* Cancels the agent's order. The same errors, or f->not_open: it has ended otherwise. Waits up to three
 * seconds for the venue: *out is the order as it stands then, which may be open yet. */
const struct err *orders_cancel(const struct order_follower *f, const struct ctx *ctx, struct arena *a,
                                uint64_t agent_id, const char *id, void *out);

#endif
