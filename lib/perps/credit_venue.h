/* The venue's ledger as a venue of the engine: the request behind a deposit's transactions is filled once the
 * ledger shows the credit. Nothing is signed, and nothing is sent but the question. */
#ifndef PERPS_CREDIT_VENUE_H
#define PERPS_CREDIT_VENUE_H

#include "exec/venue.h"

extern const struct venue perps_credit_venue;

/* Appends it to the plan's requests. What is looked for is what store/perps_transfers.h has of the execution.
 */
void perps_credit_request(struct plan *p, struct arena *a);

#endif
