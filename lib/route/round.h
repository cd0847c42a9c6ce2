/* A question to all providers that serve the pair, without the I/O: whom to ask, how long to wait for the
 * slow, and what is left of the answers. */
#ifndef ROUTE_ROUND_H
#define ROUTE_ROUND_H

#include "route/offers.h"
#include "route/question.h"

struct round {
    struct route_in in;
    struct arena *arena;
    unsigned grace_ms; /* that the others have once there is an offer */
    struct question questions[PROVIDERS_MAX];
    size_t count;       /* of them */
    size_t answered;    /* with any answer but a refusal of this service */
    bool left_out;      /* some that would have served the pair are unwanted */
    bool held;          /* others are left alone for now */
    bool refused;       /* others are not asked, since they refuse this service */
    unsigned kept_back; /* for when no other has an offer: bits in the order of the table */
    struct asked asked[PROVIDERS_MAX];
    size_t asked_count;   /* those that are not asked, and why, included */
    struct gas_price gas; /* as the first one says that knows it, each part of it */
    struct offers offers;
};

/* Makes the calls, one for each question. *r must stay in place while they run. */
void round_ask(struct round *r, const struct route_in *in, unsigned grace_ms, struct call *calls,
               const struct ctx *ctx, struct arena *a);
/* After they have run without an offer: makes calls to the providers that are kept back for that, unless no
 * time is left for them. Returns how many. */
size_t round_ask_kept_back(struct round *r, struct call *calls, bool in_time, const struct ctx *ctx);
/* Whether by its answer nothing would be offered for any other pair either. */
bool round_is_refused(const struct question *q);
/* After all have run: reads what has not been read yet, frees the calls, and ranks the offers. */
void round_end(struct round *r);

#endif
