#include "store/perps_transfers.h"

#include "store/columns.h"
#include "store/states.h"

/* Transfer `t`, at column `i` of `st`. */
#define TRANSFER(FIRST, NEXT)                                                                                \
    FIRST("p.execution_id", t->execution_id = col_u64(st, i))                                                \
    NEXT("p.agent_id", t->agent_id = col_u64(st, i))                                                         \
    NEXT("p.wallet_id", t->wallet_id = col_u64(st, i))                                                       \
    NEXT("p.kind", t->kind = (enum exec_kind_id)col_u64(st, i))                                              \
    NEXT("p.route", t->route = (enum perps_route)col_u64(st, i))                                             \
    NEXT("p.chain_id", t->chain_id = col_u64(st, i))                                                         \
    NEXT("p.amount", t->amount = col_u256(st, i))                                                            \
    NEXT("p.expected", t->expected = col_u256(st, i))                                                        \
    NEXT("p.least", t->least = col_u256(st, i))                                                              \
    NEXT("p.block", t->block = col_u64(st, i))

/* What lists show of its execution `x`. */
#define SHOWN(FIRST, NEXT)                                                                                   \
    FIRST("e.id", x->id = col_u64(st, i))                                                                    \
    NEXT("e.kind", x->kind = (enum exec_kind_id)col_u64(st, i))                                              \
    NEXT("e.status", x->status = (enum exec_status)col_u64(st, i))                                           \
    TOKEN(NEXT, "e.from", x->from)                                                                           \
    NEXT("e.amount_in", x->amount_in = col_u256(st, i))                                                      \
    NEXT("e.expected_out", x->expected_out = col_u256(st, i))                                                \
    NEXT("e.amount_out", x->has_amount_out = col_maybe_u256(st, i, &x->amount_out))                          \
    NEXT("e.tx_hash", col_tx_hash(st, i, &x->tx_hash))                                                       \
    NEXT("e.error_message", x->error_message = col_text(st, i, a))                                           \
    NEXT("e.created_at", x->created_ms = col_ms(st, i))                                                      \
    NEXT("e.completed_at", x->completed_ms = col_ms(st, i))

static const char PUT[] =
    "INSERT INTO perps_transfers (execution_id, agent_id, wallet_id, kind, route, chain_id, amount, expected,"
    " least, block) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE route = VALUES(route),"
    " expected = VALUES(expected), least = VALUES(least), block = VALUES(block)";
static const char GET[] =
    "SELECT " TRANSFER(FIRST_NAME, NEXT_NAME) " FROM perps_transfers p WHERE p.execution_id = ?";
static const char PROVE[] = "UPDATE perps_transfers p JOIN requests r ON r.execution_id = p.execution_id"
                            " SET p.proof = r.venue_ref WHERE p.execution_id = ?";
static const char PROOFS[] =
    "SELECT p.proof FROM perps_transfers p JOIN executions e ON e.id = p.execution_id"
    " WHERE p.wallet_id = ? AND p.proof IS NOT NULL AND e.updated_at >= ?";
/* What is recorded after the look may or may not have shown in it. */
static const char LEAVING[] =
    "SELECT e.amount_in FROM perps_transfers p JOIN executions e ON e.id = p.execution_id"
    " WHERE p.wallet_id = ? AND p.kind = " SQL_PERPS_WITHDRAWAL " AND (e.status = " SQL_PENDING
    " OR (e.status IN (" SQL_SUBMITTED ", " SQL_PROCESSING ", " SQL_COMPLETED ") AND e.updated_at > ?))";
static const char TOTAL[] = "SELECT COALESCE(SUM(n), 0) FROM execution_totals WHERE agent_id = ?"
                            " AND kind IN (" SQL_PERPS_TRANSFERS ")";
