#include "exec/evm/evm_sign.h"

#include <string.h>

#include "base/incident.h"
#include "base/log.h"
#include "chain/evm/rlp.h"
#include "chain/evm/tx.h"
#include "exec/evm/evm_guard.h"
#include "exec/evm/evm_stored.h"
#include "exec/signing.h"

enum { TRANSFER_GAS = 21000 };

/* False for a step that calls no address. */
static bool unsigned_tx(struct evm_tx *tx, const struct signing *in)
{
    const struct step *s = in->step;

    *tx = (struct evm_tx){
        .type = in->fees->legacy ? EVM_TX_LEGACY : EVM_TX_FEE_MARKET,
        .chain_id = in->chain->id,
        .nonce = in->nonce,
        .gas_limit = s->gas_limit,
        .max_fee = in->fees->max_fee,
        .priority_fee = in->fees->priority_fee,
        .value = s->value,
        .data = s->data,
        .data_len = s->data_len,
    };
    return evm_addr_parse(&tx->to, s->to);
}

static void transaction_of(struct transaction *out, const struct wallet *w, const struct evm_tx *tx,
                           const struct step *s, const struct buf *raw, struct arena *a)
{
    *out = (struct transaction){
        .leg = LEG_SOURCE,
        .chain_id = tx->chain_id,
        .has_nonce = true,
        .nonce = tx->nonce,
        .kind = s->kind,
        .effect = { .wallet_id = w->id, .state = EFFECT_OPEN },
        .raw = arena_memdup(a, raw->data, raw->len),
        .raw_len = raw->len,
        .gas_limit = tx->gas_limit,
        .max_fee = tx->max_fee,
        .priority_fee = tx->priority_fee,
        .value = tx->value,
        .token_amount = s->token_amount,
    };
    if (s->token != NULL) {
        evm_address_bytes(&out->token, s->token);
        evm_address_bytes(&out->spender, s->spender);
    }
    evm_hash_set(&out->hash, out->raw, out->raw_len);
}

/* The last check of what is signed, except for what the operator orders: there the MAC decides. */
static bool keeps_plan(const struct signing *in, const struct buf *tx)
{
    const char *why;

    if (in->plan == NULL || in->by != NULL)
        return true;
    why = guard_check(in->plan, (struct trade_proof){ in->proof, in->proof_len }, (const uint8_t *)tx->data,
                      tx->len);
    if (why != NULL)
        log_error("calldata_mismatch", "msg=\"a transaction does not keep its plan\" reason=\"%s\" wallet=%s",
                  why, in->wallet->ref.address);
    return why == NULL;
}

bool evm_sign(const struct ctx *ctx, struct arena *a, const struct signing *in, struct transaction *out)
{
    struct evm_tx tx;
    struct buf bytes = BUF_INIT(MAX_TX);
    struct signature rsv;
    struct evm_sig sig;
    enum signer_status status;

    if (!in->wallet->has_key || !unsigned_tx(&tx, in))
        return false; /* a wallet without a key belongs to a deleted agent: only what is stored is sent */
    evm_tx_unsigned(&bytes, &tx);
    if (bytes.overflow)
        status = SIGNER_BAD_MESSAGE;
    else if (!keeps_plan(in, &bytes))
        status = SIGNER_REFUSED;
    else
        status = signing_ask(ctx, in, CHAIN_EVM, (const uint8_t *)bytes.data, bytes.len, &rsv);
    if (status == SIGNER_OK) {
        memcpy(sig.r, rsv.bytes, sizeof sig.r);
        memcpy(sig.s, rsv.bytes + 32, sizeof sig.s);
        sig.y_parity = rsv.bytes[64];
        buf_reset(&bytes);
        evm_tx_signed(&bytes, &tx, &sig);
        transaction_of(out, in->wallet, &tx, in->step, &bytes, a);
    } else if (status != SIGNER_AWAY) { /* of which is told already */
        log_repeated("not_signed", "what=transaction", "msg=\"not signed\" status=%d wallet=%s", (int)status,
                     in->wallet->ref.address);
    }
    buf_free(&bytes);
    return status == SIGNER_OK;
}

/* The list behind a typed transaction's type byte, or a legacy one's own. Fields by position: EIP-1559 has
 * chain id and two fees before the gas limit, legacy has one fee. */
bool step_of_tx(struct arena *a, const struct transaction *t, struct step *out)
{
    bool typed = t->raw_len > 0 && t->raw[0] == EVM_TX_FEE_MARKET;
    struct rlp all = rlp_reader(t->raw + (typed ? 1 : 0), t->raw_len - (typed ? 1 : 0)), r;
    struct u256 skipped;
    const uint8_t *to, *data;
    struct evm_addr callee;
    size_t to_len;

    *out = (struct step){ .kind = t->kind, .token_amount = t->token_amount };
    if (t->token.len != 0) {
        out->token = evm_address_text(a, &t->token);
        out->spender = evm_address_text(a, &t->spender);
    }
    if (!rlp_list(&all, &r))
        return false;
    for (int i = 0; i < (typed ? 4 : 2); i++)
        if (!rlp_u256(&r, &skipped))
            return false;
    if (!rlp_u64(&r, &out->gas_limit) || !rlp_bytes(&r, &to, &to_len) || to_len != EVM_ADDR_LEN ||
        !rlp_u256(&r, &out->value) || !rlp_bytes(&r, &data, &out->data_len))
        return false;
    memcpy(callee.bytes, to, sizeof callee.bytes);
    out->to = evm_addr_print(a, callee);
    out->data = arena_memdup(a, data, out->data_len);
    return true;
}

/* Adds half to what a chain charges beyond a plain transfer, since that follows another chain's fees; a
 * step's bound holds with it. */
static uint64_t transfer_gas(const struct chain *c, uint64_t estimate)
{
    uint64_t most = c->gas_max / 3 * 2;

    if (estimate <= TRANSFER_GAS)
        return TRANSFER_GAS;
    estimate = estimate < most ? estimate : most;
    return TRANSFER_GAS + (estimate - TRANSFER_GAS) * 3 / 2;
}

struct step step_cancel(const struct chain *c, const char *wallet, uint64_t estimate)
{
    return (struct step){ .kind = TX_CANCEL, .to = wallet, .gas_limit = transfer_gas(c, estimate) };
}

/* `old` and a part of it more. */
static struct u256 fee_at_least(struct u256 old, struct u256 now, uint64_t part)
{
    struct u256 raise, more;

    /* Rounded up, so that small fees grow too. */
    if (!u256_add(&more, old, u256_from_u64(part - 1)) ||
        !u256_div(&raise, NULL, more, u256_from_u64(part)) || !u256_add(&more, old, raise))
        return now;
    return u256_cmp(more, now) > 0 ? more : now;
}

struct fees fees_bumped(struct u256 max_fee, struct u256 priority_fee, const struct fees *now)
{
    /* A price of gas may have been told too low: a few attempts come to several times as much. */
    enum { EIGHTH = 8, QUARTER = 4 };

    return (struct fees){
        .legacy = now->legacy,
        .max_fee = fee_at_least(max_fee, now->max_fee, now->legacy ? QUARTER : EIGHTH),
        .priority_fee = now->legacy ? U256_ZERO : fee_at_least(priority_fee, now->priority_fee, EIGHTH),
    };
}
