/* Trades of a wallet in the last minute, added to the venue's answers about it. The venue's readers lag: a
 * position may be shown as it was before a trade that the agent was told of. All trades of a wallet are
 * recorded, so that the sizes which its position has gone through are known. One that is shown as it was
 * before the last of them is old; any other size is the venue's own word. */
#ifndef PERPS_PERPS_LATELY_H
#define PERPS_PERPS_LATELY_H

#include "base/err.h"
#include "model/wallet.h"
#include "perps/wallet_state.h"
#include "service/ctx.h"

/* Sizes, what they bind, and what may leave the account become what they are by now. */
const struct err *perps_lay_lately(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                   struct perps_state *s);

#endif
