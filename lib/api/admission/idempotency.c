#include "api/admission/idempotency.h"

#include <string.h>

#include "api/admission/limits.h"
#include "api/admission/worker_leases.h"
#include "api/endpoint/endpoint.h"
#include "base/buf.h"
#include "base/fault.h"
#include "base/json_writer.h"
#include "base/trouble.h"
#include "model/agent.h"
#include "service/conf.h"
#include "store/idempotency.h"

enum {
    KEY_MAX = 255,
    LEASE_S = 30, /* longer than any request takes */
    HOLD_S = 5,   /* longer than a request takes from its commit to its end */
};

struct idempotency {
    bool has_key; /* there is a run, under a key */
    struct idem_run run;
    bool final;                /* the recorded answer is the one that is sent */
    idempotency_keep_fn *keep; /* the record of the protocol; or NULL */
    void *keep_arg;
};

/* ---- the header ---- */

static bool is_visible(char c)
{
    return c > ' ' && c <= '~';
}

/* A string of a structured field: in double quotes, which a backslash escapes, as it does itself. */
static const char *key_unquote(struct arena *a, const char *s)
{
    struct buf key = BUF_INIT(KEY_MAX);
    const char *copy = NULL;

    for (s++; *s != '\0' && *s != '"'; s++) {
        if (*s == '\\' && *++s != '"' && *s != '\\')
            break;
        if (*s != ' ' && !is_visible(*s))
            break;
        buf_addc(&key, (uint8_t)*s);
    }
    if (s[0] == '"' && s[1] == '\0' && key.len > 0 && !key.overflow)
        copy = arena_strdup(a, buf_text(&key));
    buf_free(&key);
    return copy;
}

/* The key that the header holds; NULL when it is malformed. */
static const char *key_parse(struct arena *a, const char *s)
{
    size_t n = 0;

    if (*s == '"')
        return key_unquote(a, s);
    while (is_visible(s[n]))
        n++;
    return n > 0 && n <= KEY_MAX && s[n] == '\0' ? s : NULL;
}

/* ---- before ---- */

/* A hash of what is asked for: the body as it was sent, or what another protocol has in its place. */
static void call_fingerprint(uint8_t out[static HASH_LEN], const struct api_call *c)
{
    const char *text = c->arguments != NULL ? jw_text_of(c->arena, c->arguments, 0) : c->rq->body;

    sha256(out, text, c->arguments != NULL ? strlen(text) : c->rq->body_len);
}

/* A record of the protocol's own is kept besides. */
static struct idempotency *record_new(const struct api_call *c, const char *key)
{
    struct idempotency *i = ARENA_NEW(c->arena, struct idempotency);
    const char *scope = arena_printf(c->arena, "%s %s %s", method_text(c->endpoint->method), c->path, key);

    if (c->record != NULL)
        *i = *c->record;
    i->has_key = true;
    i->run = (struct idem_run){ .agent_id = c->agent->id, .owner = uuid_random() };
    sha256(i->run.scope, scope, strlen(scope));
    call_fingerprint(i->run.fingerprint, c);
    return i;
}

static struct reply *record_replay(const struct api_call *c, const struct idem_answer *recorded)
{
    struct reply *rp = reply_recorded(c->rq, recorded->status, recorded->body);

    reply_header(rp, "Idempotent-Replayed: true");
    return rp;
}

const char *idempotency_header(const struct request *rq)
{
    static const char name[] = "HTTP_IDEMPOTENCY_KEY";

    return request_header_differs(rq, name) ? "" : rq->io->param(rq->io, name);
}

struct reply *idempotency_begin(struct api_call *c)
{
    const char *key = key_parse(c->arena, c->idempotency_key);
    uint64_t limit;
    struct idempotency *i;
    struct idem_answer recorded;

