/* Carrying out a quote by the provider that won it, and where that one fails by the runners-up: each is asked
 * anew, and judged anew by its bytes and in a simulation. What the quote promises stays what has to arrive.
 */
#ifndef SWAP_ATTEMPTS_H
#define SWAP_ATTEMPTS_H

#include "base/arena.h"
#include "base/err.h"
#include "model/quote.h"
#include "service/ctx.h"

enum { ATTEMPTS_MAX = 4, ATTEMPTS_MS = 4000 };

struct attempts {
    struct quote now; /* to carry out: the quote by the present offer */
    /* ---- its own ---- */
    const struct quote *quote;
    const struct quote_offer *offers; /* NULL: not looked up yet */
    int offer_count, next;
    unsigned made;
    int64_t until_ms;
    const struct err *refusal; /* the most telling one so far */
};

/* The first attempt is the winner's. *q has to stay. */
void attempts_begin(struct attempts *t, const struct quote *q);
/* After an attempt failed with `e`, `asked` being whether it got beyond the provider itself: true when the
 * next runner-up to try is in t->now; false when `e` is about something else than the provider, or no
 * runner-up or no time is left. */
bool attempts_go_on(struct attempts *t, const struct ctx *ctx, struct arena *a, const struct err *e,
                    bool asked);
/* The agent's error when the last attempt failed with `e`. */
const struct err *attempts_refusal(const struct attempts *t, const struct err *e);

#endif
