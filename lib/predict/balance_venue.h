/* The exchange's own idea of what a trading wallet holds, as a venue of the engine: it is told to look at the
 * chain again, and the request is filled once it shows what came or went. To ask twice does no harm. */
#ifndef PREDICT_BALANCE_VENUE_H
#define PREDICT_BALANCE_VENUE_H

#include "base/arena.h"
#include "codec/u256.h"
#include "exec/venue.h"
#include "predict/clob_private.h"

enum { BALANCE_S = 3 * 60 }; /* how long it may take to see a balance */

/* plan_request.order; smallest units. */
struct balance_order {
    enum clob_asset asset;
    const char *token;  /* of shares; NULL: collateral */
    struct u256 before; /* that the wallet held */
    struct u256 amount; /* that comes */
    bool leaves;        /* or goes */
};

extern const struct venue balance_venue;

/* Appends it to the plan's requests; it ends with the plan's deadline. */
void balance_request(struct plan *p, struct arena *a, const struct balance_order *order);

#endif
