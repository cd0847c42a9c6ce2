/* What the files of MCP share: one call of a method. */
#ifndef AGENTPROTO_MCP_INTERNAL_H
#define AGENTPROTO_MCP_INTERNAL_H

#include "agentproto/jsonrpc.h"
#include "api/admission/api_call.h"

struct mcp {
    struct arena *arena;
    const char *base_url; /* without a slash at its end */
    json_t *server_info, *tools, *resources, *templates, *prompts;
    bool bridges; /* whether there is a way from one chain to another */
};

struct mcp_call {
    struct api_call *api; /* of the request */
    const struct mcp *mcp;
    const char *method;
    const json_t *params; /* an object, or NULL */
    bool modern;          /* of the revision without handshake */
    /* The outcome besides the result. */
    int status, code; /* of an error: HTTP's and JSON-RPC's; code 0: none */
    const char *message;
    json_t *data;              /* owned, or NULL */
    const struct err *refusal; /* that the operation was not let in with; or NULL */
    int ttl_ms;                /* how long the result stays good, and for whom */
    bool private;
};

/* A method gives its result, a new reference, or NULL after one of these. */
json_t *mcp_fail(struct mcp_call *c, int code, const char *message);
/* Runs an operation; with an Idempotency-Key among the arguments (borrowed) or, else, in the header. */
struct reply *mcp_operation(struct mcp_call *c, const struct endpoint *ep, const json_t *arguments);
/* Whether the operation was not let in, by key or limit: its status and headers become HTTP's, its body the
 * error's data. */
bool mcp_shut_out(struct mcp_call *c, struct reply *rp);

/* A text parameter; NULL when it is absent or none. */
const char *mcp_text(const struct mcp_call *c, const char *name);
/* The object `params.arguments`, an empty one when it is absent; NULL after the failure when it is no object.
 * A new reference. */
json_t *mcp_arguments(struct mcp_call *c);
/* Result of a list that fits one page: no cursor was ever given out. */
json_t *mcp_page(struct mcp_call *c, const char *name, json_t *list);

json_t *mcp_tools_make(struct arena *a);
json_t *mcp_tools_list(struct mcp_call *c);
json_t *mcp_tools_call(struct mcp_call *c);

json_t *mcp_resources_make(struct arena *a, const char *base_url, bool templates);
json_t *mcp_resources_list(struct mcp_call *c);
json_t *mcp_templates_list(struct mcp_call *c);
json_t *mcp_resources_read(struct mcp_call *c);
/* Whether it is a template of ours with that {name} in it. */
bool mcp_template_has(const char *uri, const char *name);

json_t *mcp_prompts_make(const struct mcp *m);
json_t *mcp_prompts_list(struct mcp_call *c);
json_t *mcp_prompts_get(struct mcp_call *c);
json_t *mcp_complete(struct mcp_call *c);

#endif
