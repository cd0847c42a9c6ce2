/* Placing orders on prediction markets, each exactly once: what is an order's own of it. The commit is the
 * engine's (exec/commit.h). */
#ifndef PREDICT_PREDICT_ORDER_H
#define PREDICT_PREDICT_ORDER_H

#include "base/arena.h"
#include "base/err.h"
#include "exec/commit.h"
#include "model/agent.h"
#include "predict/predict_order_terms.h"
#include "service/ctx.h"

/* Sends it, and waits up to 3 seconds for the venue's answer; the order's row (store/orders.h) has what is
 * known then. `note` NULL: none. wallet_address NULL: the agent's oldest wallet. A refusal stores nothing. */
const struct err *order_place(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                              const struct order_in *in, const char *wallet_address,
                              const struct commit_note *note, struct commit_result *out);

/* Goes on with an order that waits for an approval: signed now, as it was approved. Succeeds with out->awaits
 * while the operator has not decided. With E_APPROVAL_NOT_FOUND out->lost_to is what it was used for. */
const struct err *order_place_approved(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                       const char *approval_id, const struct commit_note *note,
                                       struct commit_result *out);

#endif
