#include "api/retry.h"

#include "api/admission/idempotency.h"
#include "model/agent.h"
#include "store/executions.h"

const struct err *retry_outcome(struct api_call *c, const struct err *e, struct commit_result *r)
{
    struct commit_result done = { .lost_to = 0 };

    if (e == NULL || r->lost_to == 0 || idempotency_approval(c) == NULL ||
        executions_get(c->ctx->db, c->arena, c->agent->id, r->lost_to, &done.execution) != LOOKUP_FOUND)
        return e;
    *r = done;
    return NULL;
}

bool retry_found_cancelled(struct api_call *c, const struct err *e, const struct err *not_open)
{
    return err_is(e, not_open) && idempotency_so_far(c) != NULL;
}
