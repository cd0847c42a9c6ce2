/* JSON-RPC 2.0 as MCP and A2A speak it over HTTP: messages read strictly, answers made. A body that is no
 * JSON, or a message that is no message, is answered with its id where that could be read, else with null. */
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
    JSONRPC_CALL,         /* wants an answer */
    JSONRPC_NOTIFICATION, /* has no id: never answered */
    JSONRPC_RESPONSE,     /* an answer of the client's to something that was never asked */
    JSONRPC_INVALID,      /* none of them; `id` is there when it could be read */
};

/* One message; everything is borrowed from the JSON it was read from. */
struct jsonrpc {
    enum jsonrpc_kind kind;
    const json_t *id; /* text or number; NULL: none */
    const char *method;
    const json_t *params; /* any value, for the method to judge; NULL: none */
};

/* The body as JSON, owned by the caller. NULL with the refusal, HTTP status included, in *rp: too large, of
 * another type, or no JSON. */
json_t *jsonrpc_body(struct request *rq, struct reply **rp);

/* "jsonrpc" must be "2.0", the method a text, an id a text or a number: null is none of either. A batch (an
 * array) is the caller's to take apart or to refuse; as a message it is invalid. */
struct jsonrpc jsonrpc_read(const json_t *message);

/* Answers as JSON, new references; `id` is borrowed, NULL becomes null; `result` and `data` are taken over,
 * and no data is left out. */
json_t *jsonrpc_result(const json_t *id, json_t *result);
json_t *jsonrpc_error(const json_t *id, int code, const char *message, json_t *data);

/* The error as the whole answer: with the HTTP status of its own, and whatever header that status wants. */
struct reply *jsonrpc_refuse(struct request *rq, const json_t *id, const struct err *e);

#endif
