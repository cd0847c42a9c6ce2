#include "store/tasks.h"

#include "model/execution.h"
#include "store/columns.h"
#include "store/quotas.h"
#include "store/states.h"

#define KEPT_MESSAGES "INTERVAL 7 DAY"
#define KEPT_TASKS    "INTERVAL 8 DAY" /* a task outlives its messages: what is remembered was done */

/* The bytes that a row counts for: its own columns, and after assignments of the texts their lengths. A task
 * in progress has room for an answer and a note. */
enum {
    TASK_BYTES = 640,
    MESSAGE_BYTES = 256,
    TASK_RUN_BYTES = TASK_BYTES + TASK_ANSWER_MAX + 4 * TASK_NOTE_MAX
};
#define BYTES "bytes = 640 + COALESCE(LENGTH(note), 0) + COALESCE(LENGTH(answer), 0)"

static const char ADD[] =
    "INSERT INTO tasks (id, agent_id, context_id, operation, state, lease_owner, lease_until, created_at,"
    " updated_at, bytes) VALUES (?, ?, ?, ?, " SQL_TASK_SUBMITTED
    ", ?, UTC_TIMESTAMP(3) + INTERVAL ? SECOND, UTC_TIMESTAMP(3),"
    " UTC_TIMESTAMP(3), ?)";
static const char ADD_MESSAGE[] =
    "INSERT IGNORE INTO task_messages (agent_id, task_seq, message, fingerprint, body, created_at, bytes)"
    " VALUES (?, ?, ?, ?, ?, UTC_TIMESTAMP(3), ?)";
static const char CONTINUE[] =
    "UPDATE tasks SET state = " SQL_TASK_SUBMITTED
    ", execution_id = NULL, operation = ?, note = NULL, answer = NULL, bytes = ?, lease_owner = "
    "?,"
    " lease_until = UTC_TIMESTAMP(3) + INTERVAL ? SECOND, updated_at = UTC_TIMESTAMP(3)"
    " WHERE seq = ? AND state = " SQL_TASK_INPUT_REQUIRED;
static const char RESUME[] =
    "UPDATE tasks SET lease_owner = ?, lease_until = UTC_TIMESTAMP(3) + INTERVAL ? SECOND"
    " WHERE seq = ? AND state = " SQL_TASK_SUBMITTED
    " AND execution_id IS NULL AND lease_until <= UTC_TIMESTAMP(3)";
static const char RELEASE[] = "UPDATE tasks SET lease_until = UTC_TIMESTAMP(3)"
                              " WHERE seq = ? AND lease_owner = ? AND state = " SQL_TASK_SUBMITTED
                              " AND lease_until > UTC_TIMESTAMP(3)";
static const char UNDO_TASK[] =
    "DELETE FROM tasks WHERE seq = ? AND lease_owner = ? AND state = " SQL_TASK_SUBMITTED;
static const char UNDO_STATE[] =
    "UPDATE tasks SET state = " SQL_TASK_INPUT_REQUIRED ", execution_id = ?, note = ?, answer = ?, " BYTES
    " WHERE seq = ? AND lease_owner = ? AND state = " SQL_TASK_SUBMITTED;
static const char UNDO_MESSAGE[] = "DELETE FROM task_messages WHERE agent_id = ? AND message = ?";
static const char KEEP[] =
    "UPDATE tasks SET state = ?, execution_id = ?, note = ?, answer = ?, " BYTES ","
    " updated_at = UTC_TIMESTAMP(3) WHERE seq = ? AND lease_owner = ? AND state <> " SQL_TASK_CANCELED;
static const char END[] =
    "UPDATE tasks SET state = ?, execution_id = ?, note = ?, answer = ?, " BYTES ","
    " updated_at = UTC_TIMESTAMP(3) WHERE seq = ? AND lease_owner = ? AND state = " SQL_TASK_SUBMITTED
    " AND execution_id IS NULL";
