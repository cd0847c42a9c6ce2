/* The match of an order now, by the book that the venue shows. */
#ifndef PREDICT_PREDICT_QUOTE_H
#define PREDICT_PREDICT_QUOTE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "model/order.h"
#include "predict/clob.h"
#include "predict/clob_private.h"
#include "predict/predict_order_terms.h"
#include "service/ctx.h"

/* The part of an order's shares or money that the book fills. */
struct predict_fill {
    uint64_t shares, paid, fee; /* units; the fee in addition to what is paid */
    uint32_t worst;             /* price; 0: nothing is matched */
    bool whole;                 /* nothing of the order is left */
};

/* Walks one side of a book, the best levels first, up to the order's price. Levels that are none are passed
 * over. False when the sums do not fit. Pure. */
MUST_CHECK bool predict_walk(struct predict_fill *out, const struct order *o, const struct clob_market *rules,
                             const struct book *book);

/* Sets *text, in the arena, to an object with the reply's members. `in` is as for an order; without a price
 * it is the worst there is. NULL, or what is wrong with what is asked; E_NO_MATCH, E_UPSTREAM, E_BUSY. */
const struct err *predict_quote(const struct ctx *ctx, struct arena *a, const struct order_in *in,
                                const char **text);

#endif
