#include "api/admission/idempotency.h"

#include <string.h>

#include "api/admission/worker_leases.h"
#include "api/endpoint/endpoint.h"
#include "base/buf.h"
#include "base/fault.h"
#include "base/log.h"
#include "base/view.h"
#include "model/agent.h"
#include "service/conf.h"
#include "store/idempotency.h"

enum {
    KEY_MAX = 255,
    LEASE_S = 30, /* longer than any request takes */
    HOLD_S = 5,   /* longer than a request takes from its commit to its end */
};

struct idempotency {
    bool has_key; /* there is a run under a key */
    struct idem_run run;
    bool final;                /* what is recorded is what is answered */
    idempotency_keep_fn *keep; /* the protocol's own book; or NULL */
    void *keep_arg;
};

/* ---- the header ---- */

static bool visible(char c)
{
    return c > ' ' && c <= '~';
}

/* A structured field's string: in double quotes, with backslashes before those and itself. */
static const char *unquoted(struct arena *a, const char *s)
{
    struct buf key = BUF_INIT(KEY_MAX);
    const char *copy = NULL;

    for (s++; *s != '\0' && *s != '"'; s++) {
        if (*s == '\\' && *++s != '"' && *s != '\\')
            break;
        if (*s != ' ' && !visible(*s))
            break;
        buf_addc(&key, (uint8_t)*s);
    }
    if (s[0] == '"' && s[1] == '\0' && key.len > 0 && !key.overflow)
        copy = arena_strdup(a, buf_text(&key));
    buf_free(&key);
    return copy;
}

/* NULL when it is not one. */
static const char *parse_key(struct arena *a, const char *s)
{
    size_t n = 0;

    if (*s == '"')
        return unquoted(a, s);
    while (visible(s[n]))
        n++;
    return n > 0 && n <= KEY_MAX && s[n] == '\0' ? s : NULL;
}

/* ---- before ---- */

/* Of what is asked for: the body as it came, or what another protocol has in its place. */
static void fingerprint(uint8_t out[static HASH_LEN], const struct api_call *c)
{
    const char *text = c->arguments != NULL ? view_dump(c->arena, c->arguments, 0) : c->rq->body;

    sha256(out, text, c->arguments != NULL ? strlen(text) : c->rq->body_len);
}

/* A protocol's own book is kept beside the run. */
static struct idempotency *new_run(const struct api_call *c, const char *key)
{
    struct idempotency *i = ARENA_NEW(c->arena, struct idempotency);
    const char *scope = arena_printf(c->arena, "%s %s %s", method_text(c->endpoint->method), c->path, key);

    if (c->record != NULL)
        *i = *c->record;
    i->has_key = true;
    i->run = (struct idem_run){ .agent_id = c->agent->id, .owner = uuid_random() };
    sha256(i->run.scope, scope, strlen(scope));
    fingerprint(i->run.fingerprint, c);
    return i;
}

static struct reply *replay(const struct api_call *c, const struct idem_answer *recorded)
{
    struct reply *rp = reply_recorded(c->rq, recorded->status, recorded->body);

    reply_header(rp, "Idempotent-Replayed: true");
    return rp;
}

const char *idempotency_header(const struct request *rq)
{
    return rq->io->param(rq->io, "HTTP_IDEMPOTENCY_KEY");
}

struct reply *idempotency_begin(struct api_call *c)
{
    const char *key = parse_key(c->arena, c->idempotency_key);
    uint64_t limit;
    struct idempotency *i;
    struct idem_answer recorded;

    if (key == NULL)
        return reply_err(c->rq, &E_IDEMPOTENCY_KEY);
    i = new_run(c, key);
    worker_leases_hold_key(c->ctx->leases, &i->run);
    limit = conf_quota(c->ctx->conf, c->agent->tier, QUOTA_RECORD_BYTES);
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
        return replay(c, &recorded);
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

static int record_run(struct api_call *c, struct reply *answer, unsigned hold_s)
{
    struct idem_answer what = { reply_status(answer), reply_text(answer) };

    return idempotency_record(c->ctx->db, &c->record->run, &what, hold_s);
}

/* `keep`: in the protocol's own book too, where there is one. */
static int record_all(struct api_call *c, struct reply *answer, unsigned hold_s, idempotency_keep_fn *keep)
{
    struct idempotency *i = c->record;
    int recorded = i->has_key ? record_run(c, answer, hold_s) : 1;

    return recorded == 1 && keep != NULL ? keep(i->keep_arg, answer) : recorded;
}

static int record(struct api_call *c, struct reply *answer, unsigned hold_s, idempotency_keep_fn *keep)
{
    return STEP("idempotency.record", record_all(c, answer, hold_s, keep), -1);
}

int idempotency_note(struct api_call *c, struct reply *answer, bool later)
{
    int noted;

    if (c->record == NULL)
        return 1;
    if (c->dress != NULL)
        answer = c->dress(answer, c->dress_with);
    noted = record(c, answer, later ? HOLD_S : 0, c->record->keep);
    c->record->final = noted == 1 && !later;
    return noted;
}

struct commit_job {
    struct api_call *call;
    struct reply *answer;
    int (*write)(struct db *db, const void *what);
    const void *what;
    const struct err *refusal; /* with TX_ROLLBACK */
};

static enum tx_verdict commit_tx(struct db *db, void *arg)
{
    struct commit_job *job = arg;
    int written = job->write(db, job->what), noted;

    if (written < 0 || (noted = idempotency_note(job->call, job->answer, false)) < 0)
        return TX_FAILED;
    job->refusal = written == 0 ? job->call->endpoint->denied : noted == 0 ? &E_IN_PROGRESS : NULL;
    return job->refusal == NULL ? TX_COMMIT : TX_ROLLBACK;
}

struct reply *idempotency_commit(struct api_call *c, struct reply *answer,
                                 int (*write)(struct db *db, const void *what), const void *what)
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

/* Lists may be long; to make one again does no harm. */
static bool is_kept(struct reply *answer)
{
    return strlen(reply_text(answer)) <= IDEM_ANSWER_MAX;
}

/* A protocol writes into its own book what was not noted with the work. */
void idempotency_end(struct api_call *c, struct reply *answer)
{
    struct idempotency *i = c->record;

    if (reply_succeeds(answer) && i->final)
        return;
    if (reply_succeeds(answer) && is_kept(answer) ? record(c, answer, 0, NULL) < 0
                                                  : !idempotency_drop(c->ctx->db, &i->run))
        log_warn("msg=\"idempotency key left to its lease\"");
}
