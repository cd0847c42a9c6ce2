#include "store/swaps.h"

#include "api/endpoints.h"
#include "api/idempotency.h"
#include "api/view.h"
#include "core/conf.h"
#include "model/agent.h"
#include "swap/execute.h"
#include "swap/view.h"

static struct reply *reply_executed(struct request *rq, const struct swap *s)
{
    const char *poll_url = arena_printf(rq->arena, "%s" V1 "/swap/status/%llu", rq->ctx->conf->base_url,
                                        (unsigned long long)s->id);

    return reply_json(rq, 200,
                      json_pack("{s:I, s:s, s:o, s:{s:s}}", "swap_id", (json_int_t)s->id, "status",
                                swap_status_text(s->status), "tx_hash",
                                view_text(s->has_tx_hash ? tx_hash_text(rq->arena, s->tx_hash) : NULL),
                                "tracking", "poll_url", poll_url));
}

/* Should the request die between its commit and its answer, the swap is found under its key. */
static int note_executed(void *rq, const struct swap *s)
{
    return idempotency_note(rq, reply_executed(rq, s), true);
}

struct reply *ep_swap_execute(struct request *rq, const void *arg)
{
    const struct swap_execute_in *in = arg;
    const struct commit_note note = { note_executed, rq };
    struct execution done;
    const struct err *e =
        swap_execute(rq->ctx, rq->arena, rq->agent, in->quote_id, in->wallet_address, &note, &done);

    if (e != NULL && done.lost_to_swap != 0)
        return reply_err_with(rq, e, json_pack("{s:I}", "swap_id", (json_int_t)done.lost_to_swap));
    if (e != NULL)
        return reply_err(rq, e);
    return reply_executed(rq, &done.swap);
}

struct reply *ep_swap_status(struct request *rq, const void *arg)
{
    struct swap s;
    struct swap_tx *txs;
    uint64_t id;
    bool sound = rq->captured != NULL && params_whole(&id, rq->captured);
    int found = sound ? swaps_get(rq->ctx->db, rq->arena, rq->agent->id, id, &s) : 0, n;

    (void)arg;
    if (found < 0)
        return NULL;
    if (found == 0)
        return reply_err(rq, &E_SWAP_NOT_FOUND);
    n = swaps_txs(rq->ctx->db, rq->arena, s.id, &txs);
    return n < 0 ? NULL : reply_json(rq, 200, swap_view(rq->arena, &s, txs, (unsigned)n));
}

/* What the list's filter matches, from the kept totals. */
static uint64_t total(const struct agent *a, enum swap_status listed)
{
    switch (listed) {
    case SWAP_PENDING:
        return a->swaps_pending;
    case SWAP_SUBMITTED:
        return a->swaps_submitted;
    case SWAP_COMPLETED:
        return a->swaps_completed;
    case SWAP_FAILED:
        return a->swaps_failed;
    case SWAP_PROCESSING:
    case SWAP_EXPIRED:
        break;
    }
    return a->swaps_pending + a->swaps_submitted + a->swaps_completed + a->swaps_failed;
}

struct reply *ep_swaps(struct request *rq, const void *arg)
{
    const struct swaps_in *in = arg;
    struct page page = { in->limit, in->offset };
    enum swap_status listed = (enum swap_status)0;
    struct swap *swaps = ARENA_ARRAY(rq->arena, struct swap, in->limit);
    json_t *list;
    int n;

    if (in->status != NULL && !swap_listed_parse(&listed, in->status))
        return NULL; /* the table let through what the model does not know */
    n = swaps_page(rq->ctx->db, rq->arena, rq->agent->id, listed, &page, swaps);
    if (n < 0)
        return NULL;
    list = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(list, swap_view_listed(rq->arena, &swaps[i]));
    return reply_json(rq, 200,
                      json_pack("{s:o, s:o}", "swaps", list, "pagination",
                                view_pagination(total(rq->agent, listed), &page, (uint64_t)n)));
}
