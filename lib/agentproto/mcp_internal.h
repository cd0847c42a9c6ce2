/* Shared by the files of MCP: the call of a method. */
#ifndef AGENTPROTO_MCP_INTERNAL_H
#define AGENTPROTO_MCP_INTERNAL_H

#include "agentproto/jsonrpc.h"
#include "api/admission/api_call.h"

struct mcp {
    struct arena *arena;
    const char *base_url;     /* without a slash at its end */
    const char *const *tools; /* each as JSON, by the place of its row in endpoints_all; NULL: it is none */
    const char *server_info, *resources, *templates, *prompts; /* as JSON */
    bool bridges;                                              /* whether swaps across chains work */
};

struct mcp_call {
    struct api_call *api; /* the call that the request is */
    const struct mcp *mcp;
    const char *method;
    const json_t *params; /* an object, or NULL */
    bool batched;         /* with others, whose answers do not wait for it */
    bool modern;          /* speaks the revision without handshake */
    /* The outcome, besides the result. */
    int status, code; /* of HTTP and of the error; code 0: no error */
    const char *message;
    struct json_writer result; /* of a success; open, for its members */
    const char *data;          /* of an error, as JSON; or NULL */
    const struct err *refusal; /* of the key or the limit; or NULL */
    int ttl_ms;                /* how long the result may be cached, and for whom */
    bool private;
};

/* A method writes the members of its result and returns true, or returns false, as this does. */
bool mcp_fail(struct mcp_call *c, int code, const char *message);
/* Runs an operation, with the Idempotency-Key among the arguments (borrowed), else that of the header. */
struct reply *mcp_operation(struct mcp_call *c, const struct endpoint *ep, const json_t *arguments,
                            bool compact);
/* Whether key or limit refused the operation. If so its status and headers become those of HTTP, and its body
 * the data of the error. */
bool mcp_shut_out(struct mcp_call *c, struct reply *rp);

/* A string parameter; NULL when it is absent or of another type. */
const char *mcp_text(const struct mcp_call *c, const char *name);
/* A copy of the object `params.arguments`, empty when it is absent, for the caller to release; NULL after the
 * failure when it is of another type. */
json_t *mcp_arguments(struct mcp_call *c);
/* The result of a list, as JSON, that fits on one page: no cursor is ever handed out. */
bool mcp_page(struct mcp_call *c, const char *name, const char *list);
/* The same for a list that is written then: true, unless another page is asked for. */
bool mcp_is_first_page(struct mcp_call *c);

/* A tool as the list has it. */
const char *mcp_tool_make(struct arena *a, const struct endpoint *ep);
bool mcp_tools_list(struct mcp_call *c);
bool mcp_tools_call(struct mcp_call *c);

const char *mcp_resources_make(struct arena *a, const char *base_url, bool templates);
bool mcp_resources_list(struct mcp_call *c);
bool mcp_templates_list(struct mcp_call *c);
bool mcp_resources_read(struct mcp_call *c);
/* Whether it is one of our templates and contains that {name}. */
bool mcp_template_has(const char *uri, const char *name);

const char *mcp_prompts_make(struct arena *a, const struct mcp *m);
bool mcp_prompts_list(struct mcp_call *c);
bool mcp_prompts_get(struct mcp_call *c);
bool mcp_complete(struct mcp_call *c);

#endif
