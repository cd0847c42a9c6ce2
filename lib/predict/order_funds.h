/* The funds of a trading address for an order, as the venue shows them: collateral, or shares of its token.
 * The venue's answer serves the orders that follow for a while, less what the wallet's own orders took since:
 * nothing else takes out of a deposit wallet but its batches. Later deposits do not show in it, so no order
 * is refused by it alone. */
#ifndef PREDICT_ORDER_FUNDS_H
#define PREDICT_ORDER_FUNDS_H

#include "base/arena.h"
#include "base/err.h"
#include "codec/u256.h"
#include "exec/cached_answer.h"
#include "model/order.h"
#include "model/predict_account.h"
#include "predict/clob_private.h"
#include "service/ctx.h"
#include "store/db.h"

struct order_funds {
    struct u256 balance, allowance; /* what the exchange may take of it; smallest units */
    int64_t seen_ms;                /* before the venue was asked, by the database's clock */
    bool kept;                      /* it was asked for an earlier order */
};

/* The asset that an order gives, as the venue names it; the token of shares as a text in the arena, else
 * NULL. */
enum clob_asset order_asset(const struct order *o);
const char *order_asset_token(struct arena *a, const struct order *o);

/* Asks the venue. NULL, or why there is no answer. */
const struct err *order_funds_ask(const struct ctx *ctx, struct arena *a, const struct predict_account *p,
                                  const struct order *o, struct order_funds *out);
/* The question whose answer (exec/cached_answer.h) is what it said last of what the order gives. */
const char *order_funds_question(struct arena *a, uint64_t wallet_id, const struct order *o);
/* The venue's answer of the last minute; false: there is none. */
bool order_funds_last(struct arena *a, const struct cached_answers *known, const struct predict_account *p,
                      const struct order *o, struct order_funds *out);
/* Keeps an answer, inside the transaction that stores the order. False when the database failed. */
bool order_funds_keep(struct db *db, struct arena *a, const struct order *o, const struct order_funds *b);
/* The venue has refused an order that it was to pay: it is asked for the next one. */
void order_funds_forget(struct db *db, struct arena *a, const struct predict_account *p,
                        const struct order *o);

#endif
