#include "perps/cancel.h"

#include <string.h>

#include "base/clock.h"
#include "base/fault.h"
#include "base/log.h"
#include "perps/action_sign.h"
#include "perps/markets.h"
#include "perps/order_follower.h"
#include "perps/order_venue.h"
#include "perps/weight.h"
#include "service/conf.h"
#include "store/order_leases.h"
#include "store/order_states.h"
#include "store/perps_orders.h"
#include "store/signing_nonces.h"
#include "store/trading_keys.h"

enum { VALID_MS = 30 * 1000, WAIT_MS = 3000, AGAIN_MS = 4000 };

/* ---- asking ---- */

static bool cancel_sign(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                        const struct perps_order *o, unsigned index, struct venue_request *out)
{
    struct hyperliquid_action action = { .kind = HYPERLIQUID_CANCEL,
                                         .testnet = strcmp(ctx->conf->perps_network, "testnet") == 0,
                                         .expires_after = (uint64_t)(clock_ms() + VALID_MS),
                                         .count = 1,
                                         .cancels = { { .asset = index } } };
    struct trading_key key;

    memcpy(action.cancels[0].cloid, o->cloid, sizeof o->cloid);
    return trading_keys_current(ctx->db, w->id, &key) == FOUND_ONE &&
           signing_nonces_next(ctx->db, (const uint8_t *)key.address, strlen(key.address), &action.nonce) &&
           perps_action_sign(ctx, a, w, &key, &action, out);
}

bool perps_cancel_call(struct call *c, const struct ctx *ctx, struct arena *a, const struct wallet *w,
                       const struct perps_order *o)
{
    struct venue_request r = { .body_len = 0 };
    struct perps_asset asset;
    bool there = false;

    if (perps_asset_find(ctx, a, o->asset, &asset, &there) != NULL || !there ||
        !cancel_sign(ctx, a, w, o, asset.index, &r))
        return false;
    perps_exchange_call(c, ctx, a, r.body, r.body_len);
    return true;
}

/* ---- that it is wanted ---- */

const struct err *perps_order_find(const struct ctx *ctx, struct arena *a, uint64_t agent_id, const char *id,
                                   struct perps_order *out)
{
    uint8_t cloid[PERPS_CLOID_LEN];

    if (!perps_cloid_parse(cloid, id))
        return &E_PERPS_ORDER_NOT_FOUND;
    switch (perps_orders_get(ctx->db, a, agent_id, cloid, out)) {
    case FOUND_ONE:
        return NULL;
    case FOUND_NONE:
        return &E_PERPS_ORDER_NOT_FOUND;
    case FOUND_FAILED:
        break;
    }
    return &E_INTERNAL;
}

static enum tx_verdict cancel_record_tx(struct db *db, void *arg)
{
    const struct perps_order *o = arg;
    enum done wanted = order_states_cancel_request(db, ORDERS_OF_PERPS, o->id);

    if (wanted != DONE)
        return wanted == DONE_NOT ? TX_ROLLBACK : TX_FAILED;
    return order_leases_due(db, ORDERS_OF_PERPS, o->wallet_id, AGAIN_MS) ? TX_COMMIT : TX_FAILED;
}

static const struct err *cancel_record(const struct ctx *ctx, struct perps_order *o)
{
    switch (STEP("perps_cancel.record", db_transact(ctx->db, cancel_record_tx, o), TX_UNKNOWN)) {
    case TX_DONE:
        return NULL;
    case TX_REFUSED:
        return &E_PERPS_ORDER_NOT_OPEN;
    case TX_BROKEN:
    case TX_UNKNOWN: /* a repeat does no harm */
        break;
    }
    return &E_INTERNAL;
}

static bool is_open(const struct perps_order *o)
{
    return o->status == ORDER_PENDING || o->status == ORDER_OPEN;
}

static const struct err *order_cancel(const struct ctx *ctx, struct arena *a, uint64_t agent_id,
                                      const char *id, struct perps_order *out)
{
    const struct err *e = perps_order_find(ctx, a, agent_id, id, out);

    if (e != NULL)
        return e;
    if (!is_open(out))
        return &E_PERPS_ORDER_NOT_OPEN;
    if ((e = cancel_record(ctx, out)) != NULL || (e = perps_order_find(ctx, a, agent_id, id, out)) != NULL)
        return e;
    if (!perps_order_look_one(ctx, a, out, WAIT_MS))
        log_warn("cancel_uncertain", "msg=\"a cancel is not definite\" execution=%llu",
                 (unsigned long long)out->execution_id);
    if ((e = perps_order_find(ctx, a, agent_id, id, out)) != NULL)
        return e;
    return is_open(out) || out->status == ORDER_CANCELLED ? NULL : &E_PERPS_ORDER_NOT_OPEN;
}

const struct err *perps_order_cancel(const struct ctx *ctx, struct arena *a, uint64_t agent_id,
                                     const char *id, struct perps_order *out)
{
    const struct err *e;

    perps_weight_for(PERPS_WEIGHT_ORDERS);
    e = order_cancel(ctx, a, agent_id, id, out);
    perps_weight_for(PERPS_WEIGHT_READS);
    return e;
}
