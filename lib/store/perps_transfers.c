#include "store/perps_transfers.h"

/* Transfer `t`, at column `i` of `st`. */
#define TRANSFER(FIRST, NEXT)                                                                                \
    FIRST("o.execution_id", t->execution_id = col_u64(st, i))                                                \
    NEXT("o.agent_id", t->agent_id = col_u64(st, i))                                                         \
    NEXT("o.wallet_id", t->wallet_id = col_u64(st, i))                                                       \
    NEXT("o.kind", t->kind = (enum exec_kind_id)col_u64(st, i))                                              \
    NEXT("o.route", t->route = (enum perps_route)col_u64(st, i))                                             \
    NEXT("o.chain_id", t->chain_id = col_u64(st, i))                                                         \
    NEXT("o.amount", t->amount = col_u256(st, i))                                                            \
    NEXT("o.expected", t->expected = col_u256(st, i))                                                        \
    NEXT("o.least", t->least = col_u256(st, i))                                                              \
    NEXT("o.block", t->block = col_u64(st, i))

/* Columns of its execution `x` that lists show. */
#define SHOWN(FIRST, NEXT)                                                                                   \
    FIRST("o.execution_id", x->id = col_u64(st, i))                                                          \
    OWN_SHOWN(NEXT, "e.from", x->from)

static const char PUT[] =
    "INSERT INTO perps_transfers (execution_id, agent_id, wallet_id, kind, route, chain_id, amount, expected,"
    " least, block) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE route = VALUES(route),"
    " expected = VALUES(expected), least = VALUES(least), block = VALUES(block)";
static const struct own_statements statements = {
    .get = "SELECT " TRANSFER(FIRST_NAME, NEXT_NAME) " FROM perps_transfers o WHERE o.execution_id = ?",
    .total = OWN_TOTAL(SQL_PERPS_TRANSFERS),
    .pages = { OWN_PAGES(SQL_PERPS_TRANSFERS, SHOWN(FIRST_NAME, NEXT_NAME), "perps_transfers", "",
                         "agent_page", "") },
    .filtered = OWN_FILTERED(SHOWN(FIRST_NAME, NEXT_NAME), "perps_transfers", "", "agent_page"),
    .filtered_total = OWN_FILTERED_TOTAL("perps_transfers", "agent_page"),
};
static const char PROVE[] = "UPDATE perps_transfers p JOIN requests r ON r.execution_id = p.execution_id"
                            " SET p.proof = r.venue_ref WHERE p.execution_id = ?";
static const char PROOFS[] =
    "SELECT p.proof FROM perps_transfers p JOIN executions e ON e.id = p.execution_id"
    " WHERE p.wallet_id = ? AND p.proof IS NOT NULL AND e.updated_at >= ?";
/* A withdrawal that is recorded after the poll may or may not have shown in it. */
static const char LEAVING[] =
    "SELECT e.amount_in FROM perps_transfers p JOIN executions e ON e.id = p.execution_id"
    " WHERE p.wallet_id = ? AND p.kind = " SQL_PERPS_WITHDRAWAL " AND (e.status = " SQL_PENDING
    " OR (e.status IN (" SQL_SUBMITTED ", " SQL_PROCESSING ", " SQL_COMPLETED ") AND e.updated_at > ?))";

static const char LATELY[] =
    "SELECT p.kind = " SQL_PERPS_WITHDRAWAL ", p.amount, e.amount_out, COALESCE(r.venue_ref, ''),"
    " COALESCE(r.nonce, 0) FROM perps_transfers p JOIN executions e ON e.id = p.execution_id"
    " JOIN requests r ON r.execution_id = p.execution_id AND r.state IN (" SQL_INCLUDED ", " SQL_SETTLED ")"
    " WHERE p.wallet_id = ? AND e.updated_at >= UTC_TIMESTAMP(3) - INTERVAL 30 SECOND"
    " AND (e.status = " SQL_COMPLETED " OR (p.kind = " SQL_PERPS_WITHDRAWAL " AND e.status IN (" SQL_SUBMITTED
    ", " SQL_PROCESSING ")))";

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

enum lookup perps_transfers_get(struct db *db, uint64_t execution_id, struct perps_transfer *out)
{
    struct perps_transfer *t = out;
    struct stmt *st;
    enum lookup found = own_get(db, &statements, execution_id, &st);
    unsigned i = 0;

    if (found == LOOKUP_FOUND) {
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

int perps_transfers_lately(struct db *db, struct arena *a, uint64_t wallet_id,
                           struct perps_transfer_lately **out)
{
    struct stmt *st = db_prepare(db, LATELY);
    int n = 0;

    *out = NULL;
    bind_u64(st, wallet_id);
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        struct perps_transfer_lately *t;

        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        t = &(*out)[n++];
        *t = (struct perps_transfer_lately){ .leaves = col_u64(st, 0) != 0,
                                             .amount =
                                                 col_u256(st, col_u64(st, 0) != 0 || col_null(st, 2) ? 1 : 2),
                                             .id = col_text(st, 3, a),
                                             .nonce = col_u64(st, 4) };
    }
    return n;
}

static void read_listed(struct stmt *st, struct arena *a, struct own_listed *l, uint64_t *total)
{
    struct execution *x = &l->execution;
    unsigned i = 1;

    *l = (struct own_listed){ .own = NULL };
    *total = col_u64(st, 0);
    SHOWN(READ_FIRST, READ_NEXT)
}

int perps_transfers_page(struct db *db, struct arena *a, const struct agent *agent,
                         const struct own_filter *f, const struct page *p, struct own_listed *out,
                         uint64_t *total)
{
    struct stmt *st = own_page(db, &statements, agent->id, f, p);
    int n = 0;

    if (st == NULL)
        return -1;
    while (db_next(st))
        read_listed(st, a, &out[n++], total);
    if (n > 0 && !own_filter_counts(f))
        return n;
    return own_count(db, &statements, agent->id, f, total) ? n : -1;
}
