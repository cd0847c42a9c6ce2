#include "store/perps_orders.h"

#include "store/columns.h"
#include "store/states.h"

/* Of order `o`, at column `i` of `st`. */
#define ORDER(FIRST, NEXT)                                                                                   \
    FIRST("id", o->id = col_u64(st, i))                                                                      \
    NEXT("execution_id", o->execution_id = col_u64(st, i))                                                   \
    NEXT("agent_id", o->agent_id = col_u64(st, i))                                                           \
    NEXT("wallet_id", o->wallet_id = col_u64(st, i))                                                         \
    NEXT("role", o->role = (enum perps_role)col_u64(st, i))                                                  \
    NEXT("cloid", (void)col_fixed(st, i, o->cloid, sizeof o->cloid))                                         \
    NEXT("oid", o->oid = col_u64(st, i))                                                                     \
    NEXT("asset", col_string(st, i, o->asset, sizeof o->asset))                                              \
    NEXT("sells", o->sells = col_u64(st, i) != 0)                                                            \
    NEXT("is_market", o->is_market = col_u64(st, i) != 0)                                                    \
    NEXT("tif", o->tif = (enum perps_tif)col_u64(st, i))                                                     \
    NEXT("reduce_only", o->reduce_only = col_u64(st, i) != 0)                                                \
    NEXT("size", o->size = col_u64(st, i))                                                                   \
    NEXT("price", o->price = col_u64(st, i))                                                                 \
    NEXT("trigger_price", o->trigger = col_u64(st, i))                                                       \
    NEXT("leverage", o->leverage = (unsigned)col_u64(st, i))                                                 \
    NEXT("isolated", o->isolated = col_u64(st, i) != 0)                                                      \
    NEXT("status", o->status = (enum order_status)col_u64(st, i))                                            \
    NEXT("filled", o->filled = col_u64(st, i))                                                               \
    NEXT("paid", o->paid = col_u64(st, i))                                                                   \
    NEXT("fee", o->fee = col_i64(st, i))                                                                     \
    NEXT("final", o->final = col_u64(st, i) != 0)                                                            \
    NEXT("error_code", o->error_code = col_text(st, i, a))                                                   \
    NEXT("error_message", o->error_message = col_text(st, i, a))                                             \
    NEXT("cancel_requested_at", o->cancel_requested_ms = col_ms(st, i))                                      \
    NEXT("looked_at", o->looked_ms = col_ms(st, i))                                                          \
    NEXT("created_at", o->created_ms = col_ms(st, i))                                                        \
    NEXT("updated_at", o->updated_ms = col_ms(st, i))

#define SELECT "SELECT " ORDER(FIRST_NAME, NEXT_NAME) " FROM perps_orders"

static const char ADD[] =
    "INSERT INTO perps_orders (execution_id, agent_id, wallet_id, role, cloid, asset, sells, is_market, tif,"
    " reduce_only, size, price, trigger_price, leverage, isolated, status, created_at, updated_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))";
static const char BEGIN[] =
    "UPDATE perps_orders SET status = " SQL_ORDER_PENDING ", created_at = UTC_TIMESTAMP(3),"
    " updated_at = UTC_TIMESTAMP(3) WHERE execution_id = ? AND status = " SQL_ORDER_WAITING;
static const char GET[] =
    SELECT " WHERE cloid = ? AND (? = 0 OR agent_id = ?) AND status <> " SQL_ORDER_WAITING;
static const char OF_EXECUTION[] = SELECT " WHERE execution_id = ? AND role = 0";
static const char BEHIND[] = SELECT " WHERE execution_id = ? AND role > 0 ORDER BY role LIMIT 2";
#define FILTER                                                                                               \
    " WHERE agent_id = ? AND role = 0 AND status <> " SQL_ORDER_WAITING                                      \
    " AND (? = 0 OR status = ?) AND (? IS NULL OR asset = ?)"
