/* A wallet's positions on prediction markets, by the venue's account; cached for a few seconds
 * (exec/cached_answer.h). */
#ifndef PREDICT_POSITIONS_H
#define PREDICT_POSITIONS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/lookup.h"
#include "model/wallet.h"
#include "service/ctx.h"

/* An object with the list "positions", in the arena. It is empty, without a request, for a wallet without an
 * account there. NULL, or E_UPSTREAM, E_INTERNAL. */
const struct err *positions_of(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                               const char **text);

/* Whether it holds a position of worth. LOOKUP_ERROR: unknown. */
enum lookup positions_held(const struct ctx *ctx, struct arena *a, const struct wallet *w);

#endif
