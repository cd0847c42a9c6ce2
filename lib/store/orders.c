#include "store/orders.h"

#include "store/columns.h"
#include "store/list_filter.h"
#include "store/order_states.h"
#include "store/states.h"

/* Columns of order `o`, from column `i` of `st` on, as lists show it. */
#define LISTED(FIRST, NEXT)                                                                                  \
    FIRST("o.execution_id", o->execution_id = col_u64(st, i))                                                \
    NEXT("o.hash", o->has_hash = col_fixed(st, i, o->hash, sizeof o->hash))                                  \
    NEXT("o.market", col_string(st, i, o->market, sizeof o->market))                                         \
    NEXT("o.token", o->token = col_u256(st, i))                                                              \
    NEXT("o.outcome", o->outcome = col_text(st, i, a))                                                       \
    NEXT("o.side", o->side = (enum order_side)col_u64(st, i))                                                \
    NEXT("o.type", o->type = (enum order_type)col_u64(st, i))                                                \
    NEXT("o.price", o->price = (uint32_t)col_u64(st, i))                                                     \
    NEXT("o.size", o->size = col_u64(st, i))                                                                 \
    NEXT("o.expires_at", o->expires_ms = col_ms(st, i))                                                      \
    NEXT("o.status", o->status = (enum order_status)col_u64(st, i))                                          \
    NEXT("o.matched", o->matched = col_u64(st, i))                                                           \
    NEXT("o.paid", o->paid = col_u64(st, i))                                                                 \
    NEXT("o.error_message", o->error_message = col_text(st, i, a))                                           \
    NEXT("o.cancel_requested_at", o->cancel_requested_ms = col_ms(st, i))                                    \
    NEXT("o.created_at", o->created_ms = col_ms(st, i))                                                      \
    NEXT("o.updated_at", o->updated_ms = col_ms(st, i))

#define ORDER(FIRST, NEXT)                                                                                   \
    LISTED(FIRST, NEXT)                                                                                      \
    NEXT("o.agent_id", o->agent_id = col_u64(st, i))                                                         \
    NEXT("o.wallet_id", o->wallet_id = col_u64(st, i))                                                       \
    NEXT("o.condition_id", (void)col_fixed(st, i, o->condition, sizeof o->condition))                        \
    NEXT("o.question", o->question = col_text(st, i, a))                                                     \
    NEXT("o.exchange", o->exchange = (uint8_t)col_u64(st, i))                                                \
    NEXT("o.post_only", o->post_only = col_u64(st, i) != 0)                                                  \
    NEXT("o.fee_most", o->fee_most = col_u64(st, i))                                                         \
    NEXT("o.fee_rate", o->fee_rate = (uint32_t)col_u64(st, i))                                               \
    NEXT("o.fee_exponent", o->fee_exponent = (uint32_t)col_u64(st, i))                                       \
    NEXT("o.settled", o->settled = col_u64(st, i))                                                           \
    NEXT("o.final", o->final = col_u64(st, i) != 0)                                                          \
    NEXT("o.error_code", o->error_code = col_text(st, i, a))                                                 \
    NEXT("o.polled_at", o->polled_ms = col_ms(st, i))                                                        \
    NEXT("o.missed_polls", o->missed = (unsigned)col_u64(st, i))

/* The columns that show how much it holds. */
#define HELD(FIRST, NEXT)                                                                                    \
    FIRST("side", o->side = (enum order_side)col_u64(st, i))                                                 \
    NEXT("type", o->type = (enum order_type)col_u64(st, i))                                                  \
    NEXT("price", o->price = (uint32_t)col_u64(st, i))                                                       \
    NEXT("size", o->size = col_u64(st, i))                                                                   \
    NEXT("fee_most", o->fee_most = col_u64(st, i))                                                           \
    NEXT("status", o->status = (enum order_status)col_u64(st, i))                                            \
    NEXT("matched", o->matched = col_u64(st, i))                                                             \
    NEXT("paid", o->paid = col_u64(st, i))                                                                   \
    NEXT("settled", o->settled = col_u64(st, i))                                                             \
    NEXT("token", o->token = col_u256(st, i))

#define SELECT        "SELECT " ORDER(FIRST_NAME, NEXT_NAME) " FROM "
#define SELECT_LISTED "SELECT " LISTED(FIRST_NAME, NEXT_NAME) " FROM "

static const char ADD[] =
    "INSERT INTO predict_orders (execution_id, agent_id, wallet_id, hash, market, condition_id, token,"
    " outcome, question, exchange, side, type, post_only, price, size, expires_at, fee_most, fee_rate,"
    " fee_exponent, status, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, COALESCE(?, UTC_TIMESTAMP(3)),"
    " UTC_TIMESTAMP(3))";
