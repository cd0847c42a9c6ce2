#include "store/perps_orders.h"

#include "store/agents.h"
#include "store/columns.h"
#include "store/list_filter.h"
#include "store/states.h"

/* Columns of child `c`, named <name>_status and so on, from column `i` of `st` on. */
#define CHILD(NEXT, name, c)                                                                                 \
    NEXT(name "_status", (c).status = (enum order_status)col_u64(st, i))                                     \
    NEXT(name "_cloid", (void)col_fixed(st, i, (c).cloid, sizeof(c).cloid))                                  \
    NEXT(name "_trigger", (c).trigger = col_u64(st, i))

/* Columns of order `o`, as lists show it. */
#define LISTED(FIRST, NEXT)                                                                                  \
    FIRST("o.cloid", (void)col_fixed(st, i, o->cloid, sizeof o->cloid))                                      \
    NEXT("o.role", o->role = (enum perps_role)col_u64(st, i))                                                \
    NEXT("o.trigger_price", o->trigger = col_u64(st, i))                                                     \
    NEXT("o.asset", col_string(st, i, o->asset, sizeof o->asset))                                            \
    NEXT("o.sells", o->sells = col_u64(st, i) != 0)                                                          \
    NEXT("o.is_market", o->is_market = col_u64(st, i) != 0)                                                  \
    NEXT("o.tif", o->tif = (enum perps_tif)col_u64(st, i))                                                   \
    NEXT("o.reduce_only", o->reduce_only = col_u64(st, i) != 0)                                              \
    NEXT("o.size", o->size = col_u64(st, i))                                                                 \
    NEXT("o.price", o->price = col_u64(st, i))                                                               \
    NEXT("o.leverage", o->leverage = (unsigned)col_u64(st, i))                                               \
    NEXT("o.isolated", o->isolated = col_u64(st, i) != 0)                                                    \
    NEXT("o.status", o->status = (enum order_status)col_u64(st, i))                                          \
    NEXT("o.filled", o->filled = col_u64(st, i))                                                             \
    NEXT("o.paid", o->paid = col_u64(st, i))                                                                 \
    NEXT("o.fee", o->fee = col_i64(st, i))                                                                   \
    NEXT("o.error_message", o->error_message = col_text(st, i, a))                                           \
    NEXT("o.cancel_requested_at", o->cancel_requested_ms = col_ms(st, i))                                    \
    NEXT("o.created_at", o->created_ms = col_ms(st, i))                                                      \
    NEXT("o.updated_at", o->updated_ms = col_ms(st, i))                                                      \
    CHILD(NEXT, "o.take_profit", o->gain)                                                                    \
    CHILD(NEXT, "o.stop_loss", o->loss)

#define ORDER(FIRST, NEXT)                                                                                   \
    LISTED(FIRST, NEXT)                                                                                      \
    NEXT("o.id", o->id = col_u64(st, i))                                                                     \
    NEXT("o.execution_id", o->execution_id = col_u64(st, i))                                                 \
    NEXT("o.agent_id", o->agent_id = col_u64(st, i))                                                         \
    NEXT("o.wallet_id", o->wallet_id = col_u64(st, i))                                                       \
    NEXT("o.children", o->behind = (unsigned)col_u64(st, i))                                                 \
    NEXT("o.oid", o->oid = col_u64(st, i))                                                                   \
    NEXT("o.final", o->final = col_u64(st, i) != 0)                                                          \
    NEXT("o.error_code", o->error_code = col_text(st, i, a))                                                 \
    NEXT("o.unknown_at", o->polled_ms = col_ms(st, i))

#define SELECT  "SELECT " ORDER(FIRST_NAME, NEXT_NAME) " FROM perps_orders o"

