#include "perps/action_sign.h"

#include <stdio.h>
#include <string.h>

#include "base/incident.h"
#include "signer/client.h"
#include "venue/hyperliquid_message.h"

enum { SIG_LEN = 65, PARITY_TO_V = 27, BODY_MAX = HYPERLIQUID_ACTION_MAX + 1024 };

/* By the id of the wallet that it trades for. */
static struct wallet_ref key_ref(const struct wallet *w, const struct trading_key *k)
{
    struct wallet_ref ref = { .wallet = w->ref.wallet, .agent = w->ref.agent, .kind = WALLET_TRADING };

    (void)snprintf(ref.address, sizeof ref.address, "%s", k->address);
    return ref;
}

bool perps_key_make(const struct ctx *ctx, const struct wallet *w, struct trading_key *out)
{
    struct wallet_ref ref;
    enum signer_status status;

    *out = (struct trading_key){ .agent_id = w->agent_id, .wallet_id = w->id };
    ref = key_ref(w, out);
    status = signer_create(ctx->signer, &ref, out->sealed);
    if (status != SIGNER_OK) {
        log_repeated("not_signed", "what=key", "msg=\"no trading key made\" status=%d wallet=%s", (int)status,
                     w->ref.address);
        return false;
    }
    (void)snprintf(out->address, sizeof out->address, "%s", ref.address);
    return true;
}

static struct signer_request request_of(const struct wallet *w, const struct trading_key *key,
                                        const struct hyperliquid_action *action)
{
    struct signer_request rq = { .op = SIGNER_SIGN_ACTION, .wallet = w->ref, .family = CHAIN_EVM };

    memcpy(rq.sealed, w->sealed, sizeof rq.sealed);
    if (hyperliquid_is_trading(action->kind)) {
        rq.wallet = key_ref(w, key);
        memcpy(rq.sealed, key->sealed, sizeof rq.sealed);
    } else if (action->kind == HYPERLIQUID_APPROVE) {
        rq.has_far_wallet = true;
        rq.far_wallet = key_ref(w, key);
        memcpy(rq.far_sealed, key->sealed, sizeof rq.far_sealed);
    }
    return rq;
}

static bool action_ask(const struct ctx *ctx, struct signer_request *rq,
                       const struct hyperliquid_action *action, uint8_t sig[static SIG_LEN])
{
    struct buf payload = BUF_INIT(HYPERLIQUID_MESSAGE_MAX);
    enum signer_status status = SIGNER_BAD_MESSAGE;
    struct signature rsv = { .len = 0 };

    hyperliquid_message_write(&payload, action);
    rq->payload = (const uint8_t *)payload.data;
    rq->payload_len = payload.len;
    if (!payload.overflow)
        status = signer_sign(ctx->signer, rq, &rsv);
    buf_free(&payload);
    if (status != SIGNER_OK || rsv.len != SIG_LEN) {
        log_repeated("not_signed", "what=action", "msg=\"action not signed\" action=%s status=%d wallet=%s",
                     hyperliquid_kind_text(action->kind), (int)status, rq->wallet.address);
        return false;
    }
    memcpy(sig, rsv.bytes, SIG_LEN);
    sig[SIG_LEN - 1] = (uint8_t)(sig[SIG_LEN - 1] + PARITY_TO_V);
    return true;
}

bool perps_action_sign(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                       const struct trading_key *key, const struct hyperliquid_action *action,
                       struct venue_request *out)
{
    struct signer_request rq = request_of(w, key, action);
    struct buf body = BUF_INIT(BODY_MAX);
    uint8_t sig[SIG_LEN];
    bool made = action_ask(ctx, &rq, action, sig);

    if (made) {
        hyperliquid_action_digest(out->venue_key, action);
        hyperliquid_body(&body, action, sig);
        made = !body.overflow;
        out->body = arena_memdup(a, body.data, body.len);
        out->body_len = body.len;
    }
    buf_free(&body);
    return made;
}
