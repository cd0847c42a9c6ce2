/* Decisions on a request for the operator's approval: it is granted or denied, or its time runs out. Each is
 * one transaction with the waiting execution and its notifications. */
#ifndef POLICY_APPROVAL_DECISION_H
#define POLICY_APPROVAL_DECISION_H

#include "base/arena.h"
#include "base/err.h"
#include "model/approval.h"
#include "model/execution.h"
#include "store/db.h"
#include "store/executions.h"

/* By the operator: the agent may carry it out once, in time. UNCHANGED: it no longer waits. */
enum db_update approval_grant(struct db *db, struct arena *a, const struct approval *ap);

/* By the operator, also after a grant that is not used yet: its execution fails, with nothing signed.
 * UNCHANGED: it is used or over. */
enum db_update approval_deny(struct db *db, struct arena *a, const struct approval *ap);

/* Once its time has run out: its execution expires, which lists and webhooks show as failed. Does nothing
 * when it was used, or its time has not run out. */
void approval_lapse(struct db *db, struct arena *a, const struct execution *x);

/* Inside the execute transaction, after the execution's own rows: the grant that was taken is used. */
bool approval_used(struct db *db, const struct approval *ap);

/* ---- announcing it: defined above policies, in notify/approval_events.c, which knows webhooks and tasks
 * ---- */

struct approval_news {
    const struct approval *approval; /* as it is now */
    const char *why;
    const struct err *refusal;        /* NULL: the execution goes on waiting, for the agent now */
    const struct execution_move *end; /* of the execution, where it is refused; or NULL */
};
/* Inside the decision's transaction: the tasks that wait with it, then the agent's callback. */
MUST_CHECK bool approval_notify(struct db *db, struct arena *a, const struct approval_news *news);
/* Inside the transaction that uses it: from then on its tasks follow the execution. */
MUST_CHECK bool approval_notify_used(struct db *db, const struct approval *ap);

#endif