#define NEW_ROW "(" VALUES_16 ", " VALUES_4 ", ?, ?, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))"
#define ADD(rows)                                                                                            \
    "INSERT INTO perps_orders (execution_id, agent_id, wallet_id, role, children, cloid, asset, sells,"      \
    " is_market, tif, reduce_only, size, price, trigger_price, leverage, isolated, status,"                  \
    " take_profit_status, take_profit_cloid, take_profit_trigger, stop_loss_status, stop_loss_cloid,"        \
    " stop_loss_trigger, created_at, updated_at) VALUES " rows
static const char *const adds[PERPS_ORDERS_AT_ONCE] = { ADD(NEW_ROW), ADD(NEW_ROW ", " NEW_ROW),
                                                        ADD(NEW_ROW ", " NEW_ROW ", " NEW_ROW) };
static const char BEGIN[] =
    "UPDATE perps_orders SET status = " SQL_ORDER_PENDING ", created_at = UTC_TIMESTAMP(3),"
    " updated_at = UTC_TIMESTAMP(3) WHERE execution_id = ? AND status = " SQL_ORDER_WAITING;
static const char GET[] =
    SELECT " WHERE cloid = ? AND (? = 0 OR agent_id = ?) AND status <> " SQL_ORDER_WAITING;
static const char OF_EXECUTION[] = SELECT " WHERE execution_id = ? AND role = 0";
static const char BEHIND_ONE[] = SELECT " WHERE execution_id = ? AND role > 0 ORDER BY role LIMIT 2";
#define SHOWN       " WHERE o.agent_id = ? AND o.role = 0 AND o.status <> " SQL_ORDER_WAITING
#define FROM_NEWEST " FORCE INDEX (agent_page)"
#define SOME                                                                                                 \
    SHOWN " AND (? = 0 OR o.status = ?) AND (? IS NULL OR o.asset = ?)" SQL_LIST_PERIOD("o.created_at")
/* A trigger rests by itself once its order does not rest any more: until then that order shows it. */
#define OPEN                                                                                                 \
    " WHERE o.agent_id = ? AND o.role IN (0, 1, 2) AND o.status = " SQL_ORDER_OPEN                           \
    " AND (? IS NULL OR o.asset = ?)" SQL_LIST_PERIOD(                                                       \
        "o.created_at") " AND (o.role = 0 OR EXISTS (SELECT 1 FROM perps_orders m WHERE"                     \
                        " m.execution_id = o.execution_id AND m.role = 0"                                    \
                        " AND m.status NOT IN (" SQL_ORDER_PENDING ", " SQL_ORDER_OPEN ")))"
#define PART               " ORDER BY o.id DESC LIMIT ? OFFSET ?"
#define PAGE(index, where) "SELECT " LISTED(FIRST_NAME, NEXT_NAME) " FROM perps_orders o" index where PART
static const char PAGE_OF_ALL[] = PAGE(FROM_NEWEST, SHOWN);
static const char PAGE_OF_SOME[] = PAGE("", SOME);
static const char PAGE_OF_OPEN[] = PAGE("", OPEN);
static const char COUNT[] = "SELECT COUNT(*) FROM perps_orders o" SOME;
static const char COUNT_OPEN[] = "SELECT COUNT(*) FROM perps_orders o" OPEN;
static const char RECORD[] =
    "UPDATE perps_orders SET status = ?, oid = COALESCE(?, oid), size = ?, filled = ?, paid = ?, fee = ?,"
    " final = ?, unknown_at = ?, error_code = ?, error_message = ?, updated_at = UTC_TIMESTAMP(3)"
    " WHERE id = ? AND status = ? AND filled = ? AND paid = ? AND final = ?";
/* The execution's order shows the states of its triggers. */
static const char CHILDREN_MOVED[] =
    "UPDATE perps_orders SET take_profit_status = IF(take_profit_status = ?, ?, take_profit_status),"
    " stop_loss_status = IF(stop_loss_status = ?, ?, stop_loss_status) WHERE execution_id = ? AND role = 0";
