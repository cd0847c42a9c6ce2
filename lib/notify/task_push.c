#include "notify/task_push.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/view.h"
#include "store/events.h"
#include "store/tasks.h"

json_t *task_status_json(enum task_version v, enum task_state s, int64_t since_ms)
{
    return json_pack("{s:s, s:o}", "state", task_state_text(v, s), "timestamp", view_time(since_ms));
}

static json_t *push_payload(const struct task_push *p, enum task_state s, int64_t now_ms)
{
    json_t *status = task_status_json(p->version, s, now_ms);
    char id[UUID_TEXT_LEN + 1];

    uuid_text(id, p->task_id);
    if (p->version == TASK_V03)
        return json_pack("{s:s, s:s, s:s, s:o}", "kind", "task", "id", id, "contextId", p->context_id,
                         "status", status);
    return json_pack("{s:{s:s, s:s, s:o}}", "statusUpdate", "taskId", id, "contextId", p->context_id,
                     "status", status);
}

static bool push_add_all(struct db *db, const struct task_push *pushes, int n, enum task_state s)
{
    int64_t now = clock_ms();

    for (int i = 0; i < n; i++) {
        json_t *body = push_payload(&pushes[i], s, now);
        char *text = body == NULL ? NULL : json_dumps(body, JSON_COMPACT);
        bool ok = text != NULL && events_add_push(db, pushes[i].agent_id, pushes[i].seq, text);

        free(text);
        json_decref(body);
        if (!ok)
            return false;
    }
    return n >= 0;
}

static bool push_of_execution(struct db *db, uint64_t execution_id, enum task_state own, enum task_state s)
{
    struct task_push pushes[TASK_PUSHES_MAX];
    struct arena *a = arena_new();
    bool ok = push_add_all(db, pushes, tasks_pushes_of_execution(db, a, execution_id, own, pushes), s);

    arena_free(a);
    return ok;
}

bool task_push_execution_moved(struct db *db, uint64_t execution_id, enum task_state s)
{
    return push_of_execution(db, execution_id, 0, s);
}

bool task_push_execution_answered(struct db *db, uint64_t execution_id, enum task_state s)
{
    return push_of_execution(db, execution_id, s, s);
}

bool task_push_moved(struct db *db, const struct task *t)
{
    struct task_push pushes[TASK_PUSHES_MAX];
    struct arena *a = arena_new();
    bool ok = push_add_all(db, pushes, tasks_pushes(db, a, t->seq, pushes), t->state);

    arena_free(a);
    return ok;
}
