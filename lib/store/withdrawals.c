#include "store/withdrawals.h"

#include "store/columns.h"
#include "store/states.h"

/* Withdrawal `w`, at column `i` of `st`. */
#define WITHDRAWAL(FIRST, NEXT)                                                                              \
    FIRST("w.execution_id", w->execution_id = col_u64(st, i))                                                \
    NEXT("w.agent_id", w->agent_id = col_u64(st, i))                                                         \
    NEXT("w.address_id", w->address_id = col_u64(st, i))                                                     \
    NEXT("d.address", col_string(st, i, w->to, sizeof w->to))                                                \
    NEXT("w.fee", w->fee = col_u256(st, i))

#define SELECT                                                                                               \
    "SELECT " WITHDRAWAL(FIRST_NAME, NEXT_NAME) " FROM withdrawals w"                                        \
                                                " JOIN withdrawal_addresses d ON d.id = w.address_id"

static const char PUT[] = "INSERT INTO withdrawals (execution_id, agent_id, address_id, fee)"
                          " VALUES (?, ?, ?, ?) ON DUPLICATE KEY UPDATE fee = VALUES(fee)";
static const char SET_FEE[] = "UPDATE withdrawals SET fee = ? WHERE execution_id = ?";
static const char GET[] = SELECT " WHERE w.execution_id = ?";
static const char PAGE[] = SELECT " WHERE w.agent_id = ? ORDER BY w.execution_id DESC LIMIT ? OFFSET ?";
static const char PAGE_LISTED[] =
    SELECT " JOIN executions e ON e.id = w.execution_id WHERE w.agent_id = ? AND e.listed = ?"
           " ORDER BY w.execution_id DESC LIMIT ? OFFSET ?";
static const char TOTAL[] = "SELECT COALESCE(SUM(n), 0) FROM execution_totals WHERE agent_id = ?"
                            " AND kind = " SQL_WITHDRAWAL " AND (? = 0 OR listed = ?)";

bool withdrawals_put(struct db *db, const struct withdrawal *w)
{
    struct stmt *st = db_prepare(db, PUT);

    bind_u64(st, w->execution_id);
    bind_u64(st, w->agent_id);
    bind_u64(st, w->address_id);
    bind_u256(st, &w->fee);
    return db_exec(st) >= 0;
}

bool withdrawals_set_fee(struct db *db, uint64_t execution_id, const struct u256 *fee)
{
    struct stmt *st = db_prepare(db, SET_FEE);

    bind_u256(st, fee);
    bind_u64(st, execution_id);
    return db_exec(st) >= 0;
}

static void read_withdrawal(struct stmt *st, struct withdrawal *w)
{
    unsigned i = 0;

    *w = (struct withdrawal){ .execution_id = 0 };
    WITHDRAWAL(READ_FIRST, READ_NEXT)
}

enum found withdrawals_get(struct db *db, uint64_t execution_id, struct withdrawal *out)
{
    struct stmt *st = db_prepare(db, GET);
    enum found found;

    bind_u64(st, execution_id);
    found = db_one(st);
    if (found == FOUND_ONE)
        read_withdrawal(st, out);
    return found;
}

static bool count_all(struct db *db, uint64_t agent_id, enum exec_status listed, uint64_t *total)
{
    struct stmt *st = db_prepare(db, TOTAL);

    bind_u64(st, agent_id);
    bind_u64(st, listed);
    bind_u64(st, listed);
    if (db_one(st) != FOUND_ONE)
        return false;
    *total = col_u64(st, 0);
    return true;
}

int withdrawals_page(struct db *db, uint64_t agent_id, enum exec_status listed, const struct page *p,
                     struct withdrawal *out, uint64_t *total)
{
    struct stmt *st;
    int n = 0;

    if (!count_all(db, agent_id, listed, total))
        return -1;
    st = db_prepare(db, listed == 0 ? PAGE : PAGE_LISTED);
    bind_u64(st, agent_id);
    if (listed != 0)
        bind_u64(st, listed);
    bind_u64(st, p->limit);
    bind_u64(st, p->offset);
    if (!db_query(st))
        return -1;
    while (db_next(st))
        read_withdrawal(st, &out[n++]);
    return n;
}
