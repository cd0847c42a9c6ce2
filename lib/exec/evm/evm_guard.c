#include "exec/evm/evm_guard.h"

#include <string.h>

#include "venue/trade.h"
#include "venue/wrapped_native.h"

static bool is_token(const char *token, const struct plan_amount *of)
{
    return strcmp(token, of->native ? TRADE_COIN : of->token.address) == 0;
}

/* Exactly what the plan needs, or nothing: some tokens want a previous allowance reset first. */
static const char *check_allowance(const struct plan *p, const struct trade *t)
{
    if (!is_token(t->sell, &p->leaves))
        return "allowance of another token";
    if (!u256_is_zero(t->amount) && u256_cmp(t->amount, p->leaves.amount) != 0)
        return "allowance of another amount";
    return t->spender_listed ? NULL : "spender not on the list";
}

/* The spender has to be a contract that one of the plan's requests goes to. The balance alone bounds the
 * amount: resting orders and settling trades need their part of the allowance too. */
static const char *check_access(const struct plan *p, const struct trade *t)
{
    if (t->act == TRADE_ALLOWANCE && !is_token(t->sell, &p->leaves))
        return "allowance of another token";
    if (!t->spender_listed)
        return "spender not on the list";
    for (unsigned i = 0; i < p->request_count; i++)
        if (p->requests[i].to != NULL && strcmp(t->spender, p->requests[i].to) == 0)
            return NULL;
    return "a spender that no request goes to";
}

/* Exactly what the plan has leave; some contracts take it as coin, and call it by the token that wraps it. */
static bool is_input(const struct plan *p, const struct trade *t)
{
    const char *paid = u256_is_zero(t->value_spent) ? t->sell : TRADE_COIN;

    return is_token(paid, &p->leaves) && u256_cmp(t->amount, p->leaves.amount) == 0;
}

static const char *check_recipient(const struct plan *p, const struct trade *t)
{
    if (p->recipient == NULL)
        return strcmp(t->recipient, p->wallet) == 0 ? NULL : "recipient is not the wallet";
    return strcmp(t->recipient, p->recipient) == 0 ? NULL : "another recipient";
}

static const char *check_swap(const struct plan *p, const struct trade *t)
{
    const char *why;

    if (!is_input(p, t))
        return "another input";
    if (!is_token(t->buy, &p->arrives))
        return "another output";
    if (u256_cmp(t->minimum, p->arrives.amount) < 0)
        return "a lower minimum";
    if ((why = check_recipient(p, t)) != NULL)
        return why;
    if (t->fee_receiver[0] != '\0' &&
        (p->fee_receiver == NULL || strcmp(t->fee_receiver, p->fee_receiver) != 0))
        return "a fee for another account";
    return t->deadline <= (uint64_t)p->deadline ? NULL : "a later deadline";
}

static const char *check_bridge(const struct plan *p, const struct trade *t)
{
    const char *why;

    if (!is_input(p, t))
        return "another input";
    if (t->far_chain != p->arrives.token.chain_id || !is_token(t->buy, &p->arrives))
        return "another output";
    if (u256_cmp(t->minimum, p->arrives.amount) < 0)
        return "a lower minimum";
    if ((why = check_recipient(p, t)) != NULL)
        return why;
    if (t->refund[0] != '\0' && strcmp(t->refund, p->wallet) != 0)
        return "refund for another account";
    return t->far_deadline == (uint64_t)p->bridge->deadline ? NULL : "another deadline on the other chain";
}

/* Only where the plan names whom it is for; so the next ones. */
static const char *check_transfer(const struct plan *p, const struct trade *t)
{
    if (p->recipient == NULL)
        return "neither an allowance nor a trade";
    if (strcmp(t->recipient, p->recipient) != 0)
        return "another recipient";
    return is_token(t->sell, &p->leaves) && u256_cmp(t->amount, p->leaves.amount) == 0 ? NULL
                                                                                       : "another input";
}

/* A deposit has to go into the account that the plan names. */
static const char *check_deposit(const struct plan *p, const struct trade *t)
{
    const char *why = check_transfer(p, t);

    if (why != NULL)
        return why;
    return u256_cmp(t->minimum, p->arrives.amount) < 0 ? "a lower minimum" : NULL;
}

/* A payment of the coin has to go to the plan's recipient, with the plan's amount. */
static const char *check_payment(const struct plan *p, const struct trade *t)
{
    if (p->recipient == NULL || !p->leaves.native)
        return "neither an allowance nor a trade";
    if (strcmp(t->recipient, p->recipient) != 0)
        return "another recipient";
    return u256_cmp(t->value, p->leaves.amount) == 0 ? NULL : "another input";
}

/* A redemption is accepted only in plans from which nothing leaves; it pays its caller. */
static const char *check_redemption(const struct plan *p, const struct trade *t)
{
    if (!u256_is_zero(p->leaves.amount))
        return "neither an allowance nor a trade";
    return t->act == TRADE_REDEEM || t->spender_listed ? NULL : "spender not on the list";
}

/* ---- Loans ---- */

