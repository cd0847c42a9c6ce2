/* What a wallet holds on prediction markets, as the venue reckons it; kept for a few seconds
 * (exec/kept.h). */
#ifndef PREDICT_POSITIONS_H
#define PREDICT_POSITIONS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/found.h"
#include "model/wallet.h"
#include "service/ctx.h"

/* An object with the list "positions", in the arena. It is empty, and nobody is asked, for a wallet without
 * an account there. NULL, or E_UPSTREAM, E_INTERNAL. */
const struct err *positions_of(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                               const char **text);

/* Whether it holds one that is worth something. FOUND_FAILED: nobody says. */
enum found positions_held(const struct ctx *ctx, struct arena *a, const struct wallet *w);

#endif
