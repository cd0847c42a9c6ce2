#include "signer/audit_line.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/incident.h"
#include "codec/hex.h"

void audit_begin(struct buf *b)
{
    char when[ISO8601_LEN + 1];

    clock_iso8601(when, clock_ms());
    buf_addf(b, "\"time\":\"%s\"", when);
}

void audit_text(struct buf *b, const char *name, const char *text)
{
    buf_addf(b, ",\"%s\":\"%s\"", name, text);
}

static void audit_amount(struct buf *b, const char *name, struct u256 v)
{
    char text[U256_DECIMAL_LEN + 1];

    u256_decimal(text, v);
    audit_text(b, name, text);
}

static void audit_swap(struct buf *b, const struct act *act)
{
    const struct trade *t = &act->trade;

    audit_text(b, "bought", t->buy);
    audit_amount(b, "minimum", t->minimum);
    audit_text(b, "venue", t->contract->venue);
    if (t->act == TRADE_BRIDGE)
        buf_addf(b, ",\"far_chain\":%llu", (unsigned long long)t->far_chain);
    if (act->far_wallet[0] != '\0')
        audit_text(b, "far_wallet", act->far_wallet);
}

/* Whether collateral is on shows as a quantity of 1 or 0. */
static void audit_loan(struct buf *b, const struct act *act)
{
    const struct loan *l = &act->trade.loan;

    audit_text(b, "loan", loan_act_text(l->act));
    audit_text(b, "venue", act->trade.contract->venue);
    audit_text(b, "asset", l->asset);
    if (!u256_is_zero(l->shares))
        audit_amount(b, "shares", l->shares);
    else if (loan_is_exact(l))
        audit_amount(b, "quantity", l->amount);
    else
        audit_text(b, "quantity", "all");
    if (loan_has_market(l)) {
        char text[2 * HASH_LEN + 1];

        hex_encode(text, l->market, HASH_LEN);
        buf_addf(b, ",\"market\":\"0x%s\"", text);
    }
}

void audit_act(struct buf *b, const struct act *act)
{
    buf_addf(b, ",\"chain\":%llu,\"nonce\":%llu", (unsigned long long)act->chain_id,
             (unsigned long long)act->nonce);
    if (act->action != NULL)
        audit_text(b, "action", act->action);
    else
        audit_text(b, "to", act->to);
    if (act->has_selector)
        buf_addf(b, ",\"selector\":\"0x%08x\"", act->selector);
    audit_amount(b, "value", act->trade.value);
    audit_amount(b, "native", act->native);
    if (act->trading_key[0] != '\0')
        audit_text(b, "trading_key", act->trading_key);
    if (act->has_token || (act->action != NULL && !u256_is_zero(act->trade.amount))) {
        audit_text(b, "token", act->trade.sell);
        audit_amount(b, "amount", act->trade.amount);
    }
    if (act->reading == TRADE_READ && act_is_trade(act))
        audit_swap(b, act);
    if (act->reading == TRADE_READ && act->trade.act == TRADE_LOAN)
        audit_loan(b, act);
}

bool audit_end(struct audit_log *log, struct buf *b)
{
    bool ok = !b->overflow && audit_log_add(log, buf_text(b));

    buf_free(b);
    if (ok)
        log_incident_over("audit_not_written", "");
    else
        log_incident("audit_not_written", "", "msg=\"the audit file cannot be written\" reason=\"%s\"",
                     strerror(errno));
    return ok;
}
