/* The present state of a wallet in a market, for its next act there: asked each time, and no more than is
 * needed. */
#ifndef PERPS_PERPS_POSITION_STATE_H
#define PERPS_PERPS_POSITION_STATE_H

#include "model/wallet.h"
#include "perps/universe.h"
#include "perps/wallet_state.h"
#include "service/ctx.h"

struct perps_position_state {
    struct perps_leverage setting; /* by which its next orders there are taken */
    struct perps_available available;
    bool has_position;
    struct perps_position held; /* of that market */
    uint64_t held_size;         /* of 10^-8; 0: none */
};

/* All but the position. NULL, E_UPSTREAM, E_BUSY, or E_PERPS_NOT_FUNDED where it has nothing at the venue. */
const struct err *perps_position_state(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                       const struct perps_asset *p, struct perps_position_state *out);
/* The same with the position, asked at the same time. */
const struct err *perps_position_state_whole(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                             const struct perps_asset *p, struct perps_position_state *out);
/* The position alone; the rest of *out stays. */
const struct err *perps_position_state_one(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                           const struct perps_asset *p, struct perps_position_state *out);

#endif
