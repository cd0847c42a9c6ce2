/* Markets, events, books and trades as agents read them: each answers with the members of a reply, cached for
 * a moment for all agents. */
#ifndef PREDICT_CATALOGUE_H
#define PREDICT_CATALOGUE_H

#include "base/err.h"
#include "model/page.h"
#include "predict/predict_market.h"
#include "service/ctx.h"

/* A list; texts may be NULL: any. */
struct catalogue_query {
    const char *words;    /* all of them in the question, or an event's title */
    const char *category; /* exactly */
    bool any_status;      /* otherwise `status` */
    enum market_status status;
    struct page page;
};

/* Each sets *text, in the arena, to an object with the reply's members: markets or events with pagination;
 * the market's; book, prices, trades of its outcomes. Or says why not: E_MARKET_NOT_FOUND, E_UPSTREAM. */
const struct err *catalogue_markets(const struct ctx *ctx, struct arena *a, const struct catalogue_query *q,
                                    const char **text);
const struct err *catalogue_events(const struct ctx *ctx, struct arena *a, const struct catalogue_query *q,
                                   const char **text);
const struct err *catalogue_market(const struct ctx *ctx, struct arena *a, const char *id, const char **text);
const struct err *catalogue_book(const struct ctx *ctx, struct arena *a, const char *id, const char **text);
const struct err *catalogue_price(const struct ctx *ctx, struct arena *a, const char *id, const char **text);
const struct err *catalogue_trades(const struct ctx *ctx, struct arena *a, const char *id, uint64_t limit,
                                   const char **text);

#endif
