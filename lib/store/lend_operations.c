#include "store/lend_operations.h"

/* Operation `o`, at column `i` of `st`. */
#define OPERATION(FIRST, NEXT)                                                                               \
    FIRST("o.execution_id", o->execution_id = col_u64(st, i))                                                \
    NEXT("o.agent_id", o->agent_id = col_u64(st, i))                                                         \
    NEXT("o.kind", o->kind = (enum exec_kind_id)col_u64(st, i))                                              \
    NEXT("o.market", col_string(st, i, o->market, sizeof o->market))                                         \
    NEXT("o.everything", o->everything = col_u64(st, i) != 0)                                                \
    NEXT("o.collateral", o->collateral = col_u64(st, i) != 0)                                                \
    NEXT("o.health", o->has_health = col_maybe_u256(st, i, &o->health))

#define COLUMNS OPERATION(FIRST_NAME, NEXT_NAME)
#define LISTED  COLUMNS OWN_SHOWN(NEXT_NAME, "e.to", x->to)

static const char PUT[] =
    "INSERT INTO lend_operations (execution_id, agent_id, kind, market, everything, collateral, health)"
    " VALUES (?, ?, ?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE health = VALUES(health)";
static const struct own_statements statements = {
    .get = "SELECT " COLUMNS " FROM lend_operations o WHERE o.execution_id = ?",
    .total = OWN_TOTAL(SQL_LENDING),
    .pages = { OWN_PAGES(SQL_LENDING, LISTED, "lend_operations", "", "PRIMARY", ""),
               OWN_PAGES(SQL_LENDING, LISTED, "lend_operations", "", "agent_kind_page", " AND o.kind = ?") },
    .filtered = OWN_FILTERED(LISTED, "lend_operations", "", "PRIMARY"),
    .filtered_total = OWN_FILTERED_TOTAL("lend_operations", "PRIMARY"),
    .whole = OWN_WHOLE_PAGE(LISTED, "lend_operations", "PRIMARY"),
};
static const char UNDER_WAY[] =
    "SELECT e.id FROM transactions t JOIN executions e ON e.id = t.execution_id"
    " WHERE t.wallet_id = ? AND t.chain_id = ? AND t.state IN " SQL_UNSETTLED " AND e.kind IN (" SQL_LENDING
    ")"
    " AND (e.status NOT IN (" SQL_COMPLETED ", " SQL_FAILED ") OR t.block_number > ?) LIMIT 1";

bool lend_operations_put(struct db *db, const struct lend_operation *o)
{
    struct stmt *st = db_prepare(db, PUT);

    bind_u64(st, o->execution_id);
    bind_u64(st, o->agent_id);
    bind_u64(st, o->kind);
    bind_text(st, o->market);
    bind_u64(st, o->everything);
    bind_u64(st, o->collateral);
    bind_maybe_u256(st, o->has_health ? &o->health : NULL);
    return db_exec(st) >= 0;
}

static void read_operation(struct stmt *st, struct lend_operation *o)
{
    unsigned i = 0;

    *o = (struct lend_operation){ .execution_id = 0 };
    OPERATION(READ_FIRST, READ_NEXT)
}

enum lookup lend_operations_get(struct db *db, uint64_t execution_id, struct lend_operation *out)
{
    struct stmt *st;
    enum lookup found = own_get(db, &statements, execution_id, &st);

    if (found == LOOKUP_FOUND)
        read_operation(st, out);
    return found;
}

static void read_listed(struct stmt *st, struct arena *a, struct own_listed *l, uint64_t *total)
{
    struct lend_operation *o = ARENA_NEW(a, struct lend_operation);
    struct execution *x = &l->execution;
    unsigned i = 1;

    *l = (struct own_listed){ .own = o };
    *total = col_u64(st, 0);
    OPERATION(READ_FIRST, READ_NEXT)
    OWN_SHOWN(READ_NEXT, "e.to", x->to)
    x->id = o->execution_id;
}

int lend_operations_page(struct db *db, struct arena *a, const struct agent *agent,
                         const struct own_filter *f, const struct page *p, struct own_listed *out,
                         uint64_t *total)
{
    struct stmt *st = own_page(db, &statements, agent->id, f, p);
    int n = 0;

    if (st == NULL)
        return -1;
    while (db_next(st))
        read_listed(st, a, &out[n++], total);
    if (own_filter_is_open(f))
        *total = agent->lend_operations;
    else if ((n == 0 || own_filter_counts(f)) && !own_count(db, &statements, agent->id, f, total))
        return -1;
    return n;
}

enum lookup lend_operations_under_way(struct db *db, uint64_t wallet_id, uint64_t chain_id, uint64_t seen,
                                      uint64_t *id)
{
    struct stmt *st = db_prepare(db, UNDER_WAY);
    enum lookup found;

    bind_u64(st, wallet_id);
    bind_u64(st, chain_id);
    bind_u64(st, seen);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        *id = col_u64(st, 0);
    return found;
}
