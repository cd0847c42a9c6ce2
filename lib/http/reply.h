/* The answer to a request. Only these functions make a struct reply, so every path of a handler must end in
 * one. JSON is written once, as text; a reply keeps its error for those who call an operation on behalf of
 * another protocol, and its JSON as a value too if they ask for it. Replies live in the request's arena. */
#ifndef HTTP_REPLY_H
#define HTTP_REPLY_H

#include <jansson.h>

#include "base/err.h"
#include "base/json_writer.h"
#include "http/request.h"

struct reply;

/* Hands out the writer of an object that begins with "success" (whether the status is below 400), for the
 * caller to add members; `bare`: without that one. reply_close ends it; it returns NULL when the JSON failed,
 * which the caller returns as its failure. */
struct json_writer *reply_open(struct request *rq, int status);
struct json_writer *reply_open_bare(struct request *rq, int status);
struct reply *reply_close(struct json_writer *w);
/* An error with members in addition to the envelope's own (swap_id …). `fields` is borrowed and used if no
 * fault of `e` names its field; or NULL. reply_close never fails then. */
struct json_writer *reply_err_open(struct request *rq, const struct err *e, const json_t *fields);
/* The text of the caller's own writer, without our envelope: for protocols that have their own. A refusal
 * gets the error's status and the headers that go with it. NULL when the JSON failed. */
struct reply *reply_written(struct request *rq, int status, struct json_writer *w);
struct reply *reply_refused(struct request *rq, const struct err *e, struct json_writer *w);

struct reply *reply_err(struct request *rq, const struct err *e);
struct reply *reply_empty(struct request *rq, int status);
/* JSON text from the record of an earlier answer; it must live as long as the arena. */
struct reply *reply_recorded(struct request *rq, int status, const char *body);
/* A success in JSON without what the list has, unless it was written so (request.h); others stay as they are.
 */
struct reply *reply_leave_out(struct reply *rp, const struct json_left_out *list);
/* Text of another type, which must live as long as the arena. */
struct reply *reply_as(struct request *rq, const char *content_type, const char *text);

enum { ETAG_BYTES = 8 };

/* A body that is made once and outlives requests; caches may keep it. */
struct document {
    int max_age_s;
    const char *content_type;
    const char *body;
    size_t len;
    /* Set by document_set; empty in a document that is neither compressed nor tagged. */
    const char *gzip;
    size_t gzip_len;
    char etag[2 * ETAG_BYTES + 5]; /* with W/ and quotation marks: the same for both encodings */
};
/* Tags a copy of the body, which is in the arena with a compressed one; its type must live as long. */
void document_set(struct arena *a, struct document *d, int max_age_s, const char *content_type,
                  const char *body, size_t len);
/* A tagged document is sent in an encoding that the client accepts, or as 304 if the client has it already.
 */
struct reply *reply_document(struct request *rq, const struct document *d);

/* The web pages that may read the answer: the one named, or none (NULL); without this call, all. */
void reply_origin(struct reply *rp, const char *origin);
/* Adds a header, "Name: value"; the text must live as long as the arena. */
void reply_header(struct reply *rp, const char *header);

int reply_status(const struct reply *rp);
bool reply_succeeds(const struct reply *rp); /* 2xx */
/* The error that it refuses with; NULL for a success, and for a failure with a body of its own. */
const struct err *reply_error(const struct reply *rp);
bool reply_is_json(const struct reply *rp);
/* The body as JSON, borrowed and not to be changed: {"success": true} for an answer without a body, NULL if
 * the body is of another type. It is parsed, unless the request's `values` has it made while the body is
 * written. */
json_t *reply_value(struct reply *rp);
/* The body as a terminated string; {"success":true} for an answer without a body. */
const char *reply_text(const struct reply *rp);

/* Writes status, headers and body; HEAD gets no body. Of a request that is `streamed`, a success is an event
 * without them, and a refusal is nothing. */
void reply_send(struct request *rq, struct reply *rp);
/* Begins a stream of server-sent events with status and headers of the answer. */
void reply_send_stream_head(const struct request *rq, struct reply *rp);

#endif
