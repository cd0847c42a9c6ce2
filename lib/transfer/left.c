#include "transfer/left.h"

/* While an execution is in progress that may take of the rest, or has taken it already, the wallet's later
 * balance is unknown: it keeps what the next transfer needs, where that is asked for. */
static bool coin_amount(struct u256 *out, const struct chain_state *st, struct u256 left, struct u256 fees,
                        bool alone)
{
    *out = left;
    if (alone || u256_is_zero(st->native_least))
        return true;
    return u256_sub(out, left, st->native_least) && u256_sub(out, *out, fees) &&
           u256_cmp(*out, st->native_least) >= 0;
}

const struct err *transfer_left(const struct plan *p, const struct chain_state *st,
                                const struct reservation *r, struct u256 *amount)
{
    struct u256 value, fees, left;

    if (!chain_ops_of(p->chain)->cost(p, st, &value, &fees) ||
        !u256_sub(&left, st->native_balance, r->native) || !u256_sub(&left, left, fees) ||
        u256_cmp(left, st->native_least) < 0)
        return &E_GAS;
    if (p->leaves.native ? !coin_amount(amount, st, left, fees, u256_is_zero(r->native))
                         : !u256_sub(amount, st->token_balance, r->token))
        return &E_BALANCE;
    return u256_is_zero(*amount) ? &E_BALANCE : NULL;
}
