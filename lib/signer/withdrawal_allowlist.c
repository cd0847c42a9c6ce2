#include "signer/withdrawal_allowlist.h"

#include <string.h>

#include "base/log.h"
#include "keys/operator_mac.h"
#include "signer/audit_line.h"
#include "signer/signer_rules.h"

/* A decision in the audit file; `why` NULL: it was done. An address is only there once it was read as one. */
static bool audit_withdrawal(const struct signer_state *state, const struct allowlist_address *p,
                             const char *decision, const char *why)
{
    struct buf b = BUF_INIT(AUDIT_CHAIN_LINE_MAX);
    char agent[UUID_TEXT_LEN + 1];

    if (state->audit_log == NULL)
        return true;
    uuid_text(agent, p->agent);
    audit_begin(&b);
    audit_text(&b, "agent", agent);
    if (rules_check_address(p->type, p->address) == NULL)
        audit_text(&b, "address", p->address);
    audit_text(&b, "decision", why == NULL ? decision : "refused");
    if (why != NULL)
        audit_text(&b, "reason", why);
    return audit_end(state->audit_log, &b);
}

/* ---- Allowing ---- */

static bool is_ordered_at(const struct signer_state *state, const struct signer_request *rq, int64_t at_s)
{
    const struct allowlist_address *p = &rq->payee;

    return operator_mac_verify_address(rq->operator_mac, state->operator_key, p->agent, (uint8_t)p->type,
                                       p->address, at_s);
}

/* An order names its second in its MAC alone. */
static bool is_ordered(const struct signer_state *state, const struct signer_request *rq)
{
    int64_t at_s, last;

    if (state->operator_key == NULL)
        return false;
    history_order_times(state->history, &rq->payee, &at_s, &last);
    while (at_s <= last && !is_ordered_at(state, rq, at_s))
        at_s++;
    return at_s <= last ||
           (!history_was_removed(state->history, &rq->payee) && is_ordered_at(state, rq, ORDER_UNTIMED));
}

static enum signer_rule check_allow(const struct signer_state *state, const struct signer_request *rq,
                                    const char **why)
{
    *why = rules_check_address(rq->payee.type, rq->payee.address);
    if (*why != NULL)
        return RULE_ADDRESS;
    *why = "no MAC of the operator, or of another time";
    if (rq->has_operator_mac && !is_ordered(state, rq))
        return RULE_ORDER;
    *why = "stopped by the operator";
    if (signer_is_stopped(state))
        return RULE_STOPPED;
    *why = NULL;
    return RULE_NONE;
}

static enum signer_rule admit(struct signer_answer *out, const struct signer_state *state,
                              const struct signer_request *rq, const char **why)
{
    bool at_once = rq->has_operator_mac || history_is_new(state->history, rq->payee.agent);
    struct sealed_address a = { .payee = rq->payee };
    int64_t wait_s;

    switch (history_admit(state->history, &a, at_once)) {
    case HISTORY_FAILED:
        *why = "time cannot be kept";
        return RULE_SIGNER;
    case HISTORY_LATER:
        *why = "removed too often";
        return RULE_WAITING;
    case HISTORY_ADMITTED:
        break;
    }
    address_seal(&out->record, state->keyring, &a);
    (void)history_state(state->history, &a, &wait_s);
    out->wait_s = (uint64_t)wait_s;
    return RULE_NONE;
}

static void log_allowed(const struct allowlist_address *p, uint64_t wait_s)
{
    char agent[UUID_TEXT_LEN + 1];

    uuid_text(agent, p->agent);
    log_info("withdrawal_address_allowed", "agent=%s address=%s wait_s=%llu", agent, p->address,
             (unsigned long long)wait_s);
}

enum signer_status answer_allow(struct signer_answer *out, const struct signer_state *state,
                                const struct signer_request *rq)
{
    const char *why = NULL;

    out->rule = check_allow(state, rq, &why);
    if (out->rule == RULE_NONE)
        out->rule = admit(out, state, rq, &why);
    if (!audit_withdrawal(state, &rq->payee, out->wait_s == 0 ? "allowed at once" : "allowed", why)) {
        out->record.len = 0;
        out->rule = RULE_SIGNER;
    }
    if (out->rule == RULE_NONE)
        log_allowed(&rq->payee, out->wait_s);
    return signer_rule_status(out->rule);
}

/* ---- Records that are shown ---- */

static bool is_of(const struct sealed_address *a, struct uuid agent, enum chain_type family)
{
    return memcmp(&a->payee.agent, &agent, sizeof agent) == 0 && a->payee.type == family;
}

enum signer_rule allowlist_check(const struct signer_state *state, const struct signer_request *rq,
                                 const struct act *act, const char *wallet, const char **why)
{
    struct sealed_address a;
    int64_t wait_s;

    *why = "no record of this agent's addresses";
    if (!address_open(&a, state->keyring, rq->record, rq->record_len) ||
        !is_of(&a, rq->wallet.agent, act->chain->type))
        return RULE_ADDRESS;
    *why = rules_check_withdrawal(act, wallet, a.payee.address);
    if (*why != NULL)
        return RULE_ADDRESS;
    switch (history_state(state->history, &a, &wait_s)) {
    case ADDRESS_REMOVED:
        *why = "address was removed";
        return RULE_ADDRESS;
    case ADDRESS_WAITS:
        *why = "address does not count yet";
        return RULE_WAITING;
    case ADDRESS_COUNTS:
        break;
    }
    return RULE_NONE;
}

/* ---- Removing, which works during a kill switch, too ---- */

static enum signer_rule strike(const struct signer_state *state, const struct signer_request *rq,
                               const char **why)
{
    const struct allowlist_address *p = &rq->payee;
    struct sealed_address a;

    *why = "no record of this address";
    if (!address_open(&a, state->keyring, rq->record, rq->record_len) || !is_of(&a, p->agent, p->type) ||
        strcmp(a.payee.address, p->address) != 0)
        return RULE_ADDRESS;
    *why = "removal cannot be kept";
    if (!history_remove(state->history, &a))
        return RULE_SIGNER;
    *why = NULL;
    return RULE_NONE;
}

enum signer_status answer_remove(struct signer_answer *out, const struct signer_state *state,
                                 const struct signer_request *rq)
{
    char agent[UUID_TEXT_LEN + 1];
    const char *why;

    out->rule = strike(state, rq, &why);
    if (!audit_withdrawal(state, &rq->payee, "removed", why))
        out->rule = RULE_SIGNER;
    uuid_text(agent, rq->payee.agent);
    if (out->rule == RULE_NONE)
        log_info("withdrawal_address_removed", "agent=%s address=%s", agent, rq->payee.address);
    return signer_rule_status(out->rule);
}
