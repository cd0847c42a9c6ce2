#include "store/order_leases.h"

#include "store/states.h"

#define IN_MS "UTC_TIMESTAMP(3) + INTERVAL ? * 1000 MICROSECOND"

/* The statements on one venue's table, whose column `due` says when. */
struct lease_sql {
    const char *due, *claim, *release, *release_for_good, *overdue, *waiting;
};

/* A time other than the lease's was set since, and stays. */
#define RELEASE(table, due, next, also)                                                                      \
    "UPDATE " table " SET " due " = IF(" due " = lease_until, " next ", " due ")," also                      \
    " lease_owner = NULL, lease_until = NULL WHERE wallet_id = ? AND lease_owner = ?"

/* `also`: what else ends with a claim that ends for good. */
#define LEASES(table, due_at, also)                                                                          \
    {                                                                                                        \
        .due = "UPDATE " table " SET " due_at " = " IN_MS " WHERE wallet_id = ?"                             \
               " AND (" due_at " IS NULL OR " due_at " > " IN_MS ")",                                        \
        .claim = "UPDATE " table " FORCE INDEX (due) SET lease_owner = ?,"                                   \
                 " " due_at " = UTC_TIMESTAMP(3) + INTERVAL ? SECOND,"                                       \
                 " lease_until = UTC_TIMESTAMP(3) + INTERVAL ? SECOND WHERE " due_at " <= UTC_TIMESTAMP(3)"  \
                 " AND (lease_until IS NULL OR lease_until <= UTC_TIMESTAMP(3))"                             \
                 " ORDER BY " due_at " LIMIT ?",                                                             \
        .release = RELEASE(table, due_at, IN_MS, ""),                                                        \
        .release_for_good = RELEASE(table, due_at, "NULL", also),                                            \
        .overdue = "SELECT COALESCE(TIMESTAMPDIFF(SECOND, MIN(" due_at "), UTC_TIMESTAMP(3)), 0)"            \
                   " FROM " table " WHERE " due_at " <= UTC_TIMESTAMP(3)",                                   \
        .waiting = "SELECT COUNT(*) FROM (SELECT 1 FROM " table " WHERE " due_at " <= UTC_TIMESTAMP(3)"      \
                   " LIMIT " SQL_QUEUE_MOST ") due",                                                         \
    }

static const struct lease_sql statements[ORDER_VENUES] = {
    [ORDERS_OF_PREDICTION] = LEASES("predict_accounts", "orders_due_at", " resync_orders = 0,"),
    [ORDERS_OF_PERPS] = LEASES("perps_accounts", "due_at", ""),
};

bool order_leases_due(struct db *db, enum order_venue venue, uint64_t wallet_id, unsigned ms)
{
    struct stmt *st = db_prepare(db, statements[venue].due);

    bind_u64(st, ms);
    bind_u64(st, wallet_id);
    bind_u64(st, ms);
    return db_exec(st) >= 0;
}

int64_t order_leases_claim(struct db *db, enum order_venue venue, const struct uuid *owner, unsigned lease_s,
                           unsigned max)
{
    struct stmt *st = db_prepare(db, statements[venue].claim);

    bind_uuid(st, owner);
    bind_u64(st, lease_s);
    bind_u64(st, lease_s);
    bind_u64(st, max);
    return db_exec(st);
}

bool order_leases_release(struct db *db, enum order_venue venue, const struct uuid *owner, uint64_t wallet_id,
                          unsigned ms)
{
    const struct lease_sql *sql = &statements[venue];
    struct stmt *st = db_prepare(db, ms == 0 ? sql->release_for_good : sql->release);

    if (ms != 0)
        bind_u64(st, ms);
    bind_u64(st, wallet_id);
    bind_uuid(st, owner);
    return db_exec(st) >= 0;
}

/* -1: the database failed. */
static int64_t number_of(struct db *db, const char *sql)
{
    struct stmt *st = db_prepare(db, sql);

    return db_one(st) == LOOKUP_FOUND ? col_i64(st, 0) : -1;
}

int64_t order_leases_overdue(struct db *db)
{
    int64_t most = 0;

    for (size_t i = 0; i < ORDER_VENUES; i++) {
        int64_t seconds = number_of(db, statements[i].overdue);

        if (seconds < 0)
            return -1;
        most = seconds > most ? seconds : most;
    }
    return most;
}

int64_t order_leases_waiting(struct db *db)
{
    int64_t sum = 0;

    for (size_t i = 0; i < ORDER_VENUES; i++) {
        int64_t n = number_of(db, statements[i].waiting);

        if (n < 0)
            return -1;
        sum += n;
    }
    return sum;
}
