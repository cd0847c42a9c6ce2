#include "http/request.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/json_input.h"
#include "base/json_numbers.h"
#include "base/json_range.h"
#include "codec/uuid.h"

enum { FIRST_CAP = 1024 };

static const struct {
    const char *text;
    enum method method;
} methods[] = {
    { "GET", GET },       { "POST", POST }, { "PATCH", PATCH },
    { "DELETE", DELETE }, { "HEAD", HEAD }, { "OPTIONS", OPTIONS },
};

static enum method method_of(const char *text)
{
    for (size_t i = 0; text != NULL && i < sizeof methods / sizeof methods[0]; i++)
        if (strcmp(methods[i].text, text) == 0)
            return methods[i].method;
    return OTHER_METHOD;
}

const char *method_text(enum method m)
{
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (methods[i].method == m)
            return methods[i].text;
    return "OTHER";
}

const char *request_header(const struct request *rq, const char *cgi_name)
{
    const char *v = rq->io->param(rq->io, cgi_name);

    return v != NULL && *v != '\0' ? v : NULL;
}

bool request_header_differs(const struct request *rq, const char *cgi_name)
{
    return rq->io->differs != NULL && rq->io->differs(rq->io, cgi_name);
}

/* Whether fewer bytes came than were announced. */
static bool body_is_short(const struct request *rq, size_t got)
{
    const char *announced = request_header(rq, "CONTENT_LENGTH");

    return announced != NULL && strtoull(announced, NULL, 10) > got;
}

/* Reads to the end even when the body is too long: bytes left unread would be taken for the next request on a
 * connection that the web server keeps open. */
static void read_body(struct request *rq)
{
    size_t cap = FIRST_CAP, len = 0, got = 0, n;
    char *body = arena_extend(rq->arena, NULL, 0, cap);

    while ((n = rq->io->read(rq->io, body + len, cap - len - 1)) > 0) {
        len += n;
        got += n;
        rq->too_large = rq->too_large || len > MAX_BODY;
        if (rq->too_large)
            len = 0;
        if (len + 1 == cap) {
            body = arena_extend(rq->arena, body, cap, 2 * cap);
            cap *= 2;
        }
    }
    if (rq->io->broken || (!rq->too_large && body_is_short(rq, got))) /* never act on half a request */
        rq->refused = 400;
    body[len] = '\0'; /* with any NUL in it */
    rq->body = body;
    rq->body_len = len;
}

static bool sane_id(const char *s)
{
    size_t n = strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.:");

    return n > 0 && n <= REQUEST_ID_MAX && s[n] == '\0';
}

/* In HTTP/1.1 a request without a length has no body; in HTTP/2 it may have one, which is lost here. */
static bool has_length_of_its_own(const struct request *rq)
{
    const char *protocol = request_header(rq, "SERVER_PROTOCOL");

    return protocol == NULL || strncmp(protocol, "HTTP/1", 6) == 0;
}

/* lighttpd passes its own refusals on (server.error-handler) as a GET without a body, with the status in
 * REDIRECT_STATUS. Some of them we do not share: a POST without Content-Length is a POST without a body, and
 * a path for which it has no file (403, 404) may be one of ours. */
static void read_refusal(struct request *rq)
{
    const char *status = request_header(rq, "REDIRECT_STATUS");
    long n = status == NULL ? 200 : strtol(status, NULL, 10);

    if (n < 400 || n > 599 || n == 403 || n == 404)
        return;
    if (n == 411 && has_length_of_its_own(rq))
        rq->method = POST;
    else if (n == 405)
        rq->method = OTHER_METHOD;
    else
        rq->refused = (int)n;
}

void request_read(struct request *rq, struct arena *arena, struct io *io)
{
    const char *uri;

    *rq = (struct request){ .arena = arena, .io = io };
    rq->method = method_of(io->param(io, "REQUEST_METHOD"));
    uri = io->param(io, "REQUEST_URI");
    uri = uri == NULL ? "/" : uri;
    rq->path = arena_strndup(arena, uri, strcspn(uri, "?"));
    uri += strlen(rq->path);
    rq->query = *uri == '?' ? arena_strdup(arena, uri + 1) : "";
    const char *given = request_header(rq, "HTTP_X_REQUEST_ID");

    if (given != NULL && sane_id(given))
        memcpy(rq->id, given, strlen(given) + 1);
    else
        uuid_text(rq->id, uuid_random());
    rq->resumed = io->param(io, REQUEST_RESUMED);
    rq->wait.replayed = io->param(io, REQUEST_REPLAYED) != NULL;
    rq->streamed = io->param(io, REQUEST_STREAMED) != NULL;
    read_body(rq);
    read_refusal(rq);
}

void request_rebase(struct request *rq, const char *base_url)
{
    const char *host = strstr(base_url, "://"), *base = host == NULL ? NULL : strchr(host + 3, '/');
    size_t n = base == NULL ? 0 : strlen(base);

    while (n > 0 && base[n - 1] == '/')
        n--;
    if (n == 0 || strncmp(rq->path, base, n) != 0)
        return;
    if (rq->path[n] == '/')
        rq->path += n;
    else if (rq->path[n] == '\0')
        rq->path = "/";
}

const char *request_bearer(const struct request *rq)
{
    const char *h = request_header(rq, "HTTP_AUTHORIZATION");

    if (h == NULL || strncasecmp(h, "Bearer ", 7) != 0)
        return NULL;
    h += 7;
    return h + strspn(h, " ");
}

bool request_is_json(const struct request *rq)
{
    const char *type = request_header(rq, "CONTENT_TYPE"),
               *encoding = request_header(rq, "HTTP_CONTENT_ENCODING");
    size_t n;

    if (encoding != NULL && strcasecmp(encoding, "identity") != 0)
        return false;
    if (type == NULL)
        return true;
    n = strcspn(type, "; \t");
    return n == 16 && strncasecmp(type, "application/json", n) == 0;
}

/* Numbers that no C number can hold are replaced. */
static json_t *json_parse_ranged(const struct request *rq, json_error_t *error)
{
    json_t *body = json_input_parse(rq->body, rq->body_len, error);
    const char *marked;
    size_t n;

    if (body != NULL || json_error_code(error) != json_error_numeric_overflow)
        return body;
    marked = json_range_mark(rq->arena, rq->body, rq->body_len, &n);
    return json_input_parse(marked, n, error);
}

static json_t *json_parse_quoted(const struct request *rq, json_error_t *error)
{
    size_t n;
    const char *quoted = json_numbers_quote(rq->arena, rq->body, rq->body_len, &n);

    return json_input_parse(quoted, n, error);
}

json_t *request_json_any(const struct request *rq, bool quoted, const char **what)
{
    json_error_t error;
    json_t *body;

    *what = NULL;
    if (json_input_too_deep(rq->body, rq->body_len)) {
        *what = "must not be nested deeper than 32";
        return NULL;
    }
    body = quoted ? json_parse_quoted(rq, &error) : json_parse_ranged(rq, &error);
    if (body == NULL)
        *what = (int)json_error_code(&error) == json_error_duplicate_key ? "must not have a key twice"
                                                                         : "must be well-formed JSON";
    return body;
}

json_t *request_json(const struct request *rq, bool quoted, const char **what)
{
    json_t *body;

    *what = NULL;
    if (rq->body_len == 0)
        return json_object();
    body = request_json_any(rq, quoted, what);
    if (body == NULL || json_is_object(body))
        return body;
    json_decref(body);
    *what = "must be a JSON object";
    return NULL;
}
