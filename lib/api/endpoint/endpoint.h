/* The API as rows of data. A row is in the file of its resource (lib/api/<resource>.c), next to its
 * parameters, the shapes of its answers and its handler. The dispatcher, the protocols and all documents read
 * the rows: declared here, they are defined above, in the groups that lib/api/endpoints.c lists. */
#ifndef API_ENDPOINT_ENDPOINT_H
#define API_ENDPOINT_ENDPOINT_H

#include "api/endpoint/schema.h"
#include "api/endpoint/tags.h"
#include "base/params.h"
#include "http/reply.h"
#include "http/request.h"
#include "model/execution.h"

#define V1          "/v1/agent"
#define V1_OPERATOR "/v1/operator"

struct api_call;
struct operator_act;

enum auth {
    AUTH_NONE,   /* no key */
    AUTH_ACTIVE, /* the key of an active agent */
    AUTH_KNOWN,  /* a deactivated agent's too */
    /* A token of the operator's (store/operator_tokens.h); what changes something, by another method than
     * GET, wants one that is not read-only. */
    AUTH_OPERATOR,
};

/* Whom a row is for. The operator's rows lie under /v1/operator: in no document and no protocol of agents',
 * for callers at operator_from alone, and not for any web page (GUARDED). */
enum audience {
    FOR_NOBODY, /* documents, protocols and monitoring: described nowhere */
    FOR_AGENTS,
    FOR_OPERATOR,
};

/* `in` is the struct that TAKES names, filled and checked. NULL stands for the row's internal error. */
typedef struct reply *handler_fn(struct api_call *c, const void *in);

enum endpoint_flag {
    ONCE = 1,  /* takes an Idempotency-Key: its work is done once */
    WAITS = 2, /* waits for third parties, and so takes a slot */
    /* A protocol with an envelope of its own: its handler gets the call before admission, with any size and
     * type of the body, and admits each call in it (api/admission/operation.h). */
    ENVELOPE = 4,
    GUARDED = 8,    /* not for any web page (api/admission/origins.h) */
    LISTS = 16,     /* answers a growing list or a document, which no task stores */
    SENTENCES = 32, /* takes plain English: the answer names the action that was understood */
    MAY_WAIT = 64,  /* waits for third parties in some cases, and takes a slot itself then */
    /* Takes numbers of any precision: those of its body or its arguments are read as strings of the
     * characters that were sent. A row with a P_DECIMAL has it. */
    DECIMALS = 128,
    LENIENT = 256, /* ignores members that it does not know, and says which */
    FREES = 2048,  /* closes, cancels or withdraws: other calls cannot take all slots from it */
    STORES = 1024, /* adds what the service can do without while its disk is nearly full */
    CORE = 4096,   /* a tool that MCP lists where the client names no toolset */
    TESTS = 512,   /* waits for the agent's own receiver, and for none that trading needs */
};

/* The limit on calls without a key. */
enum public_limit {
    LIMIT_PUBLIC,
    LIMIT_REGISTER,
    LIMIT_NONE, /* monitoring, which must not be refused while the service is under load */
};

/* The annotations of a tool, as MCP has them. GET reads only, PATCH and DELETE can be repeated; what is not
 * said here counts as the worse. */
enum tool_hint {
    HINT_READ_ONLY = 1,  /* changes nothing that other callers see */
    HINT_ADDITIVE = 2,   /* changes, but takes nothing away and moves no money */
    HINT_OPEN_WORLD = 4, /* deals with third parties: chains, exchanges, receivers */
};

struct endpoint {
    enum method method;
    const char *path; /* one segment may be "{name}" */
    enum auth auth;
    enum public_limit limit;    /* for AUTH_NONE */
    const struct err *denied;   /* its 401; with AUTH_NONE that of a key that is sent, or NULL */
    const struct err *internal; /* its 500 */
    const struct param *params; /* of the body, or of the query string for GET; NULL: none */
    size_t size;                /* of the struct that they fill; a parameter `aside` is behind it */
    const struct err *nothing;  /* the error when none of them is given; NULL: that is none */
    handler_fn *handler;
    /* The terms of the call, as a text that stays the same when quotes and approvals are others
     * (api/admission/terms.h); it may return NULL: unknown. NULL: the body alone decides. */
    const char *(*terms)(struct api_call *c, const void *in);
    const struct operator_act *act; /* what operator_act does as the handler; NULL: it is another one */
    unsigned flags;                 /* of enum endpoint_flag */
    struct {
        enum exec_kind_id kind; /* of the executions that it begins; 0: it begins none */
        /* The execution that its answer names; 0: it names none. Runs inside the transaction that records the
         * answer. Rows that show one have it too. */
        uint64_t (*execution)(const struct api_call *c, enum exec_kind_id kind, const json_t *answer);
        const char *shown; /* the path that shows it; NULL: its own */
    } begins;
    enum exec_kind_id
        shows;             /* any kind of the action whose executions it shows (exec/action.h); 0: of none */
    const char *tool;      /* its name in MCP and A2A; NULL: not offered there */
    const char *operation; /* where it has no tool: its name in OpenAPI */
    /* Its answer as a sentence in the arena, for agents that read text: `asked` is how plain English was
     * understood, or NULL. NULL: the summary says enough. */
    const char *(*sentence)(struct arena *a, const json_t *asked, const json_t *answer);
    /* With SENTENCES: the row whose answer is the `result` of this answer; it may return NULL: none. */
    const struct endpoint *(*result_of)(const json_t *answer);

