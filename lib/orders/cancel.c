#include "orders/cancel.h"

#include <inttypes.h>

#include "base/fault.h"
#include "base/log.h"
#include "store/order_leases.h"
#include "store/order_states.h"

enum { WAIT_MS = 3000, AGAIN_MS = 4000 };

struct cancelling {
    const struct order_follower *follower;
    struct order_ref order;
};

static const struct err *order_read(const struct order_follower *f, const struct ctx *ctx, struct arena *a,
                                    uint64_t agent_id, const char *id, void *out, struct order_ref *ref)
{
    switch (f->find(ctx, a, agent_id, id, out, ref)) {
    case LOOKUP_FOUND:
        return NULL;
    case LOOKUP_NONE:
        return f->not_found;
    case LOOKUP_ERROR:
        break;
    }
    return &E_INTERNAL;
}

const struct err *orders_find(const struct order_follower *f, const struct ctx *ctx, struct arena *a,
                              uint64_t agent_id, const char *id, void *out)
{
    struct order_ref ref;

    return order_read(f, ctx, a, agent_id, id, out, &ref);
}

/* ---- that it is wanted ---- */

static enum tx_verdict cancel_record_tx(struct db *db, void *arg)
{
    const struct cancelling *c = arg;
    enum order_venue venue = c->follower->venue;
    enum db_update wanted = order_states_cancel_request(db, venue, c->order.id);

    if (wanted != UPDATED)
        return wanted == UNCHANGED ? TX_ROLLBACK : TX_FAILED;
    return order_leases_due(db, venue, c->order.wallet_id, AGAIN_MS) ? TX_COMMIT : TX_FAILED;
}

static const struct err *cancel_record(const struct ctx *ctx, struct cancelling *c)
{
    switch (STEP("cancel.record", db_transact(ctx->db, cancel_record_tx, c), TX_UNKNOWN)) {
    case TX_DONE:
        return NULL;
    case TX_REFUSED:
        return c->follower->not_open;
    case TX_BROKEN:
    case TX_UNKNOWN: /* a repeat does no harm */
        break;
    }
    return &E_INTERNAL;
}

const struct err *orders_cancel(const struct order_follower *f, const struct ctx *ctx, struct arena *a,
                                uint64_t agent_id, const char *id, void *out)
{
    struct cancelling c = { .follower = f };
    const struct err *e = order_read(f, ctx, a, agent_id, id, out, &c.order);

    if (e != NULL)
        return e;
    if (!order_is_open(c.order.status))
        return f->not_open;
    if ((e = cancel_record(ctx, &c)) != NULL || (e = orders_find(f, ctx, a, agent_id, id, out)) != NULL)
        return e;
    if (!f->poll_one(ctx, a, out, WAIT_MS))
        log_warn("cancel_uncertain", "msg=\"a cancel is not definite\" execution=%" PRIu64,
                 c.order.execution_id);
    if ((e = order_read(f, ctx, a, agent_id, id, out, &c.order)) != NULL)
        return e;
    return order_is_open(c.order.status) || c.order.status == ORDER_CANCELLED ? NULL : f->not_open;
}
