#include "store/fills.h"

#include "store/columns.h"

/* Of fill `f`, at column `i` of `st`. */
#define FILL(FIRST, NEXT)                                                                                    \
    FIRST("f.execution_id", f->execution_id = col_u64(st, i))                                                \
    NEXT("f.trade", f->trade = col_text(st, i, a))                                                           \
    NEXT("f.price", f->price = (uint32_t)col_u64(st, i))                                                     \
    NEXT("f.size", f->size = col_u64(st, i))                                                                 \
    NEXT("f.paid", f->paid = col_u64(st, i))                                                                 \
    NEXT("f.fee", f->fee = col_u64(st, i))                                                                   \
    NEXT("f.maker", f->maker = col_u64(st, i) != 0)                                                          \
    NEXT("f.state", f->state = (enum fill_state)col_u64(st, i))                                              \
    NEXT("f.tx_hash", f->has_tx = col_fixed(st, i, f->tx_hash, sizeof f->tx_hash))                           \
    NEXT("f.at", f->at_ms = col_ms(st, i))

#define SELECT "SELECT " FILL(FIRST_NAME, NEXT_NAME) " FROM "
#define OLDEST " ORDER BY f.execution_id, f.at, f.trade"

static const char PUT[] =
    "INSERT INTO fills (execution_id, trade, price, size, paid, fee, maker, state, tx_hash, at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " ON DUPLICATE KEY UPDATE state = VALUES(state), tx_hash = COALESCE(VALUES(tx_hash), tx_hash)";
static const char OF[] = SELECT "fills f WHERE f.execution_id IN (" VALUES_160 ")" OLDEST;
static const char CLAIMED[] =
    SELECT "predict_accounts p JOIN orders o FORCE INDEX (wallet_holds) ON o.wallet_id = p.wallet_id"
           " AND o.final = 0 JOIN fills f ON f.execution_id = o.execution_id"
           " WHERE p.lease_owner = ?" OLDEST;

bool fills_put(struct db *db, const struct fill *f)
{
    struct stmt *st = db_prepare(db, PUT);

    bind_u64(st, f->execution_id);
    bind_text(st, f->trade);
    bind_u64(st, f->price);
    bind_u64(st, f->size);
    bind_u64(st, f->paid);
    bind_u64(st, f->fee);
    bind_u64(st, f->maker);
    bind_u64(st, f->state);
    bind_bytes(st, f->has_tx ? f->tx_hash : NULL, sizeof f->tx_hash);
    bind_ms(st, f->at_ms);
    return db_exec(st) >= 0;
}

static void read_fill(struct stmt *st, struct arena *a, struct fill *f)
{
    unsigned i = 0;

    *f = (struct fill){ .size = 0 };
    FILL(READ_FIRST, READ_NEXT)
}

static int read_fills(struct stmt *st, struct arena *a, struct fill **out)
{
    int n = 0;

    *out = NULL;
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        read_fill(st, a, &(*out)[n++]);
    }
    return n;
}

int fills_of(struct db *db, struct arena *a, const uint64_t *execution_ids, size_t n, struct fill **out)
{
    struct stmt *st = db_prepare(db, OF);

    bind_ids(st, execution_ids, n, FILLS_ORDERS_MAX);
    return read_fills(st, a, out);
}

int fills_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct fill **out)
{
    struct stmt *st = db_prepare(db, CLAIMED);

    bind_uuid(st, owner);
    return read_fills(st, a, out);
}
