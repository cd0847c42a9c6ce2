#include "api/actions.h"

#include "api/admission/idempotency.h"
#include "api/endpoint/endpoint.h"
#include "api/retry.h"
#include "api/view.h"
#include "store/executions.h"
#include "store/transactions.h"

const struct param action_page_params[] = {
    PARAM_LISTED_STATUS, PARAMS_LIST(struct action_list_in, terms), PARAMS_PAGE(struct action_list_in), { 0 }
};

const char *const action_statuses[] = { "pending", "submitted", "processing", "completed",
                                        "failed",  "expired",   NULL };

static const struct action *action_of(enum exec_kind_id kind)
{
    return exec_kind_of(kind)->action;
}

static void action_write(struct json_writer *w, const char *key, const struct execution_shown *x,
                         bool detailed)
{
    const struct exec_kind *kind = exec_kind_of(x->execution->kind);

    jw_object(w, key);
    kind->view(w, x);
    if (detailed && kind->action->detail != NULL)
        kind->action->detail(w, x);
    jw_end(w);
}

/* ---- starting one ---- */

/* Replies with the execution as it is stored, since its times are the database's. */
static struct reply *action_reply(struct api_call *c, const struct commit_result *r)
{
    struct execution_shown shown = { .execution = &r->execution, .own = r->own };
    struct execution x;
    struct json_writer *w;

    if (r->own == NULL) {
        shown.execution = &x;
        if (executions_get(c->ctx->db, c->arena, c->agent->id, r->execution.id, &x) != LOOKUP_FOUND ||
            !execution_own_read(c->ctx->db, c->arena, &shown))
            return NULL;
    }
    w = reply_open(c->rq, r->awaits ? 202 : 200);
    if (r->awaits)
        view_awaiting(w, r);
    action_write(w, action_of(r->execution.kind)->member, &shown, false);
    return reply_close(w);
}

/* If the request dies between commit and answer, a repeat under its key finds the execution. */
static enum db_update action_note(void *c, const struct commit_result *r)
{
    struct reply *answer = action_reply(c, r);

    return answer != NULL ? idempotency_note(c, answer, true) : DB_ERROR;
}

struct reply *action_place(struct api_call *c, const void *asked)
{
    const struct commit_note note = { action_note, c };
    struct commit_result done;
    const struct err *e = action_start(c->ctx, c->arena, c->agent, c->endpoint->begins.kind, asked,
                                       c->record != NULL ? &note : NULL, &done);

    e = retry_outcome(c, e, &done);
    return e != NULL ? reply_err(c->rq, e) : action_reply(c, &done);
}

uint64_t action_begun(const struct api_call *c, enum exec_kind_id kind, const json_t *answer)
{
    const json_t *shown = json_object_get(answer, action_of(kind)->member);

    (void)c;
    return (uint64_t)json_integer_value(json_object_get(shown, "id"));
}

/* ---- showing them ---- */

static const struct err *action_not_found(struct api_call *c, const struct action *action)
{
    return action->not_found_hint != NULL ? err_hint(c->arena, action->not_found, action->not_found_hint)
                                          : action->not_found;
}

/* Its transactions, where they are shown. */
static bool txs_read(struct api_call *c, const struct action *action, struct execution_shown *x)
{
    struct transaction *txs;
    int n;

    if (action->detail == NULL)
        return true;
    n = transactions_of(c->ctx->db, c->arena, x->execution->id, &txs);
    x->txs = txs;
    x->tx_count = n > 0 ? (unsigned)n : 0;
    return n >= 0;
}

struct reply *action_show(struct api_call *c, const void *in)
{
    const struct action *action = action_of(c->endpoint->shows);
    struct execution x;
    struct execution_shown shown = { .execution = &x };
    uint64_t id;
    bool sound = c->captured != NULL && params_whole(&id, c->captured);
    enum lookup found = sound ? action_get(c->ctx, c->arena, c->agent->id, action, id, &x) : LOOKUP_NONE;
    struct json_writer *w;

    (void)in;
    if (found != LOOKUP_FOUND)
        return found == LOOKUP_NONE ? reply_err(c->rq, action_not_found(c, action)) : NULL;
    if (!txs_read(c, action, &shown) || !execution_own_read(c->ctx->db, c->arena, &shown))
        return NULL;
    w = reply_open(c->rq, 200);
    action_write(w, action->member, &shown, true);
    return reply_close(w);
}

static const struct err *filter_of(struct api_call *c, const struct action *action,
                                   const struct action_list_in *in, struct own_filter *out)
{
    *out = (struct own_filter){ .kind = (enum exec_kind_id)0 };
    if (in->type != NULL)
        out->kind = action->kind_of(in->type);
    if (in->status != NULL)
        (void)exec_listed_parse(&out->listed, in->status);
    return list_terms_read(&out->more, c->arena, &in->terms);
}

/* Reads what the list's statement did not read with it. */
static bool listed_complete(struct api_call *c, const struct action *action, struct own_listed *l)
{
    struct execution_shown shown = { .execution = &l->execution };

    if (l->own == NULL && !execution_own_read(c->ctx->db, c->arena, &shown))
        return false;
    l->own = l->own != NULL ? l->own : shown.own;
    if (action->lists_fewer_statuses)
        l->execution.status = exec_listed(l->execution.status);
    return true;
}

struct reply *action_list(struct api_call *c, const void *arg)
{
    const struct action_list_in *in = arg;
    const struct action *action = action_of(c->endpoint->shows);
    struct own_filter filter;
    const struct err *e = filter_of(c, action, in, &filter);
    struct page page = { in->limit, in->offset };
    struct own_listed *list = ARENA_ARRAY(c->arena, struct own_listed, in->limit);
    struct json_writer *w;
    uint64_t total;
    int n;

    if (e != NULL)
        return reply_err(c->rq, e);
    n = action->page(c->ctx->db, c->arena, c->agent, &filter, &page, list, &total);
    if (n < 0)
        return NULL;
    for (int i = 0; i < n; i++)
        if (!listed_complete(c, action, &list[i]))
            return NULL;
    w = reply_open(c->rq, 200);
    jw_array(w, action->members);
    for (int i = 0; i < n; i++)
        action_write(w, NULL,
                     &(struct execution_shown){ .execution = &list[i].execution, .own = list[i].own }, false);
    jw_end(w);
    view_pagination(w, total, &page, (uint64_t)n);
    return reply_close(w);
}
