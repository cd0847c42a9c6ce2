/* What a swap takes out of its wallet, as the wallet's policies want to know it. */
#ifndef SWAP_OUTLAY_H
#define SWAP_OUTLAY_H

#include "base/arena.h"
#include "exec/plan.h"
#include "model/quote.h"
#include "model/wallet.h"
#include "policy/outlay.h"

/* Borrows q; texts are in the arena. Not valued yet. False when the fees fit into no amount. */
MUST_CHECK bool swap_outlay(struct outlay *out, struct arena *a, const struct quote *q,
                            const struct wallet *w, const struct plan *p, const struct chain_state *st);

#endif
