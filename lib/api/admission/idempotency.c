#include "api/admission/idempotency.h"

#include <string.h>
#include <unistd.h>

#include "api/admission/limits.h"
#include "api/admission/terms.h"
#include "api/admission/worker_leases.h"
#include "api/endpoint/endpoint.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/fault.h"
#include "base/incident.h"
#include "base/json_reader.h"
#include "base/json_writer.h"
#include "model/agent.h"
#include "model/approval.h"
#include "net/bulkhead.h"
#include "service/conf.h"
#include "store/approvals.h"
#include "store/idempotency_keys.h"

enum {
    KEY_MAX = 255,
    LEASE_S = 30, /* longer than any request takes */
    HOLD_S = 5,   /* longer than a request takes from its commit to its end */
    POLL_MS = 50,
    WAIT_MS = 3000,     /* for another request with the key */
    WAIT_FAST_MS = 300, /* for another request, in a worker that otherwise never waits */
};

struct idempotency {
    bool has_key; /* there is a run, under a key */
    struct idem_run run;
    bool final;                /* the recorded answer is the one that is sent */
    const json_t *so_far;      /* the answer after which the call goes on; or NULL */
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

static void call_terms(struct idem_run *run, struct api_call *c, const void *in)
{
    const char *terms = c->endpoint->terms == NULL ? NULL : c->endpoint->terms(c, in);

    run->has_terms = terms != NULL;
    if (terms != NULL)
        sha256(run->terms, terms, strlen(terms));
}

/* A record of the protocol's own is kept besides. */
static struct idempotency *record_new(struct api_call *c, const void *in, const char *key)
{
    struct idempotency *i = ARENA_NEW(c->arena, struct idempotency);
    const char *scope = arena_printf(c->arena, "%s %s %s", method_text(c->endpoint->method), c->path, key);

    if (c->record != NULL)
        *i = *c->record;
    i->has_key = true;
    i->run = (struct idem_run){ .agent_id = c->agent->id, .owner = uuid_random() };
    sha256(i->run.scope, scope, strlen(scope));
    call_fingerprint(i->run.fingerprint, c);
    call_terms(&i->run, c, in);
    return i;
}

/* ---- the record under the key ---- */

/* The recorded answer as a value, borrowed; of a sentence, that of the operation behind it is in `result`. */
static const json_t *answer_value(struct arena *a, const struct idem_answer *answer)
{
    return answer->body == NULL ? NULL : json_in_arena(a, json_read(answer->body, strlen(answer->body)));
}

static const json_t *answer_inner(const json_t *answer)
{
    const json_t *result = json_object_get(answer, "result");

    return result != NULL ? result : answer;
}

static const char *answer_approval(const json_t *answer)
{
    return json_string_value(json_object_get(answer_inner(answer), "approval_id"));
}

/* The ids of what the recorded answer is about. */
static void made_write(struct json_writer *w, const json_t *answer)
{
    static const char *const own[] = { "swap_id", "approval_id" };
    static const struct {
        const char *object, *name;
    } objects[] = { { "order", "order_id" },
                    { "transfer", "transfer_id" },
                    { "withdrawal", "withdrawal_id" },
                    { "operation", "operation_id" } };
    const json_t *inner = answer_inner(answer), *id;

    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if ((id = json_object_get(inner, own[i])) != NULL)
            jw_value(w, own[i], id);
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
        id = json_object_get(json_object_get(inner, objects[i].object), "id");
        if (id != NULL)
            jw_value(w, objects[i].name, id);
    }
}

/* Names what the key stands for, as far as it is known. */
static struct reply *refuse_with_ids(const struct api_call *c, const struct err *e,
                                     const struct idem_found *found)
{
    struct json_writer *w = reply_err_open(c->rq, e, NULL);

    made_write(w, answer_value(c->arena, &found->answer));
    return reply_close(w);
}

void idempotency_mark_replayed(struct reply *rp)
{
    reply_header(rp, "Idempotent-Replayed: true");
}

static struct reply *record_replay(const struct api_call *c, const struct idem_answer *recorded)
{
    struct reply *rp = reply_recorded(c->rq, recorded->status, recorded->body);

