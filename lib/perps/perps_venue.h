/* The venue of perpetuals, as what is asked of it and kept (exec/cached_answer.h). */
#ifndef PERPS_PERPS_VENUE_H
#define PERPS_PERPS_VENUE_H

#include "chain/evm/evm_addr.h"
#include "exec/cached_answer.h"
#include "net/call.h"
#include "perps/request_budget.h"

enum { PERPS_DEADLINE_MS = 2500, PERPS_QUESTIONS_MAX = 3 };

extern const struct cache_source perps_venue;

/* A question to its interface for information. */
struct perps_question {
    const char *type;
    const char *asset;             /* NULL: about none */
    const struct evm_addr *user;   /* NULL: about none */
    const struct evm_addr *source; /* who would pay that user; NULL: none */
    const char *cloid;             /* of the order that is meant; NULL: none */
    int64_t since_ms;              /* only newer items; 0: all */
};

/* The call that puts it, which the caller runs, reads and frees. */
void perps_question_call(struct call *c, const struct ctx *ctx, struct arena *a,
                         const struct perps_question *q);
/* Whether it was answered; the log tells of what was not. */
bool perps_is_answered(const struct call *c, const char *type);

/* Questions that are asked at once. */
struct perps_asking {
    struct perps_question questions[PERPS_QUESTIONS_MAX];
    size_t count;
    struct call calls[PERPS_QUESTIONS_MAX]; /* with the answers, once asked */
};

/* The least weight of a question of that type. */
unsigned perps_question_weight(const char *type);
/* NULL, or why not all were answered, which the log tells too: E_BUSY, with the seconds to wait, where as
 * much was asked as may be, or the venue says so; E_PROVIDER_REFUSED; E_UPSTREAM. The caller frees the
 * answers either way. */
const struct err *perps_ask(const struct ctx *ctx, struct arena *a, struct perps_asking *q);
void perps_asking_free(struct perps_asking *q);

/* E_UPSTREAM for an answer of that type that could not be read; the log tells. */
const struct err *perps_senseless(const char *type);

/* The name of a question among all cached ones: of this venue, about that. */
const char *perps_cache_key(const struct ctx *ctx, struct arena *a, const char *what, const char *about);

#endif
