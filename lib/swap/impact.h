/* The loss of a trade against a small one: its price is compared with that of a small part of its amount,
 * read in the same call, or between chains with the prices of both tokens, and with the operator's price feed
 * where it knows both tokens. The worse counts. */
#ifndef SWAP_IMPACT_H
#define SWAP_IMPACT_H

#include "base/arena.h"
#include "base/err.h"
#include "model/quote.h"
#include "service/ctx.h"

/* The impact of `got` for the quote's input; `ideal` is the output at a small part's price, 0 when it is not
 * known. PPM_NONE when neither it nor prices are known. */
struct ppm impact_of(const struct ctx *ctx, const struct quote *q, struct u256 got,
                     struct u256 reference_out);

/* The impact that the quote's agent allows, else the operator's limit. */
struct ppm impact_allowed(const struct ctx *ctx, const struct quote *q);
/* An unknown impact exceeds everything but an allowance of all. */
bool impact_exceeds(struct ppm impact, struct ppm allowed);
/* E_PRICE_IMPACT with a hint when the impact exceeds what is allowed; E_SHALLOW where it does and less than
 * half of the worth would come back. */
const struct err *impact_check(const struct ctx *ctx, struct arena *a, const struct quote *q,
                               struct ppm impact);

/* "Price impact of 5.12 %" and the like, for people. */
char *impact_text(struct arena *a, struct ppm impact);
/* In millionths: above the first quotes carry a warning; above the other the pools hold too little. */
enum { IMPACT_WARNS = 20000, IMPACT_SHALLOW = 500000 };
/* The same for slippage that is allowed, and for gas and fees as a share of what a trade brings. */
enum { SLIPPAGE_WARNS = 50000, FEE_WARNS = 10000 };

#endif
