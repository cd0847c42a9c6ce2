#include "store/perps_fills.h"

#include "store/columns.h"
#include "store/list_filter.h"

/* Columns of fill `f`, from column `i` of `st` on. */
#define FILL(FIRST, NEXT)                                                                                    \
    FIRST("wallet_id", f->wallet_id = col_u64(st, i))                                                        \
    NEXT("trade", f->trade = col_u64(st, i))                                                                 \
    NEXT("agent_id", f->agent_id = col_u64(st, i))                                                           \
    NEXT("oid", f->oid = col_u64(st, i))                                                                     \
    NEXT("cloid", (void)col_fixed(st, i, f->cloid, sizeof f->cloid))                                         \
    NEXT("asset", col_string(st, i, f->asset, sizeof f->asset))                                              \
    NEXT("sells", f->sells = col_u64(st, i) != 0)                                                            \
    NEXT("liquidation", f->liquidation = col_u64(st, i) != 0)                                                \
    NEXT("price", f->price = col_u64(st, i))                                                                 \
    NEXT("size", f->size = col_u64(st, i))                                                                   \
    NEXT("fee", f->fee = col_i64(st, i))                                                                     \
    NEXT("closed_pnl", f->gain = col_i64(st, i))                                                             \
    NEXT("at", f->at_ms = col_ms(st, i))

/* Columns of payment `p`. */
#define PAYMENT(FIRST, NEXT)                                                                                 \
    FIRST("wallet_id", p->wallet_id = col_u64(st, i))                                                        \
    NEXT("agent_id", p->agent_id = col_u64(st, i))                                                           \
    NEXT("asset", col_string(st, i, p->asset, sizeof p->asset))                                              \
    NEXT("rate", p->rate = col_i64(st, i))                                                                   \
    NEXT("size", p->size = col_i64(st, i))                                                                   \
    NEXT("amount", p->amount = col_i64(st, i))                                                               \
    NEXT("at", p->at_ms = col_ms(st, i))

static const char PUT_FILL[] =
    "INSERT IGNORE INTO perps_fills (wallet_id, trade, agent_id, oid, cloid, asset, sells, liquidation, price,"
    " size, fee, closed_pnl, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
static const char PUT_PAYMENT[] =
    "INSERT IGNORE INTO perps_payments (wallet_id, agent_id, asset, rate, size, amount, at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)";
/* Prices and sizes have 16 places together. */
#define TRADED                                                                                               \
    " CAST(COALESCE(SUM(f.size), 0) AS UNSIGNED),"                                                           \
    " CAST(COALESCE(SUM(CAST(f.price AS DECIMAL(30)) * f.size), 0) DIV 100000000 AS UNSIGNED),"              \
    " CAST(COALESCE(SUM(f.fee), 0) AS SIGNED)"
static const char OF_ORDER[] = "SELECT" TRADED " FROM perps_fills f WHERE f.wallet_id = ? AND f.oid = ?";
static const char OF_FOLLOWED[] = "SELECT" TRADED ", f.oid FROM perps_orders o FORCE INDEX (wallet_open)"
                                  " JOIN perps_fills f ON f.wallet_id = o.wallet_id AND f.oid = o.oid"
                                  " WHERE o.wallet_id = ? AND o.final = 0 GROUP BY f.oid";
static const char KNOWN[] = "SELECT trade FROM perps_fills WHERE agent_id = ? AND at >= ? AND wallet_id = ?";
static const char LATELY[] =
    "SELECT " FILL(FIRST_NAME, NEXT_NAME) " FROM perps_fills WHERE agent_id = ?"
                                          " AND at >= UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE AND wallet_id = ?"
                                          " ORDER BY at DESC, trade DESC";
/* The amounts that followed orders have traded, less those of their known trades. */
#define UNTOLD                                                                                               \
    " FROM (SELECT o.cloid, o.asset, o.sells, o.price, o.filled, o.paid,"                                    \
    " CAST(o.filled AS SIGNED) - CAST(COALESCE(SUM(f.size), 0) AS SIGNED) AS more"                           \
    " FROM perps_orders o FORCE INDEX (wallet_open) LEFT JOIN perps_fills f ON f.wallet_id = o.wallet_id"    \
    " AND f.oid = o.oid WHERE o.wallet_id = ? AND o.final = 0 AND o.filled > 0 GROUP BY o.id) u"             \
    " WHERE u.more > 0"