static const char CANCEL[] = "UPDATE tasks SET state = " SQL_TASK_CANCELED ", " BYTES
                             ", updated_at = UTC_TIMESTAMP(3) WHERE seq = ? AND agent_id = ?"
                             " AND (state = " SQL_TASK_INPUT_REQUIRED " OR (state = " SQL_TASK_SUBMITTED
                             " AND execution_id IS NULL AND lease_until <= UTC_TIMESTAMP(3)))";
/* The states of task_state_is_own. */
#define OWN_STATE "t.state IN (" SQL_TASK_INPUT_REQUIRED ", " SQL_TASK_REJECTED ", " SQL_TASK_CANCELED ")"
static const char ANSWER[] =
    "UPDATE tasks SET state = ?, note = ?, answer = ?, " BYTES ", updated_at = UTC_TIMESTAMP(3)"
    " WHERE execution_id = ? AND state NOT IN (" SQL_TASK_REJECTED ", " SQL_TASK_CANCELED ")";
static const char FOLLOW[] =
    "UPDATE tasks SET state = " SQL_TASK_WORKING ", note = NULL, answer = NULL, " BYTES ","
    " updated_at = UTC_TIMESTAMP(3) WHERE execution_id = ? AND state = " SQL_TASK_INPUT_REQUIRED;

/* A task that has ended stays as it is, though its execution was corrected. */
#define TOLD "IF(e.corrected, " SQL_FAILED ", e.status)"
/* Columns of task `t`, from column `i` of `st` on, with the time of its state and its execution's status, if
 * it has one. */
#define TASK(FIRST, NEXT, changed, status)                                                                   \
    FIRST("t.seq", t->seq = col_u64(st, i))                                                                  \
    NEXT("t.id", t->id = col_uuid(st, i))                                                                    \
    NEXT("t.agent_id", t->agent_id = col_u64(st, i))                                                         \
    NEXT("t.context_id", t->context_id = col_text(st, i, a))                                                 \
    NEXT("t.operation", t->operation = col_text(st, i, a))                                                   \
    NEXT("t.state", t->state = (enum task_state)col_u64(st, i))                                              \
    NEXT("t.execution_id", t->execution_id = col_u64(st, i))                                                 \
    NEXT("t.note", t->note = col_text(st, i, a))                                                             \
    NEXT("t.answer", t->answer = col_text(st, i, a))                                                         \
    NEXT("t.lease_until <= UTC_TIMESTAMP(3)", lease_over = col_u64(st, i) != 0)                              \
    NEXT("t.created_at", t->created_ms = col_ms(st, i))                                                      \
    NEXT(changed " AS changed", t->updated_ms = col_ms(st, i))                                               \
    NEXT(status, told = (enum exec_status)col_u64(st, i))

#define COLUMNS                                                                                              \
    TASK(FIRST_NAME, NEXT_NAME, "GREATEST(t.updated_at, COALESCE(e.updated_at, t.updated_at))", TOLD)
#define COLUMNS_ALONE TASK(FIRST_NAME, NEXT_NAME, "t.updated_at", "NULL")
static const char GET[] = "SELECT " COLUMNS " FROM tasks t LEFT JOIN executions e ON e.id = t.execution_id"
                          " WHERE t.id = ? AND t.agent_id = ?";
static const char BY_MESSAGE[] =
    "SELECT " COLUMNS ", m.fingerprint = ? FROM task_messages m JOIN tasks t ON t.seq = m.task_seq"
    " LEFT JOIN executions e ON e.id = t.execution_id WHERE m.agent_id = ? AND m.message = ?";
static const char MESSAGES[] =
    "SELECT body FROM (SELECT seq, body FROM task_messages WHERE task_seq = ? ORDER BY seq DESC LIMIT ?) m"
    " ORDER BY seq";

/* Tasks without an execution are in the order of an index; those with one are as many as the agent's
 * executions of a few days, and their state is read from there: by the statuses, as bits, that make it. */
#define WITHOUT_EXECUTION                                                                                    \
    "FROM tasks t FORCE INDEX (agent_changed) WHERE t.agent_id = ? AND t.execution_id IS NULL"               \
    " AND (? IS NULL OR t.context_id = ?) AND (? = 0 OR t.state = ?)"                                        \
    " AND t.updated_at >= COALESCE(?, TIMESTAMP'1000-01-01 00:00:00')"
