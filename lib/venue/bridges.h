/* Calls that pay on one chain for what arrives on another, as far as their bytes bind the payer there. */
#ifndef VENUE_BRIDGES_H
#define VENUE_BRIDGES_H

#include "venue/calls.h"

/* By LI.FI's diamond: Across V4 and Circle's CCTP, that by Polymer too, between EVM chains, with and without
 * a swap before. Other bridges' bytes promise nothing about the far side. */
#define LIFI_BRIDGES 6
extern const struct call_row lifi_bridge_calls[LIFI_BRIDGES + 1];

/* Across pays a plain wallet in coin where the token that wraps it is ordered, on EVM chains. */
void across_pays(struct trade *out);

/* Relay's depository holds a deposit for an order, of which the call has the hash alone. */
extern const struct contract_kind relay_depository;

#endif
