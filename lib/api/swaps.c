#include "store/executions.h"
#include "store/transactions.h"

#include "api/admission/idempotency.h"
#include "api/endpoints.h"
#include "api/view.h"
#include "model/agent.h"
#include "model/policy.h"
#include "service/conf.h"
#include "swap/execute.h"
#include "swap/view.h"

/* 202 while the operator has to approve it first. */
static struct reply *reply_awaits(struct api_call *c, const struct execute_result *e)
{
    char id[APPROVAL_ID_TEXT_LEN + 1];

    approval_id_text(id, &e->approval);
    return reply_json(c->rq, 202,
                      json_pack("{s:s, s:s, s:o, s:I}", "status", "pending_approval", "approval_id", id,
                                "expires_at", view_time(e->approval_expires_ms), "swap_id",
                                (json_int_t)e->swap.id));
}

static struct reply *reply_executed(struct api_call *c, const struct execute_result *e)
{
    const struct execution *s = &e->swap;
    const char *poll_url = arena_printf(c->arena, "%s" V1 "/swap/status/%llu", c->ctx->conf->base_url,
                                        (unsigned long long)s->id);

    if (e->awaits)
        return reply_awaits(c, e);
    return reply_json(c->rq, 200,
                      json_pack("{s:I, s:s, s:o, s:{s:s}}", "swap_id", (json_int_t)s->id, "status",
                                exec_status_text(s->status), "tx_hash",
                                view_text(s->has_tx_hash ? tx_hash_text(c->arena, s->tx_hash) : NULL),
                                "tracking", "poll_url", poll_url));
}

/* Should the request die between its commit and its answer, the swap is found under its key. */
static int note_executed(void *c, const struct execute_result *e)
{
    return idempotency_note(c, reply_executed(c, e), true);
}

static const struct err *execute(struct api_call *c, const struct swap_execute_in *in,
                                 struct execute_result *out)
{
    const struct commit_note note = { note_executed, c };
    const struct ppm max_impact = { in->max_impact };

    *out = (struct execute_result){ .lost_to_swap = 0 };
    if (in->approval_id != NULL)
        return swap_execute_approved(c->ctx, c->arena, c->agent, in->approval_id, max_impact, &note, out);
    if (in->quote_id == NULL || *in->quote_id == '\0')
        return err_on(c->arena, &E_QUOTE_ID_REQUIRED, "quote_id");
    return swap_execute(c->ctx, c->arena, c->agent, in->quote_id, in->wallet_address, max_impact, &note, out);
}

/* Whoever lost the answer 202 is told what his swap waits for. */
static struct reply *reply_lost(struct api_call *c, const struct err *e, uint64_t execution_id)
{
    json_t *extra = json_pack("{s:I}", "swap_id", (json_int_t)execution_id);
    char id[APPROVAL_ID_TEXT_LEN + 1];
    struct execution s;

    if (executions_get(c->ctx->db, c->arena, c->agent->id, execution_id, &s) == 1 && s.has_approval &&
        s.status == EXEC_PENDING) {
        approval_id_text(id, &s.approval);
        json_object_set_new(extra, "approval_id", json_string(id));
    }
    return reply_err_with(c->rq, e, extra);
}

struct reply *ep_swap_execute(struct api_call *c, const void *arg)
{
    struct execute_result done;
    const struct err *e = execute(c, arg, &done);

    if (e != NULL && done.lost_to_swap != 0)
        return reply_lost(c, e, done.lost_to_swap);
    return e != NULL ? reply_err(c->rq, e) : reply_executed(c, &done);
}

struct reply *ep_swap_status(struct api_call *c, const void *arg)
{
    struct execution s;
    struct transaction *txs;
    uint64_t id;
    bool sound = c->captured != NULL && params_whole(&id, c->captured);
    int found = sound ? executions_get(c->ctx->db, c->arena, c->agent->id, id, &s) : 0, n;

    (void)arg;
    if (found < 0)
        return NULL;
    if (found == 0)
        return reply_err(c->rq, &E_SWAP_NOT_FOUND);
    n = transactions_of(c->ctx->db, c->arena, s.id, &txs);
    return n < 0 ? NULL : reply_json(c->rq, 200, swap_view(c->arena, &s, txs, (unsigned)n));
}

/* What the list's filter matches, from the kept totals. */
static uint64_t total(const struct agent *a, enum exec_status listed)
{
    switch (listed) {
    case EXEC_PENDING:
        return a->swaps_pending;
    case EXEC_SUBMITTED:
        return a->swaps_submitted;
    case EXEC_COMPLETED:
        return a->swaps_completed;
    case EXEC_FAILED:
        return a->swaps_failed;
    case EXEC_PROCESSING:
    case EXEC_EXPIRED:
        break;
    }
    return a->swaps_pending + a->swaps_submitted + a->swaps_completed + a->swaps_failed;
}

struct reply *ep_swaps(struct api_call *c, const void *arg)
{
    const struct swaps_in *in = arg;
    struct page page = { in->limit, in->offset };
    enum exec_status listed = (enum exec_status)0;
    struct execution *swaps = ARENA_ARRAY(c->arena, struct execution, in->limit);
    json_t *list;
    int n;

    if (in->status != NULL && !exec_listed_parse(&listed, in->status))
        return NULL; /* the table let through what the model does not know */
    n = executions_page(c->ctx->db, c->arena, c->agent->id, listed, &page, swaps);
    if (n < 0)
        return NULL;
    list = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(list, swap_view_listed(c->arena, &swaps[i]));
    return reply_json(c->rq, 200,
                      json_pack("{s:o, s:o}", "swaps", list, "pagination",
                                view_pagination(total(c->agent, listed), &page, (uint64_t)n)));
}