    if (key == NULL)
        return reply_err(c->rq, &E_IDEMPOTENCY_KEY);
    i = record_new(c, key);
    worker_leases_hold_key(c->ctx->leases, &i->run);
    limit = limits_quota(c, QUOTA_RECORD_BYTES);
    switch (STEP("idempotency.take",
                 idempotency_take(c->ctx->db, c->arena, &i->run, LEASE_S, limit, &recorded), IDEM_BROKEN)) {
    case IDEM_BEGUN:
        c->record = i;
        return NULL;
    case IDEM_RUNNING:
        return reply_err(c->rq, &E_IN_PROGRESS);
    case IDEM_OTHER:
        return reply_err(c->rq, &E_IDEMPOTENCY_MISMATCH);
    case IDEM_FULL:
        return reply_err(c->rq, &E_QUOTA_RECORDS);
    case IDEM_RECORDED:
        return record_replay(c, &recorded);
    case IDEM_BROKEN:
        break;
    }
    return reply_err(c->rq, c->endpoint->internal);
}

void idempotency_keep(struct api_call *c, idempotency_keep_fn *keep, void *arg)
{
    c->record = ARENA_NEW(c->arena, struct idempotency);
    c->record->keep = keep;
    c->record->keep_arg = arg;
}

/* ---- with the work ---- */

static enum done record_key(struct api_call *c, struct reply *answer, unsigned hold_s)
{
    struct idem_answer what = { reply_status(answer), reply_text(answer) };

    return idempotency_record(c->ctx->db, &c->record->run, &what, hold_s);
}

/* `keep`: the record of the protocol; NULL: it has none, or has this answer. */
static enum done record_answer(struct api_call *c, struct reply *answer, unsigned hold_s,
                               idempotency_keep_fn *keep)
{
    struct idempotency *i = c->record;
    enum done recorded = i->has_key ? record_key(c, answer, hold_s) : DONE;

    return recorded == DONE && keep != NULL ? keep(i->keep_arg, answer) : recorded;
}

static enum done record_write(struct api_call *c, struct reply *answer, unsigned hold_s,
                              idempotency_keep_fn *keep)
{
    return STEP("idempotency.record", record_answer(c, answer, hold_s, keep), DONE_FAILED);
}

enum done idempotency_note(struct api_call *c, struct reply *answer, bool later)
{
    enum done noted;

    if (c->record == NULL)
        return DONE;
    if (c->dress != NULL)
        answer = c->dress(answer, c->dress_with);
    noted = record_write(c, answer, later ? HOLD_S : 0, c->record->keep);
    c->record->final = noted == DONE && !later;
    return noted;
}

struct commit_job {
    struct api_call *call;
    struct reply *answer;
    enum done (*write)(struct db *db, const void *what);
    const void *what;
    const struct err *refusal; /* with TX_ROLLBACK */
};

static enum tx_verdict commit_tx(struct db *db, void *arg)
{
    struct commit_job *job = arg;
    enum done written = job->write(db, job->what), noted;

    if (written == DONE_FAILED || (noted = idempotency_note(job->call, job->answer, false)) == DONE_FAILED)
        return TX_FAILED;
    job->refusal = written == DONE_NOT ? job->call->endpoint->denied
                   : noted == DONE_NOT ? &E_IN_PROGRESS
                                       : NULL;
    return job->refusal == NULL ? TX_COMMIT : TX_ROLLBACK;
}

struct reply *idempotency_commit(struct api_call *c, struct reply *answer,
                                 enum done (*write)(struct db *db, const void *what), const void *what)
{
    struct commit_job job = { c, answer, write, what, NULL };

    if (answer == NULL)
        return NULL;
    switch (db_transact(c->ctx->db, commit_tx, &job)) {
    case TX_DONE:
        return answer;
    case TX_REFUSED:
        return reply_err(c->rq, job.refusal);
    case TX_BROKEN:
    case TX_UNKNOWN:
        break;
    }
    return NULL;
}

/* ---- after ---- */

/* Long answers are lists: listing again does no harm. */
static bool answer_is_kept(struct reply *answer)
{
    return strlen(reply_text(answer)) <= IDEM_ANSWER_MAX;
}

/* What was not recorded with the work, a protocol writes into its own record by itself. */
void idempotency_end(struct api_call *c, struct reply *answer)
{
    struct idempotency *i = c->record;

    if (reply_succeeds(answer) && i->final)
        return;
    if (reply_succeeds(answer) && answer_is_kept(answer) ? record_write(c, answer, 0, NULL) == DONE_FAILED
                                                         : !idempotency_drop(c->ctx->db, &i->run))
        log_repeated("lease_left", "", "msg=\"the lease of an Idempotency-Key is left to expire\"");
}