static const char GAIN_MOVED[] =
    "UPDATE perps_orders SET take_profit_status = ? WHERE execution_id = ? AND role = 0";
static const char LOSS_MOVED[] =
    "UPDATE perps_orders SET stop_loss_status = ? WHERE execution_id = ? AND role = 0";
static const char FOLLOWED[] =
    SELECT " FORCE INDEX (wallet_open) WHERE wallet_id = ? AND final = 0 AND status <> " SQL_ORDER_WAITING
           " ORDER BY execution_id, role";

static void bind_child(struct stmt *st, const struct perps_child *c)
{
    bind_u64_or_null(st, c->status);
    bind_bytes(st, c->status != 0 ? c->cloid : NULL, sizeof c->cloid);
    bind_u64_or_null(st, c->trigger);
}

static void bind_new(struct stmt *st, const struct perps_order *o)
{
    bind_u64(st, o->execution_id);
    bind_u64(st, o->agent_id);
    bind_u64(st, o->wallet_id);
    bind_u64(st, o->role);
    bind_u64(st, o->behind);
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
    bind_child(st, &o->gain);
    bind_child(st, &o->loss);
}

bool perps_orders_add(struct db *db, struct perps_order *list, unsigned n)
{
    struct stmt *st = db_prepare(db, adds[n - 1]);

    for (unsigned i = 0; i < n; i++)
        bind_new(st, &list[i]);
    if (db_exec(st) != n)
        return false;
    list->id = db_insert_id(db);
    return list->role != PERPS_ORDER ||
           agents_count_perps_orders(db, list->agent_id, list->status == ORDER_WAITING ? 0 : 1);
}

enum db_update perps_orders_begin(struct db *db, uint64_t agent_id, uint64_t execution_id)
{
    struct stmt *st = db_prepare(db, BEGIN);
    enum db_update begun;

    bind_u64(st, execution_id);
    begun = db_change(st);
    if (begun != UPDATED)
        return begun;
    return perps_orders_children_moved(db, execution_id, ORDER_WAITING, ORDER_PENDING) &&
                   agents_count_perps_orders(db, agent_id, 1)
               ? UPDATED
               : DB_ERROR;
}

/* ---- reading ---- */

static void read_order(struct stmt *st, struct arena *a, struct perps_order *o)
{
    unsigned i = 0;

    *o = (struct perps_order){ .id = 0 };
    ORDER(READ_FIRST, READ_NEXT)
}

static enum lookup one_order(struct stmt *st, struct arena *a, struct perps_order *out)
{
    enum lookup found = db_one(st);

    if (found == LOOKUP_FOUND)
        read_order(st, a, out);
    return found;
}

enum lookup perps_orders_get(struct db *db, struct arena *a, uint64_t agent_id,
                             const uint8_t cloid[static PERPS_CLOID_LEN], struct perps_order *out)
{
    struct stmt *st = db_prepare(db, GET);

    bind_bytes(st, cloid, PERPS_CLOID_LEN);
    bind_u64(st, agent_id);
    bind_u64(st, agent_id);
    return one_order(st, a, out);
}

enum lookup perps_orders_of_execution(struct db *db, struct arena *a, uint64_t execution_id,
                                      struct perps_order *out)
{
    struct stmt *st = db_prepare(db, OF_EXECUTION);

    bind_u64(st, execution_id);
    return one_order(st, a, out);
}

int perps_orders_behind(struct db *db, struct arena *a, const struct perps_order *o, struct perps_order *out)
{
    struct stmt *st;

    if (o->behind == 0)
        return 0;
    st = db_prepare(db, BEHIND_ONE);
    bind_u64(st, o->execution_id);
    int n = 0;

    if (!db_query(st))
        return -1;
    while (db_next(st))
        read_order(st, a, &out[n++]);
    return n;
}

bool perps_filter_is_open(const struct perps_filter *f)
{
    return f->status == 0 && f->asset == NULL && list_period_is_open(&f->created);
}

