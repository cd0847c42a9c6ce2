#include "notify/task_push.h"

#include "base/clock.h"
#include "store/events.h"
#include "store/tasks.h"

enum { PUSH_MAX = 4 * 1024 };

void task_status_write(struct json_writer *w, enum task_version v, enum task_state s, int64_t since_ms)
{
    jw_string(w, "state", task_state_text(v, s));
    jw_time(w, "timestamp", since_ms);
}

static const char *push_payload(struct arena *a, const struct task_push *p, enum task_state s, int64_t now_ms)
{
    bool v03 = p->version == TASK_V03;
    char id[UUID_TEXT_LEN + 1];
    struct json_writer w;

    uuid_text(id, p->task_id);
    jw_init(&w, a, PUSH_MAX);
    jw_object(&w, NULL);
    if (v03)
        jw_string(&w, "kind", "task");
    else
        jw_object(&w, "statusUpdate");
    jw_string(&w, v03 ? "id" : "taskId", id);
    jw_string(&w, "contextId", p->context_id);
    jw_object(&w, "status");
    task_status_write(&w, p->version, s, now_ms);
    jw_end(&w);
    if (!v03)
        jw_end(&w);
    jw_end(&w);
    return jw_finish(&w);
}

static bool push_add_all(struct db *db, struct arena *a, const struct task_push *pushes, int n,
                         enum task_state s)
{
    int64_t now = clock_ms();

    for (int i = 0; i < n; i++) {
        const char *body = push_payload(a, &pushes[i], s, now);

        if (body == NULL || !events_add_push(db, pushes[i].agent_id, pushes[i].seq, body))
            return false;
    }
    return n >= 0;
}

static bool push_of_execution(struct db *db, uint64_t execution_id, enum task_state own, enum task_state s)
{
    struct task_push pushes[TASK_PUSHES_MAX];
    struct arena *a = arena_new();
    bool ok = push_add_all(db, a, pushes, tasks_pushes_of_execution(db, a, execution_id, own, pushes), s);

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
    bool ok = push_add_all(db, a, pushes, tasks_pushes(db, a, t->seq, pushes), t->state);

    arena_free(a);
    return ok;
}