/* The executions are found by the transfers, newest first, whatever the server would rather begin with. */
static const char PAGE[] =
    "SELECT STRAIGHT_JOIN " SHOWN(FIRST_NAME, NEXT_NAME) " FROM perps_transfers p JOIN executions e"
                                                         " ON e.id = p.execution_id WHERE p.agent_id = ?"
                                                         " ORDER BY p.execution_id DESC LIMIT ? OFFSET ?";

bool perps_transfers_put(struct db *db, const struct perps_transfer *t)
{
    struct stmt *st = db_prepare(db, PUT);

    bind_u64(st, t->execution_id);
    bind_u64(st, t->agent_id);
    bind_u64(st, t->wallet_id);
    bind_u64(st, t->kind);
    bind_u64(st, t->route);
    bind_u64(st, t->chain_id);
    bind_u256(st, &t->amount);
    bind_u256(st, &t->expected);
    bind_u256(st, &t->least);
    bind_u64(st, t->block);
    return db_exec(st) >= 0;
}

enum found perps_transfers_get(struct db *db, uint64_t execution_id, struct perps_transfer *out)
{
    struct stmt *st = db_prepare(db, GET);
    struct perps_transfer *t = out;
    enum found found;
    unsigned i = 0;

    bind_u64(st, execution_id);
    found = db_one(st);
    if (found == FOUND_ONE) {
        *t = (struct perps_transfer){ .execution_id = 0 };
        TRANSFER(READ_FIRST, READ_NEXT)
    }
    return found;
}

bool perps_transfers_prove(struct db *db, uint64_t execution_id)
{
    struct stmt *st = db_prepare(db, PROVE);

    bind_u64(st, execution_id);
    return db_exec(st) >= 0;
}

bool perps_transfers_proofs(struct db *db, struct arena *a, uint64_t wallet_id, int64_t since_ms,
                            const char *const **out)
{
    struct stmt *st = db_prepare(db, PROOFS);
    const char **list = NULL;
    size_t n = 0;

    bind_u64(st, wallet_id);
    bind_ms(st, since_ms);
    if (!db_query(st))
        return false;
    while (db_next(st)) {
        list = arena_grow(a, list, n, sizeof *list);
        list[n++] = col_text(st, 0, a);
    }
    list = arena_grow(a, list, n, sizeof *list);
    list[n] = NULL;
    *out = list;
    return true;
}

bool perps_transfers_leaving(struct db *db, uint64_t wallet_id, int64_t seen_ms, struct u256 *out)
{
    struct stmt *st = db_prepare(db, LEAVING);
    bool fits = true;

    bind_u64(st, wallet_id);
    bind_ms(st, seen_ms);
    *out = U256_ZERO;
    if (!db_query(st))
        return false;
    while (db_next(st))
        fits = fits && u256_add(out, *out, col_u256(st, 0));
    return fits;
}

static bool count_all(struct db *db, uint64_t agent_id, uint64_t *total)
{
    struct stmt *st = db_prepare(db, TOTAL);

    bind_u64(st, agent_id);
    if (db_one(st) != FOUND_ONE)
        return false;
    *total = col_u64(st, 0);
    return true;
}

static void read_shown(struct stmt *st, struct arena *a, struct execution *x)
{
    unsigned i = 0;

    *x = (struct execution){ .id = 0 };
    SHOWN(READ_FIRST, READ_NEXT)
}

int perps_transfers_page(struct db *db, struct arena *a, uint64_t agent_id, const struct page *p,
                         struct execution **out, uint64_t *total)
{
    struct stmt *st;
    int n = 0;

    if (!count_all(db, agent_id, total))
        return -1;
    st = db_prepare(db, PAGE);
    *out = ARENA_ARRAY(a, struct execution, p->limit + 1);
    bind_u64(st, agent_id);
    bind_u64(st, p->limit);
    bind_u64(st, p->offset);
    if (!db_query(st))
        return -1;
    while (db_next(st))
        read_shown(st, a, &(*out)[n++]);
    return n;
}