#define MOVED "GREATEST(t.updated_at, e.updated_at)"
#define WITH_EXECUTION                                                                                       \
    "FROM tasks t FORCE INDEX (agent_changed) JOIN executions e ON e.id = t.execution_id"                    \
    " WHERE t.agent_id = ? AND t.execution_id > 0 AND (? IS NULL OR t.context_id = ?)"                       \
    " AND IF(" OWN_STATE ", ? IN (0, t.state), (? >> " TOLD ") & 1)"                                         \
    " AND " MOVED " >= COALESCE(?, TIMESTAMP'1000-01-01 00:00:00')"
#define BEFORE(time)                                                                                         \
    " AND " time " <= COALESCE(?, TIMESTAMP'9999-12-31 00:00:00') AND (" time                                \
    " < COALESCE(?, TIMESTAMP'9999-12-31 00:00:00')"                                                         \
    " OR t.seq < ?)"
static const char PAGE[] = "(SELECT " COLUMNS_ALONE " " WITHOUT_EXECUTION BEFORE("t.updated_at") //
    " ORDER BY t.updated_at DESC, t.seq DESC LIMIT ?) UNION ALL"
    " (SELECT " COLUMNS " " WITH_EXECUTION BEFORE(MOVED) //
    " ORDER BY changed DESC, t.seq DESC LIMIT ?)"
    " ORDER BY changed DESC, seq DESC LIMIT ?";
static const char TOTAL[] =
    "SELECT (SELECT COUNT(*) " WITHOUT_EXECUTION ") + (SELECT COUNT(*) " WITH_EXECUTION ")";

static const char PUSH_COUNT[] = "SELECT COUNT(*), CAST(COALESCE(SUM(config_id = ?), 0) AS UNSIGNED)"
                                 " FROM task_pushes WHERE task_seq = ?";
static const char PUSH_SET[] =
    "INSERT INTO task_pushes (agent_id, task_seq, config_id, version, url, scheme, headers, created_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3)) ON DUPLICATE KEY UPDATE version = VALUES(version),"
    " url = VALUES(url), scheme = VALUES(scheme), headers = VALUES(headers)";
/* Columns of push `p`. */
#define PUSH(FIRST, NEXT)                                                                                    \
    FIRST("p.seq", p->seq = col_u64(st, i))                                                                  \
    NEXT("p.agent_id", p->agent_id = col_u64(st, i))                                                         \
    NEXT("t.id", p->task_id = col_uuid(st, i))                                                               \
    NEXT("t.context_id", p->context_id = col_text(st, i, a))                                                 \
    NEXT("p.config_id", p->config_id = col_text(st, i, a))                                                   \
    NEXT("p.version", p->version = (enum task_version)col_u64(st, i))                                        \
    NEXT("p.url", p->url = col_text(st, i, a))                                                               \
    NEXT("p.scheme", p->scheme = col_text(st, i, a))                                                         \
    NEXT("p.headers", p->sealed_headers = col_bytes(st, i, a, &headers_len))

#define SELECT_PUSH                                                                                          \
    "SELECT " PUSH(FIRST_NAME, NEXT_NAME) " FROM tasks t JOIN task_pushes p ON p.task_seq = t.seq WHERE "
static const char PUSHES[] = SELECT_PUSH "t.seq = ? ORDER BY p.seq LIMIT 8";
static const char PUSHES_OF_EXECUTION[] = SELECT_PUSH
    "t.execution_id = ? AND IF(? = 0, NOT " OWN_STATE ", t.state = ?) AND NOT EXISTS"
    " (SELECT 1 FROM executions e WHERE e.id = t.execution_id AND e.corrected) ORDER BY p.seq LIMIT 8";
static const char PUSH_DELETE[] = "DELETE FROM task_pushes WHERE task_seq = ? AND config_id = ?";

