#include "api/operator_call.h"

#include <string.h>

#include "api/endpoint/schemas.h"
#include "model/operator_token.h"
#include "operator/admin_audit.h"

const struct param operator_act_params[] = { PARAM_REASON, { 0 } };

/* clang-format off */
const struct schema operator_done_schema = { "Done", "It is carried out, and stands in the audit log", FIELDS {
    SUCCESS,
    { "done", TEXT("stopped"), "What was done" },
    END } };
/* clang-format on */

const struct err *operator_call_err(struct api_call *c, const char *problem, const struct err *missing)
{
    if (problem == NULL)
        return NULL;
    if (strcmp(problem, OPERATOR_DATABASE_FAILED) == 0)
        return c->endpoint->internal;
    if (missing != NULL && strncmp(problem, OPERATOR_NO_SUCH, strlen(OPERATOR_NO_SUCH)) == 0)
        return missing;
    return err_fmt(c->arena, &E_REFUSED, err_shown(c->arena, problem), NULL);
}

/* Writes the act down. NULL: it may be carried out. */
static const struct err *note(struct api_call *c, const struct operator_act *act, const char *target,
                              const struct operator_act_in *in)
{
    const char *const args[] = { target, in->to, NULL };
    const struct operator_order order = { act->name, args, in->reason, c->operator->name };
    const char *problem = act->known != NULL ? act->known(c->ctx, c->arena, target) : NULL;

    if (problem == NULL)
        problem = operator_audit(c->ctx, c->arena, &order);
    return operator_call_err(c, problem, act->missing);
}

static const char *run(struct api_call *c, const struct operator_act *act, const char *target, const char *to)
{
    return act->change != NULL ? act->change(c->ctx, c->arena, target, to)
                               : act->turn(c->ctx, c->arena, target, act->on);
}

static struct reply *done(struct api_call *c, const char *what)
{
    struct json_writer *w = reply_open(c->rq, 200);

    jw_string(w, "done", what);
    return reply_close(w);
}

struct reply *operator_act(struct api_call *c, const void *arg)
{
    const struct operator_act *act = c->endpoint->act;
    const char *target = act->target != NULL ? act->target : c->captured;
    const struct operator_act_in *in = arg;
    const struct err *e = note(c, act, target, in);

    if (e == NULL)
        e = operator_call_err(c, run(c, act, target, in->to), act->missing);
    if (e != NULL)
        return reply_err(c->rq, e);
    return act->answer != NULL ? act->answer(c, NULL) : done(c, act->done);
}