static const char BEGIN[] =
    "UPDATE predict_orders SET hash = ?, fee_most = ?, fee_rate = ?, fee_exponent = ?,"
    " status = " SQL_ORDER_PENDING ", created_at = UTC_TIMESTAMP(3),"
    " updated_at = UTC_TIMESTAMP(3) WHERE execution_id = ? AND status = " SQL_ORDER_WAITING;
/* An order that was final when the balance was read shows in it; one that ended without a match never moved
 * any. */
static const char RESERVED[] =
    "SELECT " HELD(FIRST_NAME, NEXT_NAME) ", updated_at >= ? FROM predict_orders FORCE INDEX (wallet_holds)"
                                          " WHERE wallet_id = ? AND (final = 0"
                                          " OR (final = 1 AND updated_at >= ? AND matched > 0))";
static const char GET[] = SELECT "predict_orders o WHERE o.hash = ? AND (? = 0 OR o.agent_id = ?)";
static const char GET_OLDER[] =
    SELECT "requests r JOIN predict_orders o ON o.execution_id = r.execution_id"
           " WHERE r.venue = 'polymarket' AND r.venue_key = ? AND (? = 0 OR o.agent_id = ?)";
static const char OPEN[] = "SELECT 1 FROM predict_orders FORCE INDEX (agent_status_page) WHERE agent_id = ?"
                           " AND status IN (" SQL_ORDER_PENDING ", " SQL_ORDER_OPEN ") LIMIT 1";
static const char OF_EXECUTION[] = SELECT "predict_orders o WHERE o.execution_id = ?";
/* Near the front whole rows are read at once; far from it ids are selected first, so that what is skipped is
 * read from the index alone. */
#define NEAR(index, where)                                                                                   \
    SELECT_LISTED "predict_orders o FORCE INDEX (" index ") WHERE o.agent_id = ? AND " where                 \
                  " ORDER BY o.execution_id DESC LIMIT ? OFFSET ?"
#define FAR(index, where)                                                                                    \
    SELECT_LISTED                                                                                            \
    "(SELECT execution_id FROM predict_orders FORCE INDEX (" index ") WHERE agent_id = ? AND " where         \
    " ORDER BY execution_id DESC LIMIT ? OFFSET ?) i JOIN predict_orders o"                                  \
    " ON o.execution_id = i.execution_id"                                                                    \
    " ORDER BY o.execution_id DESC"
#define PAGE(index, where) NEAR(index, where), FAR(index, where)
enum page_of { PAGE_OF_LISTED, PAGE_OF_ALL, PAGE_OF_STATUS };
static const char *const pages[][2] = {
    [PAGE_OF_LISTED] = { PAGE("agent_listed_page", "listed = 1") },
    [PAGE_OF_ALL] = { PAGE("agent_page", "status <> " SQL_ORDER_WAITING) },
    [PAGE_OF_STATUS] = { PAGE("agent_status_page", "status = ?") },
};
#define OF_FILTER                                                                                            \
    "predict_orders o FORCE INDEX (agent_page) WHERE o.agent_id = ? AND (? & (1 << o.status)) <> 0"          \
    " AND (? IS NULL OR o.market = CONVERT(? USING ascii)) AND (? IS NULL OR o.token = ?)" SQL_LIST_PERIOD(  \
        "o.created_at")
static const char FILTERED[] = SELECT_LISTED OF_FILTER " ORDER BY o.execution_id DESC LIMIT ? OFFSET ?";
static const char FILTERED_TOTAL[] = "SELECT COUNT(*) FROM " OF_FILTER;
static const char RENEWED[] =
    "UPDATE predict_orders SET hash = ?, updated_at = UTC_TIMESTAMP(3) WHERE execution_id = ?";
/* In the order of the index, wallet by wallet. */
static const char CLAIMED[] =
    SELECT "predict_accounts p JOIN predict_orders o FORCE INDEX (wallet_holds) ON o.wallet_id = p.wallet_id"
           " AND o.final = 0 WHERE p.lease_owner = ? ORDER BY o.wallet_id, o.execution_id";
/* Since when it is missed, or no longer: compared before it is written. */
static const char RECORD[] =
    "UPDATE predict_orders SET status = ?, matched = ?, paid = ?, settled = ?, final = ?,"
    " polled_at = IF(missed_polls <> ?, UTC_TIMESTAMP(3), polled_at), missed_polls = ?,"
    " error_code = IF(status = " SQL_ORDER_REJECTED ", error_code, NULL),"
    " error_message = IF(status = " SQL_ORDER_REJECTED ", error_message, NULL),"
    " updated_at = UTC_TIMESTAMP(3) WHERE execution_id = ? AND hash = ? AND status = ? AND matched = ?"
    " AND settled = ? AND final = ?";