static const char *const EXPIRE[] = {
    "DELETE FROM task_messages WHERE created_at < UTC_TIMESTAMP(3) - " KEPT_MESSAGES " LIMIT ?",
    "DELETE FROM task_pushes WHERE created_at < UTC_TIMESTAMP(3) - " KEPT_TASKS " LIMIT ?",
    "DELETE FROM tasks WHERE updated_at < UTC_TIMESTAMP(3) - " KEPT_TASKS " LIMIT ?",
};

/* ---- making ---- */

struct make_job {
    struct task *t;
    const struct task_message *m;
    const struct task_push *push;
    const struct uuid *run;
    unsigned lease_s;
    struct task_room *room;
};

static uint64_t message_bytes(const struct task_message *m)
{
    return MESSAGE_BYTES + strlen(m->body);
}

/* Whether the agent may store the message and its outcome; if not, sets the kind that is full. */
static enum db_update has_room(struct db *db, const struct make_job *job)
{
    struct task_room *room = job->room;
    uint64_t bytes = message_bytes(job->m) + TASK_RUN_BYTES;
    enum db_update fits =
        quotas_room(db, job->t->agent_id, room->full = QUOTA_TASK_BYTES, bytes, room->task_bytes);

    if (fits == UPDATED && job->push != NULL)
        fits = quotas_room(db, job->t->agent_id, room->full = QUOTA_PUSHES, 1, room->pushes);
    if (fits == UPDATED)
        room->full = QUOTAS;
    return fits;
}

static int64_t add_message(struct db *db, const struct make_job *job)
{
    struct stmt *st = db_prepare(db, ADD_MESSAGE);

    bind_u64(st, job->t->agent_id);
    bind_u64(st, job->t->seq);
    bind_bytes(st, job->m->id, HASH_LEN);
    bind_bytes(st, job->m->fingerprint, HASH_LEN);
    bind_text(st, job->m->body);
    bind_u64(st, message_bytes(job->m));
    return db_exec(st);
}

static bool write_push(struct db *db, const struct task *t, const struct task_push *p)
{
    struct stmt *st = db_prepare(db, PUSH_SET);

    bind_u64(st, t->agent_id);
    bind_u64(st, t->seq);
    bind_text(st, p->config_id);
    bind_u64(st, p->version);
    bind_text(st, p->url);
    bind_text(st, p->scheme);
    bind_bytes(st, p->sealed_headers, p->sealed_headers_len);
    return db_exec(st) >= 0;
}

static enum tx_verdict task_add_tx(struct db *db, void *arg)
{
    const struct make_job *job = arg;
    struct stmt *st;
    int64_t added;
    enum db_update fits = has_room(db, job);

    if (fits != UPDATED)
        return fits == DB_ERROR ? TX_FAILED : TX_ROLLBACK;
    st = db_prepare(db, ADD);
    bind_uuid(st, &job->t->id);
    bind_u64(st, job->t->agent_id);
    bind_text(st, job->t->context_id);
    bind_text(st, job->t->operation);
    bind_uuid(st, job->run);
    bind_u64(st, job->lease_s);
    bind_u64(st, TASK_RUN_BYTES);
    if (db_exec(st) != 1)
        return TX_FAILED;
    job->t->seq = db_insert_id(db);
    added = add_message(db, job);
    if (added != 1)
        return added < 0 ? TX_FAILED : TX_ROLLBACK;
    return job->push == NULL || write_push(db, job->t, job->push) ? TX_COMMIT : TX_FAILED;
}

static enum db_update task_outcome_of(enum tx_result r, bool full)
{
    return r == TX_DONE ? UPDATED : r == TX_REFUSED ? (full ? QUOTA_FULL : 0) : DB_ERROR;
}

enum db_update tasks_add(struct db *db, struct task *t, const struct task_message *m,
                         const struct task_push *push, const struct uuid *run, unsigned lease_s,
                         struct task_room *room)
{
    struct make_job job = { t, m, push, run, lease_s, room };
    enum tx_result r = db_transact(db, task_add_tx, &job);

    return task_outcome_of(r, room->full != QUOTAS);
}

static enum tx_verdict continue_tx(struct db *db, void *arg)
{
    const struct make_job *job = arg;
    struct stmt *st;
    int64_t n;
    enum db_update fits = has_room(db, job);

