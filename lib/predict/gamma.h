/* Gamma, the catalogue of Polymarket: which markets and events there are. */
#ifndef PREDICT_GAMMA_H
#define PREDICT_GAMMA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "predict/predict_market.h"

enum { GAMMA_PAGE = 100 };

/* ---- requests: URLs below the service's base ---- */

struct gamma_page {
    const char *query;             /* words to search for; NULL: a list by volume */
    const char *tag_id, *tag_slug; /* one tag, by its number and its name; NULL, both: of any */
    enum gamma_ended { GAMMA_OPEN, GAMMA_ENDED, GAMMA_ALL } ended;
    unsigned number; /* of the page, from 0 */
};

/* The URL of a page of a list, "markets" or "events". A search answers with events in both cases. */
char *gamma_page_url(struct arena *a, const char *base, const char *list, const struct gamma_page *p);
char *gamma_market_url(struct arena *a, const char *base, const char *id);
/* The URL of markets of that condition that are open, or that have ended. */
char *gamma_condition_url(struct arena *a, const char *base, const char *condition, enum gamma_ended ended);
char *gamma_tag_url(struct arena *a, const char *base, const char *slug);

/* ---- answers ---- */

/* Each is false when the answer is none. A malformed row is left out. `more`: there may be a
 * further page, for which a short page says nothing. */
bool gamma_read_markets(struct arena *a, const struct buf *answer, struct market **out, size_t *count,
                        bool *more);
bool gamma_read_events(struct arena *a, const struct buf *answer, struct market_event **out, size_t *count,
                       bool *more);
bool gamma_read_market(struct arena *a, const struct buf *answer, struct market *out);
bool gamma_read_tag(struct arena *a, const struct buf *answer, const char **tag_id);

#endif
