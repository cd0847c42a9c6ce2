#include "store/idempotency_keys.h"

#include <string.h>

#include "store/quotas.h"

#define KEPT "INTERVAL 24 HOUR"

enum { ROW_BYTES = 256, RUN_BYTES = ROW_BYTES + IDEM_ANSWER_MAX };

static const char ADD[] =
    "INSERT IGNORE INTO idempotency (agent_id, scope, fingerprint, terms, lease_owner, lease_until,"
    " expires_at,"
    " bytes) VALUES (?, ?, ?, ?, ?, UTC_TIMESTAMP(3) + INTERVAL ? SECOND, UTC_TIMESTAMP(3) + " KEPT ", ?)";
static const char TAKE_OVER[] =
    "UPDATE idempotency SET fingerprint = ?, terms = ?, lease_owner = ?,"
    " lease_until = UTC_TIMESTAMP(3) + INTERVAL ? SECOND, status = NULL, body = NULL, bytes = ?,"
    " expires_at = UTC_TIMESTAMP(3) + " KEPT " WHERE agent_id = ? AND scope = ? AND lease_owner = ?"
    " AND lease_until <= UTC_TIMESTAMP(3) AND (expires_at <= UTC_TIMESTAMP(3) OR status IS NULL)";
static const char GO_ON[] =
    "UPDATE idempotency SET lease_owner = ?, lease_until = UTC_TIMESTAMP(3) + INTERVAL ? SECOND"
    " WHERE agent_id = ? AND scope = ? AND lease_owner = ? AND lease_until <= UTC_TIMESTAMP(3)";
static const char GET[] =
    "SELECT lease_until <= UTC_TIMESTAMP(3), expires_at <= UTC_TIMESTAMP(3), fingerprint, status, body,"
    " terms, lease_owner FROM idempotency WHERE agent_id = ? AND scope = ?";
static const char RECORD[] =
    "UPDATE idempotency SET status = ?, body = ?, bytes = ?, lease_until = UTC_TIMESTAMP(3) + INTERVAL ? "
    "SECOND,"
    " expires_at = UTC_TIMESTAMP(3) + " KEPT " WHERE agent_id = ? AND scope = ? AND lease_owner = ?";
static const char DROP[] =
    "DELETE FROM idempotency WHERE agent_id = ? AND scope = ? AND lease_owner = ? AND status IS NULL";
static const char RELEASE[] =
    "UPDATE idempotency SET lease_until = UTC_TIMESTAMP(3) WHERE agent_id = ? AND scope = ? AND"
    " lease_owner = ?"
    " AND lease_until > UTC_TIMESTAMP(3)";
static const char EXPIRE[] = "DELETE FROM idempotency WHERE expires_at <= UTC_TIMESTAMP(3) LIMIT ?";

static void bind_hash(struct stmt *st, const uint8_t hash[static HASH_LEN])
{
    bind_bytes(st, hash, HASH_LEN);
}

/* Terms are kept as a hash with the fingerprint next to them: an older program that takes the row over writes
 * its own fingerprint alone, and the terms of the run before it are no longer those of the row. */
static void terms_seal(uint8_t out[static HASH_LEN], const uint8_t fingerprint[static HASH_LEN],
                       const struct idem_run *run)
{
    uint8_t both[2 * HASH_LEN];

    memcpy(both, fingerprint, HASH_LEN);
    memcpy(both + HASH_LEN, run->terms, HASH_LEN);
    sha256(out, both, sizeof both);
}

/* `terms` must live until the statement is run. */
static void bind_request(struct stmt *st, const struct idem_run *run, uint8_t terms[static HASH_LEN])
{
    terms_seal(terms, run->fingerprint, run);
    bind_hash(st, run->fingerprint);
    bind_bytes(st, run->has_terms ? terms : NULL, HASH_LEN);
    bind_uuid(st, &run->owner);
}

static int64_t key_add(struct db *db, const struct idem_run *run, unsigned lease_s, const struct uuid *owner)
{
    struct stmt *st = db_prepare(db, ADD);
    uint8_t terms[HASH_LEN];

    (void)owner;
    bind_u64(st, run->agent_id);
    bind_hash(st, run->scope);
    bind_request(st, run, terms);
    bind_u64(st, lease_s);
    bind_u64(st, RUN_BYTES);
    return db_exec(st);
}

