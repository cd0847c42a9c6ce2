/* Collateral of wallets that trade themselves, among all that wallets hold. */
#ifndef PREDICT_COLLATERAL_HELD_H
#define PREDICT_COLLATERAL_HELD_H

#include "exec/holdings.h"
#include "model/wallet.h"
#include "service/ctx.h"

/* Replaces what a node showed of it by what it is with the wallet's last trades, if there were any of late;
 * where that is not known, the chain is one that could not be read. `only` as for portfolio_balances. */
void collateral_held_lay(const struct ctx *ctx, struct arena *a, const struct wallet *wallets, size_t count,
                         const struct chain *only, struct holdings *p);

#endif
