/* Whether Polymarket lets this service and its wallets trade, as far as it says so by itself. */
#ifndef PREDICT_PREDICT_ELIGIBILITY_H
#define PREDICT_PREDICT_ELIGIBILITY_H

#include "base/arena.h"
#include "base/err.h"
#include "base/json_writer.h"
#include "exec/cached_answer.h"
#include "model/predict_account.h"
#include "service/ctx.h"

/* The question whose answer (exec/cached_answer.h) says where this server is. */
const char *geoblock_query(const struct ctx *ctx, struct arena *a);
/* Before an order that opens a position: looks it up in `known`, and asks about the wallet before the
 * wallet's first one, then once an hour, and each time where the last answer forbade it. NULL, or
 * E_NOT_PERMITTED for a wallet that may only close positions and for all where this server's country is not
 * served, E_PREDICT_ORDER_FAILED, E_INTERNAL. */
const struct err *eligibility_check(const struct ctx *ctx, struct arena *a,
                                    const struct cached_answers *known, const struct predict_account *p);

/* For jobs: asks where this server is, at most twice an hour. */
void geoblock_check(const struct ctx *ctx, struct arena *a);

/* Writes what is known, as texts of the open array. Asks only the database. */
void eligibility_notes(struct json_writer *w, const struct ctx *ctx);

#endif
