#include "store/fills.h"

#include "store/columns.h"
#include "store/states.h"

/* Columns of fill `f`, from column `i` of `st` on. */
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
    "INSERT INTO predict_fills (execution_id, trade, price, size, paid, fee, maker, state, tx_hash, at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " ON DUPLICATE KEY UPDATE state = VALUES(state), tx_hash = COALESCE(VALUES(tx_hash), tx_hash)";
static const char OF[] = SELECT "predict_fills f WHERE f.execution_id IN (" VALUES_160 ")" OLDEST;
static const char CLAIMED[] =
    SELECT "predict_accounts p JOIN predict_orders o FORCE INDEX (wallet_holds) ON o.wallet_id = p.wallet_id"
           " AND o.final = 0 JOIN predict_fills f ON f.execution_id = o.execution_id"
           " WHERE p.lease_owner = ?" OLDEST;

#define LATELY(FIRST, NEXT)                                                                                  \
    FIRST("o.token", l->token = col_u256(st, i))                                                             \
    NEXT("o.condition_id", (void)col_fixed(st, i, l->condition, sizeof l->condition))                        \
    NEXT("o.outcome", l->outcome = col_text(st, i, a))                                                       \
    NEXT("o.question", l->question = col_text(st, i, a))                                                     \
    NEXT("o.side", l->sells = col_u64(st, i) == ORDER_SELL)
static const char UNTOLD[] = "SELECT " LATELY(
    FIRST_NAME, NEXT_NAME) ", o.price, CAST(o.matched AS SIGNED)"
                           " - CAST(COALESCE(SUM(f.size), 0) AS SIGNED) AS more"
                           " FROM predict_orders o FORCE INDEX (wallet_holds) LEFT JOIN predict_fills f"
                           " ON f.execution_id = o.execution_id AND f.state <> 4"
                           " WHERE o.wallet_id = ? AND o.final = 0 AND o.matched > 0"
                           " GROUP BY o.execution_id HAVING more > 0";
/* Fills before a redemption do not count: the shares are gone. */
static const char TOLD[] = "SELECT " LATELY(
    FIRST_NAME, NEXT_NAME) ", f.price, f.size FROM predict_orders o FORCE INDEX (wallet_holds)"
                           " JOIN predict_fills f ON f.execution_id = o.execution_id"
                           " WHERE o.wallet_id = ? AND o.final IN (0, 1) AND f.state <> 4"
                           " AND o.updated_at >= UTC_TIMESTAMP(3) - INTERVAL 5 MINUTE"
                           " AND f.at >= UTC_TIMESTAMP(3) - INTERVAL 5 MINUTE"
                           " AND f.at > COALESCE((SELECT MAX(r.created_at) FROM (SELECT kind,"
                           " wallet_id, created_at FROM executions WHERE agent_id = ?"
                           " AND in_swaps = 0 ORDER BY id DESC LIMIT 100) r WHERE"
                           " r.wallet_id = ? AND r.kind = " SQL_PREDICT_REDEMPTION "), 0)"
                           " ORDER BY f.at DESC, f.trade DESC";
#define SETTLED_OF(tables, which)                                                                            \
    "SELECT o.side, f.paid, f.fee, f.tx_hash, o.updated_at FROM " tables                                     \
    " JOIN predict_fills f ON f.execution_id = o.execution_id WHERE " which " AND o.final IN (0, 1)"         \
    " AND o.updated_at >= UTC_TIMESTAMP(3) - INTERVAL 5 MINUTE AND f.state = 3 AND f.tx_hash IS NOT NULL"    \
    " ORDER BY f.at DESC, f.trade DESC LIMIT 32"
#define OF_WALLET "predict_orders o FORCE INDEX (wallet_holds)"
static const char SETTLED[] = SETTLED_OF(OF_WALLET, "o.wallet_id = ?");
/* An EVM wallet that trades itself. */
static const char SETTLED_ITSELF[] =
    SETTLED_OF("wallets w JOIN predict_accounts p ON p.wallet_id = w.id AND p.kind = 2 JOIN " OF_WALLET
               " ON o.wallet_id = w.id",
               "w.kind = 1 AND w.address = ?");
static const char SUM[] = "SELECT CAST(COALESCE(SUM(IF(side = 0, 1, -1) * CAST(matched AS SIGNED)), 0) AS"
                          " SIGNED) FROM predict_orders WHERE wallet_id = ? AND token = ?";

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

static bool lately_read(struct stmt *st, struct arena *a, struct fill_lately **out, int *n)
{
    if (!db_query(st))
        return false;
    while (db_next(st)) {
        struct fill_lately *l;
        unsigned i = 0;

        *out = arena_grow(a, *out, (size_t)*n, sizeof **out);
        l = &(*out)[(*n)++];
        *l = (struct fill_lately){ .size = 0 };
        LATELY(READ_FIRST, READ_NEXT)
        l->price = (uint32_t)col_u64(st, i + 1);
        l->size = col_u64(st, i + 2);
    }
    return true;
}

int fills_lately(struct db *db, struct arena *a, uint64_t agent_id, uint64_t wallet_id,
                 struct fill_lately **out)
{
    struct stmt *st = db_prepare(db, UNTOLD);
    int n = 0;

    *out = NULL;
    bind_u64(st, wallet_id);
    if (!lately_read(st, a, out, &n))
        return -1;
    st = db_prepare(db, TOLD);
    bind_u64(st, wallet_id);
    bind_u64(st, agent_id);
    bind_u64(st, wallet_id);
    return lately_read(st, a, out, &n) ? n : -1;
}

bool fills_sum(struct db *db, uint64_t wallet_id, const struct u256 *token, int64_t *out)
{
    struct stmt *st = db_prepare(db, SUM);

    bind_u64(st, wallet_id);
    bind_u256(st, token);
    if (db_one(st) != LOOKUP_FOUND)
        return false;
    *out = col_i64(st, 0);
    return true;
}

static int settled_read(struct stmt *st, struct arena *a, struct fill_settled **out)
{
    int n = 0;

    *out = NULL;
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        struct fill_settled *f;

        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        f = &(*out)[n++];
        *f = (struct fill_settled){ .sells = col_u64(st, 0) == ORDER_SELL,
                                    .paid = col_u64(st, 1),
                                    .fee = col_u64(st, 2),
                                    .known_ms = col_ms(st, 4) };
        (void)col_fixed(st, 3, f->tx_hash, sizeof f->tx_hash);
    }
    return n;
}

int fills_settled(struct db *db, struct arena *a, uint64_t wallet_id, struct fill_settled **out)
{
    struct stmt *st = db_prepare(db, SETTLED);

    bind_u64(st, wallet_id);
    return settled_read(st, a, out);
}

int fills_settled_itself(struct db *db, struct arena *a, const char *address, struct fill_settled **out)
{
    struct stmt *st = db_prepare(db, SETTLED_ITSELF);

    bind_text(st, address);
    return settled_read(st, a, out);
}
