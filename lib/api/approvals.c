#include "store/approvals.h"

#include "api/endpoints.h"
#include "api/view.h"
#include "model/agent.h"
#include "policy/approval.h"

struct reply *ep_approvals(struct api_call *c, const void *arg)
{
    const struct approvals_in *in = arg;
    struct page page = { in->limit, in->offset };
    struct approval *approvals = ARENA_ARRAY(c->arena, struct approval, in->limit);
    enum approval_state state = (enum approval_state)0;
    uint64_t total = 0;
    json_t *list;
    int n;

    if (in->status != NULL && !approval_state_parse(&state, in->status))
        return NULL; /* the table let through what the model does not know */
    n = approvals_page(c->ctx->db, c->arena, c->agent->id, state, &page, approvals, &total);
    if (n < 0)
        return NULL;
    list = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(list, approval_view(&approvals[i]));
    return reply_json(
        c->rq, 200,
        json_pack("{s:o, s:o}", "approvals", list, "pagination", view_pagination(total, &page, (uint64_t)n)));
}

struct reply *ep_approval(struct api_call *c, const void *arg)
{
    struct approval ap;
    struct uuid id;
    int found = c->captured != NULL && approval_id_parse(&id, c->captured)
                    ? approvals_get(c->ctx->db, c->arena, c->agent->id, &id, &ap)
                    : 0;

    (void)arg;
    if (found < 0)
        return NULL;
    if (found == 0)
        return reply_err(c->rq, err_hint(c->arena, &E_APPROVAL_NOT_FOUND, "GET /approvals lists yours"));
    return reply_json(c->rq, 200, json_pack("{s:o}", "approval", approval_view(&ap)));
}
