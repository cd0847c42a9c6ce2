/* Requests that wait for the operator's approval. */
#ifndef OPERATOR_ADMIN_APPROVALS_H
#define OPERATOR_ADMIN_APPROVALS_H

#include "model/approval.h"
#include "model/wallet.h"
#include "operator/operator.h"

/* The terms to be approved: nothing else may be executed with the approval. */
struct approval_terms {
    struct approval approval;
    struct wallet wallet;
    const char *name, *text; /* of the execution: its kind, and what it would do */
};

/* Those that wait; in the arena, oldest first. */
const char *operator_list_approvals(const struct ctx *ctx, struct arena *a, const struct approval_terms **out,
                                    size_t *count);
/* Grants one, or denies it; a denial also takes back a grant that is not used yet. */
const char *operator_decide_approval(const struct ctx *ctx, struct arena *a, const char *approval,
                                     bool grant);

#endif
