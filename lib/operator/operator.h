/* The operator's orders, for agentctl and other tools of the operator. Each returns NULL when it was carried
 * out, else one line that says why it was not, constant or in the arena. Agents, policies and approvals are
 * named by the ids that agents see. The caller records an order (operator/admin_audit.h) before it gives it.
 */
#ifndef OPERATOR_OPERATOR_H
#define OPERATOR_OPERATOR_H

#include "base/arena.h"
#include "service/ctx.h"

#define OPERATOR_DATABASE_FAILED "the database failed"
#define OPERATOR_NO_SUCH         "no such " /* what a problem with an unknown id or name begins with */

#endif
