/* One question to one provider, without the I/O: its shortlist before, promises and order afterwards. */
#ifndef ROUTE_QUESTION_H
#define ROUTE_QUESTION_H

#include "route/provider.h"

struct question {
    const struct provider *provider;
    struct route_in in;
    struct call *call;
    struct route_answer *answer; /* in the arena, after question_read */
    bool readable;               /* the answer is one, if only that there is no route */
};

/* Makes the call; false when the provider has nothing to ask. */
bool question_ask(struct question *q, const struct provider *p, const struct route_in *in, struct call *call,
                  const struct ctx *ctx, struct arena *a);
/* Reads what came of the call, which is the caller's to free. */
void question_read(struct question *q, struct arena *a);
/* Leaves the best OFFERS_EACH, best first, by this price of gas, and remembers which were the best. */
void question_rank(struct question *q, const struct gas_price *gas);

#endif
