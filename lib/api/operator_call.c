#include "api/operator_call.h"

#include <string.h>

#include "api/endpoint/shapes.h"
#include "base/safe_text.h"
#include "model/operator_token.h"
#include "operator/audit.h"

const char *operator_reason_fault(const char *reason, const void *env)
{
    (void)env;
    return safe_text_ok(reason) ? NULL : "must be a line of text";
}

const struct param operator_reason_params[] = { PARAM_REASON(struct operator_reason_in), { 0 } };

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

const struct err *operator_call_note(struct api_call *c, const char *act, const char *first,
                                     const char *second, const char *reason)
{
    const char *const args[] = { first, second, NULL };
    const struct operator_order order = { act, args, reason, c->operator->name };

    return operator_call_err(c, operator_audit(c->ctx, c->arena, &order), NULL);
}

struct reply *operator_call_done(struct api_call *c, const char *what)
{
    struct json_writer *w = reply_open(c->rq, 200);

    jw_string(w, "done", what);
    return reply_close(w);
}
