#include "http/reply.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/json_reader.h"
#include "codec/gzip.h"
#include "codec/hash.h"
#include "codec/hex.h"
#include "http/accept.h"

static const char JSON_TYPE[] = "application/json";
static const char EVENTS[] = "text/event-stream";

enum { MAX_HEADERS = 16 };

struct reply {
    struct json_writer json; /* first: reply_open hands it out, reply_close takes it back */
    struct request *rq;
    int status;
    const struct err *error;  /* of a refusal; else NULL */
    const char *content_type; /* NULL: no body */
    json_t *value;            /* of a body in JSON, once it is asked for; else NULL */
    const char *body;
    size_t len;
    int max_age_s;                   /* 0: private */
    const char *origin;              /* whose scripts may read it; NULL: none */
    const struct document *document; /* whose body it is; or NULL */
    unsigned headers;
    const char *header[MAX_HEADERS];
};

static struct reply *reply_new(struct request *rq, int status)
{
    struct reply *rp = ARENA_NEW(rq->arena, struct reply);

    rp->rq = rq;
    rp->status = status;
    rp->origin = "*";
    return rp;
}

/* ---- JSON ---- */

static struct json_writer *json_open(struct reply *rp, const struct json_left_out *left_out)
{
    struct json_writer *w = &rp->json;

    rp->content_type = JSON_TYPE;
    jw_init(w, rp->rq->arena, MAX_UPSTREAM);
    if (rp->rq->values)
        jw_make_tree(w);
    if (left_out != NULL)
        jw_leave_out(w, left_out);
    jw_object(w, NULL);
    return w;
}

struct json_writer *reply_open(struct request *rq, int status)
{
    struct json_writer *w = reply_open_bare(rq, status);

    jw_bool(w, "success", status < 400);
    return w;
}

struct json_writer *reply_open_bare(struct request *rq, int status)
{
    return json_open(reply_new(rq, status), rq->left_out);
}

/* The reply about an error must not fail too. */
static struct reply *json_failed(const struct reply *rp)
{
    return rp->error == NULL ? NULL : reply_err(rp->rq, &E_INTERNAL);
}

struct reply *reply_close(struct json_writer *w)
{
    struct reply *rp = (struct reply *)w;

    if (rp->error != NULL)
        jw_string(w, "request_id", rp->rq->id);
    jw_end(w);
    rp->body = jw_finish(w);
    rp->len = w->len;
    rp->value = jw_tree(w);
    return rp->body != NULL ? rp : json_failed(rp);
}

static struct reply *reply_as_json(struct request *rq, int status, const char *text, size_t len)
{
    struct reply *rp = reply_new(rq, status);

    rp->content_type = JSON_TYPE;
    rp->body = text;
    rp->len = len;
    return rp;
}

struct reply *reply_written(struct request *rq, int status, struct json_writer *w)
{
    const char *text = jw_finish(w);

    return text == NULL ? NULL : reply_as_json(rq, status, text, w->len);
}

struct reply *reply_leave_out(struct reply *rp, const struct json_left_out *list)
{
    struct json_writer w;

    if (list->name == NULL || !reply_succeeds(rp) || rp->content_type != JSON_TYPE ||
        rp->json.left_out != NULL)
        return rp;
    jw_init(&w, rp->rq->arena, MAX_UPSTREAM);
    jw_leave_out(&w, list);
    jw_raw(&w, NULL, rp->body, rp->len, NULL);
    if (rp->document != NULL) /* its tag is another body's */
        rp->headers = 0;
    rp->document = NULL;
    rp->max_age_s = 0;
    rp->value = NULL;
    rp->body = jw_finish(&w);
    rp->len = w.len;
    return rp->body != NULL ? rp : NULL;
}

/* Takes ownership of the value. */
static void value_set(struct reply *rp, json_t *value)
{
    rp->value = json_in_arena(rp->rq->arena, value);
}

/* RFC 6750, section 3: no error code where no key was sent. */
static const char NO_KEY[] = "WWW-Authenticate: Bearer realm=\"agent-gateway\"";
static const char BAD_KEY[] = "WWW-Authenticate: Bearer realm=\"agent-gateway\", error=\"invalid_token\"";

static void error_set(struct reply *rp, const struct err *e)
{
    rp->error = e;
    if (err_is(e, &E_IN_PROGRESS)) /* it will be over in a moment */
        reply_header(rp, "Retry-After: 1");
    if (e->status == 401)
        reply_header(rp, request_header(rp->rq, "HTTP_AUTHORIZATION") == NULL ? NO_KEY : BAD_KEY);
}

