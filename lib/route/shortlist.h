/* The routes that were best for a pair and an order of magnitude when a provider's candidates were last asked
 * all together, the one that is best for small parts among them. Prices are always asked anew; only which
 * routes are worth asking is remembered, and only for a while. A worker's own, like its connections: another
 * worker merely asks for everything once more. */
#ifndef ROUTE_SHORTLIST_H
#define ROUTE_SHORTLIST_H

#include "route/provider.h"

/* Has the question ask for what is remembered, if anything is. */
void shortlist_use(struct route_in *in, const struct provider *p);
/* Remembers what answered a question that had no shortlist: the first two of the offers, best first, and the
 * route that is best for a small part. */
void shortlist_keep(const struct route_in *in, const struct provider *p, const struct route_answer *answer);
/* Its routes are gone or dry: everything is asked the next time. */
void shortlist_drop(const struct route_in *in, const struct provider *p);

#endif