    /* ---- for the documents ---- */
    const char *summary; /* one line */
    /* The following members are for rows under /v1/agent and /v1/operator: the others are not documented. */
    const char *about; /* when to use it and what comes next */
    enum doc_tag_id tag;
    enum doc_skill_id skill;               /* 0: none of the card's */
    const struct schema_field *path_param; /* the {…} of its path */
    int status;                            /* of success */
    const struct schema *answer;           /* its body; NULL: none */
    const struct schema *or_answer;        /* the other body that it may have; NULL: none */
    const struct schema *accepted;         /* the body of a 202 instead; NULL: none */
    /* Further errors, ending with NULL: those of key, parameters, size, type, limit and failure follow from
     * the members above. */
    const struct err *const *errors;
    unsigned hints; /* of enum tool_hint */
};

/* In rows: the table of parameters with the struct that it fills; the list of errors. */
#define TAKES(table, type) .params = table, .size = sizeof(type)
#define ERRORS             (const struct err *const[])
/* The errors of operations that ask for a price. */
#define PRICE_ERRORS                                                                                         \
    &E_SAME_TOKEN, &E_CHAIN_UNKNOWN, &E_TOKEN_UNKNOWN, &E_NO_BRIDGE, &E_NO_LIQUIDITY, &E_WALLET_ADDRESS,     \
        &E_RECIPIENT, &E_RECIPIENT_NEAR, &E_PRICE_UNVERIFIED, &E_PROVIDER_REFUSED, &E_UPSTREAM

/* Those of all operations that pay an address which the agent names. */
#define RECIPIENT_ERRORS &E_RECIPIENT_LOST, &E_NO_WALLET_THERE, &E_CONTRACT_ELSEWHERE

/* A webhook, for the documents. */
struct endpoint_event {
    const char *type;         /* NULL ends the list */
    const char *operation_id; /* OpenAPI's */
    const struct schema *body;
};

/* The rows of a resource and the webhooks about it. */
struct endpoint_group {
    const struct endpoint *rows;
    size_t count;
    const struct endpoint_event *events; /* NULL: none */
};

#define ENDPOINT_ROWS(table) .rows = table, .count = sizeof table / sizeof table[0]

/* All groups, in the order in which documents list them; NULL ends the list. */
extern const struct endpoint_group *const endpoint_groups[];

enum { ENDPOINTS_MAX = 192 };

/* All rows in that order, ending with NULL; the list is made once per process. */
const struct endpoint *const *endpoints_all(void);
/* `path` as rows spell it, with its {…}; NULL: there is none. */
const struct endpoint *endpoints_find(enum method method, const char *path);
/* NULL: no row bears that name. */
const struct endpoint *endpoints_find_tool(const char *tool);
/* The one that begins executions of the kind, and takes an approval of one; NULL: there is none. */
const struct endpoint *endpoints_find_kind(enum exec_kind_id kind);
/* By where its path begins. */
enum audience endpoint_audience(const struct endpoint *ep);
/* The beginning of the audience's paths; "" for no audience. */
const char *endpoint_prefix(enum audience of);
/* Whether it is under /v1/agent. */
bool endpoint_is_documented(const struct endpoint *ep);
/* The name that OpenAPI makes its operationId of; NULL: it has none. */
const char *endpoint_operation(const struct endpoint *ep);
/* Whether a call may wait for third parties: only workers of the large pool answer it. */
bool endpoint_may_wait(const struct endpoint *ep);
/* The refusal of a deactivated agent's key, in the wording that the row has for any other key; NULL: it is
 * not refused. */
const struct err *endpoint_inactive(const struct endpoint *ep);
/* Memory for what its parameters are read into, all 0; a `wait` lies behind the row's own struct. */
void *endpoint_input(struct arena *a, const struct endpoint *ep);
/* The parameter that says how long the answer may wait; NULL: it has none. */
const struct param *endpoint_wait_param(const struct endpoint *ep);
/* Its method as OpenAPI spells it. */
const char *endpoint_method_key(const struct endpoint *ep);

#endif
