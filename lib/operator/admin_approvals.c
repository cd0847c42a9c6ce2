#include "operator/admin_approvals.h"

#include "exec/kind.h"
#include "policy/approval_decision.h"
#include "store/approvals.h"
#include "store/executions.h"
#include "store/wallets.h"

/* False when the agent was deleted meanwhile, or the database failed. */
static bool terms_read(const struct ctx *ctx, struct arena *a, const struct approval *ap,
                       struct approval_terms *out)
{
    const struct exec_kind *kind = exec_kind_of(ap->kind);
    struct execution x;
    struct execution_shown shown = { .execution = &x };

    out->approval = *ap;
    if (kind == NULL || executions_get(ctx->db, a, 0, ap->execution_id, &x) != LOOKUP_FOUND ||
        wallets_get(ctx->db, x.wallet_id, &out->wallet) != LOOKUP_FOUND ||
        !execution_own_read(ctx->db, a, &shown))
        return false;
    out->name = kind->name;
    out->text = kind->terms(a, &shown);
    return true;
}

const char *operator_list_approvals(const struct ctx *ctx, struct arena *a, const struct approval_terms **out,
                                    size_t *count)
{
    struct approval_terms *terms;
    struct approval *waiting;
    int n = approvals_waiting(ctx->db, a, &waiting);

    *count = 0;
    if (n < 0)
        return OPERATOR_DATABASE_FAILED;
    terms = ARENA_ARRAY(a, struct approval_terms, (size_t)n);
    for (int i = 0; i < n; i++)
        *count += terms_read(ctx, a, &waiting[i], &terms[*count]);
    *out = terms;
    return NULL;
}

const char *operator_decide_approval(const struct ctx *ctx, struct arena *a, const char *approval, bool grant)
{
    struct approval ap;
    struct uuid id;
    enum lookup found =
        approval_id_parse(&id, approval) ? approvals_get(ctx->db, a, 0, &id, &ap) : LOOKUP_NONE;
    enum db_update decided;

    if (found == LOOKUP_ERROR)
        return OPERATOR_DATABASE_FAILED;
    if (found == LOOKUP_NONE)
        return arena_printf(a, OPERATOR_NO_SUCH "request: %s", approval);
    decided = grant ? approval_grant(ctx->db, a, &ap) : approval_deny(ctx->db, a, &ap);
    if (decided == DB_ERROR)
        return OPERATOR_DATABASE_FAILED;
    return decided == UNCHANGED ? "it is decided, used or over already" : NULL;
}
