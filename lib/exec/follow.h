/* Following executions that are in flight to their end. This is the part of all families and venues: what is
 * due is claimed and asked about, all chains and venues at once; what was seen of it goes to the kind's
 * verdict; moves, settlement and corrections are recorded. */
#ifndef EXEC_FOLLOW_H
#define EXEC_FOLLOW_H

#include <stdbool.h>

#include "service/ctx.h"

/* Polls of what is due, until nothing more is; less once `stopping` says so. How many were looked at, or -1.
 */
int follow_due(const struct ctx *ctx, bool (*stopping)(void));

#endif
