/* The operator's orders in the audit log. */
#ifndef OPERATOR_AUDIT_H
#define OPERATOR_AUDIT_H

#include "operator/operator.h"

/* Writes down an order and its arguments (ending with NULL) before it is carried out, so that nothing can be
 * done off the record. `reason` may be NULL. Ids of agents are written as their digests, what is too long or
 * not UTF-8 as its hash.
 */
const char *operator_audit(const struct ctx *ctx, struct arena *a, const char *act, char *const *args,
                           const char *reason);

#endif
