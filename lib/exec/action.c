#include "exec/action.h"

#include "exec/commit_approval.h"
#include "store/executions.h"
#include "store/wallets.h"

static const struct err *plan_and_commit(const struct action *action, struct action_op *op, struct commit *c)
{
    const struct err *e = action->plan(op, c);

    if (e != NULL)
        return commit_explain(c, e);
    c->terms.kind = op->kind;
    c->terms.once = op->once;
    if ((e = commit_run(c)) != NULL)
        return e;
    commit_send(c);
    return NULL;
}

/* Its execution, as it is stored, and whether it may go on: without a refusal and with c->out->awaits it
 * still waits. */
static const struct err *find_approved(struct action_op *op, struct commit *c, const char *approval_id,
                                       struct approval *ap)
{
    enum lookup found = commit_approval_find(op->ctx, op->arena, op->agent->id, approval_id, ap);

    if (found != LOOKUP_FOUND || ap->kind != op->kind)
        return found == LOOKUP_ERROR ? c->failure : &E_APPROVAL_NOT_FOUND;
    if (executions_get(op->ctx->db, op->arena, op->agent->id, ap->execution_id, &c->out->execution) !=
        LOOKUP_FOUND)
        return c->failure;
    c->approved = ap;
    c->slippage = ap->slippage;
    op->once = c->out->execution.once;
    return commit_approval_usable(ap, c->out);
}

static const struct err *resume(const struct action *action, struct action_op *op, struct commit *c)
{
    const struct execution *x = &c->out->execution;
    const struct err *e = action->resume(op, x);

    if (e == NULL && wallets_get(op->ctx->db, x->wallet_id, &op->wallet) != LOOKUP_FOUND)
        e = c->failure;
    return e != NULL ? commit_explain(c, e) : plan_and_commit(action, op, c);
}

const struct err *action_start(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                               enum exec_kind_id kind, const void *asked, const struct commit_note *note,
                               struct commit_result *out)
{
    const struct action *action = exec_kind_of(kind)->action;
    const char *approval_id = ((const struct action_asked *)asked)->approval_id;
    struct action_op *op = arena_alloc(a, action->op_size);
    struct commit c = { .ctx = ctx,
                        .arena = a,
                        .wallet = &op->wallet,
                        .plan = &op->plan,
                        .hooks = action->hooks,
                        .market = op,
                        .failure = action->failure,
                        .note = note,
                        .out = out };
    struct approval ap;
    const struct err *e;

    *out = (struct commit_result){ .lost_to = 0 };
    *op = (struct action_op){ .ctx = ctx, .arena = a, .agent = agent, .kind = kind, .once = uuid_random() };
    if (approval_id != NULL) {
        if ((e = find_approved(op, &c, approval_id, &ap)) != NULL || out->awaits)
            return e;
        e = resume(action, op, &c);
    } else {
        e = action->begin(op, asked);
        if (e == NULL)
            e = plan_and_commit(action, op, &c);
    }
    return e == NULL || action->explain == NULL ? e : action->explain(op, &c, e);
}

enum lookup action_get(const struct ctx *ctx, struct arena *a, uint64_t agent_id, const struct action *action,
                       uint64_t id, struct execution *out)
{
    enum lookup found = executions_get(ctx->db, a, agent_id, id, out);

    return found == LOOKUP_FOUND && exec_kind_of(out->kind)->action != action ? LOOKUP_NONE : found;
}