    if (fits != UPDATED)
        return fits == DB_ERROR ? TX_FAILED : TX_ROLLBACK;
    st = db_prepare(db, CONTINUE);
    bind_text(st, job->t->operation);
    bind_u64(st, TASK_RUN_BYTES);
    bind_uuid(st, job->run);
    bind_u64(st, job->lease_s);
    bind_u64(st, job->t->seq);
    n = db_exec(st);
    if (n == 1)
        n = add_message(db, job);
    return n < 0 ? TX_FAILED : n == 0 ? TX_ROLLBACK : TX_COMMIT;
}

enum db_update tasks_continue(struct db *db, const struct task *t, const struct task_message *m,
                              const struct uuid *run, unsigned lease_s, struct task_room *room)
{
    struct task copy = *t;
    struct make_job job = { &copy, m, NULL, run, lease_s, room };
    enum tx_result r = db_transact(db, continue_tx, &job);

    return task_outcome_of(r, room->full != QUOTAS);
}

bool tasks_release(struct db *db, uint64_t seq, const struct uuid *run)
{
    struct stmt *st = db_prepare(db, RELEASE);

    bind_u64(st, seq);
    bind_uuid(st, run);
    return db_exec(st) >= 0;
}

enum db_update tasks_resume(struct db *db, uint64_t seq, const struct uuid *run, unsigned lease_s)
{
    struct stmt *st = db_prepare(db, RESUME);

    bind_uuid(st, run);
    bind_u64(st, lease_s);
    bind_u64(st, seq);
    return db_change(st);
}

struct undo_job {
    const struct task *t;
    const struct task_message *m;
    const struct uuid *run;
};

/* A task that has other messages too goes on asking. */
static enum tx_verdict undo_tx(struct db *db, void *arg)
{
    const struct undo_job *job = arg;
    struct arena *a = arena_new();
    const char *bodies[2];
    int n = tasks_messages(db, a, job->t->seq, 2, bodies);
    struct stmt *st = db_prepare(db, n > 1 ? UNDO_STATE : UNDO_TASK);
    int64_t done;

    arena_free(a);
    if (n > 1) {
        bind_u64_or_null(st, job->t->execution_id);
        bind_text(st, job->t->note);
        bind_text(st, job->t->answer);
    }
    bind_u64(st, job->t->seq);
    bind_uuid(st, job->run);
    done = n < 0 ? -1 : db_exec(st);
    if (done != 1)
        return done < 0 ? TX_FAILED : TX_ROLLBACK;
    st = db_prepare(db, UNDO_MESSAGE);
    bind_u64(st, job->t->agent_id);
    bind_bytes(st, job->m->id, HASH_LEN);
    return db_exec(st) >= 0 ? TX_COMMIT : TX_FAILED;
}

bool tasks_undo(struct db *db, const struct task *t, const struct task_message *m, const struct uuid *run)
{
    struct undo_job job = { t, m, run };

    return db_transact(db, undo_tx, &job) == TX_DONE;
}

static enum db_update write_outcome(struct db *db, const char *sql, const struct task_outcome *o)
{
    struct stmt *st = db_prepare(db, sql);

    bind_u64(st, o->state);
    bind_u64_or_null(st, o->execution_id);
    bind_text(st, o->note);
    bind_text(st, o->answer);
    bind_u64(st, o->seq);
    bind_uuid(st, o->run);
    return db_change(st);
}

enum db_update tasks_keep(struct db *db, const struct task_outcome *o)
{
    return write_outcome(db, KEEP, o);
}

enum db_update tasks_end(struct db *db, const struct task_outcome *o)
{
    return write_outcome(db, END, o);
}

bool tasks_of_execution_answer(struct db *db, const struct task_outcome *o)
{
    struct stmt *st = db_prepare(db, ANSWER);

    bind_u64(st, o->state);
    bind_text(st, o->note);
    bind_text(st, o->answer);
    bind_u64(st, o->execution_id);
    return db_exec(st) >= 0;
}

