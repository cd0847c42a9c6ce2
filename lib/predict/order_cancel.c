#include "predict/order_cancel.h"

#include "base/fault.h"
#include "base/log.h"
#include "predict/order_follower.h"
#include "store/order_leases.h"
#include "store/order_states.h"
#include "store/orders.h"

enum { CANCEL_WAIT_MS = 3000, CANCEL_AGAIN_MS = 4000 };

const struct err *order_find(const struct ctx *ctx, struct arena *a, uint64_t agent_id, const char *id,
                             struct order *out)
{
    uint8_t hash[HASH_LEN];

    if (!order_id_parse(hash, id))
        return &E_ORDER_NOT_FOUND;
    switch (orders_get(ctx->db, a, agent_id, hash, out)) {
    case FOUND_ONE:
        return NULL;
    case FOUND_NONE:
        return &E_ORDER_NOT_FOUND;
    case FOUND_FAILED:
        break;
    }
    return &E_INTERNAL;
}

/* ---- that it is wanted ---- */

static enum tx_verdict cancel_record_tx(struct db *db, void *arg)
{
    const struct order *o = arg;
    enum done wanted = order_states_cancel_request(db, ORDERS_OF_PREDICTION, o->execution_id);

    if (wanted != DONE)
        return wanted == DONE_NOT ? TX_ROLLBACK : TX_FAILED;
    return order_leases_due(db, ORDERS_OF_PREDICTION, o->wallet_id, CANCEL_AGAIN_MS) ? TX_COMMIT : TX_FAILED;
}

static const struct err *cancel_record(const struct ctx *ctx, struct order *o)
{
    switch (STEP("cancel.record", db_transact(ctx->db, cancel_record_tx, o), TX_UNKNOWN)) {
    case TX_DONE:
        return NULL;
    case TX_REFUSED:
        return &E_ORDER_NOT_OPEN;
    case TX_BROKEN:
    case TX_UNKNOWN: /* a repeat does no harm */
        break;
    }
    return &E_INTERNAL;
}

static bool order_is_open(const struct order *o)
{
    return o->status == ORDER_PENDING || o->status == ORDER_OPEN;
}

const struct err *order_cancel(const struct ctx *ctx, struct arena *a, uint64_t agent_id, const char *id,
                               struct order *out)
{
    const struct err *e = order_find(ctx, a, agent_id, id, out);

    if (e != NULL)
        return e;
    if (!order_is_open(out))
        return &E_ORDER_NOT_OPEN;
    if ((e = cancel_record(ctx, out)) != NULL)
        return e;
    if (orders_of_execution(ctx->db, a, out->execution_id, out) != FOUND_ONE)
        return &E_INTERNAL;
    if (!order_look_one(ctx, a, out, CANCEL_WAIT_MS))
        log_warn("cancel_uncertain", "msg=\"a cancel is not definite\" execution=%llu",
                 (unsigned long long)out->execution_id);
    if (orders_of_execution(ctx->db, a, out->execution_id, out) != FOUND_ONE)
        return &E_INTERNAL;
    return order_is_open(out) || out->status == ORDER_CANCELLED ? NULL : &E_ORDER_NOT_OPEN;
}
