#include "perps/perps_order_venue.h"

#include <string.h>

#include "base/incident.h"
#include "base/json_reader.h"
#include "perps/action_sign.h"
#include "perps/number.h"
#include "perps/order_read.h"
#include "perps/perps_account.h"
#include "perps/perps_markets.h"
#include "perps/perps_venue.h"
#include "perps/wallet_state.h"
#include "service/conf.h"
#include "store/trading_keys.h"
#include "store/wallets.h"

enum { EXCHANGE_WEIGHT = 1, TOO_MANY = 429 };

/* The data of the call that a reader needs besides its answer. */
struct action_call {
    const struct ctx *ctx;
    struct evm_addr user;
    struct hyperliquid_leverage wanted; /* of settings */
    const char *asset;                  /* of settings */
};

/* ---- signing ---- */

static bool action_sign(const struct ctx *ctx, struct arena *a, const struct request_signing *in,
                        struct venue_request *out)
{
    const struct perps_action *asked = in->request->order;
    struct hyperliquid_action action = asked->action;

    action.testnet = strcmp(ctx->conf->perps_network, "testnet") == 0;
    action.nonce = in->nonce;
    if (hyperliquid_is_trading(action.kind))
        action.expires_after = (uint64_t)in->expires_ms;
    return in->wallet->has_key && perps_action_sign(ctx, a, in->wallet, asked->key, &action, out);
}

/* The venue knows a key by its address, and an order by its cloid. */
static bool key_sign(const struct ctx *ctx, struct arena *a, const struct request_signing *in,
                     struct venue_request *out)
{
    const struct perps_action *asked = in->request->order;
    bool made = action_sign(ctx, a, in, out);

    memset(out->venue_key, 0, sizeof out->venue_key);
    memcpy(out->venue_key, asked->action.approval.key.bytes, sizeof asked->action.approval.key.bytes);
    return made;
}

static bool order_sign(const struct ctx *ctx, struct arena *a, const struct request_signing *in,
                       struct venue_request *out)
{
    const struct perps_action *asked = in->request->order;
    bool made = action_sign(ctx, a, in, out);

    memset(out->venue_key, 0, sizeof out->venue_key);
    memcpy(out->venue_key, asked->action.orders[0].cloid, HYPERLIQUID_CLOID_LEN);
    return made;
}

/* ---- sending ---- */

void perps_exchange_call(struct call *c, const struct ctx *ctx, struct arena *a, const uint8_t *body,
                         size_t len)
{
    call_init(c, arena_printf(a, "%s/exchange", ctx->conf->perps_url), MAX_UPSTREAM);
    call_use_lane(c, ctx->bulkhead, BULKHEAD_PERPS);
    (void)perps_request_budget_take(ctx, EXCHANGE_WEIGHT, PERPS_REQUEST_BUDGET_ORDERS);
    c->headers[0] = "Content-Type: application/json";
    buf_add(&c->body, body, len);
}

static struct action_call *call_begin(const struct ctx *ctx, struct arena *a, const struct venue_request *r)
{
    struct action_call *asked = ARENA_NEW(a, struct action_call);
    struct wallet w;

    *asked = (struct action_call){ .ctx = ctx };
    if (wallets_get(ctx->db, r->effect.wallet_id, &w) != LOOKUP_FOUND)
        return NULL;
    asked->user = evm_addr_or_zero(w.ref.address);
    return asked;
}

static bool action_ask_send(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                            struct arena *a)
{
    struct action_call *asked = ARENA_NEW(a, struct action_call);

    *asked = (struct action_call){ .ctx = ctx };
    perps_exchange_call(call, ctx, a, r->body, r->body_len);
    call->owner = asked;
    return true;
}

const struct err *perps_unknown_signer(const struct ctx *ctx, const char *signer)
{
    struct trading_key key;
    enum lookup found = trading_keys_get(ctx->db, signer, &key);

    if (found == LOOKUP_NONE)
        return &E_PERPS_NOT_FUNDED;
    if (found == LOOKUP_ERROR || !key.approved)
        return NULL;
    (void)trading_keys_end(ctx->db, signer);
    return &E_PERPS_KEY_GONE;
}

/* The same bytes are sent again where a key may yet be approved. */
static void unknown_order_read(const struct action_call *asked, struct arena *a,
                               const struct venue_request *r, struct request_observation *out)
{
    out->why =
        perps_unknown_signer(asked->ctx, arena_strndup(a, (const char *)r->signing_key, r->signing_key_len));
    if (out->why != NULL)
        out->says = VENUE_REFUSED;
}

static void action_read_send(const struct call *call, const struct venue_request *r, struct arena *a,
                             struct request_observation *out)
{
    struct perps_reply said = { .text = "" };

    if (call->status == TOO_MANY)
        perps_request_budget_refused();
    if (call->result == CALL_ANSWERED && call->status == 200)
        perps_read_reply(a, &call->answer, &said);
    switch (said.answer) {
    case PERPS_REPLY_DONE:
        out->says = VENUE_FILLED;
        out->more = said.traded;
        return;
    case PERPS_REPLY_REFUSED:
    case PERPS_REPLY_GONE:
        out->says = VENUE_REFUSED;
        out->why = said.why != NULL ? said.why : &E_PERPS_REFUSED;
        break;
    case PERPS_REPLY_UNKNOWN_SIGNER:
        unknown_order_read(call->owner, a, r, out);
        break;
    case PERPS_REPLY_ARRIVED:
    case PERPS_REPLY_NONE:
        break;
    }
    log_repeated("perps_rejected", "",
                 "msg=\"the venue of perpetuals did not take a request\" execution=%llu venue=%s status=%d"
                 " why=\"%s\" said=\"%.200s\"",
                 (unsigned long long)r->effect.execution_id, r->venue, call->status, call->why, said.text);
}

