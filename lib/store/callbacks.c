#include "store/callbacks.h"

#include <string.h>

#include "store/columns.h"
#include "store/states.h"

enum { SINCE_MAX = 2 };

#define KEPT "INTERVAL 31 DAY" /* withdrawal_delay is a day less at most */

static const char LOCK[] = "SELECT 1 FROM agents WHERE id = ? FOR UPDATE";
/* The agent's present state, unless its last row says the same. Its first row is as old as the agent, and may
 * have answered before there was a row to say so. */
static const char NOTE[] =
    "INSERT INTO callbacks (agent_id, callback_url, secret, set_at, answered_at)"
    " SELECT a.id, a.callback_url, a.webhook_secret, IF(l.id IS NULL, a.created_at, UTC_TIMESTAMP(3)),"
    " IF(l.id IS NULL AND EXISTS (SELECT 1 FROM webhook_events e WHERE e.agent_id = a.id"
    " AND e.status = " SQL_EVENT_DELIVERED " AND e.callback_url = a.callback_url), UTC_TIMESTAMP(3), NULL)"
    " FROM agents a LEFT JOIN callbacks l ON l.agent_id = a.id"
    " AND l.id = (SELECT MAX(m.id) FROM callbacks m WHERE m.agent_id = a.id)"
    " WHERE a.id = ? AND (l.id IS NULL OR NOT (l.callback_url <=> a.callback_url AND l.secret <=> a.webhook_secret))";
static const char PRUNE[] =
    "DELETE FROM callbacks WHERE agent_id = ? AND id < (SELECT id FROM (SELECT MAX(id) AS id FROM callbacks"
    " WHERE agent_id = ? AND set_at <= UTC_TIMESTAMP(3) - " KEPT ") former)";
static const char IS_PRESENT[] = "SELECT 1 FROM agents WHERE id = ? AND callback_url <=> ?";
static const char CHANGES[] = "SELECT COUNT(*) FROM callbacks WHERE agent_id = ?"
                              " AND set_at > UTC_TIMESTAMP(3) - INTERVAL 1 DAY";
static const char SINCE[] =
    "SELECT callback_url, secret, set_at <= UTC_TIMESTAMP(3) - INTERVAL ? SECOND, answered_at IS NOT NULL"
    " FROM callbacks WHERE agent_id = ? AND id >= COALESCE((SELECT MAX(id) FROM callbacks WHERE agent_id = ?"
    " AND set_at <= UTC_TIMESTAMP(3) - INTERVAL ? SECOND), 0) ORDER BY id";
static const char PRESENT[] =
    "SELECT callback_url, webhook_secret FROM agents WHERE id = ? AND callback_url IS NOT NULL";
static const char ANSWERED[] = "UPDATE callbacks SET answered_at = UTC_TIMESTAMP(3) WHERE agent_id = ?"
                               " AND callback_url = ? AND answered_at IS NULL";
static const char FORGET[] = "DELETE FROM callbacks WHERE agent_id = ?";

enum db_update callbacks_note(struct db *db, uint64_t agent_id)
{
    struct stmt *st = db_prepare(db, LOCK);
    enum lookup found;

    bind_u64(st, agent_id);
    found = db_one(st);
    if (found != LOOKUP_FOUND)
        return found == LOOKUP_ERROR ? DB_ERROR : UNCHANGED;
    st = db_prepare(db, NOTE);
    bind_u64(st, agent_id);
    if (db_exec(st) < 0)
        return DB_ERROR;
    st = db_prepare(db, PRUNE);
    bind_u64(st, agent_id);
    bind_u64(st, agent_id);
    return db_exec(st) < 0 ? DB_ERROR : UPDATED;
}

enum lookup callbacks_present(struct db *db, uint64_t agent_id, const char *url)
{
    struct stmt *st = db_prepare(db, IS_PRESENT);

    bind_u64(st, agent_id);
    bind_text(st, url);
    return db_one(st);
}

enum db_update callbacks_room(struct db *db, uint64_t agent_id)
{
    struct stmt *st = db_prepare(db, CHANGES);

    bind_u64(st, agent_id);
    if (db_one(st) != LOOKUP_FOUND)
        return DB_ERROR;
    return col_u64(st, 0) < CALLBACK_CHANGES_A_DAY ? UPDATED : UNCHANGED;
}

static bool told_has(const struct callback *out, int n, const char *url)
{
    for (int i = 0; i < n; i++)
        if (strcmp(out[i].url, url) == 0)
            return true;
    return false;
}

static void callback_read(struct stmt *st, struct arena *a, struct callback *out)
{
    out->url = col_text(st, 0, a);
    out->sealed_secret_len = col_sealed(st, 1, out->sealed_secret);
}

int callbacks_told(struct db *db, struct arena *a, uint64_t agent_id, unsigned delay_s,
                   struct callback out[static CALLBACKS_TOLD_MAX])
{
    struct stmt *st = db_prepare(db, SINCE);
    struct callback next;
    int n = 0, since = 0;

    bind_u64(st, delay_s);
    bind_u64(st, agent_id);
    bind_u64(st, agent_id);
    bind_u64(st, delay_s);
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        bool stood = col_u64(st, 2) != 0, answered = col_u64(st, 3) != 0;

        if (col_null(st, 0) || !(stood || (answered && since < SINCE_MAX)))
            continue;
        callback_read(st, a, &next);
        if (told_has(out, n, next.url))
            continue;
        out[n++] = next;
        since += !stood;
    }
    st = db_prepare(db, PRESENT);
    bind_u64(st, agent_id);
    switch (db_one(st)) {
    case LOOKUP_ERROR:
        return -1;
    case LOOKUP_NONE:
        return n;
    case LOOKUP_FOUND:
        break;
    }
    callback_read(st, a, &next);
    if (!told_has(out, n, next.url))
        out[n++] = next;
    return n;
}

bool callbacks_answered(struct db *db, uint64_t agent_id, const char *url)
{
    struct stmt *st = db_prepare(db, ANSWERED);

    bind_u64(st, agent_id);
    bind_text(st, url);
    return db_exec(st) >= 0;
}

bool callbacks_forget(struct db *db, uint64_t agent_id)
{
    struct stmt *st = db_prepare(db, FORGET);

    bind_u64(st, agent_id);
    return db_exec(st) >= 0;
}
