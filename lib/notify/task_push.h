/* Push notifications: who asked about a task is told when it moves, in the words of the A2A version that was
 * used to ask. They travel through the outbox like webhooks. */
#ifndef NOTIFY_TASK_PUSH_H
#define NOTIFY_TASK_PUSH_H

#include "base/json_writer.h"
#include "model/task.h"
#include "store/db.h"

/* The status of a task without its message: the members "state" and "timestamp". */
void task_status_write(struct json_writer *w, enum task_version v, enum task_state s, int64_t since_ms);

/* Inside the transaction that moved the execution: pushes the tasks that go by it to their subscribers. */
bool task_push_execution_moved(struct db *db, uint64_t execution_id, enum task_state s);
/* The same for tasks of the execution that have this state of their own since now. */
bool task_push_execution_answered(struct db *db, uint64_t execution_id, enum task_state s);
/* The same for a task without an execution, which is in its state since now. */
bool task_push_moved(struct db *db, const struct task *t);

#endif
