#include "store/idempotency.h"

#define KEPT "INTERVAL 24 HOUR"

static const char ADD[] =
    "INSERT IGNORE INTO idempotency (agent_id, scope, fingerprint, owner, lease_until, expires_at) VALUES"
    " (?, ?, ?, ?, UTC_TIMESTAMP(3) + INTERVAL ? SECOND, UTC_TIMESTAMP(3) + " KEPT ")";
static const char TAKE_OVER[] =
    "UPDATE idempotency SET fingerprint = ?, owner = ?, lease_until = UTC_TIMESTAMP(3) + INTERVAL ? SECOND,"
    " status = NULL, body = NULL, expires_at = UTC_TIMESTAMP(3) + " KEPT " WHERE agent_id = ? AND scope = ?"
    " AND lease_until <= UTC_TIMESTAMP(3)"
    " AND (expires_at <= UTC_TIMESTAMP(3) OR (status IS NULL AND fingerprint = ?))";
static const char GET[] = "SELECT fingerprint = ?, lease_until > UTC_TIMESTAMP(3), status, body"
                          " FROM idempotency WHERE agent_id = ? AND scope = ?";
static const char RECORD[] =
    "UPDATE idempotency SET status = ?, body = ?, lease_until = UTC_TIMESTAMP(3) + INTERVAL ? SECOND,"
    " expires_at = UTC_TIMESTAMP(3) + " KEPT " WHERE agent_id = ? AND scope = ? AND owner = ?";
static const char DROP[] =
    "DELETE FROM idempotency WHERE agent_id = ? AND scope = ? AND owner = ? AND status IS NULL";
static const char EXPIRE[] = "DELETE FROM idempotency WHERE expires_at <= UTC_TIMESTAMP(3) LIMIT ?";

static void bind_hash(struct stmt *st, const uint8_t hash[static HASH_LEN])
{
    bind_bytes(st, hash, HASH_LEN);
}

static int64_t add(struct db *db, const struct idem_run *run, unsigned lease_s)
{
    struct stmt *st = db_prepare(db, ADD);

    bind_u64(st, run->agent_id);
    bind_hash(st, run->scope);
    bind_hash(st, run->fingerprint);
    bind_uuid(st, &run->owner);
    bind_u64(st, lease_s);
    return db_exec(st);
}

static int64_t take_over(struct db *db, const struct idem_run *run, unsigned lease_s)
{
    struct stmt *st = db_prepare(db, TAKE_OVER);

    bind_hash(st, run->fingerprint);
    bind_uuid(st, &run->owner);
    bind_u64(st, lease_s);
    bind_u64(st, run->agent_id);
    bind_hash(st, run->scope);
    bind_hash(st, run->fingerprint);
    return db_exec(st);
}

/* A row that vanished meanwhile belonged to a run that ended just now. */
static enum idem_state look(struct db *db, struct arena *a, const struct idem_run *run,
                            struct idem_answer *out)
{
    struct stmt *st = db_prepare(db, GET);
    int found;

    bind_hash(st, run->fingerprint);
    bind_u64(st, run->agent_id);
    bind_hash(st, run->scope);
    found = db_one(st);
    if (found <= 0)
        return found < 0 ? IDEM_BROKEN : IDEM_RUNNING;
    if (col_u64(st, 0) == 0)
        return IDEM_OTHER;
    if (col_u64(st, 1) != 0 || col_null(st, 2))
        return IDEM_RUNNING;
    out->status = (int)col_u64(st, 2);
    out->body = col_text(st, 3, a);
    return IDEM_RECORDED;
}

struct take_job {
    struct arena *arena;
    const struct idem_run *run;
    unsigned lease_s;
    struct idem_answer *out;
    enum idem_state state;
};

/* A transaction, because a key that is freed while many wait for it lets them run into a deadlock. */
static enum tx_verdict take_tx(struct db *db, void *arg)
{
    struct take_job *job = arg;
    int64_t taken = add(db, job->run, job->lease_s);

    if (taken == 0)
        taken = take_over(db, job->run, job->lease_s);
    if (taken < 0)
        return TX_FAILED;
    job->state = taken == 1 ? IDEM_BEGUN : look(db, job->arena, job->run, job->out);
    return job->state == IDEM_BROKEN ? TX_FAILED : TX_COMMIT;
}

enum idem_state idempotency_take(struct db *db, struct arena *a, const struct idem_run *run, unsigned lease_s,
                                 struct idem_answer *out)
{
    struct take_job job = { a, run, lease_s, out, IDEM_BROKEN };

    return db_transact(db, take_tx, &job) == TX_DONE ? job.state : IDEM_BROKEN;
}

int idempotency_record(struct db *db, const struct idem_run *run, const struct idem_answer *answer,
                       unsigned hold_s)
{
    struct stmt *st = db_prepare(db, RECORD);

    bind_u64(st, (uint64_t)answer->status);
    bind_text(st, answer->body);
    bind_u64(st, hold_s);
    bind_u64(st, run->agent_id);
    bind_hash(st, run->scope);
    bind_uuid(st, &run->owner);
    return (int)db_exec(st);
}

bool idempotency_drop(struct db *db, const struct idem_run *run)
{
    struct stmt *st = db_prepare(db, DROP);

    bind_u64(st, run->agent_id);
    bind_hash(st, run->scope);
    bind_uuid(st, &run->owner);
    return db_exec(st) >= 0;
}

int64_t idempotency_expire(struct db *db, uint64_t max)
{
    struct stmt *st = db_prepare(db, EXPIRE);

    bind_u64(st, max);
    return db_exec(st);
}
