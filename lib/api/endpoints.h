/* The API as rows, each in the file of its resource (lib/api/<resource>.c) together with its parameters, the
 * shapes of its answers and its handler. The dispatcher reads the rows, and whatever describes the API to
 * others reads them too. endpoints.c lists the groups of rows; those of MCP and A2A are declared there and
 * defined above, in lib/agentproto. */
#ifndef API_ENDPOINTS_H
#define API_ENDPOINTS_H

#include "api/admission/api_call.h"
#include "api/schema.h"
#include "api/tags.h"
#include "base/params.h"
#include "http/reply.h"
#include "http/request.h"

#define V1 "/v1/agent"

enum auth {
    AUTH_NONE,   /* no key */
    AUTH_ACTIVE, /* the key of an active agent */
    AUTH_KNOWN,  /* a deactivated agent's too */
};

/* Gets its parameters as a filled struct, or is not called. NULL means the row's internal error. */
typedef struct reply *handler_fn(struct api_call *c, const void *in);

enum endpoint_flag {
    ONCE = 1,  /* takes an Idempotency-Key */
    WAITS = 2, /* waits on a third party: only so many at once */
    /* A protocol with an envelope of its own: its handler gets the call before it is admitted, whatever the
     * body's size and type, and admits each call that is in it (api/admission/operation.h). */
    ENVELOPE = 4,
    GUARDED = 8,    /* not for every web page (api/admission/origins.h) */
    LISTS = 16,     /* answers a list that grows, or a document, which no task keeps */
    EXECUTES = 32,  /* signs and sends: its answer has the swap_id of what it began */
    SENTENCES = 64, /* takes plain English: its answer says which action was understood */
};

/* Which limit counts the calls of those who send no key. */
enum public_limit {
    LIMIT_PUBLIC,
    LIMIT_REGISTER,
    LIMIT_NONE, /* for whoever watches the service, and must not be refused when it is under load */
};

/* What a model's host wants to know of a tool before it lets the model call it. GET only reads, PATCH and
 * DELETE can be repeated; what is not said here counts as the worse. */
enum tool_hint {
    READS = 1,   /* changes nothing that anybody else sees */
    KEEPS = 2,   /* changes, but takes nothing away and moves no money */
    OUTSIDE = 4, /* asks or tells third parties: chains, exchanges, receivers */
};

struct endpoint {
    enum method method;
    const char *path; /* one segment may be "{name}" */
    enum auth auth;
    enum public_limit limit;    /* without a key */
    const struct err *denied;   /* its 401 */
    const struct err *internal; /* its 500 */
    const struct param *params; /* of the body, or of the query string for GET; NULL: none */
    size_t size;                /* of the struct that they fill */
    handler_fn *handler;
    unsigned flags;   /* of enum endpoint_flag */
    const char *tool; /* its name among the protocols' tools, NULL: not offered there */

    /* ---- for the documents ---- */
    const char *summary; /* one line */
    /* The rest is for rows under /v1/agent, which alone are documented. */
    const char *about; /* when to use it and what comes next */
    enum doc_tag_id tag;
    enum doc_skill_id skill;               /* 0: none of the card's */
    const struct schema_field *path_param; /* the {…} of its path */
    int status;                            /* of success */
    const struct schema *answer;           /* its body; NULL: none */
    const struct schema *or_answer;        /* another body that it may have */
    const struct schema *accepted;         /* the body of a 202 that it may answer instead; NULL: none */
    /* Errors of its own, ending with NULL. Those of key, parameters, size, type, limit and failure come from
     * the members above. */
    const struct err *const *errors;
    unsigned hints; /* of enum tool_hint */
};

/* For rows: a table of parameters with the struct that it fills; a list of errors. */
#define TAKES(table, type) .params = table, .size = sizeof(type)
#define ERRORS             (const struct err *const[])
/* The errors of whatever asks for a price. */
#define PRICE_ERRORS                                                                                         \
    &E_AMOUNT_PLACES, &E_SAME_TOKEN, &E_CHAIN_UNKNOWN, &E_TOKEN_UNKNOWN, &E_NO_BRIDGE, &E_NO_LIQUIDITY,      \
        &E_WALLET_ADDRESS, &E_PRICE_UNVERIFIED, &E_UPSTREAM

/* A webhook, for the documents. */
struct endpoint_event {
    const char *type;         /* NULL ends the list */
    const char *operation_id; /* OpenAPI's */
    const struct schema *body;
};

/* The rows of a resource, and the webhooks that tell of it. */
struct endpoint_group {
    const struct endpoint *rows;
    size_t count;
    const struct endpoint_event *events; /* NULL: none */
};

#define ENDPOINT_ROWS(table) .rows = table, .count = sizeof table / sizeof table[0]

/* All groups, in the order in which documents list them; NULL ends the list. */
extern const struct endpoint_group *const endpoint_groups[];

/* All rows in that order; NULL ends the list, which is made once per process. */
const struct endpoint *const *endpoints_all(void);
/* The row with that path as the row spells it; NULL: none. */
const struct endpoint *endpoints_find(enum method method, const char *path);
/* Rows under /v1/agent are part of the API; the others are documents, protocols and the operator's. */
bool endpoint_is_documented(const struct endpoint *ep);
/* Its method as OpenAPI spells it. */
const char *endpoint_method_key(const struct endpoint *ep);

#endif
