#include "exec/commit_approval.h"

#include "base/clock.h"
#include "codec/rand.h"
#include "policy/approval_decision.h"
#include "store/approvals.h"
#include "store/audit.h"
#include "store/executions.h"

enum { WAITING_MAX = 20, WHY_MAX = 300 };

enum lookup commit_approval_find(const struct ctx *ctx, struct arena *a, uint64_t agent_id, const char *text,
                                 struct approval *out)
{
    struct uuid id;

    return approval_id_parse(&id, text) ? approvals_get(ctx->db, a, agent_id, &id, out) : LOOKUP_NONE;
}

const struct err *commit_approval_usable(const struct approval *ap, struct commit_result *r)
{
    switch (ap->state) {
    case APPROVAL_WAITING:
        if (ap->expired)
            break;
        r->awaits = true;
        r->approval = ap->id;
        r->approval_expires_ms = ap->expires_ms;
        return NULL;
    case APPROVAL_GRANTED:
        return ap->expired ? &E_APPROVAL_EXPIRED : NULL;
    case APPROVAL_DENIED:
        return &E_APPROVAL_DENIED;
    case APPROVAL_USED:
        r->lost_to = ap->execution_id;
        return &E_APPROVAL_NOT_FOUND;
    case APPROVAL_LAPSED:
        break;
    }
    return &E_APPROVAL_EXPIRED;
}

const struct err *commit_approval_explain(struct commit *c, const struct err *e)
{
    struct commit_result now = { .lost_to = 0 };
    const struct err *state = NULL;
    struct approval ap;
    enum lookup found = approvals_get(c->ctx->db, c->arena, c->approved->agent_id, &c->approved->id, &ap);

    if (found == LOOKUP_NONE)
        return &E_APPROVAL_NOT_FOUND;
    if (found == LOOKUP_FOUND)
        state = commit_approval_usable(&ap, &now);
    c->out->lost_to = now.lost_to;
    if (state != NULL)
        return state;
    return e != NULL ? e : c->failure;
}

static bool audit_approval(struct db *db, const struct commit *c, const char *act,
                           const struct uuid *approval)
{
    char id[APPROVAL_ID_TEXT_LEN + 1];
    struct audit_act what = { .by = "agent", .act = act, .agent = &c->wallet->ref.agent };

    approval_id_text(id, approval);
    what.detail = arena_printf(c->arena, "{\"approval\":\"%s\",\"swap\":%llu}", id,
                               (unsigned long long)c->out->execution.id);
    return audit_write(db, &what);
}

static unsigned request_lifetime_s(const struct commit *c, int64_t now_ms)
{
    int64_t left =
        c->approvable_until_ms == 0 ? APPROVAL_LIFETIME_S : (c->approvable_until_ms - now_ms) / 1000;

    return left < 1 ? 1 : left < APPROVAL_LIFETIME_S ? (unsigned)left : APPROVAL_LIFETIME_S;
}

/* UNCHANGED: the agent was deleted meanwhile. */
static enum db_update store_request(struct db *db, struct commit *c, const struct err *why)
{
    struct commit_result *out = c->out;
    struct approval ap = { .agent_id = c->wallet->agent_id, .slippage = c->slippage };
    struct execution_move begun = { .kind = c->terms.kind,
                                    .agent_id = c->terms.agent_id,
                                    .to = EXEC_PENDING };
    int64_t now_ms = clock_ms();
    unsigned lifetime_s = request_lifetime_s(c, now_ms);
    enum db_update counted;

    out->execution = c->terms;
    out->execution.valid_until_ms = now_ms + lifetime_s * 1000LL;
    out->execution.has_approval = true;
    rand_bytes(out->execution.approval.bytes, sizeof out->execution.approval.bytes);
    if (!executions_add(db, &out->execution, lifetime_s))
        return DB_ERROR;
    begun.id = out->execution.id;
    counted = executions_count(db, &begun, 1);
    if (counted != UPDATED)
        return counted;
    ap.id = out->execution.approval;
    ap.execution_id = out->execution.id;
    ap.why = arena_strndup(c->arena, why->hint, WHY_MAX);
    if (!approvals_add(db, &ap) || !audit_approval(db, c, "approval.request", &ap.id))
        return DB_ERROR;
    out->awaits = true;
    out->approval = ap.id;
    out->approval_expires_ms = ap.expires_ms;
    return UPDATED;
}

enum tx_verdict commit_approval_request(struct db *db, struct commit *c, const struct err *why)
{
    int64_t waiting = approvals_count(db, c->wallet->agent_id);
    enum db_update stored;

    if (waiting >= WAITING_MAX) {
        c->refusal = &E_APPROVAL_COUNT;
        return TX_ROLLBACK;
    }
    stored = waiting < 0 ? DB_ERROR : store_request(db, c, why);
    if (stored == UNCHANGED) {
        c->refusal = &E_UNAUTHORIZED;
        return TX_ROLLBACK;
    }
    return stored == UPDATED ? TX_COMMIT : TX_FAILED;
}

bool commit_approval_used(struct db *db, const struct commit *c)
{
    return approval_used(db, c->approved) && audit_approval(db, c, "approval.use", &c->approved->id);
}
