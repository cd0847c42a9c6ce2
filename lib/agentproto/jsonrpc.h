/* JSON-RPC 2.0 as MCP and A2A speak it over HTTP: reads messages strictly and makes answers. A malformed body
 * or message is answered with its id if that could be read, else with null. */
#ifndef AGENTPROTO_JSONRPC_H
#define AGENTPROTO_JSONRPC_H

#include "base/err.h"
#include "http/reply.h"
#include "http/request.h"

enum jsonrpc_code {
    JSONRPC_PARSE_ERROR = -32700,
    JSONRPC_INVALID_REQUEST = -32600,
    JSONRPC_METHOD_NOT_FOUND = -32601,
    JSONRPC_INVALID_PARAMS = -32602,
    JSONRPC_INTERNAL_ERROR = -32603,
};

enum jsonrpc_kind {
    JSONRPC_CALL,         /* expects an answer */
    JSONRPC_NOTIFICATION, /* has no id and is never answered */
    JSONRPC_RESPONSE,     /* an answer to a question that we never asked */
    JSONRPC_INVALID,      /* none of these; `id` is set if it could be read */
};

/* One message, borrowed from the JSON that it was read from. */
struct jsonrpc {
    enum jsonrpc_kind kind;
    const json_t *id; /* a string or a number; NULL: none */
    const char *method;
    const json_t *params; /* any value, for the method to check; NULL: none */
};

/* The body as JSON, owned by the caller. NULL with the refusal in *rp, with its HTTP status, if the body is
 * too large, of another type or malformed, or the query string has another name than `parameter`. */
json_t *jsonrpc_body(struct request *rq, const char *parameter, struct reply **rp);

/* "jsonrpc" must be "2.0", the method a string, an id a string or a number, and not null. A batch (an array)
 * is for the caller to take apart or to refuse; as a message it is invalid. */
struct jsonrpc jsonrpc_read(const json_t *message);

/* Begins an answer, up to its `result` or `error`; jw_end ends it. `id` is null if it is NULL. */
void jsonrpc_open(struct json_writer *w, const json_t *id);
/* The same with an error, for the caller to add its `data` or nothing; two jw_end end it. */
void jsonrpc_open_error(struct json_writer *w, const json_t *id, int code, const char *message);

/* The error as the whole answer, with its HTTP status and the headers that go with it. */
struct reply *jsonrpc_refuse(struct request *rq, const json_t *id, const struct err *e);

#endif
