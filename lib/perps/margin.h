/* The margin of a position and its liquidation price, by the venue's rules: whole numbers all along, and
 * rounded in the end to the agent's disadvantage. */
#ifndef PERPS_MARGIN_H
#define PERPS_MARGIN_H

#include <stdbool.h>

#include "model/amount.h"
#include "perps/universe.h"

/* A position that is to be opened. */
struct perps_bet {
    bool is_short;
    struct amount size; /* not zero */
    struct amount cost; /* of all of it: dollars with PERPS_WORTH_PLACES */
    unsigned leverage;  /* at least 1 */
};

struct perps_estimate {
    struct amount entry;       /* dollars for one */
    struct amount margin;      /* what it binds: dollars, to millionths, as the next */
    struct amount fee;         /* for taking what is in the book */
    struct amount liquidation; /* dollars for one; 0: at no price */
};

/* The most leverage that a position of that cost may have. */
unsigned perps_leverage_at(const struct perps_asset *p, struct amount cost);

/* `fee_rate` is a share of the cost. False when it is too large to reckon with. */
MUST_CHECK bool perps_estimate(struct perps_estimate *out, const struct perps_asset *p,
                               const struct perps_bet *bet, struct amount fee_rate);

#endif
