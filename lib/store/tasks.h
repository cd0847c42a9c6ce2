/* Tasks, the messages that asked for them, and who is told about them. A message is done once: its row and
 * its task's come first, in one transaction, and what is done for it is committed together with the task's
 * answer. */
#ifndef STORE_TASKS_H
#define STORE_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "codec/hash.h"
#include "model/task.h"
#include "store/db.h"
#include "store/quotas.h"

struct task_message {
    uint8_t id[HASH_LEN];          /* of its messageId */
    uint8_t fingerprint[HASH_LEN]; /* of what it asks for */
    const char *body;              /* JSON */
};

/* ---- making ---- */

/* The agent's quotas (store/quotas.h), and which of them is full. */
struct task_room {
    uint64_t task_bytes, pushes;
    enum quota full; /* set where QUOTA_FULL is the outcome */
};
/* Writes a new task (id, agent_id, context_id, operation), its message, and its push (NULL: none), for `run`
 * to work on until the lease is over; sets t->seq. UNCHANGED if the message was there before; QUOTA_FULL. */
enum db_update tasks_add(struct db *db, struct task *t, const struct task_message *m,
                         const struct task_push *push, const struct uuid *run, unsigned lease_s,
                         struct task_room *room);
/* Another message for a task that asked for one. UNCHANGED if it does not ask any more or the message was
 * there before; QUOTA_FULL. */
enum db_update tasks_continue(struct db *db, const struct task *t, const struct task_message *m,
                              const struct uuid *run, unsigned lease_s, struct task_room *room);
/* Takes over a task whose run died. UNCHANGED if it did not. */
enum db_update tasks_resume(struct db *db, uint64_t seq, const struct uuid *run, unsigned lease_s);
/* The run has died: its lease ends now. */
bool tasks_release(struct db *db, uint64_t seq, const struct uuid *run);
/* Nothing was done, and the message may come again. */
bool tasks_undo(struct db *db, const struct task *t, const struct task_message *m, const struct uuid *run);

struct task_outcome {
    uint64_t seq;
    const struct uuid *run;
    enum task_state state;
    uint64_t execution_id; /* 0: none */
    const char *note;      /* or NULL */
    const char *answer;    /* JSON without secrets, of TASK_ANSWER_MAX bytes at most, or NULL */
};
/* Stores the result of the run, inside the transaction of the work. The last one counts. UNCHANGED if the run
 * has lost the task and may not commit. */
enum db_update tasks_keep(struct db *db, const struct task_outcome *o);
/* The same after the work, when nothing was kept. */
enum db_update tasks_end(struct db *db, const struct task_outcome *o);
/* Records the operator's decision about an execution, inside the decision's transaction: from now on its
 * tasks have state, note and answer of their own, in place of the execution's. */
bool tasks_of_execution_answer(struct db *db, const struct task_outcome *o);
/* Those that asked follow the execution again: it was carried on. */
bool tasks_of_execution_follow(struct db *db, uint64_t execution_id);
/* UNCHANGED if it cannot be cancelled. */
enum db_update tasks_cancel(struct db *db, uint64_t agent_id, uint64_t seq);

/* ---- reading ---- */

enum lookup tasks_get(struct db *db, struct arena *a, uint64_t agent_id, const struct uuid *id,
                      struct task *out);
/* The task of a message; *same: the message asked for the same. */
enum lookup tasks_by_message(struct db *db, struct arena *a, uint64_t agent_id, const struct task_message *m,
                             struct task *out, bool *same);
/* Bodies of its last messages, the oldest first. Returns how many. */
int tasks_messages(struct db *db, struct arena *a, uint64_t seq, unsigned max, const char **out);

struct task_filter {
    const char *context_id; /* NULL: any */
    enum task_state state;  /* 0: any */
    int64_t since_ms;       /* in its state since then or later; 0: any */
    int64_t before_ms;      /* the last of the page before; 0: the first page */
    uint64_t before_seq;
};
/* The newest state first; the total that the filter matches. Returns how many. */
int tasks_page(struct db *db, struct arena *a, uint64_t agent_id, const struct task_filter *f, unsigned max,
               struct task *out, uint64_t *total);

/* ---- pushes ---- */

enum { TASK_PUSHES_MAX = 8 /* of one task */ };

/* Under its config_id, in place of one that was there. UNCHANGED if the task has too many; QUOTA_FULL if the
 * agent has `limit` of them. */
enum db_update tasks_push_set(struct db *db, const struct task *t, const struct task_push *p, uint64_t limit);
/* In the order in which they were made. Returns how many. */
int tasks_pushes(struct db *db, struct arena *a, uint64_t task_seq,
                 struct task_push out[static TASK_PUSHES_MAX]);
enum db_update tasks_push_delete(struct db *db, uint64_t task_seq,
                                 const char *config_id); /* UNCHANGED if there is none */
/* Those of the tasks that follow the execution, unless they ended as a failure that was corrected since; or,
 * where `own` is not 0, that have this state of their own next to it. Returns how many. */
int tasks_pushes_of_execution(struct db *db, struct arena *a, uint64_t execution_id, enum task_state own,
                              struct task_push out[static TASK_PUSHES_MAX]);

/* ---- ending ---- */

/* Removes up to `max` expired rows of each kind. Returns the most that were removed of one. */
int64_t tasks_expire(struct db *db, uint64_t max);

#endif