/* The lender's allowance may be no more than is to leave, and none if nothing is. */
static const char *check_loan_allowance(const struct plan *p, const struct trade *t)
{
    if (strcmp(t->sell, p->loan->asset) != 0)
        return "allowance of another token";
    if (strcmp(t->spender, p->loan->lender) != 0 || !t->spender_listed)
        return "spender is not the lender";
    return u256_is_zero(t->amount) || u256_cmp(t->amount, p->leaves.amount) == 0
               ? NULL
               : "allowance of another amount";
}

/* The coin that leaves, for the lender to take. */
static const char *check_wrapping(const struct plan *p, const struct trade *t)
{
    if (t->contract->kind != &wrapped_native_contract || !trade_sells_coin(t) || !loan_takes(p->loan))
        return "no part of a loan";
    if (!p->leaves.native || u256_cmp(t->amount, p->leaves.amount) != 0)
        return "another input";
    return strcmp(t->buy, p->loan->asset) == 0 ? NULL : "another output";
}

/* Everything that is owed is no more than what may leave, which the allowance sees to. */
static const char *check_loan(const struct plan *p, const struct loan *l)
{
    if (!loan_equal(l, p->loan))
        return "another loan";
    if (!loan_takes(l))
        return u256_is_zero(p->leaves.amount) ? NULL : "another input";
    if (!p->leaves.native && strcmp(l->asset, p->leaves.token.address) != 0)
        return "another input";
    return !loan_is_exact(l) || u256_cmp(l->amount, p->leaves.amount) == 0 ? NULL : "another input";
}

static const char *check_loan_step(const struct plan *p, const struct trade *t)
{
    switch (t->act) {
    case TRADE_ALLOWANCE:
        return check_loan_allowance(p, t);
    case TRADE_SWAP:
        return check_wrapping(p, t);
    case TRADE_LOAN:
        return check_loan(p, &t->loan);
    case TRADE_PAYMENT:
    case TRADE_TRANSFER:
    case TRADE_BRIDGE:
    case TRADE_TRUST:
    case TRADE_REDEEM:
    case TRADE_DEPOSIT:
    case TRADE_ORDER:
        break;
    }
    return "no part of a loan";
}

/* ---- */

static const char *check_tx(const struct plan *p, const struct evm_tx *tx, struct trade_proof proof)
{
    const struct plan_bridge *b = p->bridge;
    struct trade t;

    if (trade_read_evm(&t, p->chain, tx, p->wallet, proof) != TRADE_READ)
        return "target or call not on the list";
    if (t.act == TRADE_PAYMENT)
        return check_payment(p, &t);
    if (u256_cmp(t.value, t.value_spent) != 0)
        return "value that is not traded";
    if (p->loan != NULL)
        return check_loan_step(p, &t);
    switch (t.act) {
    case TRADE_ALLOWANCE:
        return plan_only_allows(p) ? check_access(p, &t) : check_allowance(p, &t);
    case TRADE_SWAP:
        return b != NULL ? "nothing on another chain" : check_swap(p, &t);
    case TRADE_BRIDGE:
        return b == NULL ? "for another chain" : check_bridge(p, &t);
    case TRADE_TRANSFER:
        return check_transfer(p, &t);
    case TRADE_DEPOSIT:
        return check_deposit(p, &t);
    case TRADE_TRUST:
        return plan_only_allows(p) ? check_access(p, &t) : check_redemption(p, &t);
    case TRADE_REDEEM:
        return check_redemption(p, &t);
    case TRADE_PAYMENT:
    case TRADE_LOAN:
    case TRADE_ORDER:
        break;
    }
    return "neither an allowance nor a trade";
}

const char *guard_check(const struct plan *p, struct trade_proof proof, const uint8_t *unsigned_tx,
                        size_t len)
{
    struct evm_tx tx;

    if (!evm_tx_decode_unsigned(&tx, unsigned_tx, len) || tx.chain_id != p->chain->id || tx.create ||
        tx.access_list_len != 0)
        return "not a call on the plan's chain";
    return check_tx(p, &tx, proof);
}

static bool step_tx(struct evm_tx *tx, const struct step *s)
{
    *tx = (struct evm_tx){ .value = s->value, .data = s->data, .data_len = s->data_len };
    return evm_addr_parse(&tx->to, s->to);
}

int64_t evm_refused_after(const struct plan *p)
{
    const struct step *s = &p->steps[p->spend];
    struct trade t;
    struct evm_tx tx;

    if (!step_tx(&tx, s) ||
        trade_read_evm(&t, p->chain, &tx, p->wallet, (struct trade_proof){ s->proof, s->proof_len }) !=
            TRADE_READ ||
        t.deadline > INT64_MAX)
        return 0;
    return (int64_t)t.deadline;
}

const char *evm_guard_steps(const struct plan *p)
{
    const char *why = NULL;

    for (unsigned i = 0; why == NULL && i < p->count; i++) {
        const struct step *s = &p->steps[i];
        struct evm_tx tx;

        why = step_tx(&tx, s) ? check_tx(p, &tx, (struct trade_proof){ s->proof, s->proof_len })
                              : "no address to call";
    }
    return why;
}