bool tasks_of_execution_follow(struct db *db, uint64_t execution_id)
{
    struct stmt *st = db_prepare(db, FOLLOW);

    bind_u64(st, execution_id);
    return db_exec(st) >= 0;
}

enum db_update tasks_cancel(struct db *db, uint64_t agent_id, uint64_t seq)
{
    struct stmt *st = db_prepare(db, CANCEL);

    bind_u64(st, seq);
    bind_u64(st, agent_id);
    return db_change(st);
}

/* ---- reading ---- */

/* Returns the column behind the task's. */
static unsigned read_task(struct stmt *st, struct arena *a, struct task *t)
{
    enum exec_status told;
    bool lease_over;
    unsigned i = 0;

    *t = (struct task){ .seq = 0 };
    TASK(READ_FIRST, READ_NEXT, , )
    if (told != 0 && !task_state_is_own(t->state))
        t->state = task_state_of(told);
    t->idle = t->state == TASK_SUBMITTED && t->execution_id == 0 && lease_over;
    return i + 1;
}

enum lookup tasks_get(struct db *db, struct arena *a, uint64_t agent_id, const struct uuid *id,
                      struct task *out)
{
    struct stmt *st = db_prepare(db, GET);
    enum lookup found;

    bind_uuid(st, id);
    bind_u64(st, agent_id);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        (void)read_task(st, a, out);
    return found;
}

enum lookup tasks_by_message(struct db *db, struct arena *a, uint64_t agent_id, const struct task_message *m,
                             struct task *out, bool *same)
{
    struct stmt *st = db_prepare(db, BY_MESSAGE);
    enum lookup found;

    bind_bytes(st, m->fingerprint, HASH_LEN);
    bind_u64(st, agent_id);
    bind_bytes(st, m->id, HASH_LEN);
    found = db_one(st);
    if (found != LOOKUP_FOUND)
        return found;
    *same = col_u64(st, read_task(st, a, out)) != 0;
    return LOOKUP_FOUND;
}

int tasks_messages(struct db *db, struct arena *a, uint64_t seq, unsigned max, const char **out)
{
    struct stmt *st = db_prepare(db, MESSAGES);
    int n = 0;

    bind_u64(st, seq);
    bind_u64(st, max);
    if (!db_query(st))
        return -1;
    while (db_next(st))
        out[n++] = col_text(st, 0, a);
    return n;
}

static void bind_without_execution(struct stmt *st, uint64_t agent_id, const struct task_filter *f)
{
    bind_u64(st, agent_id);
    bind_ascii(st, f->context_id);
    bind_ascii(st, f->context_id);
    bind_u64(st, f->state);
    bind_u64(st, f->state);
    bind_ms(st, f->since_ms);
}

/* The statuses, as bits, of executions that make the state of their task; 0: any state. */
static uint64_t statuses_of(enum task_state state)
{
    uint64_t bits = 0;

    for (enum exec_status s = EXEC_PENDING; s <= EXEC_EXPIRED; s++)
        if (state == 0 || task_state_of(s) == state)
            bits |= (uint64_t)1 << s;
    return bits;
}

static void bind_with_execution(struct stmt *st, uint64_t agent_id, const struct task_filter *f)
{
    bind_u64(st, agent_id);
    bind_ascii(st, f->context_id);
    bind_ascii(st, f->context_id);
    bind_u64(st, f->state);
    bind_u64(st, statuses_of(f->state));
    bind_ms(st, f->since_ms);
}

static void bind_before(struct stmt *st, const struct task_filter *f, unsigned max)
{
    bind_ms(st, f->before_ms);
    bind_ms(st, f->before_ms);
    bind_u64(st, f->before_seq);
    bind_u64(st, max);
}

static bool tasks_total(struct db *db, uint64_t agent_id, const struct task_filter *f, uint64_t *total)
{
    struct stmt *st = db_prepare(db, TOTAL);

    bind_without_execution(st, agent_id, f);
    bind_with_execution(st, agent_id, f);
    if (db_one(st) != LOOKUP_FOUND)
        return false;
    *total = col_u64(st, 0);
    return true;
}

