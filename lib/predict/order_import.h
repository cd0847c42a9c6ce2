/* An order that rests at the venue and that the database has lost, as an older dump of it does: it is put
 * back as the venue shows it, under its own id, and followed like any other. */
#ifndef PREDICT_ORDER_IMPORT_H
#define PREDICT_ORDER_IMPORT_H

#include "base/arena.h"
#include "base/db_update.h"
#include "model/predict_account.h"
#include "predict/clob_orders.h"
#include "service/ctx.h"

/* Asks the venue for the rules of its market. UNCHANGED: it is none that this service can have placed, or
 * does not rest. DB_ERROR: the database or the venue did not answer. */
enum db_update order_import(const struct ctx *ctx, struct arena *a, const struct predict_account *p,
                            const struct clob_order *row);

#endif
