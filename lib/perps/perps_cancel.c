#include "perps/perps_cancel.h"

#include <string.h>

#include "base/clock.h"
#include "orders/cancel.h"
#include "perps/action_sign.h"
#include "perps/order_read.h"
#include "perps/perps_markets.h"
#include "perps/perps_order.h"
#include "perps/perps_order_follower.h"
#include "perps/perps_order_venue.h"
#include "perps/request_budget.h"
#include "service/conf.h"
#include "store/signing_nonces.h"
#include "store/trading_keys.h"

enum { VALID_MS = 30 * 1000 };

/* ---- asking ---- */

/* An order may outlive the key that signed it. */
static bool cancel_key(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                       struct trading_key *out)
{
    enum lookup found = trading_keys_approved(ctx->db, w->id, out);

    if (found != LOOKUP_NONE)
        return found == LOOKUP_FOUND;
    perps_key_renew(ctx, a, w);
    return trading_keys_approved(ctx->db, w->id, out) == LOOKUP_FOUND;
}

static bool cancel_sign(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                        const struct perps_order *o, const struct trading_key *key, unsigned index,
                        struct venue_request *out)
{
    struct hyperliquid_action action = { .kind = HYPERLIQUID_CANCEL,
                                         .testnet = strcmp(ctx->conf->perps_network, "testnet") == 0,
                                         .expires_after = (uint64_t)(clock_ms() + VALID_MS),
                                         .count = 1,
                                         .cancels = { { .asset = index } } };

    memcpy(action.cancels[0].cloid, o->cloid, sizeof o->cloid);
    return signing_nonces_next(ctx->db, (const uint8_t *)key->address, strlen(key->address), &action.nonce) &&
           perps_action_sign(ctx, a, w, key, &action, out);
}

bool perps_cancel_call(struct call *c, const struct ctx *ctx, struct arena *a, const struct wallet *w,
                       const struct perps_order *o, const char **signer)
{
    struct venue_request r = { .body_len = 0 };
    struct trading_key key;
    struct perps_asset asset;
    bool there = false;

    if (perps_asset_find(ctx, a, o->asset, &asset, &there) != NULL || !there ||
        !cancel_key(ctx, a, w, &key) || !cancel_sign(ctx, a, w, o, &key, asset.index, &r))
        return false;
    perps_exchange_call(c, ctx, a, r.body, r.body_len);
    *signer = arena_strdup(a, key.address);
    return true;
}

bool perps_cancel_read(const struct ctx *ctx, struct arena *a, const struct call *c, const char *signer)
{
    struct perps_reply said;

    perps_read_reply(a, &c->answer, &said);
    if (said.answer == PERPS_REPLY_UNKNOWN_SIGNER)
        (void)perps_unknown_signer(ctx, signer);
    return said.answer == PERPS_REPLY_DONE || said.answer == PERPS_REPLY_GONE;
}

/* ---- finding and cancelling ---- */

const struct err *perps_order_find(const struct ctx *ctx, struct arena *a, uint64_t agent_id, const char *id,
                                   struct perps_order *out)
{
    return orders_find(&perps_follower, ctx, a, agent_id, id, out);
}

const struct err *perps_order_cancel(const struct ctx *ctx, struct arena *a, uint64_t agent_id,
                                     const char *id, struct perps_order *out)
{
    const struct err *e;

    perps_request_budget_for(PERPS_REQUEST_BUDGET_ORDERS);
    e = orders_cancel(&perps_follower, ctx, a, agent_id, id, out);
    perps_request_budget_for(PERPS_REQUEST_BUDGET_READS);
    return e;
}
