/* A request as the application sees it: read once from the transport, to the body's last byte. */
#ifndef HTTP_REQUEST_H
#define HTTP_REQUEST_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "http/io.h"

enum method { GET = 1, POST = 2, PATCH = 4, DELETE = 8, HEAD = 16, OPTIONS = 32, OTHER_METHOD = 64 };

enum { REQUEST_ID_MAX = 128 };

struct request {
    struct arena *arena;
    struct io *io;
    enum method method;
    const char *path;  /* raw, without the query */
    const char *query; /* raw; "" when there is none */
    const char *body;  /* in the arena, terminated */
    size_t body_len;
    bool too_large;              /* the body was longer than MAX_BODY: only drained */
    int refused;                 /* what the web server would have answered by itself; 0: nothing */
    char id[REQUEST_ID_MAX + 1]; /* echoed when the client's is sane, else ours */
};

void request_read(struct request *rq, struct arena *arena, struct io *io);
/* A request header such as "AUTHORIZATION" or "CONTENT_TYPE" in its CGI spelling; NULL when absent. */
const char *request_header(const struct request *rq, const char *cgi_name);
/* The token of "Authorization: Bearer <token>"; NULL when absent or of another form. */
const char *request_bearer(const struct request *rq);
/* No Content-Type at all, or JSON; and not compressed or otherwise encoded. */
bool request_is_json(const struct request *rq);
/* Parses the body strictly: no duplicate keys, no bad UTF-8, no lone surrogates, no NUL, depth at most 32.
 * NULL with the reason in *what. An absent body is an empty object. Numbers that are too large are marked
 * (base/json_range.h). Owned by the caller. */
json_t *request_json(const struct request *rq, const char **what);
/* The same of a body that may be any JSON value, and must be there. */
json_t *request_json_any(const struct request *rq, const char **what);
const char *method_text(enum method m);

#endif
