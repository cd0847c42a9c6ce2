#include "predict/message_sign.h"

#include <string.h>

#include "base/incident.h"
#include "signer/client.h"

bool message_sign(uint8_t sig[static MESSAGE_SIGNATURE_LEN], const struct ctx *ctx, const struct wallet *w,
                  const struct polymarket_message *m)
{
    struct signer_request rq = { .op = SIGNER_SIGN_MESSAGE, .wallet = w->ref, .family = CHAIN_EVM };
    struct buf payload = BUF_INIT(POLYMARKET_MESSAGE_MAX);
    enum signer_status status = SIGNER_BAD_MESSAGE;
    struct signature rsv = { .len = 0 };

    polymarket_message_write(&payload, m);
    rq.payload = (const uint8_t *)payload.data;
    rq.payload_len = payload.len;
    memcpy(rq.sealed, w->sealed, sizeof rq.sealed);
    if (w->has_key && !payload.overflow)
        status = signer_sign(ctx->signer, &rq, &rsv);
    buf_free(&payload);
    if (status != SIGNER_OK || rsv.len != MESSAGE_SIGNATURE_LEN) {
        log_repeated("not_signed", "what=message", "msg=\"message not signed\" kind=%d status=%d wallet=%s",
                     (int)m->kind, (int)status, w->ref.address);
        return false;
    }
    memcpy(sig, rsv.bytes, MESSAGE_SIGNATURE_LEN);
    sig[MESSAGE_SIGNATURE_LEN - 1] = (uint8_t)(sig[MESSAGE_SIGNATURE_LEN - 1] + 27);
    return true;
}
