#include "store/order_states.h"

#include "store/agents.h"
#include "store/perps_orders.h"
#include "store/states.h"

/* The statements on one venue's table, whose column `id` names one order. */
struct state_sql {
    const char *placed, *rejected, *cancel_request;
};

#define STATES(table, id)                                                                                    \
    {                                                                                                        \
        .placed = "UPDATE " table " SET status = " SQL_ORDER_OPEN ", final = 0, error_code = NULL,"          \
                  " error_message = NULL, updated_at = UTC_TIMESTAMP(3)"                                     \
                  " WHERE execution_id = ? AND status = ?",                                                  \
        .rejected = "UPDATE " table " SET status = " SQL_ORDER_REJECTED ", final = 1, error_code = ?,"       \
                    " error_message = ?, updated_at = UTC_TIMESTAMP(3)"                                      \
                    " WHERE execution_id = ? AND status = " SQL_ORDER_PENDING,                               \
        .cancel_request =                                                                                    \
            "UPDATE " table " SET cancel_requested_at = COALESCE(cancel_requested_at, UTC_TIMESTAMP(3)),"    \
            " updated_at = UTC_TIMESTAMP(3) WHERE " id " = ?"                                                \
            " AND status IN (" SQL_ORDER_PENDING ", " SQL_ORDER_OPEN ")",                                    \
    }

static const struct state_sql statements[ORDER_VENUES] = {
    [ORDERS_OF_PREDICTION] = STATES("predict_orders", "execution_id"),
    [ORDERS_OF_PERPS] = STATES("perps_orders", "id"),
};

/* One order, with what stands behind it. */
static enum db_update order_moved(struct db *db, struct stmt *st, enum order_venue venue,
                                  uint64_t execution_id, const struct order_move *m)
{
    enum db_update moved = db_change(st);

    if (moved != UPDATED || venue != ORDERS_OF_PERPS)
        return moved;
    return perps_orders_children_moved(db, execution_id, m->from, m->to) ? UPDATED : DB_ERROR;
}

static enum db_update order_open(struct db *db, enum order_venue venue, uint64_t execution_id,
                                 enum order_status from, struct order_move *out)
{
    struct stmt *st = db_prepare(db, statements[venue].placed);

    out->from = from;
    out->to = ORDER_OPEN;
    bind_u64(st, execution_id);
    bind_u64(st, from);
    return order_moved(db, st, venue, execution_id, out);
}

enum db_update order_states_placed(struct db *db, enum order_venue venue, uint64_t execution_id,
                                   struct order_move *out)
{
    enum db_update opened = order_open(db, venue, execution_id, ORDER_PENDING, out);

    return opened == UNCHANGED ? order_open(db, venue, execution_id, ORDER_REJECTED, out) : opened;
}

enum db_update order_states_rejected(struct db *db, enum order_venue venue, uint64_t execution_id,
                                     const char *code, const char *message, struct order_move *out)
{
    struct stmt *st = db_prepare(db, statements[venue].rejected);

    out->from = ORDER_PENDING;
    out->to = ORDER_REJECTED;
    bind_text(st, code);
    bind_text(st, message);
    bind_u64(st, execution_id);
    return order_moved(db, st, venue, execution_id, out);
}

enum db_update order_states_cancel_request(struct db *db, enum order_venue venue, uint64_t id)
{
    struct stmt *st = db_prepare(db, statements[venue].cancel_request);

    bind_u64(st, id);
    return db_change(st);
}

bool order_moves_count(struct db *db, const struct order_move *moves, size_t n)
{
    size_t i = 0;

    while (i < n) {
        const uint64_t agent_id = moves[i].agent_id;
        int delta[ORDER_WAITING + 1] = { 0 };

        for (; i < n && moves[i].agent_id == agent_id; i++) {
            delta[moves[i].from]--;
            delta[moves[i].to]++;
        }
        if (!agents_count_orders(db, agent_id, delta))
            return false;
    }
    return true;
}