int tasks_page(struct db *db, struct arena *a, uint64_t agent_id, const struct task_filter *f, unsigned max,
               struct task *out, uint64_t *total)
{
    struct stmt *st;
    int n = 0;

    if (!tasks_total(db, agent_id, f, total))
        return -1;
    st = db_prepare(db, PAGE);
    bind_without_execution(st, agent_id, f);
    bind_before(st, f, max);
    bind_with_execution(st, agent_id, f);
    bind_before(st, f, max);
    bind_u64(st, max);
    if (!db_query(st))
        return -1;
    while (db_next(st))
        (void)read_task(st, a, &out[n++]);
    return n;
}

/* ---- pushes ---- */

struct push_job {
    const struct task *t;
    const struct task_push *p;
    uint64_t limit;
    bool full; /* set anew by each run */
};

static enum tx_verdict push_tx(struct db *db, void *arg)
{
    struct push_job *job = arg;
    enum db_update fits = quotas_room(db, job->t->agent_id, QUOTA_PUSHES, 1, job->limit);
    struct stmt *st;
    bool is_new;

    if (fits == DB_ERROR)
        return TX_FAILED;
    st = db_prepare(db, PUSH_COUNT);
    bind_ascii(st, job->p->config_id);
    bind_u64(st, job->t->seq);
    if (db_one(st) != LOOKUP_FOUND)
        return TX_FAILED;
    is_new = col_u64(st, 1) == 0;
    job->full = is_new && fits == UNCHANGED;
    if (job->full || (is_new && col_u64(st, 0) >= TASK_PUSHES_MAX))
        return TX_ROLLBACK;
    return write_push(db, job->t, job->p) ? TX_COMMIT : TX_FAILED;
}

enum db_update tasks_push_set(struct db *db, const struct task *t, const struct task_push *p, uint64_t limit)
{
    struct push_job job = { t, p, limit, false };
    enum tx_result r = db_transact(db, push_tx, &job);

    return task_outcome_of(r, job.full);
}

static void read_push(struct stmt *st, struct arena *a, struct task_push *p)
{
    size_t headers_len;
    unsigned i = 0;

    *p = (struct task_push){ .seq = 0 };
    PUSH(READ_FIRST, READ_NEXT)
    p->sealed_headers_len = (unsigned)headers_len;
}

static int read_pushes(struct stmt *st, struct arena *a, struct task_push *out)
{
    int n = 0;

    if (!db_query(st))
        return -1;
    while (db_next(st) && n < TASK_PUSHES_MAX)
        read_push(st, a, &out[n++]);
    return n;
}

int tasks_pushes(struct db *db, struct arena *a, uint64_t task_seq,
                 struct task_push out[static TASK_PUSHES_MAX])
{
    struct stmt *st = db_prepare(db, PUSHES);

    bind_u64(st, task_seq);
    return read_pushes(st, a, out);
}

int tasks_pushes_of_execution(struct db *db, struct arena *a, uint64_t execution_id, enum task_state own,
                              struct task_push out[static TASK_PUSHES_MAX])
{
    struct stmt *st = db_prepare(db, PUSHES_OF_EXECUTION);

    bind_u64(st, execution_id);
    bind_u64(st, own);
    bind_u64(st, own);
    return read_pushes(st, a, out);
}

enum db_update tasks_push_delete(struct db *db, uint64_t task_seq, const char *config_id)
{
    struct stmt *st = db_prepare(db, PUSH_DELETE);

    bind_u64(st, task_seq);
    bind_ascii(st, config_id);
    return db_change(st);
}

/* ---- ending ---- */

int64_t tasks_expire(struct db *db, uint64_t max)
{
    int64_t most = 0;

    for (size_t i = 0; i < sizeof EXPIRE / sizeof EXPIRE[0]; i++) {
        struct stmt *st = db_prepare(db, EXPIRE[i]);
        int64_t n;

        bind_u64(st, max);
        n = db_exec(st);
        if (n < 0)
            return -1;
        most = n > most ? n : most;
    }
    return most;
}