static const char MISSED[] =
    "UPDATE predict_orders SET missed_polls = ?, polled_at = UTC_TIMESTAMP(3) WHERE execution_id = ?"
    " AND missed_polls <> ?";

/* `changed`: what came of an update of its status. */
static enum db_update order_count(struct db *db, enum db_update changed, uint64_t agent_id,
                                  enum order_status from, enum order_status to)
{
    const struct order_move move = { agent_id, from, to };

    if (changed == UPDATED && !order_moves_count(db, &move, 1))
        return DB_ERROR;
    return changed;
}

static void bind_hash(struct stmt *st, const struct order *o)
{
    bind_bytes(st, o->has_hash ? o->hash : NULL, sizeof o->hash);
}

bool orders_add(struct db *db, const struct order *o)
{
    const enum order_status status = o->has_hash ? ORDER_PENDING : ORDER_WAITING;
    struct stmt *st = db_prepare(db, ADD);

    bind_u64(st, o->execution_id);
    bind_u64(st, o->agent_id);
    bind_u64(st, o->wallet_id);
    bind_hash(st, o);
    bind_text(st, o->market);
    bind_bytes(st, o->condition, sizeof o->condition);
    bind_u256(st, &o->token);
    bind_text(st, o->outcome);
    bind_text(st, o->question);
    bind_u64(st, o->exchange);
    bind_u64(st, o->side);
    bind_u64(st, o->type);
    bind_u64(st, o->post_only);
    bind_u64(st, o->price);
    bind_u64(st, o->size);
    bind_ms(st, o->expires_ms);
    bind_u64(st, o->fee_most);
    bind_u64(st, o->fee_rate);
    bind_u64(st, o->fee_exponent);
    bind_u64(st, status);
    bind_ms(st, o->created_ms);
    return order_count(db, db_change(st), o->agent_id, ORDER_WAITING, status) == UPDATED;
}

enum db_update orders_begin(struct db *db, const struct order *o)
{
    struct stmt *st = db_prepare(db, BEGIN);

    bind_hash(st, o);
    bind_u64(st, o->fee_most);
    bind_u64(st, o->fee_rate);
    bind_u64(st, o->fee_exponent);
    bind_u64(st, o->execution_id);
    return order_count(db, db_change(st), o->agent_id, ORDER_WAITING, ORDER_PENDING);
}

/* ---- reservations of orders ---- */

/* False when the sum does not fit. */
static bool held_add(struct stmt *st, const struct u256 *token, struct order_reservation *sum)
{
    struct order order, *o = &order;
    unsigned i = 0;
    uint64_t holds, brings;
    bool since_settled, ours, fits;

    order = (struct order){ .price = 0 };
    HELD(READ_FIRST, READ_NEXT)
    since_settled = col_u64(st, i + 1) != 0;
    holds = order_holds(o, since_settled);
    brings = order_brings(o, since_settled);
    ours = u256_cmp(o->token, *token) == 0;
    if (o->side == ORDER_BUY) {
        fits = !__builtin_add_overflow(sum->collateral, holds, &sum->collateral);
        return (!ours || !__builtin_add_overflow(sum->coming_shares, brings, &sum->coming_shares)) && fits;
    }
    fits = !__builtin_add_overflow(sum->coming_collateral, brings, &sum->coming_collateral);
    return (!ours || !__builtin_add_overflow(sum->shares, holds, &sum->shares)) && fits;
}

bool orders_reserved(struct db *db, uint64_t wallet_id, const struct u256 *token, int64_t seen_ms,
                     struct order_reservation *out)
{
    struct stmt *st = db_prepare(db, RESERVED);
    bool fits = true;

    *out = (struct order_reservation){ .collateral = 0 };
    bind_ms(st, seen_ms);
    bind_u64(st, wallet_id);
    bind_ms(st, seen_ms);
    if (!db_query(st))
        return false;
    while (db_next(st))
        fits = held_add(st, token, out) && fits;
    return fits;
}

/* ---- reading ---- */

static void read_order(struct stmt *st, struct arena *a, struct order *o)
{
    unsigned i = 0;

    *o = (struct order){ .execution_id = 0 };
    ORDER(READ_FIRST, READ_NEXT)
}

static void read_listed_order(struct stmt *st, struct arena *a, struct order *o)
{
    unsigned i = 0;

    *o = (struct order){ .execution_id = 0 };
    LISTED(READ_FIRST, READ_NEXT)
}

static enum lookup order_by(struct db *db, const char *sql, struct arena *a, uint64_t agent_id,
                            const uint8_t hash[static HASH_LEN], struct order *out)
{
    struct stmt *st = db_prepare(db, sql);
    enum lookup found;

    bind_bytes(st, hash, HASH_LEN);
    bind_u64(st, agent_id);
    bind_u64(st, agent_id);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        read_order(st, a, out);
    return found;
}

