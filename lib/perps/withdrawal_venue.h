/* Dollars on their way out of the venue, as a venue of the engine. The venue takes the action; it is known
 * there by its nonce, and carried out when the chain shows the payment. */
#ifndef PERPS_WITHDRAWAL_VENUE_H
#define PERPS_WITHDRAWAL_VENUE_H

#include "exec/venue.h"

struct hyperliquid_action;

extern const struct venue perps_withdrawal_venue;

/* Appends it to the plan's requests. The action's nonce and network are set when it is signed; what is looked
 * for is what store/perps_transfers.h has of the execution. */
void perps_withdrawal_request(struct plan *p, struct arena *a, const struct hyperliquid_action *action);

#endif