static const char UNTOLD_LIST[] =
    "SELECT u.cloid, u.asset, u.sells, u.price, u.filled, u.paid, u.more" UNTOLD;
static const char SUM_TOLD[] =
    "SELECT CAST(COALESCE(SUM(IF(sells, -1, 1) * CAST(size AS SIGNED)), 0) AS SIGNED)"
    " FROM perps_fills WHERE wallet_id = ? AND asset = ?";
static const char SUM_UNTOLD[] =
    "SELECT CAST(COALESCE(SUM(IF(u.sells, -1, 1) * u.more), 0) AS SIGNED)" UNTOLD " AND u.asset = ?";
#define OF_AGENT " WHERE agent_id = ? AND (? IS NULL OR asset = ?)" SQL_LIST_PERIOD("at")
static const char FILLS_TOTAL[] = "SELECT COUNT(*) FROM perps_fills" OF_AGENT;
static const char FILLS_PAGE[] =
    "SELECT " FILL(FIRST_NAME, NEXT_NAME) " FROM perps_fills" OF_AGENT
                                          " ORDER BY at DESC, trade DESC LIMIT ? OFFSET ?";
static const char PAYMENTS_TOTAL[] = "SELECT COUNT(*) FROM perps_payments" OF_AGENT;
static const char PAYMENTS_PAGE[] =
    "SELECT " PAYMENT(FIRST_NAME, NEXT_NAME) " FROM perps_payments" OF_AGENT
                                             " ORDER BY at DESC, asset LIMIT ? OFFSET ?";

static bool is_set(const uint8_t cloid[static PERPS_CLOID_LEN])
{
    for (size_t i = 0; i < PERPS_CLOID_LEN; i++)
        if (cloid[i] != 0)
            return true;
    return false;
}

enum db_update perps_fills_put(struct db *db, const struct perps_fill *f)
{
    struct stmt *st = db_prepare(db, PUT_FILL);

    bind_u64(st, f->wallet_id);
    bind_u64(st, f->trade);
    bind_u64(st, f->agent_id);
    bind_u64(st, f->oid);
    bind_bytes(st, is_set(f->cloid) ? f->cloid : NULL, sizeof f->cloid);
    bind_text(st, f->asset);
    bind_u64(st, f->sells);
    bind_u64(st, f->liquidation);
    bind_u64(st, f->price);
    bind_u64(st, f->size);
    bind_i64(st, f->fee);
    bind_i64(st, f->gain);
    bind_ms(st, f->at_ms);
    return db_change(st);
}

enum db_update perps_payments_put(struct db *db, const struct perps_payment *p)
{
    struct stmt *st = db_prepare(db, PUT_PAYMENT);

    bind_u64(st, p->wallet_id);
    bind_u64(st, p->agent_id);
    bind_text(st, p->asset);
    bind_i64(st, p->rate);
    bind_i64(st, p->size);
    bind_i64(st, p->amount);
    bind_ms(st, p->at_ms);
    return db_change(st);
}

static struct perps_traded traded_read(struct stmt *st)
{
    return (struct perps_traded){ .size = col_u64(st, 0), .paid = col_u64(st, 1), .fee = col_i64(st, 2) };
}

bool perps_fills_of(struct db *db, uint64_t wallet_id, uint64_t oid, struct perps_traded *out)
{
    struct stmt *st = db_prepare(db, OF_ORDER);

    bind_u64(st, wallet_id);
    bind_u64(st, oid);
    if (db_one(st) != LOOKUP_FOUND)
        return false;
    *out = traded_read(st);
    out->oid = oid;
    return true;
}

int perps_fills_of_followed(struct db *db, struct arena *a, uint64_t wallet_id, struct perps_traded **out)
{
    struct stmt *st = db_prepare(db, OF_FOLLOWED);
    int n = 0;

    *out = NULL;
    bind_u64(st, wallet_id);
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        (*out)[n] = traded_read(st);
        (*out)[n++].oid = col_u64(st, 3);
    }
    return n;
}

int perps_fills_known(struct db *db, struct arena *a, uint64_t agent_id, uint64_t wallet_id, int64_t since_ms,
                      uint64_t **trades)
{
    struct stmt *st = db_prepare(db, KNOWN);
    int n = 0;

    *trades = NULL;
    bind_u64(st, agent_id);
    bind_ms(st, since_ms);
    bind_u64(st, wallet_id);
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *trades = arena_grow(a, *trades, (size_t)n, sizeof **trades);
        (*trades)[n++] = col_u64(st, 0);
    }
    return n;
}

