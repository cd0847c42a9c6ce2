/* What becomes of a request for the operator's approval: he grants or denies it, or its time is over. Each is
 * one transaction with the swap that waits, the A2A tasks that wait with it, and the agent's event. */
#ifndef POLICY_APPROVAL_H
#define POLICY_APPROVAL_H

#include <jansson.h>

#include "base/arena.h"
#include "model/execution.h"
#include "model/policy.h"
#include "store/db.h"

/* As GET /approvals and events show it. New reference. */
json_t *approval_view(const struct approval *ap);

/* By the operator: the agent may execute the swap once, in time. 1, 0 it does not wait any more, -1 the
 * database failed. */
int approval_grant(struct db *db, struct arena *a, const struct approval *ap);

/* By the operator, also after granting it while it is not used: its swap is failed, with nothing signed. 1, 0
 * it is used or over, -1 the database failed. */
int approval_deny(struct db *db, struct arena *a, const struct approval *ap);

/* Its time is over: its swap is expired, which lists and webhooks know as failed. Does nothing when it was
 * used, or its time is not over. */
void approval_lapse(struct db *db, struct arena *a, const struct execution *s);

/* Inside the execute transaction, after the swap's own rows: the grant that was taken is used. */
bool approval_used(struct db *db, const struct approval *ap);

#endif
