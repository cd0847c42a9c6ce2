/* The cost of a perpetual position, by the venue's present state. */
#ifndef PERPS_PERPS_QUOTE_H
#define PERPS_PERPS_QUOTE_H

#include "base/err.h"
#include "model/wallet.h"
#include "service/ctx.h"

/* As a caller says it. */
struct perps_quote_in {
    const char *market, *side;
    const char *size, *leverage; /* numbers of any form; leverage NULL: 1 */
    const char *wallet_address;  /* NULL: the oldest */
};

/* `payer` is whose fees they are; NULL: the public fees. Sets *text, in the arena, to an object with the
 * reply's members. NULL, or what is wrong with what is asked; E_NO_LIQUIDITY, E_UPSTREAM, E_BUSY. */
const struct err *perps_quote(const struct ctx *ctx, struct arena *a, const struct perps_quote_in *in,
                              const struct wallet *payer, const char **text);

#endif
