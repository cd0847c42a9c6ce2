#include "api/transfer_replies.h"

#include "api/admission/idempotency.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/endpoint.h"
#include "api/retry.h"
#include "api/view.h"
#include "model/agent.h"
#include "store/executions.h"

const struct param transfers_params[] = {
    { "status", P_TEXT, INTO(struct transfers_in, status), .choices = listed_statuses,
      .bad = &E_STATUS_FILTER, .about = "submitted, pending, completed or failed" },
    PARAMS_LIST(struct transfers_in, terms),
    PARAMS_PAGE(struct transfers_in),
    { 0 },
};

const char *const transfer_statuses[] = { "pending", "submitted", "processing", "completed",
                                          "failed",  "expired",   NULL };

/* Writes its own data, too, if they can be read. */
static void transfer_write(struct api_call *c, struct json_writer *w, const struct transfers *of,
                           const char *key, const struct execution *x)
{
    struct execution_shown shown = { .execution = x };

    (void)execution_own_read(c->ctx->db, c->arena, &shown);
    jw_object(w, key);
    of->view(w, &shown);
    jw_end(w);
}

/* ---- making one ---- */

/* Replies with the transfer as it is stored, since its times are the database's. */
static struct reply *transfer_reply(struct api_call *c, const struct transfers *of,
                                    const struct commit_result *r)
{
    struct execution x;
    struct json_writer *w;

    if (executions_get(c->ctx->db, c->arena, c->agent->id, r->execution.id, &x) != LOOKUP_FOUND)
        return NULL;
    w = reply_open(c->rq, r->awaits ? 202 : 200);
    if (r->awaits)
        view_awaiting(w, r);
    transfer_write(c, w, of, "transfer", &x);
    return reply_close(w);
}

/* If the request dies between commit and answer, a repeat under its key finds the transfer. */
static enum db_update making_note(void *arg, const struct commit_result *r)
{
    struct transfer_making *m = arg;
    struct reply *answer = transfer_reply(m->call, m->of, r);

    return answer != NULL ? idempotency_note(m->call, answer, true) : DB_ERROR;
}

const struct commit_note *transfer_note(struct transfer_making *m, struct api_call *c,
                                        const struct transfers *of)
{
    *m = (struct transfer_making){ .call = c, .of = of, .note = { making_note, m } };
    return c->record != NULL ? &m->note : NULL;
}

struct reply *transfer_made(struct api_call *c, const struct transfers *of, const struct err *e,
                            struct commit_result *r)
{
    e = retry_outcome(c, e, r);
    return e != NULL ? reply_err(c->rq, e) : transfer_reply(c, of, r);
}

uint64_t transfer_begun(const struct api_call *c, const json_t *answer)
{
    (void)c;
    return (uint64_t)json_integer_value(json_object_get(json_object_get(answer, "transfer"), "id"));
}

/* ---- looking at them ---- */

static const struct err *not_found(struct api_call *c, const struct transfers *of)
{
    const char *hint = of->not_found_hint;

    return hint != NULL ? err_hint(c->arena, &E_TRANSFER_NOT_FOUND, hint) : &E_TRANSFER_NOT_FOUND;
}

struct reply *transfer_found(struct api_call *c, const struct transfers *of)
{
    struct execution x;
    uint64_t id;
    bool sound = c->captured != NULL && params_whole(&id, c->captured);
    enum lookup found = sound ? of->get(c->ctx, c->arena, c->agent->id, id, &x) : LOOKUP_NONE;
    struct json_writer *w;

    if (found == LOOKUP_ERROR)
        return NULL;
    if (found == LOOKUP_NONE)
        return reply_err(c->rq, not_found(c, of));
    w = reply_open(c->rq, 200);
    transfer_write(c, w, of, "transfer", &x);
    return reply_close(w);
}

struct reply *transfers_listed(struct api_call *c, const struct transfers *of, const struct transfers_in *in)
{
    struct page page = { in->limit, in->offset };
    struct execution *list;
    struct json_writer *w;
    struct own_filter filter = { .listed = 0 };
    const struct err *e = list_terms_read(&filter.more, c->arena, &in->terms);
    uint64_t total;
    int n;

    if (e != NULL)
        return reply_err(c->rq, e);
    if (in->status != NULL && !exec_listed_parse(&filter.listed, in->status))
        return NULL;
    n = of->page(c->ctx->db, c->arena, c->agent->id, &filter, &page, &list, &total);
    if (n < 0)
        return NULL;
    w = reply_open(c->rq, 200);
    jw_array(w, "transfers");
    for (int i = 0; i < n; i++)
        transfer_write(c, w, of, NULL, &list[i]);
    jw_end(w);
    view_pagination(w, total, &page, (uint64_t)n);
    return reply_close(w);
}