static int64_t take_over(struct db *db, const struct idem_run *run, unsigned lease_s,
                         const struct uuid *owner)
{
    struct stmt *st = db_prepare(db, TAKE_OVER);
    uint8_t terms[HASH_LEN];

    bind_request(st, run, terms);
    bind_u64(st, lease_s);
    bind_u64(st, RUN_BYTES);
    bind_u64(st, run->agent_id);
    bind_hash(st, run->scope);
    bind_uuid(st, owner);
    return db_exec(st);
}

struct take_job {
    int64_t (*write)(struct db *db, const struct idem_run *run, unsigned lease_s, const struct uuid *owner);
    const struct idem_run *run;
    const struct uuid *owner; /* of the run before */
    unsigned lease_s;
    uint64_t limit;
    bool taken; /* set anew by each run */
};

static enum tx_verdict take_tx(struct db *db, void *arg)
{
    struct take_job *job = arg;
    enum db_update room = quotas_room(db, job->run->agent_id, QUOTA_RECORD_BYTES, RUN_BYTES, job->limit);
    int64_t n;

    if (room != UPDATED)
        return room == DB_ERROR ? TX_FAILED : TX_ROLLBACK;
    n = job->write(db, job->run, job->lease_s, job->owner);
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

struct idem_row {
    bool over, expired, same;
    bool answered;
};

/* A record that an older program made is compared by the body alone. */
static bool row_is_of(struct stmt *st, const struct idem_run *run)
{
    uint8_t fingerprint[HASH_LEN], terms[HASH_LEN], kept[HASH_LEN];

    (void)col_fixed(st, 2, fingerprint, HASH_LEN);
    if (memcmp(fingerprint, run->fingerprint, HASH_LEN) == 0)
        return true;
    if (!run->has_terms || !col_fixed(st, 5, kept, HASH_LEN))
        return false;
    terms_seal(terms, fingerprint, run);
    return memcmp(kept, terms, HASH_LEN) == 0;
}

static enum lookup row_read(struct db *db, struct arena *a, const struct idem_run *run, struct idem_row *row,
                            struct idem_found *out)
{
    struct stmt *st = db_prepare(db, GET);
    enum lookup found;

    bind_u64(st, run->agent_id);
    bind_hash(st, run->scope);
    *out = (struct idem_found){ .running = false };
    found = db_one(st);
    if (found != LOOKUP_FOUND)
        return found;
    *row =
        (struct idem_row){ col_u64(st, 0) != 0, col_u64(st, 1) != 0, row_is_of(st, run), !col_null(st, 3) };
    if (row->answered)
        out->answer = (struct idem_answer){ (int)col_u64(st, 3), col_text(st, 4, a) };
    out->owner = col_uuid(st, 6);
    out->running = !row->over;
    return LOOKUP_FOUND;
}

enum idem_state idempotency_take(struct db *db, struct arena *a, const struct idem_run *run, unsigned lease_s,
                                 uint64_t limit, struct idem_found *out)
{
    struct take_job job = { key_add, run, &out->owner, lease_s, limit, false };
    struct idem_row row = { .over = false };

    switch (row_read(db, a, run, &row, out)) {
    case LOOKUP_ERROR:
        return IDEM_BROKEN;
    case LOOKUP_NONE:
        return key_take(db, job);
    case LOOKUP_FOUND:
        break;
    }
    job.write = take_over;
    if (row.over && (row.expired || (row.same && !row.answered)))
        return key_take(db, job);
    if (!row.same)
        return IDEM_OTHER;
    return row.over ? IDEM_RECORDED : IDEM_RUNNING;
}

enum db_update idempotency_go_on(struct db *db, const struct idem_run *run, const struct uuid *owner,
                                 unsigned lease_s)
{
    struct stmt *st = db_prepare(db, GO_ON);

    bind_uuid(st, &run->owner);
    bind_u64(st, lease_s);
    bind_u64(st, run->agent_id);
    bind_hash(st, run->scope);
    bind_uuid(st, owner);
    return db_change(st);
}

enum db_update idempotency_record(struct db *db, const struct idem_run *run, const struct idem_answer *answer,
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
    return key_end(db, DROP, run) && key_end(db, RELEASE, run);
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
