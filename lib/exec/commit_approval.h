/* The operator's approval within a commit: it is asked for instead of signing, and used up when the execution
 * goes on. What becomes of it in between is policy/approval's. */
#ifndef EXEC_COMMIT_APPROVAL_H
#define EXEC_COMMIT_APPROVAL_H

#include "exec/commit.h"

/* The agent's, by the text of its id. */
enum lookup commit_approval_find(const struct ctx *ctx, struct arena *a, uint64_t agent_id, const char *text,
                                 struct approval *out);

/* NULL: it may be used, or with r->awaits still waits for the operator. Otherwise why it cannot be used. */
const struct err *commit_approval_usable(const struct approval *ap, struct commit_result *r);

/* commit_explain for an execution that goes on: an approval that is already used comes before every other
 * reason. */
const struct err *commit_approval_explain(struct commit *c, const struct err *e);

/* Inside the transaction: stores the execution and the request, for the reason `why`. */
enum tx_verdict commit_approval_request(struct db *db, struct commit *c, const struct err *why);

/* Inside the transaction, after the execution's own rows: c->approved is used up. */
bool commit_approval_used(struct db *db, const struct commit *c);

#endif
