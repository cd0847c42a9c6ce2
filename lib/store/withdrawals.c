#include "store/withdrawals.h"

/* Withdrawal `w`, at column `i` of `st`. */
#define WITHDRAWAL(FIRST, NEXT)                                                                              \
    FIRST("o.execution_id", w->execution_id = col_u64(st, i))                                                \
    NEXT("o.agent_id", w->agent_id = col_u64(st, i))                                                         \
    NEXT("o.address_id", w->address_id = col_u64(st, i))                                                     \
    NEXT("d.address", col_string(st, i, w->to, sizeof w->to))                                                \
    NEXT("o.fee", w->fee = col_u256(st, i))

#define COLUMNS WITHDRAWAL(FIRST_NAME, NEXT_NAME)
#define LISTED  COLUMNS OWN_SHOWN(NEXT_NAME, "e.from", x->from)
#define ADDRESS " JOIN withdrawal_addresses d ON d.id = o.address_id"

static const char PUT[] = "INSERT INTO withdrawals (execution_id, agent_id, address_id, fee)"
                          " VALUES (?, ?, ?, ?) ON DUPLICATE KEY UPDATE fee = VALUES(fee)";
static const char SET_FEE[] = "UPDATE withdrawals SET fee = ? WHERE execution_id = ?";
static const struct own_statements statements = {
    .get = "SELECT " COLUMNS " FROM withdrawals o" ADDRESS " WHERE o.execution_id = ?",
    .total = OWN_TOTAL(SQL_WITHDRAWAL),
    .pages = { OWN_PAGES(SQL_WITHDRAWAL, LISTED, "withdrawals", ADDRESS, "PRIMARY", "") },
    .filtered = OWN_FILTERED(LISTED, "withdrawals", ADDRESS, "PRIMARY"),
    .filtered_total = OWN_FILTERED_TOTAL("withdrawals", "PRIMARY"),
};

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

enum lookup withdrawals_get(struct db *db, uint64_t execution_id, struct withdrawal *out)
{
    struct stmt *st;
    enum lookup found = own_get(db, &statements, execution_id, &st);

    if (found == LOOKUP_FOUND)
        read_withdrawal(st, out);
    return found;
}

static void read_listed(struct stmt *st, struct arena *a, struct own_listed *l, uint64_t *total)
{
    struct withdrawal *w = ARENA_NEW(a, struct withdrawal);
    struct execution *x = &l->execution;
    unsigned i = 1;

    *l = (struct own_listed){ .own = w };
    *total = col_u64(st, 0);
    WITHDRAWAL(READ_FIRST, READ_NEXT)
    OWN_SHOWN(READ_NEXT, "e.from", x->from)
    x->id = w->execution_id;
}

int withdrawals_page(struct db *db, struct arena *a, const struct agent *agent, const struct own_filter *f,
                     const struct page *p, struct own_listed *out, uint64_t *total)
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
