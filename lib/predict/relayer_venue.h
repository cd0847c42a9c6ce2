/* The relayer as a venue of the engine: batches of deposit wallets as signed requests. The relayer only
 * carries; what became of a batch is read from the chain, where it acts once, as its wallet's next nonce,
 * and never after its deadline. So a relayer may lose answers, forget, lie or give up: the same bytes are
 * submitted again until the chain has them or the deadline is over. */
#ifndef PREDICT_RELAYER_VENUE_H
#define PREDICT_RELAYER_VENUE_H

#include "exec/venue.h"

struct trading_batch;

/* plan_request.order; the deadline is the request's expires_ms, in whole seconds. */
struct relayer_order {
    bool creates; /* the wallet, for which nothing is signed; otherwise the batch */
    const struct trading_batch *batch;
};

extern const struct venue relayer_venue;

#endif
