#include "base/test.h"
#include "model/loan.h"

static const struct loan borrowed = { .act = LOAN_BORROW,
                                      .lender = "0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2",
                                      .asset = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
                                      .amount = { { 7 } } };

/* Any difference is one. */
static void loans_are_equal_as_a_whole(void)
{
    struct loan other[6];

    for (unsigned i = 0; i < 6; i++) {
        other[i] = borrowed;
        CHECK(loan_equal(&borrowed, &other[i]));
    }
    other[0].act = LOAN_REPAY;
    other[1].lender[41] = '3';
    other[2].asset[41] = '9';
    other[3].amount = LOAN_ALL;
    other[4].shares = u256_from_u64(1);
    other[5].market[31] = 1;
    for (unsigned i = 0; i < 6; i++)
        CHECK(!loan_equal(&borrowed, &other[i]));
}

static void predicates_of_loans(void)
{
    struct loan l = borrowed;

    CHECK(!loan_takes(&l) && loan_is_exact(&l) && !loan_has_market(&l));
    l.market[31] = 1;
    CHECK(loan_has_market(&l));
    l.amount = LOAN_ALL;
    CHECK(!loan_is_exact(&l));
    l.amount = U256_ZERO;
    l.shares = u256_from_u64(1);
    CHECK(!loan_is_exact(&l));
    for (enum loan_act act = LOAN_SUPPLY; act <= LOAN_COLLATERAL; act++) {
        l.act = act;
        CHECK(loan_takes(&l) == (act == LOAN_SUPPLY || act == LOAN_REPAY || act == LOAN_PLEDGE));
        CHECK(loan_act_text(act)[0] != '\0');
    }
    CHECK_STR(loan_act_text(LOAN_REPAY), "repay");
}

TEST_MAIN(TEST(loans_are_equal_as_a_whole), TEST(predicates_of_loans))
