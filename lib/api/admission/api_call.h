/* A call of one operation: on whose behalf, by which agent, and how it is recorded. A REST request is one
 * call; the other protocols and plain English make further calls on behalf of theirs. */
#ifndef API_ADMISSION_API_CALL_H
#define API_ADMISSION_API_CALL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/gcra.h"
#include "codec/hash.h"
#include "http/reply.h"
#include "http/request.h"
#include "service/ctx.h"

struct agent;
struct operator_token;
struct api_call;
struct endpoint;
struct idempotency;

/* Makes the parent's answer from the call's. */
typedef struct reply *api_dress_fn(struct reply *answer, const void *with);

struct api_call {
    struct request *rq; /* what the transport said */
    struct ctx *ctx;
    struct arena *arena;
    struct api_call *parent; /* on whose behalf; NULL: the client's own */
    const struct endpoint *endpoint;
    const char *path;        /* with its {…} filled in */
    const char *captured;    /* the decoded {…} part, or NULL */
    const json_t *arguments; /* in place of body and query of rq, borrowed; NULL: none */
    bool waits;              /* its answer is the request's, and may come later (api/admission/waiting.h) */
    unsigned wait_s;         /* for how long, where it does not say that itself */
    bool compact;            /* wants the compact form of the answer (api/endpoint/compact.h) */
    const json_t *ignored;   /* of a LENIENT row: the names of the members that it does not know, borrowed */

    /* filled in by its admission */
    const struct agent *agent;             /* NULL: none, as on public endpoints */
    const struct operator_token *operator; /* NULL: none, but for AUTH_OPERATOR */
    uint8_t key_hash[HASH_LEN];
    bool admitted; /* key and limit were checked, once for it and all calls on its behalf */
    struct {
        const char *policy; /* that counted it; NULL: none */
        uint32_t units;
        struct gcra state;
    } limit;

    /* its record (api/admission/idempotency.h) */
    const char *idempotency_key; /* as the client wrote it; NULL: none */
    struct idempotency *record;  /* where its answer is written with its work; NULL: nowhere */
    api_dress_fn *dress;         /* the record is the parent's and gets what this makes; or NULL */
    const void *dress_with;
};

/* The client's own call. */
struct api_call api_call_of(struct ctx *ctx, struct request *rq);
/* A call on behalf of `parent`, with its agent and admission. It is recorded nowhere unless the caller sets
 * its key or its record. */
struct api_call api_call_for(struct api_call *parent, const struct endpoint *ep);

#endif
