#include "http/reply.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "codec/gzip.h"
#include "codec/hash.h"
#include "codec/hex.h"
#include "http/accept.h"

static const char JSON_TYPE[] = "application/json";

enum { MAX_HEADERS = 16, MAX_HEAD = 8 * 1024 };

struct reply {
    struct arena *arena;
    int status;
    const struct err *error;  /* of a refusal; else NULL */
    const char *content_type; /* NULL: no body */
    json_t *value;            /* of a body in JSON; NULL: not parsed yet */
    const char *body;         /* NULL: not written yet */
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

    rp->arena = rq->arena;
    rp->status = status;
    rp->origin = "*";
    return rp;
}

static void value_release(void *value)
{
    json_decref(value);
}

/* Takes ownership of the value. */
static void value_set(struct reply *rp, json_t *value)
{
    rp->value = value;
    if (value != NULL)
        arena_defer(rp->arena, value_release, value);
}

struct reply *reply_bare(struct request *rq, int status, json_t *body)
{
    struct reply *rp = reply_new(rq, status);

    rp->content_type = JSON_TYPE;
    value_set(rp, body);
    return rp;
}

struct reply *reply_json(struct request *rq, int status, json_t *body)
{
    json_t *envelope;

    if (body == NULL)
        return NULL;
    envelope = json_object();
    json_object_set_new(envelope, "success", json_true());
    json_object_update(envelope, body);
    json_decref(body);
    return reply_bare(rq, status, envelope);
}

/* RFC 6750, section 3: no error code where no key was sent. */
static const char NO_KEY[] = "WWW-Authenticate: Bearer realm=\"agent-gateway\"";
static const char BAD_KEY[] = "WWW-Authenticate: Bearer realm=\"agent-gateway\", error=\"invalid_token\"";

struct reply *reply_refusal(struct request *rq, const struct err *e, json_t *body)
{
    struct reply *rp = reply_bare(rq, e->status, body);

    rp->error = e;
    if (err_is(e, &E_IN_PROGRESS)) /* it will be over in a moment */
        reply_header(rp, "Retry-After: 1");
    if (e->status == 401)
        reply_header(rp, request_header(rq, "HTTP_AUTHORIZATION") == NULL ? NO_KEY : BAD_KEY);
    return rp;
}

/* The first fault of a field is reported. */
static void fields_add(json_t *body, const struct err *e)
{
    json_t *fields = json_object();

    for (; e != NULL; e = e->also)
        if (e->field != NULL && json_object_get(fields, e->field) == NULL)
            json_object_set_new(fields, e->field, json_string(e->text));
    if (json_object_size(fields) > 0)
        json_object_set(body, "fields", fields);
    json_decref(fields);
}

struct reply *reply_err_with(struct request *rq, const struct err *e, json_t *extra)
{
    json_t *body = json_pack("{s:b, s:s, s:s}", "success", 0, "error", e->text, "error_code", e->code);

    if (e->hint != NULL)
        json_object_set_new(body, "hint", json_string(e->hint));
    fields_add(body, e);
    if (extra != NULL)
        json_object_update_missing(body, extra);
    json_decref(extra);
    json_object_set_new(body, "request_id", json_string(rq->id));
    return reply_refusal(rq, e, body);
}

struct reply *reply_err(struct request *rq, const struct err *e)
{
    return reply_err_with(rq, e, NULL);
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
    struct reply *rp = reply_new(rq, status);

    rp->content_type = JSON_TYPE;
    rp->body = body;
    rp->len = strlen(body);
    return rp;
}

void document_set(struct arena *a, struct document *d, int max_age_s, const char *content_type,
                  const char *body, size_t len)
{
    uint8_t hash[HASH_LEN];
    char hex[2 * ETAG_BYTES + 1];

    sha256(hash, body, len);
    hex_encode(hex, hash, ETAG_BYTES);
    d->max_age_s = max_age_s;
    d->content_type = content_type;
    d->body = body;
    d->len = len;
    d->gzip = gzip(a, body, len, &d->gzip_len);
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
    rp->value = d->value;
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

/* A recorded answer is parsed from its text. */
json_t *reply_value(struct reply *rp)
{
    if (rp->value == NULL && rp->content_type == NULL)
        value_set(rp, json_pack("{s:b}", "success", 1));
    else if (rp->value == NULL && rp->content_type == JSON_TYPE)
        value_set(rp, json_loadb(rp->body, rp->len, 0, NULL));
    return rp->value;
}

static int text_append(const char *bytes, size_t n, void *to)
{
    buf_add(to, bytes, n);
    return 0;
}

static void write_value(struct buf *out, const json_t *value)
{
    /* 15 digits give the decimal text back that a number was made of; 17 would show the binary fraction. */
    json_dump_callback(value, text_append, out, JSON_COMPACT | JSON_REAL_PRECISION(15));
}

const char *reply_text(struct reply *rp)
{
    struct buf text = BUF_INIT(MAX_UPSTREAM);

    if (rp->body != NULL)
        return rp->body;
    write_value(&text, reply_value(rp));
    rp->len = text.len;
    rp->body = arena_memdup(rp->arena, buf_text(&text), text.len + 1);
    buf_free(&text);
    return rp->body;
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

static void write_head(const struct request *rq, const struct reply *rp, size_t body_len)
{
    struct buf head = BUF_INIT(MAX_HEAD);

    buf_addf(&head, "Status: %d %s\r\n", rp->status, status_reason(rp->status));
    if (rp->content_type != NULL)
        buf_addf(&head, "Content-Type: %s\r\nContent-Length: %zu\r\n", rp->content_type, body_len);
    if (rp->max_age_s > 0)
        buf_addf(&head, "Cache-Control: public, max-age=%d\r\n", rp->max_age_s);
    else
        buf_adds(&head, "Cache-Control: no-store\r\n");
    buf_addf(&head, "X-Content-Type-Options: nosniff\r\nX-Request-Id: %s\r\n", rq->id);
    if (rp->origin != NULL)
        buf_addf(&head, "Access-Control-Allow-Origin: %s\r\n", rp->origin);
    buf_adds(
        &head,
        "Access-Control-Expose-Headers: Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, WWW-Authenticate, X-Request-Id, Idempotent-Replayed\r\n");
    for (unsigned i = 0; i < rp->headers; i++)
        buf_addf(&head, "%s\r\n", rp->header[i]);
    buf_adds(&head, "\r\n");
    rq->io->write(rq->io, buf_text(&head), head.len);
    buf_free(&head);
}

void reply_send(struct request *rq, struct reply *rp)
{
    struct buf text = BUF_INIT(MAX_UPSTREAM);
    bool written = rp->body != NULL;

    document_negotiate(rq, rp);
    if (rp->content_type != NULL && !written)
        write_value(&text, rp->value);
    write_head(rq, rp, written ? rp->len : text.len);
    if (rp->content_type != NULL && rq->method != HEAD)
        rq->io->write(rq->io, written ? rp->body : buf_text(&text), written ? rp->len : text.len);
    buf_free(&text);
}