static const char PAGE[] = SELECT FILTER " ORDER BY id DESC LIMIT ? OFFSET ?";
static const char TOTAL[] = "SELECT COUNT(*) FROM perps_orders" FILTER;
static const char BEHIND_PAGE[] =
    SELECT " WHERE agent_id = ? AND role > 0 AND execution_id BETWEEN ? AND ? ORDER BY execution_id, role";
static const char PLACED[] =
    "UPDATE perps_orders SET status = " SQL_ORDER_OPEN ", final = 0, error_code = NULL, error_message = NULL,"
    " updated_at = UTC_TIMESTAMP(3) WHERE execution_id = ? AND status IN (" SQL_ORDER_PENDING
    ", " SQL_ORDER_REJECTED ")";
static const char REJECTED[] = "UPDATE perps_orders SET status = " SQL_ORDER_REJECTED
                               ", final = 1, error_code = ?, error_message = ?, updated_at = UTC_TIMESTAMP(3)"
                               " WHERE execution_id = ? AND status = " SQL_ORDER_PENDING;
static const char CANCEL_REQUEST[] =
    "UPDATE perps_orders SET cancel_requested_at = COALESCE(cancel_requested_at, UTC_TIMESTAMP(3)),"
    " updated_at = UTC_TIMESTAMP(3) WHERE id = ? AND status IN (" SQL_ORDER_PENDING ", " SQL_ORDER_OPEN ")";
static const char RECORD[] =
    "UPDATE perps_orders SET status = ?, oid = COALESCE(?, oid), size = ?, filled = ?, paid = ?, fee = ?,"
    " final = ?, looked_at = ?, error_code = ?, error_message = ?, updated_at = UTC_TIMESTAMP(3)"
    " WHERE id = ? AND status = ? AND filled = ? AND paid = ? AND final = ?";
static const char FOLLOWED[] =
    SELECT " FORCE INDEX (wallet_open) WHERE wallet_id = ? AND final = 0 AND status <> " SQL_ORDER_WAITING
           " ORDER BY execution_id, role";

bool perps_orders_add(struct db *db, struct perps_order *o)
{
    struct stmt *st = db_prepare(db, ADD);

    bind_u64(st, o->execution_id);
    bind_u64(st, o->agent_id);
    bind_u64(st, o->wallet_id);
    bind_u64(st, o->role);
    bind_bytes(st, o->cloid, sizeof o->cloid);
    bind_text(st, o->asset);
    bind_u64(st, o->sells);
    bind_u64(st, o->is_market);
    bind_u64(st, o->tif);
    bind_u64(st, o->reduce_only);
    bind_u64(st, o->size);
    bind_u64(st, o->price);
    bind_u64(st, o->trigger);
    bind_u64(st, o->leverage);
    bind_u64(st, o->isolated);
    bind_u64(st, o->status);
    if (db_exec(st) != 1)
        return false;
    o->id = db_insert_id(db);
    return true;
}

static enum done changed(int64_t rows)
{
    return rows < 0 ? DONE_FAILED : rows == 0 ? DONE_NOT : DONE;
}

enum done perps_orders_begin(struct db *db, uint64_t execution_id)
{
    struct stmt *st = db_prepare(db, BEGIN);

    bind_u64(st, execution_id);
    return changed(db_exec(st));
}

/* ---- reading ---- */

static void read_order(struct stmt *st, struct arena *a, struct perps_order *o)
{
    unsigned i = 0;

    *o = (struct perps_order){ .id = 0 };
    ORDER(READ_FIRST, READ_NEXT)
}

static enum found one_order(struct stmt *st, struct arena *a, struct perps_order *out)
{
    enum found found = db_one(st);

    if (found == FOUND_ONE)
        read_order(st, a, out);
    return found;
}

static int all_orders(struct stmt *st, struct arena *a, struct perps_order **out)
{
    int n = 0;

    *out = NULL;
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        read_order(st, a, &(*out)[n++]);
    }
    return n;
}

static int some_orders(struct stmt *st, struct arena *a, struct perps_order *out)
{
    int n = 0;

    if (!db_query(st))
        return -1;
    while (db_next(st))
        read_order(st, a, &out[n++]);
    return n;
}

