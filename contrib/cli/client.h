/* One call to the gateway, with its repeats. */
#ifndef CLI_CLIENT_H
#define CLI_CLIENT_H

#include <jansson.h>
#include <stdint.h>

#include "contrib/cli/request.h"
#include "contrib/cli/settings.h"

struct client {
    const struct settings *settings;
    struct arena *arena;
    const char *key;             /* of calls that want one */
    const char *idempotency_key; /* of calls that take one */
    int64_t patience_ms;         /* for an answer, with all repeats */
    bool full;                   /* the full form of answers, not the compact one */
};

struct answer {
    long status;         /* 0: there is none */
    const char *text;    /* the body, in the arena */
    const json_t *json;  /* of an object, in the arena; NULL: it is none */
    const char *problem; /* why there is no answer of the API */
    bool lost;           /* the gateway may have done it all the same */
};

/* A call whose answer is lost is repeated if that does it once: with its Idempotency-Key, or where it only
 * reads. 429 and 503 are repeated after their Retry-After. Returns false where no answer of the API came. */
bool client_send(const struct client *c, const struct request *rq, struct answer *out);

#endif