/* At the average of what is told, or at the order's own price. */
static bool untold_read(struct stmt *st, struct perps_fill *f)
{
    uint64_t filled = col_u64(st, 4), paid = col_u64(st, 5);
    struct u256 price;

    *f = (struct perps_fill){ .sells = col_u64(st, 2) != 0, .price = col_u64(st, 3), .size = col_u64(st, 6) };
    (void)col_fixed(st, 0, f->cloid, sizeof f->cloid);
    col_string(st, 1, f->asset, sizeof f->asset);
    return paid == 0 ||
           (u256_muldiv(&price, u256_from_u64(paid), u256_from_u64(100000000), u256_from_u64(filled)) &&
            u256_to_u64(&f->price, price));
}

static int untold_list(struct db *db, struct arena *a, uint64_t wallet_id, struct perps_fill **out)
{
    struct stmt *st = db_prepare(db, UNTOLD_LIST);
    bool ok = true;
    int n = 0;

    *out = NULL;
    bind_u64(st, wallet_id);
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        ok = untold_read(st, &(*out)[n++]) && ok;
    }
    return ok ? n : -1;
}

int perps_fills_lately(struct db *db, struct arena *a, uint64_t agent_id, uint64_t wallet_id,
                       struct perps_fill **out)
{
    int n = untold_list(db, a, wallet_id, out);
    struct stmt *st = db_prepare(db, LATELY);

    bind_u64(st, agent_id);
    bind_u64(st, wallet_id);
    if (n < 0 || !db_query(st))
        return -1;
    while (db_next(st)) {
        struct perps_fill *f;
        unsigned i = 0;

        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        f = &(*out)[n++];
        FILL(READ_FIRST, READ_NEXT)
    }
    return n;
}

static bool sum_read(struct stmt *st, uint64_t wallet_id, const char *asset, int64_t *out)
{
    bind_u64(st, wallet_id);
    bind_ascii(st, asset);
    if (db_one(st) != LOOKUP_FOUND)
        return false;
    *out = col_i64(st, 0);
    return true;
}

bool perps_fills_sum(struct db *db, uint64_t wallet_id, const char *asset, int64_t *out)
{
    int64_t untold;

    return sum_read(db_prepare(db, SUM_TOLD), wallet_id, asset, out) &&
           sum_read(db_prepare(db, SUM_UNTOLD), wallet_id, asset, &untold) &&
           !__builtin_add_overflow(*out, untold, out);
}

static struct stmt *of_agent(struct db *db, const char *sql, uint64_t agent_id, const struct perps_past *past)
{
    struct stmt *st = db_prepare(db, sql);

    bind_u64(st, agent_id);
    bind_text(st, past->asset);
    bind_ascii(st, past->asset != NULL ? past->asset : "");
    bind_list_period(st, &past->period);
    return st;
}

/* NULL: the database failed. */
static struct stmt *page_of(struct db *db, const char *total_sql, const char *sql, uint64_t agent_id,
                            const struct perps_past *past, const struct page *p, uint64_t *total)
{
    struct stmt *st = of_agent(db, total_sql, agent_id, past);

    if (db_one(st) != LOOKUP_FOUND)
        return NULL;
    *total = col_u64(st, 0);
    st = of_agent(db, sql, agent_id, past);
    bind_u64(st, p->limit);
    bind_u64(st, p->offset);
    return db_query(st) ? st : NULL;
}

int perps_fills_page(struct db *db, uint64_t agent_id, const struct perps_past *past, const struct page *p,
                     struct perps_fill *out, uint64_t *total)
{
    struct stmt *st = page_of(db, FILLS_TOTAL, FILLS_PAGE, agent_id, past, p, total);
    int n = 0;

    while (st != NULL && db_next(st)) {
        struct perps_fill *f = &out[n++];
        unsigned i = 0;

        FILL(READ_FIRST, READ_NEXT)
    }
    return st != NULL ? n : -1;
}

int perps_payments_page(struct db *db, uint64_t agent_id, const struct perps_past *past,
                        const struct page *page, struct perps_payment *out, uint64_t *total)
{
    struct stmt *st = page_of(db, PAYMENTS_TOTAL, PAYMENTS_PAGE, agent_id, past, page, total);
    int n = 0;

    while (st != NULL && db_next(st)) {
        struct perps_payment *p = &out[n++];
        unsigned i = 0;

        PAYMENT(READ_FIRST, READ_NEXT)
    }
    return st != NULL ? n : -1;
}
