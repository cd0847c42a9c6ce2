/* What the operator has done to agents, for his command and whatever else he works with. Every order here
 * returns NULL when it was carried out, else one line that says why it was not: constant or in the arena.
 * Agents, policies and approvals are named by the ids that agents see. Recording an order (operator/audit.h)
 * is the caller's, before it gives the order. */
#ifndef OPERATOR_OPERATOR_H
#define OPERATOR_OPERATOR_H

#include "base/arena.h"
#include "service/ctx.h"

#define OPERATOR_DATABASE_FAILED "the database failed"

#endif
