/* Makes the plan that carries out a quote, and judges its price. */
#ifndef SWAP_SWAP_PLAN_H
#define SWAP_SWAP_PLAN_H

#include "base/arena.h"
#include "exec/plan.h"
#include "model/quote.h"
#include "model/wallet.h"
#include "service/ctx.h"

/* The approvals that the swap needs, then the swap; as its probe the price of a small part of the amount. The
 * price feed is renewed where it is old. What the provider hands over is read back first. E_WALLET_ADDRESS,
 * E_NO_LIQUIDITY, E_PRICE_MOVED, E_BALANCE, E_GAS, E_OPERATOR_LIMIT (bridge_limit.h); E_UPSTREAM where it
 * says nothing, or what must not be signed. */
const struct err *swap_plan_make(struct plan *p, const struct ctx *ctx, struct arena *a,
                                 const struct quote *q, const char *wallet, int64_t deadline);

/* Makes the simulation of calldata of others watch the tokens, too, for which the wallet granted allowances
 * before: by a remaining one they could be taken along with the sale. False when the database failed. */
bool swap_plan_tracked(struct plan *p, const struct ctx *ctx, const struct wallet *w);

/* The present impact of the trade: by the arrival in the simulation, else by the quote. For a bridge the
 * prices of both chains are asked. */
struct ppm swap_plan_impact(const struct ctx *ctx, struct arena *a, const struct quote *q,
                            const struct plan *p, const struct chain_state *st);

#endif
