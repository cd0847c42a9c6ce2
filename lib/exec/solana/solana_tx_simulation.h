/* Trying a transaction on a node of Solana before it is signed. */
#ifndef EXEC_SOLANA_SOLANA_TX_SIMULATION_H
#define EXEC_SOLANA_SOLANA_TX_SIMULATION_H

#include "base/err.h"
#include "exec/plan.h"
#include "exec/solana/reading.h"
#include "service/ctx.h"

/* Sets all of *st but the time, and the expiry and gas limit of the plan's step, whose reading is *r. What
 * the wallet would lose beyond what is traded is a failure of the simulation. E_UPSTREAM when no node
 * answered, or none knows the transaction's blockhash. */
const struct err *solana_tx_simulation(const struct ctx *ctx, struct arena *a, struct plan *p,
                                       const struct solana_reading *r, struct chain_state *st);

#endif
