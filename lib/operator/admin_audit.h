/* The operator's orders in the audit log. */
#ifndef OPERATOR_ADMIN_AUDIT_H
#define OPERATOR_ADMIN_AUDIT_H

#include "operator/operator.h"

/* An order, its arguments (ending with NULL) and why it is given. */
struct operator_order {
    const char *act; /* the command of agentctl that does the same */
    const char *const *args;
    const char *reason; /* NULL: none */
    const char *token;  /* the name of the token that it came with; NULL: it was given at a shell */
};

/* Writes an order down before it is carried out, so that nothing can be done off the record. Ids of agents
 * are written as their digests, what is too long or not UTF-8 as its hash. */
const char *operator_audit(const struct ctx *ctx, struct arena *a, const struct operator_order *order);

/* The latest lines, newest first, of one agent or of all (NULL); at most `max`, in the arena. */
struct operator_audit_line {
    const char *host;
    const char *at, *by, *act;
    const char *token;  /* NULL: none; so the next two */
    const char *detail; /* JSON */
    const char *reason;
};
const char *operator_audit_lines(const struct ctx *ctx, struct arena *a, const char *agent, unsigned max,
                                 struct operator_audit_line **out, size_t *count);

#endif
