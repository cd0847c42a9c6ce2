#include "store/bridges.h"

#include "store/columns.h"
#include "store/states.h"

/* Columns of bridge `b`, from column `i` of `st` on; its proof follows. */
#define BRIDGE(FIRST, NEXT)                                                                                  \
    FIRST("b.execution_id", b->execution_id = col_u64(st, i))                                                \
    NEXT("b.provider", col_string(st, i, b->bridge_provider, sizeof b->bridge_provider))                     \
    NEXT("b.reference", b->reference = col_null(st, i) ? NULL : col_text(st, i, a))                          \
    NEXT("b.recipient", col_string(st, i, b->recipient, sizeof b->recipient))                                \
    NEXT("b.deadline", b->deadline_ms = col_ms(st, i))                                                       \
    NEXT("b.seconds", b->seconds = (unsigned)col_u64(st, i))                                                 \
    NEXT("b.far_block", b->far_block = col_u64(st, i))                                                       \
    NEXT("b.state", b->state = (enum bridge_state)col_u64(st, i))                                            \
    NEXT("b.since", b->since_ms = col_ms(st, i))                                                             \
    NEXT("b.out_chain", b->out_chain_id = col_u64(st, i))                                                    \
    NEXT("b.out_tx", col_tx_hash(st, i, &b->out_tx))                                                         \
    NEXT("b.out_block", b->out_block = col_u64(st, i))                                                       \
    NEXT("b.delivery", b->delivery = (enum bridge_delivery)col_u64(st, i))                                   \
    TOKEN(NEXT, "b.arrived", b->arrived)                                                                     \
    NEXT("b.arrived_amount", b->arrived_amount = col_u256(st, i))                                            \
    NEXT("b.polls", b->asks = (unsigned)col_u64(st, i))                                                      \
    NEXT("b.polled_at", b->asked_ms = col_ms(st, i))                                                         \
    NEXT("b.next_poll_at", b->next_ask_ms = col_ms(st, i))

#define COLUMNS BRIDGE(FIRST_NAME, NEXT_NAME)
#define SELECT  "SELECT " COLUMNS ", b.proof FROM bridges b"
#define IN_FLIGHT_ONLY                                                                                       \
    "SELECT " COLUMNS ", IF(e.in_flight = " SQL_IN_FLIGHT ", b.proof, '') FROM executions e"

static const char ADD[] =
    "INSERT INTO bridges (execution_id, provider, reference, recipient, deadline, seconds, far_block, proof,"
    " next_poll_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3))";
static const char GET[] = SELECT " WHERE b.execution_id = ?";
static const char CLAIMED[] = IN_FLIGHT_ONLY " JOIN bridges b ON b.execution_id = e.id"
                                             " WHERE e.lease_owner = ? ORDER BY e.id";
/* The first followed executions of each kind. */
#define FOLLOWED(which)                                                                                      \
    "(SELECT id, created_at, status FROM executions FORCE INDEX (due) WHERE in_flight = " which              \
    " ORDER BY due_at LIMIT " SQL_QUEUE_MOST ")"
static const char METRICS[] =
    "SELECT COUNT(*), COALESCE(TIMESTAMPDIFF(SECOND, MIN(e.created_at), UTC_TIMESTAMP(3)), 0),"
    " COALESCE(GREATEST(TIMESTAMPDIFF(SECOND, MIN(b.next_poll_at), UTC_TIMESTAMP(3)), 0), 0),"
    " COALESCE(SUM(b.state IN (" SQL_BRIDGE_DONE ", " SQL_BRIDGE_REFUNDED ")"
    " AND b.since < UTC_TIMESTAMP(3) - INTERVAL ? SECOND), 0)"
    " FROM (" FOLLOWED(SQL_IN_FLIGHT) " UNION ALL " FOLLOWED(
        SQL_FOLLOW_BRIDGE) ") e STRAIGHT_JOIN bridges b ON b.execution_id = e.id"
                           " WHERE b.delivery = 0 AND e.status <> " SQL_FAILED;
static const char RECORD[] =
    "UPDATE bridges SET state = ?, since = ?, out_chain = ?, out_tx = ?, out_block = ?, delivery = ?,"
    " arrived_chain = ?, arrived_symbol = ?, arrived_address = ?, arrived_decimals = ?, arrived_amount = ?,"
    " polls = ?, polled_at = ?, next_poll_at = ?"
    " WHERE execution_id = ? AND polls = ?";
static const char ARRIVAL_ADD[] =
    "INSERT INTO bridge_deliveries (chain_id, tx, log_index, execution_id, recipient, block_number, amount)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)";
static const char ARRIVALS_REMOVE[] = "DELETE FROM bridge_deliveries WHERE execution_id = ?";
static const char ARRIVALS_TAKEN[] =
    "SELECT tx = ?, log_index, amount FROM bridge_deliveries WHERE chain_id = ? AND execution_id <> ?"
    " AND (tx = ? OR (block_number = ? AND recipient = ? AND log_index = -1))";

