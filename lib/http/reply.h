/* What is answered. Only these functions make a struct reply, so every path of a handler must end in one. A
 * reply keeps its JSON and its error as values, for whoever calls an operation on behalf of another protocol;
 * they become text once, when the reply is sent or recorded. Replies live as long as the request's arena. */
#ifndef HTTP_REPLY_H
#define HTTP_REPLY_H

#include <jansson.h>

#include "base/err.h"
#include "http/request.h"

struct reply;

/* Takes the JSON over; "success": true is added first when it is an object without it. NULL, for the caller
 * to hand on as its failure, when there is none: a text that is not UTF-8 makes jansson give none. */
struct reply *reply_json(struct request *rq, int status, json_t *body);
struct reply *reply_err(struct request *rq, const struct err *e);
/* With members beside the envelope's own (fields, swap_id …); takes `extra` over, NULL is fine. */
struct reply *reply_err_with(struct request *rq, const struct err *e, json_t *extra);
/* JSON as it is, without the envelope: a protocol has its own. Both take the JSON over; a refusal has the
 * error's status and the headers that belong to it. */
struct reply *reply_bare(struct request *rq, int status, json_t *body);
struct reply *reply_refusal(struct request *rq, const struct err *e, json_t *body);
struct reply *reply_empty(struct request *rq, int status);
/* JSON text that was answered before; it must live as long as the arena. */
struct reply *reply_recorded(struct request *rq, int status, const char *body);
/* Text of another type, which must live as long as the arena. */
struct reply *reply_as(struct request *rq, const char *content_type, const char *text);

enum { ETAG_BYTES = 8 };

/* A body made once, which outlives the request and which caches may keep. */
struct document {
    int max_age_s;
    const char *content_type;
    const char *body;
    size_t len;
    json_t *value; /* the same as JSON; NULL: it is none */
    /* Of one that is served compressed and by its tag; else empty. */
    const char *gzip;
    size_t gzip_len;
    char etag[2 * ETAG_BYTES + 5]; /* with W/ and quotation marks: the same for both encodings */
};
/* Compresses and tags the body, in the arena; the body and its type must live as long. */
void document_set(struct arena *a, struct document *d, int max_age_s, const char *content_type,
                  const char *body, size_t len);
/* One with a tag is sent in an encoding that the client takes, or as 304 when the client has it already. */
struct reply *reply_document(struct request *rq, const struct document *d);

/* The web pages that may read it: all of them where this is not called, the one named, or none (NULL). */
void reply_origin(struct reply *rp, const char *origin);
/* One more header, "Name: value"; the text must live as long as the arena. */
void reply_header(struct reply *rp, const char *header);

int reply_status(const struct reply *rp);
bool reply_succeeds(const struct reply *rp); /* 2xx */
/* What it refuses with; NULL: it does not, or says so in a body of its own. */
const struct err *reply_error(const struct reply *rp);
/* The body as JSON, borrowed and not to be changed: that of an answer without a body says "success"; NULL
 * when the body is of another type. */
json_t *reply_value(struct reply *rp);
/* The body as text, terminated, in the arena. */
const char *reply_text(struct reply *rp);

/* Writes status, headers and body; HEAD gets no body. */
void reply_send(struct request *rq, struct reply *rp);

#endif
