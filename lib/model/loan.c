#include "model/loan.h"

#include <string.h>

const char *loan_act_text(enum loan_act act)
{
    switch (act) {
    case LOAN_SUPPLY:
        return "supply";
    case LOAN_WITHDRAW:
        return "withdraw";
    case LOAN_BORROW:
        return "borrow";
    case LOAN_REPAY:
        return "repay";
    case LOAN_PLEDGE:
        return "pledge";
    case LOAN_RELEASE:
        return "release";
    case LOAN_COLLATERAL:
        return "collateral";
    }
    return "";
}

bool loan_takes(const struct loan *l)
{
    return l->act == LOAN_SUPPLY || l->act == LOAN_REPAY || l->act == LOAN_PLEDGE;
}

bool loan_is_exact(const struct loan *l)
{
    return u256_is_zero(l->shares) && u256_cmp(l->amount, LOAN_ALL) != 0;
}

bool loan_has_market(const struct loan *l)
{
    static const uint8_t none[HASH_LEN];

    return memcmp(l->market, none, HASH_LEN) != 0;
}

bool loan_equal(const struct loan *a, const struct loan *b)
{
    return a->act == b->act && strcmp(a->lender, b->lender) == 0 && strcmp(a->asset, b->asset) == 0 &&
           u256_cmp(a->amount, b->amount) == 0 && u256_cmp(a->shares, b->shares) == 0 &&
           memcmp(a->market, b->market, HASH_LEN) == 0;
}