bool bridges_add(struct db *db, const struct bridge *b)
{
    struct stmt *st = db_prepare(db, ADD);

    bind_u64(st, b->execution_id);
    bind_ascii(st, b->bridge_provider);
    bind_text(st, b->reference);
    bind_ascii(st, b->recipient);
    bind_ms(st, b->deadline_ms);
    bind_u64(st, b->seconds);
    bind_u64_or_null(st, b->far_block);
    bind_bytes(st, b->proof_len == 0 ? (const uint8_t *)"" : b->proof, b->proof_len);
    return db_exec(st) == 1;
}

static void read_bridge(struct stmt *st, struct arena *a, struct bridge *b)
{
    unsigned i = 0;

    *b = (struct bridge){ .execution_id = 0 };
    BRIDGE(READ_FIRST, READ_NEXT)
    b->proof = col_bytes(st, ++i, a, &b->proof_len);
}

enum lookup bridges_get(struct db *db, struct arena *a, uint64_t execution_id, struct bridge *out)
{
    struct stmt *st = db_prepare(db, GET);
    enum lookup found;

    bind_u64(st, execution_id);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        read_bridge(st, a, out);
    return found;
}

int bridges_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct bridge **out)
{
    struct stmt *st = db_prepare(db, CLAIMED);

    bind_uuid(st, owner);
    int n = 0;

    *out = NULL;
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        read_bridge(st, a, &(*out)[n++]);
    }
    return n;
}

bool bridges_figures(struct db *db, unsigned contradicted_s, struct bridges_figures *out)
{
    struct stmt *st = db_prepare(db, METRICS);

    bind_u64(st, contradicted_s);
    if (db_one(st) != LOOKUP_FOUND)
        return false;
    out->under_way = col_u64(st, 0);
    out->oldest_s = col_i64(st, 1);
    out->overdue_s = col_i64(st, 2);
    out->contradicted = col_u64(st, 3);
    return true;
}

/* NULL where the bought token arrives. */
static void bind_arrived(struct stmt *st, const struct token_ref *t)
{
    if (t->chain_id != 0) {
        bind_u64(st, t->chain_id);
        bind_token(st, t);
        return;
    }
    for (int i = 0; i < 4; i++)
        bind_bytes(st, NULL, 0);
}

enum db_update bridges_record(struct db *db, const struct bridge *b)
{
    struct stmt *st = db_prepare(db, RECORD);

    bind_u64(st, b->state);
    bind_ms(st, b->since_ms);
    bind_u64_or_null(st, b->out_chain_id);
    bind_tx_hash(st, &b->out_tx);
    bind_u64_or_null(st, b->out_block);
    bind_u64(st, b->delivery);
    bind_arrived(st, &b->arrived);
    bind_maybe_u256(st, u256_is_zero(b->arrived_amount) ? NULL : &b->arrived_amount);
    bind_u64(st, b->asks);
    bind_ms(st, b->asked_ms);
    bind_ms(st, b->next_ask_ms);
    bind_u64(st, b->execution_id);
    bind_u64(st, b->asks - 1);
    return db_change(st);
}

/* ---- arrivals ---- */

enum db_update arrivals_add(struct db *db, const struct arrival_claim *c, const struct arrival *moved)
{
    struct stmt *st = db_prepare(db, ARRIVAL_ADD);

    bind_u64(st, c->chain_id);
    bind_tx_hash(st, c->tx);
    bind_i64(st, moved->log_index);
    bind_u64(st, c->execution_id);
    bind_ascii(st, c->recipient);
    bind_u64(st, c->block);
    bind_u256(st, &moved->amount);
    if (db_exec(st) == 1)
        return UPDATED;
    return db_duplicate(db) ? UNCHANGED : DB_ERROR;
}

bool arrivals_remove(struct db *db, uint64_t execution_id)
{
    struct stmt *st = db_prepare(db, ARRIVALS_REMOVE);

    bind_u64(st, execution_id);
    return db_exec(st) >= 0;
}

int arrivals_taken(struct db *db, struct arena *a, const struct arrival_claim *c, struct arrival_taken **out)
{
    struct stmt *st = db_prepare(db, ARRIVALS_TAKEN);
    int n = 0;

    *out = NULL;
    bind_tx_hash(st, c->tx);
    bind_u64(st, c->chain_id);
    bind_u64(st, c->execution_id);
    bind_tx_hash(st, c->tx);
    bind_u64(st, c->block);
    bind_ascii(st, c->recipient);
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        (*out)[n++] = (struct arrival_taken){ .same_tx = col_u64(st, 0) != 0,
                                              .log_index = (int)col_i64(st, 1),
                                              .amount = col_u256(st, 2) };
    }
    return n;
}