/* ---- looking: keys ---- */

static bool info_call(struct call *call, struct arena *a, struct action_call *asked, struct perps_question *q)
{
    if (asked == NULL ||
        !perps_request_budget_take(asked->ctx, perps_question_weight(q->type), PERPS_REQUEST_BUDGET_ORDERS))
        return false;
    q->user = &asked->user;
    perps_question_call(call, asked->ctx, a, q);
    call_use_lane(call, asked->ctx->bulkhead, BULKHEAD_PERPS);
    call->owner = asked;
    return true;
}

static bool key_ask_status(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                           struct arena *a)
{
    struct perps_question q = { .type = "extraAgents" };

    return info_call(call, a, call_begin(ctx, a, r), &q);
}

static void key_read_status(const struct call *call, const struct venue_request *r, struct arena *a,
                            struct request_observation *out)
{
    struct evm_addr key;
    bool there;

    (void)a;
    memcpy(key.bytes, r->venue_key, sizeof key.bytes);
    if (!perps_is_answered(call, "extraAgents") || !perps_read_key(&call->answer, &key, &there))
        return;
    out->says = there ? VENUE_FILLED : VENUE_UNKNOWN;
}

/* ---- looking: settings ---- */

/* Reads the setting in the stored body. */
static bool wanted_read(struct action_call *asked, struct arena *a, const struct venue_request *r)
{
    json_t *doc = json_read_texts((const char *)r->body, r->body_len);
    const json_t *action = json_object_get(doc, "action");
    bool ok = perps_whole(&asked->wanted.asset, action, "asset", HYPERLIQUID_SPOT_ASSETS) &&
              perps_whole(&asked->wanted.leverage, action, "leverage", PERPS_LEVERAGE_MAX);

    asked->wanted.cross = json_is_true(json_object_get(action, "isCross"));
    json_decref(doc);
    asked->asset = ok ? perps_asset_name(asked->ctx, a, asked->wanted.asset) : NULL;
    return asked->asset != NULL;
}

static bool leverage_ask_status(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                                struct arena *a)
{
    struct action_call *asked = call_begin(ctx, a, r);
    struct perps_question q = { .type = "activeAssetData" };

    if (asked == NULL || !wanted_read(asked, a, r))
        return false;
    q.asset = asked->asset;
    return info_call(call, a, asked, &q);
}

static void leverage_read_status(const struct call *call, const struct venue_request *r, struct arena *a,
                                 struct request_observation *out)
{
    const struct action_call *asked = call->owner;
    struct perps_leverage is;

    (void)r;
    (void)a;
    if (!perps_is_answered(call, "activeAssetData") ||
        !perps_read_leverage(&call->answer, &asked->user, asked->asset, &is))
        return;
    out->says = is.value == asked->wanted.leverage && is.is_cross == asked->wanted.cross ? VENUE_FILLED
                                                                                         : VENUE_UNKNOWN;
}

/* ---- looking: orders ---- */

static bool order_ask_status(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                             struct arena *a)
{
    struct perps_question q = { .type = "orderStatus", .cloid = perps_cloid_text(a, r->venue_key) };

    return info_call(call, a, call_begin(ctx, a, r), &q);
}

static void order_read_status(const struct call *call, const struct venue_request *r, struct arena *a,
                              struct request_observation *out)
{
    struct perps_seen seen;
    bool known;

    if (!perps_is_answered(call, "orderStatus") || !perps_read_status(a, &call->answer, &seen, &known))
        return;
    if (!known) {
        out->says = VENUE_UNKNOWN;
    } else if (memcmp(seen.cloid, r->venue_key, sizeof seen.cloid) == 0) {
        out->says = seen.state == PERPS_REJECTED ? VENUE_REFUSED : VENUE_FILLED;
        out->why = seen.why;
    }
}

/* ---- rows ---- */

const struct venue perps_key_venue = { .name = TRADING_KEY_VENUE,
                                       .forgets = true, /* keys that have ended */
                                       .has_nonces = true,
                                       .sign = key_sign,
                                       .ask_send = action_ask_send,
                                       .read_send = action_read_send,
                                       .ask_status = key_ask_status,
                                       .read_status = key_read_status };

const struct venue perps_leverage_venue = { .name = "hyperliquid-leverage",
                                            .forgets = true, /* what another one has replaced */
                                            .has_nonces = true,
                                            .sign = action_sign,
                                            .ask_send = action_ask_send,
                                            .read_send = action_read_send,
                                            .ask_status = leverage_ask_status,
                                            .read_status = leverage_read_status };

const struct venue perps_order_venue = { .name = "hyperliquid",
                                         .forgets = true, /* all but the last orders of an account */
                                         .has_nonces = true,
                                         .sign = order_sign,
                                         .ask_send = action_ask_send,
                                         .read_send = action_read_send,
                                         .ask_status = order_ask_status,
                                         .read_status = order_read_status };
