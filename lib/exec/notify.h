/* The notifications that an execution has moved. Defined above the engine, in notify/execution_events.c,
 * which knows webhooks and tasks. */
#ifndef EXEC_NOTIFY_H
#define EXEC_NOTIFY_H

#include "base/arena.h"
#include "store/db.h"
#include "store/executions.h"

/* Inside the transaction of the moves, up to EXECUTIONS_AT_ONCE: notifies followers of the task that asked
 * for one, and at its end the agent's callback, whose event has the execution as it is after the move. */
MUST_CHECK bool executions_notify(struct db *db, struct arena *a, const struct execution_move *moves,
                                  size_t n);

#endif
