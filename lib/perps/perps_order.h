/* Orders for perpetuals, placed exactly once: key, settings and order are requests of one execution, stored
 * before the first byte of any leaves. What the execution takes, by which policies look at it, is struct
 * perps_terms' `bound`: what the order binds at most. What only reduces a position is another kind of
 * execution, which takes nothing. */
#ifndef PERPS_PERPS_ORDER_H
#define PERPS_PERPS_ORDER_H

#include "exec/commit.h"
#include "model/agent.h"
#include "perps/perps_order_terms.h"

/* `wallet_address` NULL: the agent's oldest; `note` NULL: none. */
const struct err *perps_order_place(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                    const struct perps_order_in *in, const char *wallet_address,
                                    const struct commit_note *note, struct commit_result *out);
/* Goes on with one that the operator has approved: at no worse price and no higher leverage. */
const struct err *perps_order_place_approved(const struct ctx *ctx, struct arena *a,
                                             const struct agent *agent, const char *approval_id,
                                             const struct commit_note *note, struct commit_result *out);

/* Closes a position, or so much of it (size NULL: all), at what the book gives. */
const struct err *perps_close(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                              const char *market, const char *size, const char *slippage,
                              const char *wallet_address, const struct commit_note *note,
                              struct commit_result *out);

/* Lets a new key trade for the wallet, where none is in force and none is in progress; waits for the venue as
 * an order does. */
void perps_key_renew(const struct ctx *ctx, struct arena *a, const struct wallet *w);

/* Sets leverage and mode of the wallet's next orders in a market. `mode` NULL: as it is. *out is the setting
 * afterwards; *pending: the venue has not answered yet. An agent's stop holds it back, and no limit counts
 * it. */
struct perps_setting {
    const char *market;
    unsigned leverage;
    bool isolated;
    bool pending;
};
const struct err *perps_leverage_set(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                     const char *market, const char *leverage, const char *mode,
                                     const char *wallet_address, struct perps_setting *out);

#endif
