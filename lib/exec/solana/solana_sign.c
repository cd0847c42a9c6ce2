#include "exec/solana/solana_sign.h"

#include <string.h>

#include "base/incident.h"
#include "chain/solana/solana_message.h"
#include "exec/signing.h"
#include "exec/solana/solana_guard.h"
#include "exec/solana/solana_stored.h"

/* The wallet pays, so its signature comes first, and is what the transaction goes by. Fees are all in one
 * unit of gas. */
static bool transaction_of(struct transaction *out, struct arena *a, const struct signing *in,
                           const struct signature *sig)
{
    const struct step *s = in->step;
    struct solana_tx tx;
    uint8_t *raw;

    if (sig->len != SOLANA_SIGNATURE_LEN || solana_tx_read(&tx, s->data, s->data_len) != NULL)
        return false;
    raw = arena_memdup(a, s->data, s->data_len);
    memcpy(raw + (tx.signatures - s->data), sig->bytes, sig->len);
    *out = (struct transaction){
        .leg = LEG_SOURCE,
        .chain_id = in->chain->id,
        .kind = s->kind,
        .effect = { .wallet_id = in->wallet->id, .state = EFFECT_OPEN },
        .raw = raw,
        .raw_len = s->data_len,
        .expiry = s->expiry,
        .submit_via = s->submit_via,
        .gas_limit = s->gas_limit,
        .max_fee = in->fees->max_fee,
        .value = s->value,
        .token_amount = s->token_amount,
    };
    out->hash.len = SOLANA_SIGNATURE_LEN;
    memcpy(out->hash.bytes, sig->bytes, sig->len);
    if (s->token != NULL) {
        solana_address_bytes(&out->token, s->token);
        solana_address_bytes(&out->spender, s->to);
    }
    return true;
}

bool solana_sign(const struct ctx *ctx, struct arena *a, const struct signing *in, struct transaction *out)
{
    struct signature sig;
    enum signer_status status;
    const char *why = solana_guard_steps(in->plan);

    if (!in->wallet->has_key)
        return false;
    status = why == NULL ? signing_ask(ctx, in, CHAIN_SOLANA, in->step->data, in->step->data_len, &sig)
                         : SIGNER_REFUSED;
    if (status == SIGNER_OK && transaction_of(out, a, in, &sig))
        return true;
    log_repeated("not_signed", "what=transaction", "msg=\"not signed\" status=%d reason=\"%s\" wallet=%s",
                 (int)status, why != NULL ? why : "", in->wallet->ref.address);
    return false;
}