    idempotency_mark_replayed(rp);
    return rp;
}

/* ---- taking it ---- */

static const char *approval_sent(const struct api_call *c, const void *in)
{
    const char *const *at = (const char *const *)terms_text_at(c, (void *)(uintptr_t)in, "approval_id");

    return at == NULL ? NULL : *at;
}

/* An approval may be sent in place of the terms that wait for it, and no other one with them: it has to be
 * that of the execution which the recorded answer is about. */
static enum idem_state state_by_approval(const struct api_call *c, const void *in, const struct idem_run *run,
                                         const json_t *answer, enum idem_state state)
{
    const char *sent = approval_sent(c, in);
    struct approval ap;
    struct uuid id;
    enum lookup found;

    if (sent == NULL || c->endpoint->begins.kind == 0)
        return state;
    found = approval_id_parse(&id, sent) ? approvals_get(c->ctx->db, c->arena, c->agent->id, &id, &ap)
                                         : LOOKUP_NONE;
    if (found == LOOKUP_ERROR)
        return IDEM_BROKEN;
    if (found == LOOKUP_NONE ||
        ap.execution_id != c->endpoint->begins.execution(c, c->endpoint->begins.kind, answer))
        return IDEM_OTHER;
    return run->has_terms ? state : IDEM_RECORDED;
}

/* Goes on after an answer that was not final. */
static enum idem_state key_go_on(struct api_call *c, struct idempotency *i, const struct idem_found *found,
                                 const json_t *answer)
{
    switch (idempotency_go_on(c->ctx->db, &i->run, &found->owner, LEASE_S)) {
    case UPDATED:
        i->so_far = answer;
        return IDEM_BEGUN;
    case UNCHANGED:
        return IDEM_RUNNING;
    default:
        return IDEM_BROKEN;
    }
}

static enum idem_state key_take(struct api_call *c, const void *in, struct idempotency *i,
                                struct idem_found *found)
{
    uint64_t limit = limits_quota(c, QUOTA_RECORD_BYTES);
    enum idem_state state =
        STEP("idempotency.take", idempotency_take(c->ctx->db, c->arena, &i->run, LEASE_S, limit, found),
             IDEM_BROKEN);
    const json_t *answer;

    if (state != IDEM_RECORDED && state != IDEM_OTHER)
        return state;
    answer = answer_value(c->arena, &found->answer);
    state = state_by_approval(c, in, &i->run, answer, state);
    if (state != IDEM_RECORDED)
        return state;
    if (found->running)
        return IDEM_RUNNING;
    return found->answer.status == 202 ? key_go_on(c, i, found, answer) : state;
}

/* Waiting holds a worker, of which there are few. */
static bool wait_begin(const struct api_call *c)
{
    return c->ctx->never_waits || bulkhead_stand_by(c->ctx->bulkhead, c->agent->id);
}

static void wait_end(const struct api_call *c)
{
    if (!c->ctx->never_waits)
        bulkhead_stand_down(c->ctx->bulkhead);
}

/* Two requests with one key share an answer: the second waits for the first. */
static enum idem_state key_wait(struct api_call *c, const void *in, struct idempotency *i,
                                struct idem_found *found)
{
    int64_t end = clock_mono_ms() + (c->ctx->never_waits ? WAIT_FAST_MS : WAIT_MS);
    enum idem_state state = IDEM_RUNNING;

    if (!wait_begin(c))
        return state;
    while (state == IDEM_RUNNING && clock_mono_ms() < end) {
        usleep(POLL_MS * 1000);
        state = key_take(c, in, i, found);
    }
    wait_end(c);
    return state;
}

const char *idempotency_header(const struct request *rq)
{
    static const char name[] = "HTTP_IDEMPOTENCY_KEY";

    return request_header_differs(rq, name) ? "" : rq->io->param(rq->io, name);
}

struct reply *idempotency_begin(struct api_call *c, const void *in)
{
    const char *key = key_parse(c->arena, c->idempotency_key);
    enum idem_state state;
    struct idempotency *i;
    struct idem_found found;

