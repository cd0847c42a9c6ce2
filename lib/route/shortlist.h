/* The routes that were best for a pair and an order of magnitude when a provider was last asked for all its
 * candidates, including the best one for small parts. Prices are always asked anew: only which routes are
 * worth asking is remembered, for a short while. */
#ifndef ROUTE_SHORTLIST_H
#define ROUTE_SHORTLIST_H

#include "route/provider.h"

/* Before processes are forked: they share what any of them learns. */
void shortlists_share(void);

/* The first two offers of an answer, which are sorted best first, and its best route for a small part. */
void shortlist_make(struct route_list *out, const struct route_answer *answer);

/* Restricts the question to the remembered routes, if there are any: *routes, which has to stay. */
void shortlist_use(struct route_in *in, struct route_list *routes, const struct provider *p);
/* After a question for all candidates: remembers the best ones of its answer. */
void shortlist_keep(const struct route_in *in, const struct provider *p, const struct route_answer *answer);
/* The remembered routes no longer yield anything: the next question is for all candidates. */
void shortlist_drop(const struct route_in *in, const struct provider *p);

#endif