enum lookup orders_get(struct db *db, struct arena *a, uint64_t agent_id, const uint8_t hash[static HASH_LEN],
                       struct order *out)
{
    enum lookup found = order_by(db, GET, a, agent_id, hash, out);

    return found == LOOKUP_NONE ? order_by(db, GET_OLDER, a, agent_id, hash, out) : found;
}

enum lookup orders_of_execution(struct db *db, struct arena *a, uint64_t execution_id, struct order *out)
{
    struct stmt *st = db_prepare(db, OF_EXECUTION);
    enum lookup found;

    bind_u64(st, execution_id);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        read_order(st, a, out);
    return found;
}

/* Of a statement whose last values are the page's. */
static int read_orders_page(struct stmt *st, struct arena *a, const struct page *p, struct order *out)
{
    int n = 0;

    bind_u64(st, p->limit);
    bind_u64(st, p->offset);
    if (!db_query(st))
        return -1;
    while (db_next(st))
        read_listed_order(st, a, &out[n++]);
    return n;
}

enum { PAGE_NEAR_MAX = 100 };

int orders_page(struct db *db, struct arena *a, uint64_t agent_id, unsigned statuses, const struct page *p,
                struct order *out)
{
    enum page_of of = statuses == ORDERS_LISTED ? PAGE_OF_LISTED
                      : statuses == ORDERS_ALL  ? PAGE_OF_ALL
                                                : PAGE_OF_STATUS;
    struct stmt *st = db_prepare(db, pages[of][p->offset > PAGE_NEAR_MAX]);

    bind_u64(st, agent_id);
    if (of == PAGE_OF_STATUS)
        bind_u64(st, (uint64_t)__builtin_ctz(statuses));
    return read_orders_page(st, a, p, out);
}

static struct stmt *filtered_prepare(struct db *db, const char *sql, uint64_t agent_id,
                                     const struct order_filter *f)
{
    struct stmt *st = db_prepare(db, sql);

    bind_u64(st, agent_id);
    bind_u64(st, f->statuses);
    bind_ascii(st, f->market);
    bind_ascii(st, f->market);
    for (int i = 0; i < 2; i++) {
        if (f->token != NULL)
            bind_u256(st, f->token);
        else
            bind_bytes(st, NULL, 0);
    }
    bind_list_period(st, &f->created);
    return st;
}

int orders_filtered(struct db *db, struct arena *a, uint64_t agent_id, const struct order_filter *f,
                    const struct page *p, struct order *out, uint64_t *total)
{
    struct stmt *st = filtered_prepare(db, FILTERED_TOTAL, agent_id, f);

    if (db_one(st) != LOOKUP_FOUND)
        return -1;
    *total = col_u64(st, 0);
    st = filtered_prepare(db, FILTERED, agent_id, f);
    return read_orders_page(st, a, p, out);
}

/* ---- its outcome ---- */

bool orders_renewed(struct db *db, uint64_t execution_id, const uint8_t hash[static HASH_LEN])
{
    struct stmt *st = db_prepare(db, RENEWED);

    bind_bytes(st, hash, HASH_LEN);
    bind_u64(st, execution_id);
    return db_exec(st) == 1;
}

enum lookup orders_open(struct db *db, uint64_t agent_id)
{
    struct stmt *st = db_prepare(db, OPEN);

    bind_u64(st, agent_id);
    return db_one(st);
}

/* ---- following ---- */

int orders_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct order **out)
{
    struct stmt *st = db_prepare(db, CLAIMED);
    int n = 0;

    *out = NULL;
    bind_uuid(st, owner);
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        read_order(st, a, &(*out)[n++]);
    }
    return n;
}

enum db_update orders_record(struct db *db, const struct order *was, const struct order *now)
{
    struct stmt *st = db_prepare(db, RECORD);

    bind_u64(st, now->status);
    bind_u64(st, now->matched);
    bind_u64(st, now->paid);
    bind_u64(st, now->settled);
    bind_u64(st, now->final);
    bind_u64(st, now->missed);
    bind_u64(st, now->missed);
    bind_u64(st, was->execution_id);
    bind_hash(st, was);
    bind_u64(st, was->status);
    bind_u64(st, was->matched);
    bind_u64(st, was->settled);
    bind_u64(st, was->final);
    return db_change(st);
}

bool orders_missed(struct db *db, uint64_t execution_id, bool missed)
{
    struct stmt *st = db_prepare(db, MISSED);

    bind_u64(st, missed);
    bind_u64(st, execution_id);
    bind_u64(st, missed);
    return db_exec(st) >= 0;
}
