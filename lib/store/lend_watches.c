#include "store/lend_watches.h"

#include "store/columns.h"
#include "store/states.h"

#define LONG_AGO "INTERVAL 10 MINUTE"
#define KEPT     "INTERVAL 30 DAY"

/* Watch `w`, at column `i` of `st`; what it had follows. */
#define WATCH(FIRST, NEXT)                                                                                   \
    FIRST("w.id", w->id = col_u64(st, i))                                                                    \
    NEXT("w.agent_id", w->agent_id = col_u64(st, i))                                                         \
    NEXT("w.wallet_id", w->wallet_id = col_u64(st, i))                                                       \
    NEXT("w.chain_id", w->chain_id = col_u64(st, i))                                                         \
    NEXT("w.protocol", col_string(st, i, w->protocol, sizeof w->protocol))                                   \
    NEXT("w.market", col_string(st, i, w->market, sizeof w->market))                                         \
    NEXT("k.address", col_string(st, i, w->address, sizeof w->address))                                      \
    NEXT("w.version", w->turn = col_u64(st, i))                                                              \
    NEXT("w.block", w->block = col_u64(st, i))                                                               \
    NEXT("COALESCE(w.polled_at < UTC_TIMESTAMP(3) - " LONG_AGO ", 0)", w->stale = col_u64(st, i) != 0)       \
    NEXT("w.alerted", w->low = col_u64(st, i) != 0)                                                          \
    NEXT("w.polls_without_debt", w->debtless = (unsigned)col_u64(st, i))                                     \
    NEXT("w.polls_unexplained", w->missing = (unsigned)col_u64(st, i))                                       \
    NEXT("w.position_block", w->held_block = col_u64(st, i))                                                 \
    NEXT("w.announced_block", w->told_block = col_u64(st, i))

/* One that was debtless may be about to be removed: that finds another turn then. */
static const char PUT[] =
    "INSERT INTO lend_monitors (agent_id, wallet_id, chain_id, protocol, market)"
    " VALUES (?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE polls_without_debt = 0, version = version + 1";
static const char PAGE[] = "SELECT " WATCH(
    FIRST_NAME, NEXT_NAME) ", w.position FROM lend_monitors w"
                           " JOIN wallets k ON k.id = w.wallet_id WHERE w.chain_id = ? AND w.id > ?"
                           " ORDER BY w.id LIMIT ?";
#define OPERATIONS                                                                                           \
    "SELECT 1 FROM transactions t JOIN executions e ON e.id = t.execution_id"                                \
    " WHERE t.wallet_id = ? AND t.chain_id = ? AND e.kind IN (" SQL_LENDING ")"
#define NOT_ENDED "e.status BETWEEN " SQL_PENDING " AND " SQL_PROCESSING
static const char OPERATING[] = OPERATIONS " AND " NOT_ENDED " LIMIT 1";
static const char OPERATED[] = OPERATIONS " AND (" NOT_ENDED " OR t.block_number > ?) LIMIT 1";
static const char RECORD[] =
    "UPDATE lend_monitors SET version = version + 1, block = ?, polled_at = UTC_TIMESTAMP(3), alerted = ?,"
    " polls_without_debt = ?, polls_unexplained = ?, position_block = ?, position = ?, announced_block = ?"
    " WHERE id = ? AND version = ?";
static const char REMOVE[] = "DELETE FROM lend_monitors WHERE id = ? AND version = ?";
static const char FORGET[] = "DELETE FROM lend_liquidations WHERE wallet_id = ? AND chain_id = ?"
                             " AND told_at < UTC_TIMESTAMP(3) - " KEPT;
static const char TOLD[] = "INSERT INTO lend_liquidations (wallet_id, chain_id, tx, place, agent_id, told_at)"
                           " VALUES (?, ?, ?, ?, ?, UTC_TIMESTAMP(3))";
static const char SCAN_GET[] = "SELECT block FROM lend_scans WHERE chain_id = ?";
static const char SCAN_PUT[] = "INSERT INTO lend_scans (chain_id, block) VALUES (?, ?)"
                               " ON DUPLICATE KEY UPDATE block = VALUES(block)";
static const char SCAN_REMOVE[] = "DELETE FROM lend_scans WHERE chain_id = ?";

