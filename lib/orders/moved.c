#include "orders/moved.h"

#include "store/agent_versions.h"
#include "store/order_states.h"
#include "store/policies.h"

/* The way back from a failure leads through processing. */
static bool was_given_up(enum exec_status from)
{
    return from == EXEC_FAILED || from == EXEC_PROCESSING;
}

static bool has_ended(const struct execution_move *m)
{
    return m->to == EXEC_COMPLETED || m->to == EXEC_FAILED;
}

/* An order that was never placed counts in no limit, unless it turns up after all. */
static enum db_update order_follow(struct db *db, enum order_venue venue, const struct execution_move *m,
                                   struct order_move *out)
{
    bool keeps = m->to == EXEC_COMPLETED;
    enum db_update changed =
        keeps ? order_states_placed(db, venue, m->id, out)
              : order_states_rejected(db, venue, m->id, m->error_code, m->error_message, out);

    out->agent_id = m->agent_id;
    if (changed == DB_ERROR || (keeps && !was_given_up(m->from)))
        return changed;
    return spends_keep(db, m->id, keeps, 1) ? changed : DB_ERROR;
}

bool orders_moved(struct db *db, enum order_venue venue, const struct execution_move *moves, size_t n)
{
    struct order_move list[EXECUTIONS_AT_ONCE];
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        enum db_update changed =
            has_ended(&moves[i]) ? order_follow(db, venue, &moves[i], &list[count]) : UNCHANGED;

        if (changed == DB_ERROR || !agent_versions_renew(db, moves[i].agent_id))
            return false;
        count += changed == UPDATED;
    }
    return venue != ORDERS_OF_PREDICTION || order_moves_count(db, list, count);
}