struct reply *reply_refused(struct request *rq, const struct err *e, struct json_writer *w)
{
    struct reply *rp = reply_written(rq, e->status, w);

    if (rp != NULL)
        error_set(rp, e);
    return rp;
}

static bool field_was_named(const struct err *first, const struct err *e)
{
    for (; first != e; first = first->also)
        if (first->field != NULL && strcmp(first->field, e->field) == 0)
            return true;
    return false;
}

/* The first fault of a field is reported; false when none is of a field. */
static bool fields_write(struct json_writer *w, const struct err *first)
{
    bool any = false;

    for (const struct err *e = first; e != NULL; e = e->also) {
        if (e->field == NULL || field_was_named(first, e))
            continue;
        if (!any)
            jw_object(w, "fields");
        any = true;
        jw_string(w, e->field, e->text);
    }
    if (any)
        jw_end(w);
    return any;
}

struct json_writer *reply_err_open(struct request *rq, const struct err *e, const json_t *fields)
{
    struct reply *rp = reply_new(rq, e->status);
    struct json_writer *w = json_open(rp, NULL);

    error_set(rp, e);
    jw_bool(w, "success", false);
    jw_string(w, "error", e->text);
    jw_string(w, "error_code", e->code);
    jw_string_if(w, "hint", e->hint);
    if (!fields_write(w, e) && fields != NULL)
        jw_value(w, "fields", fields);
    return w;
}

struct reply *reply_err(struct request *rq, const struct err *e)
{
    return reply_close(reply_err_open(rq, e, NULL));
}

struct reply *reply_empty(struct request *rq, int status)
{
    return reply_new(rq, status);
}

struct reply *reply_as(struct request *rq, const char *content_type, const char *text)
{
    struct reply *rp = reply_new(rq, 200);

    rp->content_type = content_type;
    rp->body = text;
    rp->len = strlen(text);
    return rp;
}

struct reply *reply_recorded(struct request *rq, int status, const char *body)
{
    return reply_as_json(rq, status, body, strlen(body));
}

void document_set(struct arena *a, struct document *d, int max_age_s, const char *content_type,
                  const char *body, size_t len)
{
    struct arena *scratch = arena_new(); /* there is room for what cannot be compressed */
    const char *packed = gzip(scratch, body, len, &d->gzip_len);
    uint8_t hash[HASH_LEN];
    char hex[2 * ETAG_BYTES + 1];

    sha256(hash, body, len);
    hex_encode(hex, hash, ETAG_BYTES);
    d->max_age_s = max_age_s;
    d->content_type = content_type;
    d->body = arena_strndup(a, body, len);
    d->len = len;
    d->gzip = arena_memdup(a, packed, d->gzip_len);
    arena_free(scratch);
    (void)snprintf(d->etag, sizeof d->etag, "W/\"%s\"", hex);
}

/* If-None-Match is "*" or a list of tags, which are compared without their W/ (RFC 9110, 13.1.2). */
static bool client_has_document(const struct request *rq, const struct document *d)
{
    const char *tags = request_header(rq, "HTTP_IF_NONE_MATCH");

    return tags != NULL && (strcmp(tags, "*") == 0 || strstr(tags, d->etag + strlen("W/")) != NULL);
}

static bool client_accepts_gzip(const struct request *rq)
{
    static const char *const ranges[] = { "*", "gzip" };
    const char *list = request_header(rq, "HTTP_ACCEPT_ENCODING");

    return accepts(list, ranges, sizeof ranges / sizeof ranges[0], false);
}

struct reply *reply_document(struct request *rq, const struct document *d)
{
    struct reply *rp = reply_new(rq, 200);

    rp->content_type = d->content_type;
    rp->body = d->body;
    rp->len = d->len;
    rp->max_age_s = d->max_age_s;
    rp->document = d;
    if (d->etag[0] == '\0')
        return rp;
    reply_header(rp, "Vary: Accept-Encoding");
    reply_header(rp, arena_printf(rq->arena, "ETag: %s", d->etag));
    return rp;
}

/* Happens when the document is sent: what the client accepts and has concerns the answer that it gets, so a
 * document inside another answer stays plain. */
static void document_negotiate(const struct request *rq, struct reply *rp)
{
    const struct document *d = rp->document;

    if (d == NULL || d->etag[0] == '\0')
        return;
    if (client_has_document(rq, d)) {
        rp->status = 304;
        rp->content_type = NULL;
    } else if (client_accepts_gzip(rq)) {
        rp->body = d->gzip;
        rp->len = d->gzip_len;
        reply_header(rp, "Content-Encoding: gzip");
    }
}

