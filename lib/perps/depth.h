/* The order book of a perpetual, as far as the venue shows it. */
#ifndef PERPS_DEPTH_H
#define PERPS_DEPTH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/json_writer.h"
#include "model/amount.h"

struct perps_level {
    const char *price, *size; /* dollars, and how much of the asset (perps/number.h) */
};

/* Best levels first. Either side may be empty. */
struct perps_depth {
    struct perps_level *bids, *asks;
    size_t bid_count, ask_count;
};

/* An answer to `l2Book` about that asset. False when it is about another one, out of order, crossed, or none
 * at all. */
bool perps_read_depth(struct arena *a, const struct buf *answer, const char *asset, struct perps_depth *out);

/* The cost of an amount of the asset, the best levels first: dollars with PERPS_WORTH_PLACES. False when the
 * side has less. */
MUST_CHECK bool perps_depth_cost(struct amount *out, const struct perps_level *side, size_t count,
                                 struct amount size);

/* The members "bids" and "asks", and the same read again from a document whose numbers are texts. */
void perps_depth_write(struct json_writer *w, const struct perps_depth *d);
bool perps_depth_of(struct arena *a, const char *text, struct perps_depth *out);

#endif
