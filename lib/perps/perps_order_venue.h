/* The venue of perpetuals as the engine knows it (exec/venue.h): it takes keys that trade for a wallet,
 * settings of the wallet in a market, and orders. */
#ifndef PERPS_PERPS_ORDER_VENUE_H
#define PERPS_PERPS_ORDER_VENUE_H

#include "exec/venue.h"
#include "model/trading_key.h"
#include "venue/hyperliquid_action.h"

/* The action of a request: struct plan_request.order. */
struct perps_action {
    const struct trading_key *key;    /* that signs it, or is approved */
    struct hyperliquid_action action; /* nonce, expiry and network are set when it is signed */
};

extern const struct venue perps_key_venue, perps_leverage_venue, perps_order_venue;

/* The call that gives the venue these bytes, which the caller runs, reads and frees. */
void perps_exchange_call(struct call *c, const struct ctx *ctx, struct arena *a, const uint8_t *body,
                         size_t len);

/* The error if the venue does not know the signer, by its address: E_PERPS_NOT_FUNDED for a wallet;
 * E_PERPS_KEY_GONE for a key that is not in force any more; NULL: none, as the key may yet be approved, or
 * the database failed. */
const struct err *perps_unknown_signer(const struct ctx *ctx, const char *signer);

#endif