bool lend_watches_put(struct db *db, const struct lend_watch_key *key)
{
    struct stmt *st = db_prepare(db, PUT);

    bind_u64(st, key->agent_id);
    bind_u64(st, key->wallet_id);
    bind_u64(st, key->chain_id);
    bind_ascii(st, key->protocol);
    bind_ascii(st, key->market);
    return db_exec(st) >= 0;
}

static void read_watch(struct stmt *st, struct arena *a, struct lend_watch *w)
{
    unsigned i = 0;

    *w = (struct lend_watch){ .id = 0 };
    WATCH(READ_FIRST, READ_NEXT)
    i++;
    w->held = col_null(st, i) ? NULL : col_bytes(st, i, a, &w->held_len);
}

int lend_watches_page(struct db *db, struct arena *a, uint64_t chain_id, uint64_t after, unsigned most,
                      struct lend_watch *out)
{
    struct stmt *st = db_prepare(db, PAGE);
    unsigned n = 0;

    bind_u64(st, chain_id);
    bind_u64(st, after);
    bind_u64(st, most);
    if (!db_query(st))
        return -1;
    while (n < most && db_next(st))
        read_watch(st, a, &out[n++]);
    return (int)n;
}

enum lookup lend_watches_operating(struct db *db, const struct lend_watch *w)
{
    struct stmt *st = db_prepare(db, OPERATING);

    bind_u64(st, w->wallet_id);
    bind_u64(st, w->chain_id);
    return db_one(st);
}

enum lookup lend_watches_operated(struct db *db, const struct lend_watch *w)
{
    struct stmt *st = db_prepare(db, OPERATED);

    bind_u64(st, w->wallet_id);
    bind_u64(st, w->chain_id);
    bind_u64(st, w->held_block);
    return db_one(st);
}

enum db_update lend_watches_record(struct db *db, const struct lend_watch *w)
{
    struct stmt *st = db_prepare(db, RECORD);

    bind_u64(st, w->block);
    bind_u64(st, w->low);
    bind_u64(st, w->debtless);
    bind_u64(st, w->missing);
    bind_u64(st, w->held_block);
    bind_bytes(st, w->held, w->held_len);
    bind_u64(st, w->told_block);
    bind_u64(st, w->id);
    bind_u64(st, w->turn);
    return db_change(st);
}

enum db_update lend_watches_remove(struct db *db, const struct lend_watch *w)
{
    struct stmt *st = db_prepare(db, FORGET);

    bind_u64(st, w->wallet_id);
    bind_u64(st, w->chain_id);
    if (db_exec(st) < 0)
        return DB_ERROR;
    st = db_prepare(db, REMOVE);
    bind_u64(st, w->id);
    bind_u64(st, w->turn);
    return db_change(st);
}

/* ---- logs ---- */

enum db_update lend_liquidations_add(struct db *db, const struct lend_watch *w, const struct tx_hash *tx,
                                     unsigned place)
{
    struct stmt *st = db_prepare(db, TOLD);

    bind_u64(st, w->wallet_id);
    bind_u64(st, w->chain_id);
    bind_tx_hash(st, tx);
    bind_u64(st, place);
    bind_u64(st, w->agent_id);
    if (db_exec(st) == 1)
        return UPDATED;
    return db_duplicate(db) ? UNCHANGED : DB_ERROR;
}

enum lookup lend_scans_get(struct db *db, uint64_t chain_id, uint64_t *block)
{
    struct stmt *st = db_prepare(db, SCAN_GET);
    enum lookup found;

    bind_u64(st, chain_id);
    found = db_one(st);
    *block = found == LOOKUP_FOUND ? col_u64(st, 0) : 0;
    return found;
}

bool lend_scans_put(struct db *db, uint64_t chain_id, uint64_t block)
{
    struct stmt *st = db_prepare(db, SCAN_PUT);

    bind_u64(st, chain_id);
    bind_u64(st, block);
    return db_exec(st) >= 0;
}

bool lend_scans_remove(struct db *db, uint64_t chain_id)
{
    struct stmt *st = db_prepare(db, SCAN_REMOVE);

    bind_u64(st, chain_id);
    return db_exec(st) >= 0;
}
