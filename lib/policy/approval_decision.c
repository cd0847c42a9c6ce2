#include "policy/approval_decision.h"

#include "store/approvals.h"

/* The meaning of each decision for the execution. */
static const struct meaning {
    const char *why;
    const struct err *refusal; /* NULL: it goes on waiting, for the agent now */
    enum exec_status to;
} meanings[] = {
    [APPROVAL_GRANTED] = { "Approved: the same call with the approval_id carries it out", NULL,
                           EXEC_PENDING },
    [APPROVAL_DENIED] = { "The operator did not approve it; nothing was signed", &E_APPROVAL_DENIED,
                          EXEC_FAILED },
    [APPROVAL_LAPSED] = { "Not approved and executed in time; nothing was signed", &E_APPROVAL_EXPIRED,
                          EXEC_EXPIRED },
};

struct approval_decision {
    struct arena *arena;
    uint64_t execution_id, agent_id;
    enum exec_kind_id kind;
    enum approval_state to;
    /* set anew by each run */
    struct approval was;
    bool gone; /* with its agent, while its execution is left */
};

/* Only the process that changes the approval's state may go on. UNCHANGED: another process did. */
static enum db_update approval_move(struct db *db, struct approval_decision *d)
{
    enum lookup found = approvals_of_execution(db, d->arena, d->execution_id, &d->was);

    if (found == LOOKUP_ERROR)
        return DB_ERROR;
    d->gone = found == LOOKUP_NONE && d->to == APPROVAL_LAPSED;
    if (found == LOOKUP_NONE)
        return d->gone ? UPDATED : UNCHANGED;
    return approvals_move(db, &d->was, d->to);
}

static bool execution_end(struct db *db, const struct approval_decision *d, const struct execution_move *end)
{
    enum db_update moved = executions_move(db, end, 1);

    if (moved == DB_ERROR || executions_settle(db, &d->execution_id, 1, 0, FOLLOW_NOT) == DB_ERROR)
        return false;
    return moved == UNCHANGED || executions_count(db, end, 1) != DB_ERROR;
}

static bool decision_notify(struct db *db, const struct approval_decision *d,
                            const struct execution_move *end)
{
    const struct meaning *m = &meanings[d->to];
    struct approval now;
    const struct approval_news news = { &now, m->why, m->refusal, end };

    return d->gone || (approvals_of_execution(db, d->arena, d->execution_id, &now) == LOOKUP_FOUND &&
                       approval_notify(db, d->arena, &news) && approvals_count_move(db, &d->was, d->to));
}

static enum tx_verdict decide_tx(struct db *db, void *arg)
{
    struct approval_decision *d = arg;
    const struct meaning *m = &meanings[d->to];
    const struct execution_move end = { .id = d->execution_id,
                                        .kind = d->kind,
                                        .agent_id = d->agent_id,
                                        .from = EXEC_PENDING,
                                        .to = m->to,
                                        .why = m->why,
                                        .error_code = m->refusal != NULL ? m->refusal->code : NULL,
                                        .error_message = m->why };
    bool ends = m->refusal != NULL;
    enum db_update moved = approval_move(db, d);

    if (moved != UPDATED)
        return moved == DB_ERROR ? TX_FAILED : TX_ROLLBACK;
    if (ends && !execution_end(db, d, &end))
        return TX_FAILED;
    return decision_notify(db, d, ends ? &end : NULL) ? TX_COMMIT : TX_FAILED;
}

static enum db_update approval_decide(struct db *db, struct approval_decision d)
{
    return db_outcome(db_transact(db, decide_tx, &d));
}

static struct approval_decision decision_on(struct arena *a, const struct approval *ap,
                                            enum approval_state to)
{
    return (struct approval_decision){
        .arena = a, .execution_id = ap->execution_id, .agent_id = ap->agent_id, .kind = ap->kind, .to = to
    };
}

enum db_update approval_grant(struct db *db, struct arena *a, const struct approval *ap)
{
    return approval_decide(db, decision_on(a, ap, APPROVAL_GRANTED));
}

enum db_update approval_deny(struct db *db, struct arena *a, const struct approval *ap)
{
    return approval_decide(db, decision_on(a, ap, APPROVAL_DENIED));
}

void approval_lapse(struct db *db, struct arena *a, const struct execution *x)
{
    const struct approval its = { .execution_id = x->id, .agent_id = x->agent_id, .kind = x->kind };

    if (x->status == EXEC_PENDING)
        (void)approval_decide(
            db, decision_on(a, &its, APPROVAL_LAPSED)); /* the follower comes back when it failed */
}

bool approval_used(struct db *db, const struct approval *ap)
{
    return approval_notify_used(db, ap) && approvals_count_move(db, ap, APPROVAL_USED);
}
