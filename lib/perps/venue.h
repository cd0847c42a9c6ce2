/* The venue of perpetuals, as what is asked of it and kept (exec/kept.h). */
#ifndef PERPS_VENUE_H
#define PERPS_VENUE_H

#include "chain/evm/addr.h"
#include "exec/kept.h"
#include "net/call.h"

enum { PERPS_DEADLINE_MS = 2500, PERPS_QUESTIONS_MAX = 3 };

extern const struct kept_source perps_venue;

/* A question to its door for information. */
struct perps_question {
    const char *type;
    const char *asset;           /* NULL: about none */
    const struct evm_addr *user; /* likewise */
};

/* Questions that are asked at once. */
struct perps_asking {
    struct perps_question questions[PERPS_QUESTIONS_MAX];
    size_t count;
    struct call calls[PERPS_QUESTIONS_MAX]; /* with the answers, once asked */
};

/* Whether all were answered; the log tells of what was not. The caller frees the answers either way. */
bool perps_ask(const struct ctx *ctx, struct arena *a, struct perps_asking *q);
void perps_asking_free(struct perps_asking *q);

/* E_UPSTREAM for an answer of that type that could not be read; the log tells. */
const struct err *perps_senseless(const char *type);

/* What identifies a question among all that are kept: of this venue, about that. */
const char *perps_kept_name(const struct ctx *ctx, struct arena *a, const char *what, const char *about);

#endif
