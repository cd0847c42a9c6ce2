#include "store/upstream_cache.h"

#include <string.h>

#include "store/columns.h"

static const char GET[] = "SELECT IF(made_at > UTC_TIMESTAMP(3) - INTERVAL ? MICROSECOND, answer, NULL),"
                          " lease_until IS NOT NULL AND lease_until > UTC_TIMESTAMP(3),"
                          " GREATEST(TIMESTAMPDIFF(MICROSECOND, made_at, UTC_TIMESTAMP(3)) DIV 1000, 0)"
                          " FROM upstream_cache WHERE cache_key = ?";
static const char LAST[] = "SELECT cache_key, answer, made_at, UTC_TIMESTAMP(3) FROM upstream_cache"
                           " WHERE cache_key IN (" VALUES_4 ", ?) AND answer IS NOT NULL";
static const char ADD[] = "INSERT IGNORE INTO upstream_cache (cache_key, lease_owner, lease_until, used_at)"
                          " VALUES (?, ?, UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND, UTC_TIMESTAMP(3))";
static const char ASK[] =
    "UPDATE upstream_cache SET lease_owner = ?, lease_until = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND,"
    " used_at = UTC_TIMESTAMP(3) WHERE cache_key = ?"
    " AND (lease_until IS NULL OR lease_until <= UTC_TIMESTAMP(3))"
    " AND (made_at IS NULL OR made_at <= UTC_TIMESTAMP(3) - INTERVAL ? MICROSECOND)";
static const char PUT[] =
    "UPDATE upstream_cache SET answer = ?, made_at = UTC_TIMESTAMP(3), lease_owner = NULL, lease_until = NULL"
    " WHERE cache_key = ? AND lease_owner = ?";
static const char NOTE[] = "INSERT INTO upstream_cache (cache_key, answer, made_at, used_at)"
                           " VALUES (?, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3)) ON DUPLICATE KEY UPDATE"
                           " answer = VALUES(answer), made_at = VALUES(made_at), used_at = VALUES(used_at)";
static const char DROP[] =
    "UPDATE upstream_cache SET lease_owner = NULL, lease_until = NULL WHERE cache_key = ? AND lease_owner"
    " = ?";
static const char PURGE[] =
    "DELETE FROM upstream_cache WHERE used_at < UTC_TIMESTAMP(3) - INTERVAL 1 HOUR LIMIT ?";

static uint64_t micro(unsigned ms)
{
    return (uint64_t)ms * 1000;
}

/* Whether this asker is the one who asks now; -1: the database failed. */
static int64_t ask(struct db *db, bool known, const uint8_t question[static HASH_LEN], unsigned life_ms,
                   unsigned lease_ms, const struct uuid *asker)
{
    struct stmt *st = db_prepare(db, known ? ASK : ADD);

    if (!known)
        bind_bytes(st, question, HASH_LEN);
    bind_uuid(st, asker);
    bind_u64(st, micro(lease_ms));
    if (known) {
        bind_bytes(st, question, HASH_LEN);
        bind_u64(st, micro(life_ms));
    }
    return db_exec(st);
}

enum upstream_answer upstream_cache_take(struct db *db, struct arena *a,
                                         const uint8_t question[static HASH_LEN], unsigned life_ms,
                                         unsigned lease_ms, const struct uuid *asker, const char **text,
                                         unsigned *age_ms)
{
    struct stmt *st = db_prepare(db, GET);
    enum lookup found;
    int64_t mine;

    bind_u64(st, micro(life_ms));
    bind_bytes(st, question, HASH_LEN);
    found = db_one(st);
    if (found == LOOKUP_ERROR)
        return ANSWER_FAILED;
    if (found == LOOKUP_FOUND && !col_null(st, 0)) {
        *text = col_text(st, 0, a);
        *age_ms = (unsigned)col_u64(st, 2);
        return ANSWER_CACHED;
    }
    if (found == LOOKUP_FOUND && col_u64(st, 1) != 0)
        return ANSWER_ASKED;
    mine = ask(db, found == LOOKUP_FOUND, question, life_ms, lease_ms, asker);
    return mine < 0 ? ANSWER_FAILED : mine == 1 ? ANSWER_MINE : ANSWER_ASKED;
}

static void read_last(struct stmt *st, struct arena *a, struct upstream_last *list, size_t n)
{
    uint8_t question[HASH_LEN];

    (void)col_fixed(st, 0, question, sizeof question);
    for (struct upstream_last *l = list; l < list + n; l++)
        if (memcmp(l->question, question, sizeof question) == 0) {
            l->text = col_text(st, 1, a);
            l->made_ms = col_ms(st, 2);
        }
}

bool upstream_cache_last(struct db *db, struct arena *a, struct upstream_last *list, size_t n,
                         int64_t *now_ms)
{
    struct stmt *st = db_prepare(db, LAST);

    *now_ms = 0;
    for (size_t i = 0; i < UPSTREAM_LAST_MAX; i++)
        bind_bytes(st, i < n ? list[i].question : NULL, HASH_LEN);
    if (!db_query(st))
        return false;
    while (db_next(st)) {
        read_last(st, a, list, n);
        *now_ms = col_ms(st, 3);
    }
    return true;
}

enum db_update upstream_cache_put(struct db *db, const uint8_t question[static HASH_LEN],
                                  const struct uuid *asker, const char *text, size_t len)
{
    struct stmt *st = db_prepare(db, PUT);

    bind_bytes(st, text, len);
    bind_bytes(st, question, HASH_LEN);
    bind_uuid(st, asker);
    return db_change(st);
}

bool upstream_cache_note(struct db *db, const uint8_t question[static HASH_LEN], const char *text, size_t len)
{
    struct stmt *st = db_prepare(db, NOTE);

    bind_bytes(st, question, HASH_LEN);
    bind_bytes(st, text, len);
    return db_exec(st) >= 0;
}

bool upstream_cache_drop(struct db *db, const uint8_t question[static HASH_LEN], const struct uuid *asker)
{
    struct stmt *st = db_prepare(db, DROP);

    bind_bytes(st, question, HASH_LEN);
    bind_uuid(st, asker);
    return db_exec(st) >= 0;
}

int64_t upstream_cache_purge(struct db *db, uint64_t max)
{
    struct stmt *st = db_prepare(db, PURGE);

    bind_u64(st, max);
    return db_exec(st);
}
