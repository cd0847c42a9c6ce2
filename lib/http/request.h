/* A request as the transport delivered it: read once, to the last byte of the body. */
#ifndef HTTP_REQUEST_H
#define HTTP_REQUEST_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "codec/uuid.h"
#include "http/io.h"

enum method { GET = 1, POST = 2, PATCH = 4, DELETE = 8, HEAD = 16, OPTIONS = 32, OTHER_METHOD = 64 };

enum { REQUEST_ID_MAX = 128 };

struct json_left_out;

/* An answer that may come later: when the execution has ended, or its time is over (fcgi/parking.h). */
struct request_wait {
    unsigned ms;        /* at most; 0: it is sent at once */
    uint64_t execution; /* whose end it waits for */
    bool order;         /* and that of the order which it has placed */
    uint64_t agent_id;  /* who waits */
    /* The answer of the work, which is not done again when the call is resumed. */
    const char *begun;
    bool replayed; /* it came from a record */
    /* An event that tells a client of MCP how many seconds it has waited, up to that number; NULL: it is told
     * nothing meanwhile. Then the answer is a stream of events, of which that of the work is the last. */
    const char *progress;
};

struct request {
    struct arena *arena;
    struct io *io;
    enum method method;
    const char *path;  /* raw, without the query */
    const char *query; /* raw; "" when there is none */
    const char *body;  /* in the arena, terminated */
    size_t body_len;
    bool too_large; /* the body was longer than MAX_BODY and was discarded */
    /* Members that answers leave out from now on; NULL: nothing is left out (base/json_writer.h). */
    const struct json_left_out *left_out;
    bool values;                 /* answers are read on behalf of another protocol (reply_value) */
    struct request_wait wait;    /* set by the call */
    const char *resumed;         /* its wait's `begun`, when that is over; NULL: it did not wait */
    bool streamed;               /* resumed, and the answer is an event of a stream that has begun */
    int refused;                 /* the status with which the web server refused it; 0: it did not */
    char id[REQUEST_ID_MAX + 1]; /* the client's, if it sent one that is safe to repeat, else ours */
    const struct uuid *agent;    /* whose key it has, for the log; NULL: no known agent's */
};

/* The meta-variables of a call that is resumed: its `begun`, that this is `replayed`, and that it is
 * `streamed`. No header of a client gets such a name. */
#define REQUEST_RESUMED  "GATEWAY_RESUMED"
#define REQUEST_REPLAYED "GATEWAY_REPLAYED"
#define REQUEST_STREAMED "GATEWAY_STREAMED"

void request_read(struct request *rq, struct arena *arena, struct io *io);
/* Takes off what base_url's path puts in front of ours: below https://host/~bob/api it is /~bob/api. A path
 * without it stays: a proxy may have taken it off already. */
void request_rebase(struct request *rq, const char *base_url);
/* A request header such as "AUTHORIZATION" or "CONTENT_TYPE" in its CGI spelling; NULL when absent. */
/* Whether it was sent under several spellings, with different values: none is to be believed. */
bool request_header_differs(const struct request *rq, const char *cgi_name);
const char *request_header(const struct request *rq, const char *cgi_name);
/* The token of "Authorization: Bearer <token>"; NULL when absent or of another form. */
const char *request_bearer(const struct request *rq);
/* Whether the Content-Type is JSON or absent, and the body is not compressed or otherwise encoded. */
bool request_is_json(const struct request *rq);
/* Parses the body strictly: no duplicate keys, no bad UTF-8, no lone surrogates, no NUL, depth at most 32.
 * Returns NULL with the reason in *what on failure. An absent body is an empty object. Numbers out of range
 * are marked (base/json_range.h), or all numbers quoted (base/json_numbers.h). The caller owns the result. */
json_t *request_json(const struct request *rq, bool quoted, const char **what);
/* The same for a body that may be any JSON value, and must be present. */
json_t *request_json_any(const struct request *rq, bool quoted, const char **what);
const char *method_text(enum method m);

#endif