enum found perps_orders_get(struct db *db, struct arena *a, uint64_t agent_id,
                            const uint8_t cloid[static PERPS_CLOID_LEN], struct perps_order *out)
{
    struct stmt *st = db_prepare(db, GET);

    bind_bytes(st, cloid, PERPS_CLOID_LEN);
    bind_u64(st, agent_id);
    bind_u64(st, agent_id);
    return one_order(st, a, out);
}

enum found perps_orders_of_execution(struct db *db, struct arena *a, uint64_t execution_id,
                                     struct perps_order *out)
{
    struct stmt *st = db_prepare(db, OF_EXECUTION);

    bind_u64(st, execution_id);
    return one_order(st, a, out);
}

int perps_orders_behind(struct db *db, struct arena *a, uint64_t execution_id, struct perps_order *out)
{
    struct stmt *st = db_prepare(db, BEHIND);

    bind_u64(st, execution_id);
    return some_orders(st, a, out);
}

static struct stmt *filtered(struct db *db, const char *sql, uint64_t agent_id, const struct perps_filter *f)
{
    struct stmt *st = db_prepare(db, sql);

    bind_u64(st, agent_id);
    bind_u64(st, f->status);
    bind_u64(st, f->status);
    bind_text(st, f->asset);
    bind_ascii(st, f->asset != NULL ? f->asset : "");
    return st;
}

int perps_orders_page(struct db *db, struct arena *a, uint64_t agent_id, const struct perps_filter *f,
                      const struct page *p, struct perps_order *out, uint64_t *total)
{
    struct stmt *st = filtered(db, TOTAL, agent_id, f);

    if (db_one(st) != FOUND_ONE)
        return -1;
    *total = col_u64(st, 0);
    st = filtered(db, PAGE, agent_id, f);
    bind_u64(st, p->limit);
    bind_u64(st, p->offset);
    return some_orders(st, a, out);
}

int perps_orders_behind_page(struct db *db, struct arena *a, uint64_t agent_id, uint64_t first, uint64_t last,
                             struct perps_order **out)
{
    struct stmt *st = db_prepare(db, BEHIND_PAGE);

    bind_u64(st, agent_id);
    bind_u64(st, first);
    bind_u64(st, last);
    return all_orders(st, a, out);
}

/* ---- what becomes of them ---- */

enum done perps_orders_placed(struct db *db, uint64_t execution_id)
{
    struct stmt *st = db_prepare(db, PLACED);

    bind_u64(st, execution_id);
    return changed(db_exec(st));
}

enum done perps_orders_rejected(struct db *db, uint64_t execution_id, const char *code, const char *message)
{
    struct stmt *st = db_prepare(db, REJECTED);

    bind_text(st, code);
    bind_text(st, message);
    bind_u64(st, execution_id);
    return changed(db_exec(st));
}

enum done perps_orders_cancel_request(struct db *db, uint64_t id)
{
    struct stmt *st = db_prepare(db, CANCEL_REQUEST);

    bind_u64(st, id);
    return (enum done)db_exec(st);
}

enum done perps_orders_record(struct db *db, const struct perps_order *was, const struct perps_order *now)
{
    struct stmt *st = db_prepare(db, RECORD);

    bind_u64(st, now->status);
    bind_u64_or_null(st, now->oid);
    bind_u64(st, now->size);
    bind_u64(st, now->filled);
    bind_u64(st, now->paid);
    bind_i64(st, now->fee);
    bind_u64(st, now->final);
    bind_ms(st, now->looked_ms);
    bind_text(st, now->error_code);
    bind_text(st, now->error_message);
    bind_u64(st, was->id);
    bind_u64(st, was->status);
    bind_u64(st, was->filled);
    bind_u64(st, was->paid);
    bind_u64(st, was->final);
    return (enum done)db_exec(st);
}

int perps_orders_followed(struct db *db, struct arena *a, uint64_t wallet_id, struct perps_order **out)
{
    struct stmt *st = db_prepare(db, FOLLOWED);

    bind_u64(st, wallet_id);
    return all_orders(st, a, out);
}
