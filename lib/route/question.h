/* One question to one provider, without the I/O: applies its shortlist before, sets minima and order
 * afterwards. */
#ifndef ROUTE_QUESTION_H
#define ROUTE_QUESTION_H

#include "route/provider.h"

struct round;

struct question {
    struct round *round; /* that it belongs to */
    const struct provider *provider;
    struct route_in in;
    struct route_list shortlist; /* that `in` is restricted to, where it is */
    struct call *call;
    struct route_answer *answer; /* in the arena, after question_read; NULL before */
    enum ask_end end;            /* after question_read */
};

/* Makes the call; false when the provider has nothing to ask. */
bool question_ask(struct question *q, const struct provider *p, const struct route_in *in, struct call *call,
                  const struct ctx *ctx, struct arena *a);
/* Reads the answer after the call has ended, once. The caller frees the call. */
void question_read(struct question *q, struct arena *a);
/* Keeps the best OFFERS_EACH offers at this gas price, best first, and updates the shortlist. */
void question_rank(struct question *q, const struct gas_price *gas);

#endif
