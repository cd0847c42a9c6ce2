/* Who is told that a swap has moved. */
#ifndef EXEC_NOTIFY_H
#define EXEC_NOTIFY_H

#include "base/arena.h"
#include "store/db.h"
#include "store/executions.h"

/* Inside the transaction of the move: whoever follows the swap's task, and at its end the agent's callback,
 * whose event has the swap as it is after the move. */
bool execution_notify(struct db *db, struct arena *a, const struct execution_move *m);

#endif