void reply_origin(struct reply *rp, const char *origin)
{
    rp->origin = origin;
}

void reply_header(struct reply *rp, const char *header)
{
    if (rp->headers < MAX_HEADERS)
        rp->header[rp->headers++] = header;
}

int reply_status(const struct reply *rp)
{
    return rp->status;
}

bool reply_succeeds(const struct reply *rp)
{
    return rp->status >= 200 && rp->status < 300;
}

const struct err *reply_error(const struct reply *rp)
{
    return rp->error;
}

bool reply_is_json(const struct reply *rp)
{
    return rp->content_type == NULL || strcmp(rp->content_type, JSON_TYPE) == 0;
}

json_t *reply_value(struct reply *rp)
{
    if (rp->value == NULL && rp->content_type == NULL)
        value_set(rp, json_pack("{s:b}", "success", 1));
    else if (rp->value == NULL && reply_is_json(rp))
        value_set(rp, json_loadb(rp->body, rp->len, 0, NULL));
    return rp->value;
}

const char *reply_text(const struct reply *rp)
{
    return rp->content_type != NULL ? rp->body : "{\"success\":true}";
}

static const char *status_reason(int status)
{
    static const struct {
        int status;
        const char *text;
    } reasons[] = {
        { 200, "OK" },
        { 201, "Created" },
        { 202, "Accepted" },
        { 204, "No Content" },
        { 304, "Not Modified" },
        { 400, "Bad Request" },
        { 401, "Unauthorized" },
        { 403, "Forbidden" },
        { 404, "Not Found" },
        { 405, "Method Not Allowed" },
        { 406, "Not Acceptable" },
        { 409, "Conflict" },
        { 411, "Length Required" },
        { 413, "Content Too Large" },
        { 415, "Unsupported Media Type" },
        { 422, "Unprocessable Content" },
        { 429, "Too Many Requests" },
        { 500, "Internal Server Error" },
        { 503, "Service Unavailable" },
    };

    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (reasons[i].status == status)
            return reasons[i].text;
    return "";
}

static void send_text(struct io *io, const char *s)
{
    io->write(io, s, strlen(s));
}

static void send_line(struct io *io, const char *name, const char *value)
{
    send_text(io, name);
    send_text(io, value);
    send_text(io, "\r\n");
}

static void send_number(struct io *io, const char *name, size_t n)
{
    char digits[24];

    (void)snprintf(digits, sizeof digits, "%zu", n);
    send_line(io, name, digits);
}

static void send_head(const struct request *rq, const struct reply *rp)
{
    struct io *io = rq->io;
    char status[8];

    (void)snprintf(status, sizeof status, "%d ", rp->status);
    send_text(io, "Status: ");
    send_line(io, status, status_reason(rp->status));
    if (rp->content_type != NULL) {
        send_line(io, "Content-Type: ", rp->content_type);
        if (rp->content_type != EVENTS)
            send_number(io, "Content-Length: ", rp->len);
    }
    if (rp->max_age_s > 0)
        send_number(io, "Cache-Control: public, max-age=", (size_t)rp->max_age_s);
    else
        send_text(io, "Cache-Control: no-store\r\n");
    send_line(io, "X-Content-Type-Options: nosniff\r\nX-Request-Id: ", rq->id);
    if (rp->origin != NULL)
        send_line(io, "Access-Control-Allow-Origin: ", rp->origin);
    send_text(
        io,
        "Access-Control-Expose-Headers: Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, WWW-Authenticate, X-Request-Id, Idempotent-Replayed, Preference-Applied\r\n");
    for (unsigned i = 0; i < rp->headers; i++)
        send_line(io, rp->header[i], "");
    send_text(io, "\r\n");
}

void reply_send_stream_head(const struct request *rq, struct reply *rp)
{
    const char *type = rp->content_type;

    rp->content_type = EVENTS;
    send_head(rq, rp);
    rp->content_type = type;
}

static void send_event(const struct request *rq, const struct reply *rp)
{
    if (!reply_succeeds(rp))
        return;
    send_text(rq->io, "event: message\ndata: ");
    rq->io->write(rq->io, rp->body, rp->len);
    send_text(rq->io, "\n\n");
}

void reply_send(struct request *rq, struct reply *rp)
{
    if (rq->streamed) {
        send_event(rq, rp);
        return;
    }
    document_negotiate(rq, rp);
    send_head(rq, rp);
    if (rp->content_type != NULL && rq->method != HEAD)
        rq->io->write(rq->io, rp->body, rp->len);
}
