/* Markets, events and books as members of answers. Decimals are printed as they were received. */
#ifndef PREDICT_PREDICT_VIEW_H
#define PREDICT_PREDICT_VIEW_H

#include "base/json_writer.h"
#include "predict/clob.h"
#include "predict/data_api.h"
#include "predict/predict_market.h"

/* Into the object that is open. */
void market_view(struct json_writer *w, const struct market *m);
/* The additional members of its own page. */
void market_view_detail(struct json_writer *w, const struct market *m);
/* Back from that: what names it and its outcomes, its exchange, the tick and the least size. Texts go to the
 * arena. */
void market_of_view(struct market *out, struct arena *a, const json_t *detail);
void event_view(struct json_writer *w, const struct market_event *e);
/* One item of a book, of prices, of trades. */
typedef void book_view_fn(struct json_writer *w, const struct market *m, const struct outcome *o,
                          const struct book *b);
book_view_fn book_view, price_view;
void trade_view(struct json_writer *w, const struct market_trade *t);
void position_view(struct json_writer *w, const struct market_position *p);

#endif
