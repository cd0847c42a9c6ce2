#include "store/lend_operations.h"

#include "store/columns.h"
#include "store/states.h"

/* Operation `o`, at column `i` of `st`. */
#define OPERATION(FIRST, NEXT)                                                                               \
    FIRST("o.execution_id", o->execution_id = col_u64(st, i))                                                \
    NEXT("o.agent_id", o->agent_id = col_u64(st, i))                                                         \
    NEXT("o.kind", o->kind = (enum exec_kind_id)col_u64(st, i))                                              \
    NEXT("o.market", col_string(st, i, o->market, sizeof o->market))                                         \
    NEXT("o.everything", o->everything = col_u64(st, i) != 0)                                                \
    NEXT("o.collateral", o->collateral = col_u64(st, i) != 0)                                                \
    NEXT("o.health", o->has_health = col_maybe_u256(st, i, &o->health))

/* What lists show of its execution `x`. */
#define SHOWN(NEXT)                                                                                          \
    NEXT("e.status", x->status = (enum exec_status)col_u64(st, i))                                           \
    NEXT("e.venue", col_string(st, i, x->venue, sizeof x->venue))                                            \
    TOKEN(NEXT, "e.to", x->to)                                                                               \
    NEXT("e.amount_in", x->amount_in = col_u256(st, i))                                                      \
    NEXT("e.amount_out", x->has_amount_out = col_maybe_u256(st, i, &x->amount_out))                          \
    NEXT("e.tx_hash", col_tx_hash(st, i, &x->tx_hash))                                                       \
    NEXT("e.error_message", x->error_message = col_text(st, i, a))                                           \
    NEXT("e.created_at", x->created_ms = col_ms(st, i))                                                      \
    NEXT("e.completed_at", x->completed_ms = col_ms(st, i))

#define SELECT "SELECT " OPERATION(FIRST_NAME, NEXT_NAME) " FROM lend_operations o"
#define NEWEST " ORDER BY o.execution_id DESC LIMIT ? OFFSET ?"

static const char PUT[] =
    "INSERT INTO lend_operations (execution_id, agent_id, kind, market, everything, collateral, health)"
    " VALUES (?, ?, ?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE health = VALUES(health)";
static const char GET[] = SELECT " WHERE o.execution_id = ?";
#define TOTAL                                                                                                \
    "SELECT COALESCE(SUM(n), 0) FROM execution_totals WHERE agent_id = ?"                                    \
    " AND kind IN (" SQL_LENDING ") AND (? = 0 OR kind = ?) AND (? = 0 OR listed = ?)"
/* The executions are found by the operations, newest first, whatever the server would rather begin with. */
#define PAGE                                                                                                 \
    "SELECT STRAIGHT_JOIN (" TOTAL "), " OPERATION(FIRST_NAME, NEXT_NAME)                                    \
        SHOWN(NEXT_NAME) " FROM lend_operations o JOIN executions e ON e.id = o.execution_id"                \
                         " WHERE o.agent_id = ?"
static const char COUNT[] = TOTAL;
static const char PAGE_ALL[] = PAGE NEWEST;
static const char PAGE_KIND[] = PAGE " AND o.kind = ?" NEWEST;
static const char PAGE_LISTED[] = PAGE " AND e.listed = ?" NEWEST;
static const char PAGE_BOTH[] = PAGE " AND o.kind = ? AND e.listed = ?" NEWEST;
static const char UNDER_WAY[] =
    "SELECT 1 FROM transactions t JOIN executions e ON e.id = t.execution_id"
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

enum found lend_operations_get(struct db *db, uint64_t execution_id, struct lend_operation *out)
{
    struct stmt *st = db_prepare(db, GET);
    enum found found;

    bind_u64(st, execution_id);
    found = db_one(st);
    if (found == FOUND_ONE)
        read_operation(st, out);
    return found;
}

static void bind_total(struct stmt *st, uint64_t agent_id, const struct lend_operation_filter *f)
{
    bind_u64(st, agent_id);
    bind_u64(st, f->kind);
    bind_u64(st, f->kind);
    bind_u64(st, f->listed);
    bind_u64(st, f->listed);
}

/* Of a page behind the last row, which cannot tell it. */
static bool count_all(struct db *db, uint64_t agent_id, const struct lend_operation_filter *f,
                      uint64_t *total)
{
    struct stmt *st = db_prepare(db, COUNT);

    bind_total(st, agent_id, f);
    if (db_one(st) != FOUND_ONE)
        return false;
    *total = col_u64(st, 0);
    return true;
}

static const char *page_of(const struct lend_operation_filter *f)
{
    if (f->kind != 0)
        return f->listed != 0 ? PAGE_BOTH : PAGE_KIND;
    return f->listed != 0 ? PAGE_LISTED : PAGE_ALL;
}

static void read_listed(struct stmt *st, struct arena *a, struct lend_listed *l, uint64_t *total)
{
    struct lend_operation *o = &l->own;
    struct execution *x = &l->execution;
    unsigned i = 1;

    *l = (struct lend_listed){ .own = { .execution_id = 0 } };
    *total = col_u64(st, 0);
    OPERATION(READ_FIRST, READ_NEXT)
    SHOWN(READ_NEXT)
    x->id = o->execution_id;
    x->kind = o->kind;
}

int lend_operations_page(struct db *db, struct arena *a, uint64_t agent_id,
                         const struct lend_operation_filter *f, const struct page *p, struct lend_listed *out,
                         uint64_t *total)
{
    struct stmt *st = db_prepare(db, page_of(f));
    int n = 0;

    bind_total(st, agent_id, f);
    bind_u64(st, agent_id);
    if (f->kind != 0)
        bind_u64(st, f->kind);
    if (f->listed != 0)
        bind_u64(st, f->listed);
    bind_u64(st, p->limit);
    bind_u64(st, p->offset);
    if (!db_query(st))
        return -1;
    while (db_next(st))
        read_listed(st, a, &out[n++], total);
    return n > 0 || count_all(db, agent_id, f, total) ? n : -1;
}

enum found lend_operations_under_way(struct db *db, uint64_t wallet_id, uint64_t chain_id, uint64_t seen)
{
    struct stmt *st = db_prepare(db, UNDER_WAY);

    bind_u64(st, wallet_id);
    bind_u64(st, chain_id);
    bind_u64(st, seen);
    return db_one(st);
}
