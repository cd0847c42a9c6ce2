/* Why a service that this one asks brings nothing that can be used, in the words that --check, status, check
 * and /readyz have for nodes, providers, venues and the database alike. */
#ifndef BASE_CAUSE_H
#define BASE_CAUSE_H

#include "base/arena.h"

/* One of these, or the HTTP status of an answer that was none, which is larger; between them are those that a
 * kind of service adds.
 */
enum cause {
    CAUSE_NONE,
    CAUSE_NO_ANSWER,
    CAUSE_HOST,
    CAUSE_REFUSED,
    CAUSE_TLS,
    CAUSE_TLS_UNTRUSTED,
    CAUSE_TLS_EXPIRED,
    CAUSE_TLS_NAME,
    CAUSE_BROKEN,
    CAUSE_ANSWERED, /* and its answer is another matter */
    CAUSE_CALLS
};

/* "connection refused"; in the arena, if it is a status, else static. */
const char *cause_text(struct arena *a, unsigned cause);

#endif
