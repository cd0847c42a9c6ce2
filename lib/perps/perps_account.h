/* A wallet's account at the venue of perpetuals, always asked for by its own address; cached for a second. */
#ifndef PERPS_PERPS_ACCOUNT_H
#define PERPS_PERPS_ACCOUNT_H

#include "base/err.h"
#include "model/amount.h"
#include "model/wallet.h"
#include "service/ctx.h"

/* Objects with the reply's "account" and "positions", in the arena. NULL, or E_UPSTREAM, E_BUSY, E_INTERNAL.
 */
const struct err *perps_account(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                const char **text);
const struct err *perps_positions(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                  const char **text);

/* The share of a trade that the venue takes of the wallet when it meets what is in the book; as it was within
 * ten minutes. NULL: of any wallet. */
const struct err *perps_taker_fee(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                  struct amount *rate);

/* The amount that may leave a wallet's account at this moment, never cached. */
struct perps_withdrawable {
    bool has_something; /* otherwise nothing is known of an account */
    bool unified;       /* all in one with its spot balance */
    const char *dollars;
};
const struct err *perps_withdrawable(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                     struct perps_withdrawable *out);

/* All that a wallet has at the venue, asked now. NULL, or E_UPSTREAM, E_BUSY, E_INTERNAL. */
struct perps_held {
    bool has_something;
    const char *dollars;            /* of either sign: with what positions gain */
    const struct perps_coin *coins; /* of its spot wallet (perps/wallet_state.h) */
    size_t coin_count;
};
const struct err *perps_held(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                             struct perps_held *out);

#endif
