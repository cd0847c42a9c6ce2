/* The terms of an order for perpetuals, compared with its market, the book and the wallet's account. */
#ifndef PERPS_PERPS_ORDER_TERMS_H
#define PERPS_PERPS_ORDER_TERMS_H

#include "model/perps_order.h"
#include "perps/perps_position_state.h"

/* As a caller says it: members that are not there are NULL. */
enum { PERPS_USUAL_SLIPPAGE = 50000 }; /* millionths */

struct perps_order_in {
    const char *market, *side, *size; /* the first three are checked before */
    const char *type;                 /* NULL: market */
    const char *price;
    const char *leverage, *margin_mode; /* NULL: as the account has it */
    bool reduce_only;
    const char *tif;      /* NULL: GTC */
    const char *slippage; /* NULL: 0.05 */
    const char *take_profit, *stop_loss;
};

enum { PERPS_MARGIN_PLACES = 6 };

struct perps_terms {
    struct perps_asset asset;
    struct perps_order order;
    struct perps_order behind[PERPS_CHILDREN_MAX];
    unsigned behind_count;
    bool has_leverage, has_mode; /* the agent wants that one; otherwise the account's applies */
    uint32_t slippage;           /* millionths */
    bool priced;                 /* `price` stands, also of an order that meets what is there */
    /* set by perps_terms_check: */
    struct perps_position_state position_state;
    bool sets; /* leverage or mode are another than the account's */
    /* Dollars of PERPS_MARGIN_PLACES, rounded up, with the fee: what the account has to have for it, as far
     * as it opens or enlarges a position by what is held now, and what it binds at most. Policies look at the
     * second, since what is held may be gone by the time that it is filled; it is 0 where it only reduces. */
    struct u256 margin, bound;
};

/* Reads the texts. NULL, or their fault: E_PERPS_MARKET, E_PERPS_PRICE and so on; E_UPSTREAM, E_BUSY. */
const struct err *perps_terms_read(const struct ctx *ctx, struct arena *a, const struct perps_order_in *in,
                                   struct perps_terms *out);
/* Whether the wallet may do it now; sets prices of our own and what the order binds. */
const struct err *perps_terms_check(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                    struct perps_terms *t);

#endif
