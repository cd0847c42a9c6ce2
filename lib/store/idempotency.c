#include "store/idempotency.h"

#include "store/quotas.h"

#define KEPT "INTERVAL 24 HOUR"

enum { ROW_BYTES = 256, RUN_BYTES = ROW_BYTES + IDEM_ANSWER_MAX };

static const char ADD[] =
    "INSERT IGNORE INTO idempotency (agent_id, scope, fingerprint, owner, lease_until, expires_at, bytes)"
    " VALUES (?, ?, ?, ?, UTC_TIMESTAMP(3) + INTERVAL ? SECOND, UTC_TIMESTAMP(3) + " KEPT ", ?)";
static const char TAKE_OVER[] =
    "UPDATE idempotency SET fingerprint = ?, owner = ?, lease_until = UTC_TIMESTAMP(3) + INTERVAL ? SECOND,"
    " status = NULL, body = NULL, bytes = ?, expires_at = UTC_TIMESTAMP(3) + " KEPT
    " WHERE agent_id = ? AND scope = ?"
    " AND lease_until <= UTC_TIMESTAMP(3)"
    " AND (expires_at <= UTC_TIMESTAMP(3) OR (status IS NULL AND fingerprint = ?))";
static const char GET[] =
    "SELECT lease_until <= UTC_TIMESTAMP(3), expires_at <= UTC_TIMESTAMP(3), fingerprint = ?, status, body"
    " FROM idempotency WHERE agent_id = ? AND scope = ?";
static const char RECORD[] =
    "UPDATE idempotency SET status = ?, body = ?, bytes = ?, lease_until = UTC_TIMESTAMP(3) + INTERVAL ? "
    "SECOND,"
    " expires_at = UTC_TIMESTAMP(3) + " KEPT " WHERE agent_id = ? AND scope = ? AND owner = ?";
static const char DROP[] =
    "DELETE FROM idempotency WHERE agent_id = ? AND scope = ? AND owner = ? AND status IS NULL";
static const char RELEASE[] =
    "UPDATE idempotency SET lease_until = UTC_TIMESTAMP(3) WHERE agent_id = ? AND scope = ? AND owner = ?"
    " AND lease_until > UTC_TIMESTAMP(3)";
static const char EXPIRE[] = "DELETE FROM idempotency WHERE expires_at <= UTC_TIMESTAMP(3) LIMIT ?";

static void bind_hash(struct stmt *st, const uint8_t hash[static HASH_LEN])
{
    bind_bytes(st, hash, HASH_LEN);
}

static int64_t key_add(struct db *db, const struct idem_run *run, unsigned lease_s)
{
    struct stmt *st = db_prepare(db, ADD);

    bind_u64(st, run->agent_id);
    bind_hash(st, run->scope);
    bind_hash(st, run->fingerprint);
    bind_uuid(st, &run->owner);
    bind_u64(st, lease_s);
    bind_u64(st, RUN_BYTES);
    return db_exec(st);
}

static int64_t take_over(struct db *db, const struct idem_run *run, unsigned lease_s)
{
    struct stmt *st = db_prepare(db, TAKE_OVER);

    bind_hash(st, run->fingerprint);
    bind_uuid(st, &run->owner);
    bind_u64(st, lease_s);
    bind_u64(st, RUN_BYTES);
    bind_u64(st, run->agent_id);
    bind_hash(st, run->scope);
    bind_hash(st, run->fingerprint);
    return db_exec(st);
}

struct take_job {
    int64_t (*write)(struct db *db, const struct idem_run *run, unsigned lease_s);
    const struct idem_run *run;
    unsigned lease_s;
    uint64_t limit;
    bool taken; /* set anew by each run */
};

static enum tx_verdict take_tx(struct db *db, void *arg)
{
    struct take_job *job = arg;
    enum done room = quotas_room(db, job->run->agent_id, QUOTA_RECORD_BYTES, RUN_BYTES, job->limit);
    int64_t n;

    if (room != DONE)
        return room == DONE_FAILED ? TX_FAILED : TX_ROLLBACK;
    n = job->write(db, job->run, job->lease_s);
    job->taken = n == 1;
    return n < 0 ? TX_FAILED : TX_COMMIT;
}

/* Many that want one key at once wait for the agent's turn, where they cannot deadlock.
 */
static enum idem_state key_take(struct db *db, struct take_job job)
{
    switch (db_transact(db, take_tx, &job)) {
    case TX_DONE:
        return job.taken ? IDEM_BEGUN : IDEM_RUNNING; /* another run was first */
    case TX_REFUSED:
        return IDEM_FULL;
    case TX_BROKEN:
    case TX_UNKNOWN:
        break;
    }
    return IDEM_BROKEN;
}

enum idem_state idempotency_take(struct db *db, struct arena *a, const struct idem_run *run, unsigned lease_s,
                                 uint64_t limit, struct idem_answer *out)
{
    struct stmt *st = db_prepare(db, GET);
    bool over, same;
    enum found found;

    bind_hash(st, run->fingerprint);
    bind_u64(st, run->agent_id);
    bind_hash(st, run->scope);
    found = db_one(st);
    if (found == FOUND_FAILED)
        return IDEM_BROKEN;
    if (found == FOUND_NONE)
        return key_take(db, (struct take_job){ key_add, run, lease_s, limit, false });
    over = col_u64(st, 0) != 0;
    same = col_u64(st, 2) != 0;
    if (over && (col_u64(st, 1) != 0 || (same && col_null(st, 3))))
        return key_take(db, (struct take_job){ take_over, run, lease_s, limit, false });
    if (!same)
        return IDEM_OTHER;
    if (!over)
        return IDEM_RUNNING;
    out->status = (int)col_u64(st, 3);
    out->body = col_text(st, 4, a);
    return IDEM_RECORDED;
}

enum done idempotency_record(struct db *db, const struct idem_run *run, const struct idem_answer *answer,
                             unsigned hold_s)
{
    struct stmt *st = db_prepare(db, RECORD);

    bind_u64(st, (uint64_t)answer->status);
    bind_text(st, answer->body);
    bind_u64(st, ROW_BYTES + strlen(answer->body));
    bind_u64(st, hold_s);
    bind_u64(st, run->agent_id);
    bind_hash(st, run->scope);
    bind_uuid(st, &run->owner);
    return db_change(st);
}

static bool key_end(struct db *db, const char *statement, const struct idem_run *run)
{
    struct stmt *st = db_prepare(db, statement);

    bind_u64(st, run->agent_id);
    bind_hash(st, run->scope);
    bind_uuid(st, &run->owner);
    return db_exec(st) >= 0;
}

bool idempotency_drop(struct db *db, const struct idem_run *run)
{
    return key_end(db, DROP, run);
}

bool idempotency_release(struct db *db, const struct idem_run *run)
{
    return key_end(db, RELEASE, run);
}

int64_t idempotency_expire(struct db *db, uint64_t max)
{
    struct stmt *st = db_prepare(db, EXPIRE);

    bind_u64(st, max);
    return db_exec(st);
}