static void bind_filter(struct stmt *st, const struct perps_filter *f)
{
    if (f->status != ORDER_OPEN) {
        bind_u64(st, f->status);
        bind_u64(st, f->status);
    }
    bind_text(st, f->asset);
    bind_ascii(st, f->asset != NULL ? f->asset : "");
    bind_list_period(st, &f->created);
}

static void read_listed(struct stmt *st, struct arena *a, struct perps_order *o)
{
    unsigned i = 0;

    *o = (struct perps_order){ .id = 0 };
    LISTED(READ_FIRST, READ_NEXT)
}

int perps_orders_page(struct db *db, struct arena *a, uint64_t agent_id, const struct perps_filter *f,
                      const struct page *p, struct perps_order *out)
{
    bool chosen = !perps_filter_is_open(f);
    struct stmt *st = db_prepare(db, f->status == ORDER_OPEN ? PAGE_OF_OPEN
                                     : chosen                ? PAGE_OF_SOME
                                                             : PAGE_OF_ALL);
    int n = 0;

    bind_u64(st, agent_id);
    if (chosen)
        bind_filter(st, f);
    bind_u64(st, p->limit);
    bind_u64(st, p->offset);
    if (!db_query(st))
        return -1;
    while (db_next(st))
        read_listed(st, a, &out[n++]);
    return n;
}

bool perps_orders_count(struct db *db, uint64_t agent_id, const struct perps_filter *f, uint64_t *total)
{
    struct stmt *st = db_prepare(db, f->status == ORDER_OPEN ? COUNT_OPEN : COUNT);

    bind_u64(st, agent_id);
    bind_filter(st, f);
    if (db_one(st) != LOOKUP_FOUND)
        return false;
    *total = col_u64(st, 0);
    return true;
}

/* ---- their outcome ---- */

static enum db_update order_record(struct db *db, const struct perps_order *was,
                                   const struct perps_order *now)
{
    struct stmt *st = db_prepare(db, RECORD);

    bind_u64(st, now->status);
    bind_u64_or_null(st, now->oid);
    bind_u64(st, now->size);
    bind_u64(st, now->filled);
    bind_u64(st, now->paid);
    bind_i64(st, now->fee);
    bind_u64(st, now->final);
    bind_ms(st, now->polled_ms);
    bind_text(st, now->error_code);
    bind_text(st, now->error_message);
    bind_u64(st, was->id);
    bind_u64(st, was->status);
    bind_u64(st, was->filled);
    bind_u64(st, was->paid);
    bind_u64(st, was->final);
    return db_change(st);
}

enum db_update perps_orders_record(struct db *db, const struct perps_order *was,
                                   const struct perps_order *now)
{
    enum db_update recorded = order_record(db, was, now);
    struct stmt *st;

    if (recorded != UPDATED || now->role == PERPS_ORDER || now->status == was->status)
        return recorded;
    st = db_prepare(db, now->role == PERPS_TAKE_PROFIT ? GAIN_MOVED : LOSS_MOVED);
    bind_u64(st, now->status);
    bind_u64(st, now->execution_id);
    return db_exec(st) < 0 ? DB_ERROR : UPDATED;
}

bool perps_orders_children_moved(struct db *db, uint64_t execution_id, enum order_status from,
                                 enum order_status to)
{
    struct stmt *st = db_prepare(db, CHILDREN_MOVED);

    for (unsigned i = 0; i < PERPS_CHILDREN_MAX; i++) {
        bind_u64(st, from);
        bind_u64(st, to);
    }
    bind_u64(st, execution_id);
    return db_exec(st) >= 0;
}

int perps_orders_followed(struct db *db, struct arena *a, uint64_t wallet_id, struct perps_order **out)
{
    struct stmt *st = db_prepare(db, FOLLOWED);

    bind_u64(st, wallet_id);
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