    if (key == NULL)
        return reply_err(c->rq, &E_IDEMPOTENCY_KEY);
    i = record_new(c, in, key);
    worker_leases_hold_key(c->ctx->leases, &i->run);
    state = key_take(c, in, i, &found);
    if (state == IDEM_RUNNING)
        state = key_wait(c, in, i, &found);
    switch (state) {
    case IDEM_BEGUN:
        c->record = i;
        return NULL;
    case IDEM_RUNNING:
        return refuse_with_ids(c, &E_IN_PROGRESS, &found);
    case IDEM_OTHER:
        return refuse_with_ids(c, &E_IDEMPOTENCY_MISMATCH, &found);
    case IDEM_FULL:
        return reply_err(c->rq, &E_QUOTA_RECORDS);
    case IDEM_RECORDED:
        return record_replay(c, &found.answer);
    case IDEM_BROKEN:
        break;
    }
    return reply_err(c->rq, c->endpoint->internal);
}

const json_t *idempotency_so_far(const struct api_call *c)
{
    return c->record == NULL ? NULL : c->record->so_far;
}

const char *idempotency_approval(const struct api_call *c)
{
    return answer_approval(idempotency_so_far(c));
}

void idempotency_keep(struct api_call *c, idempotency_keep_fn *keep, void *arg)
{
    c->record = ARENA_NEW(c->arena, struct idempotency);
    c->record->keep = keep;
    c->record->keep_arg = arg;
}

/* ---- with the work ---- */

static enum db_update record_key(struct api_call *c, struct reply *answer, unsigned hold_s)
{
    struct idem_answer what = { reply_status(answer), reply_text(answer) };

    return idempotency_record(c->ctx->db, &c->record->run, &what, hold_s);
}

/* `keep`: the record of the protocol; NULL: it has none, or has this answer. */
static enum db_update record_answer(struct api_call *c, struct reply *answer, unsigned hold_s,
                                    idempotency_keep_fn *keep)
{
    struct idempotency *i = c->record;
    enum db_update recorded = i->has_key ? record_key(c, answer, hold_s) : UPDATED;

    return recorded == UPDATED && keep != NULL ? keep(i->keep_arg, answer) : recorded;
}

static enum db_update record_write(struct api_call *c, struct reply *answer, unsigned hold_s,
                                   idempotency_keep_fn *keep)
{
    return STEP("idempotency.record", record_answer(c, answer, hold_s, keep), DB_ERROR);
}

enum db_update idempotency_note(struct api_call *c, struct reply *answer, bool later)
{
    enum db_update noted;

    if (c->record == NULL)
        return UPDATED;
    if (c->dress != NULL)
        answer = c->dress(answer, c->dress_with);
    noted = record_write(c, answer, later ? HOLD_S : 0, c->record->keep);
    c->record->final = noted == UPDATED && !later;
    return noted;
}

struct commit_job {
    struct api_call *call;
    struct reply *answer;
    enum db_update (*write)(struct db *db, const void *what);
    const void *what;
    const struct err *refusal; /* with TX_ROLLBACK */
};

static enum tx_verdict commit_tx(struct db *db, void *arg)
{
    struct commit_job *job = arg;
    enum db_update written = job->write(db, job->what), noted;

    if (written == DB_ERROR || (noted = idempotency_note(job->call, job->answer, false)) == DB_ERROR)
        return TX_FAILED;
    job->refusal = written == UNCHANGED ? job->call->endpoint->denied
                   : noted == UNCHANGED ? &E_IN_PROGRESS
                                        : NULL;
    return job->refusal == NULL ? TX_COMMIT : TX_ROLLBACK;
}

struct reply *idempotency_commit(struct api_call *c, struct reply *answer,
                                 enum db_update (*write)(struct db *db, const void *what), const void *what)
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

/* A protocol writes an answer that was not recorded with the work into its own record. */
void idempotency_end(struct api_call *c, struct reply *answer)
{
    struct idempotency *i = c->record;

    if (reply_succeeds(answer) && i->final)
        return;
    if (reply_succeeds(answer) && answer_is_kept(answer) ? record_write(c, answer, 0, NULL) == DB_ERROR
                                                         : !idempotency_drop(c->ctx->db, &i->run))
        log_repeated("lease_left", "", "msg=\"the lease of an Idempotency-Key is left to expire\"");
}
