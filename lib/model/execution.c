#include "model/execution.h"

#include <string.h>

#define BIT(s) (1u << (s))

static const unsigned next[] = {
    /* expired: nothing was signed, since its approval lapsed */
    [EXEC_PENDING] = BIT(EXEC_SUBMITTED) | BIT(EXEC_PROCESSING) | BIT(EXEC_COMPLETED) | BIT(EXEC_FAILED) |
                     BIT(EXEC_EXPIRED),
    [EXEC_SUBMITTED] = BIT(EXEC_PROCESSING) | BIT(EXEC_COMPLETED) | BIT(EXEC_FAILED),
    [EXEC_PROCESSING] = BIT(EXEC_SUBMITTED) | BIT(EXEC_COMPLETED) | BIT(EXEC_FAILED),
    [EXEC_COMPLETED] = BIT(EXEC_PROCESSING), /* only after a reorganisation */
    /* only after a reorganisation; completed: a correction, as the chain says otherwise after all */
    [EXEC_FAILED] = BIT(EXEC_PROCESSING) | BIT(EXEC_COMPLETED),
    [EXEC_EXPIRED] = 0,
};

const struct err *token_ref_amount(struct arena *a, const struct token_ref *t, const char *text,
                                   struct u256 *out)
{
    struct amount amount;

    if (amount_parse_down(a, &amount, text, t->decimals) != AMOUNT_FINE)
        return err_on(a, &E_AMOUNT, "amount");
    *out = amount.raw;
    if (!amount_is_zero(amount))
        return NULL;
    return err_on(a,
                  err_hint(a, &E_AMOUNT,
                           arena_printf(a, "It is less than the smallest unit of %s, which has %u decimals",
                                        t->symbol, t->decimals)),
                  "amount");
}

bool tx_hash_equal(const struct tx_hash *a, const struct tx_hash *b)
{
    return a->len == b->len && memcmp(a->bytes, b->bytes, a->len) == 0;
}

bool address_bytes_equal(const struct address_bytes *a, const struct address_bytes *b)
{
    return a->len == b->len && memcmp(a->bytes, b->bytes, a->len) == 0;
}

bool exec_lends(enum exec_kind_id kind)
{
    return kind >= KIND_LEND_SUPPLY && kind <= KIND_LEND_COLLATERAL;
}

bool exec_places(enum exec_kind_id kind)
{
    return kind == KIND_PREDICT_ORDER || kind == KIND_PERPS_ORDER || kind == KIND_PERPS_CLOSE;
}

bool exec_may_move(enum exec_status from, enum exec_status to)
{
    return (next[from] & BIT(to)) != 0;
}

const char *exec_status_text(enum exec_status s)
{
    switch (s) {
    case EXEC_PENDING:
        return "pending";
    case EXEC_SUBMITTED:
        return "submitted";
    case EXEC_PROCESSING:
        return "processing";
    case EXEC_COMPLETED:
        return "completed";
    case EXEC_FAILED:
        return "failed";
    case EXEC_EXPIRED:
        return "expired";
    }
    return "";
}

enum exec_status exec_listed(enum exec_status s)
{
    switch (s) {
    case EXEC_PROCESSING:
        return EXEC_PENDING;
    case EXEC_EXPIRED:
        return EXEC_FAILED;
    case EXEC_PENDING:
    case EXEC_SUBMITTED:
    case EXEC_COMPLETED:
    case EXEC_FAILED:
        return s;
    }
    return s;
}

bool exec_listed_parse(enum exec_status *out, const char *text)
{
    static const enum exec_status listed[] = { EXEC_PENDING, EXEC_SUBMITTED, EXEC_COMPLETED, EXEC_FAILED };

    for (size_t i = 0; i < sizeof listed / sizeof listed[0]; i++) {
        if (strcmp(text, exec_status_text(listed[i])) == 0) {
            *out = listed[i];
            return true;
        }
    }
    return false;
}

bool execution_has_bridge(const struct execution *x)
{
    return x->to.chain_id != 0 && x->to.chain_id != x->from.chain_id;
}

const char *tx_kind_text(enum tx_kind k)
{
    switch (k) {
    case TX_APPROVAL:
        return "approval";
    case TX_SPEND:
        return "swap";
    case TX_CANCEL:
        return "cancel";
    case TX_BRIDGE_IN:
        return "bridge_in";
    case TX_BRIDGE_OUT:
        return "bridge_out";
    }
    return "";
}

const char *transaction_text(const struct transaction *t)
{
    return t->kind == TX_CANCEL && t->token.len != 0 ? "revocation" : tx_kind_text(t->kind);
}

const char *transaction_status_text(const struct transaction *t)
{
    switch (t->effect.state) {
    case EFFECT_OPEN:
        return t->effect.accepted ? "submitted" : "pending";
    case EFFECT_INCLUDED:
    case EFFECT_SETTLED:
        return t->effect.succeeded ? "completed" : "failed";
    case EFFECT_LOST:
    case EFFECT_RENEWED:
        return "replaced";
    }
    return "";
}
