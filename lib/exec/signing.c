#include "exec/signing.h"

#include <string.h>

static enum signer_op signing_op(const struct signing *in)
{
    if (in->by != NULL)
        return SIGNER_SIGN_TRANSFER;
    return in->to != NULL ? SIGNER_SIGN_WITHDRAWAL : SIGNER_SIGN;
}

enum signer_status signing_ask(const struct ctx *ctx, const struct signing *in, enum chain_type family,
                               const uint8_t *payload, size_t len, struct signature *out)
{
    const struct operator_mac *by = in->by;
    struct signer_request rq = { .op = signing_op(in),
                                 .wallet = in->wallet->ref,
                                 .family = family,
                                 .payload = payload,
                                 .payload_len = len,
                                 .proof = in->proof,
                                 .proof_len = in->proof_len };

    memcpy(rq.sealed, in->wallet->sealed, sizeof rq.sealed);
    signer_show_far(&rq, in->far_wallet);
    if (in->to != NULL) {
        rq.record = in->to->bytes;
        rq.record_len = in->to->len;
    }
    if (by != NULL)
        by->make(rq.operator_mac, by->arg, &rq.wallet, payload, len);
    return signer_sign(ctx->signer, &rq, out);
}
