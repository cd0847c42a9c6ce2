/* Loans keep their plan: the lender, the market, the token and how much of it. */
#include "exec/evm/evm_guard.c"

#include "base/test.h"
#include "venue/aave_calls.h"
#include "venue/erc20.h"
#include "venue/morpho_calls.h"

static const char AT_USDC[] = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
                  AT_WETH[] = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
                  AT_POOL[] = "0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2",
                  AT_MORPHO[] = "0xBBBBBbbBBb9cC5e90e3b3Af64bdAF62C37EEFFCb",
                  AT_V2[] = "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D",
                  AT_WALLET[] = "0x1111111111111111111111111111111111111111",
                  AT_OTHER[] = "0x2222222222222222222222222222222222222222";
static const char WRAP[] = "\xd0\xe3\x0d\xb0";
static const struct morpho_quantity nine_shares = { .shares = { { 9 } } };

enum { AMOUNT = 1000 };

/* A plan with one step, the call of `data`; and its loan, of a Pool. */
static struct loan loan;

static struct plan plan_of(enum loan_act act, const char *asset, uint64_t leaves)
{
    struct plan p = { .chain = chain_by_id(1),
                      .wallet = AT_WALLET,
                      .loan = &loan,
                      .leaves = { .amount = u256_from_u64(leaves) },
                      .count = 1 };

    loan = (struct loan){ .act = act, .amount = u256_from_u64(AMOUNT) };
    (void)snprintf(loan.lender, sizeof loan.lender, "%s", AT_POOL);
    (void)snprintf(loan.asset, sizeof loan.asset, "%s", asset);
    (void)snprintf(p.leaves.token.address, sizeof p.leaves.token.address, "%s", asset);
    return p;
}

/* "" where the step is one of the plan's. */
static const char *step_to(struct plan *p, const char *to, struct buf *data)
{
    const char *why;

    p->steps[0].to = to;
    p->steps[0].data = (const uint8_t *)data->data;
    p->steps[0].data_len = data->len;
    why = evm_guard_steps(p);
    buf_reset(data);
    return why == NULL ? "" : why;
}

static struct evm_addr wallet_addr(void)
{
    return evm_addr_or_zero(AT_WALLET);
}

static const char *supply(struct plan *p, const char *asset, uint64_t amount, const char *whom)
{
    struct buf b = BUF_INIT(512);
    const char *why;

    aave_supply(&b, evm_addr_or_zero(asset), u256_from_u64(amount), evm_addr_or_zero(whom));
    why = step_to(p, AT_POOL, &b);
    buf_free(&b);
    return why;
}

static const char *allow(struct plan *p, const char *token, const char *spender, uint64_t amount)
{
    struct buf b = BUF_INIT(128);
    const char *why;

    erc20_approve(&b, evm_addr_or_zero(spender), u256_from_u64(amount));
    why = step_to(p, token, &b);
    buf_free(&b);
    return why;
}

static void supplies_have_to_match_the_plan(void)
{
    struct plan p = plan_of(LOAN_SUPPLY, AT_USDC, AMOUNT);

    CHECK_STR(supply(&p, AT_USDC, AMOUNT, AT_WALLET), "");
    CHECK_STR(supply(&p, AT_USDC, AMOUNT + 1, AT_WALLET), "another loan");
    CHECK_STR(supply(&p, AT_WETH, AMOUNT, AT_WALLET), "another loan");
    CHECK_STR(supply(&p, AT_USDC, AMOUNT, AT_OTHER), "target or call not on the list");
    loan.act = LOAN_REPAY;
    CHECK_STR(supply(&p, AT_USDC, AMOUNT, AT_WALLET), "another loan");
    loan.act = LOAN_SUPPLY;
    loan.market[0] = 1;
    CHECK_STR(supply(&p, AT_USDC, AMOUNT, AT_WALLET), "another loan");
    loan.market[0] = 0;
    p.leaves.amount = u256_from_u64(AMOUNT - 1);
    CHECK_STR(supply(&p, AT_USDC, AMOUNT, AT_WALLET), "another input");
    p.leaves.amount = u256_from_u64(AMOUNT);
    (void)snprintf(p.leaves.token.address, sizeof p.leaves.token.address, "%s", AT_WETH);
    CHECK_STR(supply(&p, AT_USDC, AMOUNT, AT_WALLET), "another input");
    p.loan = NULL;
    CHECK_STR(supply(&p, AT_USDC, AMOUNT, AT_WALLET), "neither an allowance nor a trade");
}

static void the_lender_is_allowed_what_leaves(void)
{
    struct plan p = plan_of(LOAN_SUPPLY, AT_USDC, AMOUNT);

    CHECK_STR(allow(&p, AT_USDC, AT_POOL, AMOUNT), "");
    CHECK_STR(allow(&p, AT_USDC, AT_POOL, 0), "");
    CHECK_STR(allow(&p, AT_USDC, AT_POOL, AMOUNT + 1), "allowance of another amount");
    CHECK_STR(allow(&p, AT_USDC, AT_POOL, AMOUNT - 1), "allowance of another amount");
    CHECK_STR(allow(&p, AT_WETH, AT_POOL, AMOUNT), "allowance of another token");
    CHECK_STR(allow(&p, AT_USDC, AT_MORPHO, AMOUNT), "spender is not the lender");
    CHECK_STR(allow(&p, AT_USDC, AT_V2, AMOUNT), "spender is not the lender");
    CHECK_STR(allow(&p, AT_USDC, AT_OTHER, AMOUNT), "spender is not the lender");
    (void)snprintf(loan.lender, sizeof loan.lender, "%s", AT_OTHER);
    CHECK_STR(allow(&p, AT_USDC, AT_OTHER, AMOUNT), "spender is not the lender");
    p = plan_of(LOAN_BORROW, AT_USDC, 0);
    CHECK_STR(allow(&p, AT_USDC, AT_POOL, AMOUNT), "allowance of another amount");
}

static const char *wrap(struct plan *p, const char *at, uint64_t value)
{
    struct buf b = BUF_INIT(16);
    const char *why;

    buf_add(&b, WRAP, sizeof WRAP - 1);
    p->steps[0].value = u256_from_u64(value);
    why = step_to(p, at, &b);
    p->steps[0].value = U256_ZERO;
    buf_free(&b);
    return why;
}

static void coin_is_wrapped_for_the_lender(void)
{
    struct plan p = plan_of(LOAN_SUPPLY, AT_WETH, AMOUNT);

    CHECK_STR(wrap(&p, AT_WETH, AMOUNT), "another input"); /* the token itself leaves */
    p.leaves.native = true;
    CHECK_STR(wrap(&p, AT_WETH, AMOUNT), "");
    CHECK_STR(supply(&p, AT_WETH, AMOUNT, AT_WALLET), "");
    CHECK_STR(allow(&p, AT_WETH, AT_POOL, AMOUNT), "");
    CHECK_STR(wrap(&p, AT_WETH, AMOUNT + 1), "another input");
    CHECK_STR(wrap(&p, AT_OTHER, AMOUNT), "target or call not on the list");
    (void)snprintf(loan.asset, sizeof loan.asset, "%s", AT_USDC);
    CHECK_STR(wrap(&p, AT_WETH, AMOUNT), "another output");
    p = plan_of(LOAN_WITHDRAW, AT_WETH, AMOUNT);
    p.leaves.native = true;
    CHECK_STR(wrap(&p, AT_WETH, AMOUNT), "no part of a loan");
}

/* The debt has grown by the time that it is repaid; what may leave is what was allowed. */
static void everything_is_what_was_allowed(void)
{
    struct plan p = plan_of(LOAN_REPAY, AT_USDC, AMOUNT);
    struct buf b = BUF_INIT(512);

    loan.amount = LOAN_ALL;
    aave_repay(&b, evm_addr_or_zero(AT_USDC), LOAN_ALL, wallet_addr());
    CHECK_STR(step_to(&p, AT_POOL, &b), "");
    CHECK_STR(allow(&p, AT_USDC, AT_POOL, AMOUNT), "");
    CHECK_STR(allow(&p, AT_USDC, AT_POOL, AMOUNT + 1), "allowance of another amount");
    aave_repay(&b, evm_addr_or_zero(AT_USDC), u256_from_u64(AMOUNT), wallet_addr());
    CHECK_STR(step_to(&p, AT_POOL, &b), "another loan");
    loan.amount = u256_from_u64(AMOUNT);
    aave_repay(&b, evm_addr_or_zero(AT_USDC), LOAN_ALL, wallet_addr());
    CHECK_STR(step_to(&p, AT_POOL, &b), "another loan");
    buf_free(&b);
}

static void nothing_leaves_for_what_is_received(void)
{
    struct plan p = plan_of(LOAN_BORROW, AT_USDC, 0);
    struct buf b = BUF_INIT(512);

    aave_borrow(&b, evm_addr_or_zero(AT_USDC), u256_from_u64(AMOUNT), wallet_addr());
    CHECK_STR(step_to(&p, AT_POOL, &b), "");
    aave_borrow(&b, evm_addr_or_zero(AT_USDC), u256_from_u64(AMOUNT + 1), wallet_addr());
    CHECK_STR(step_to(&p, AT_POOL, &b), "another loan");
    aave_withdraw(&b, evm_addr_or_zero(AT_USDC), u256_from_u64(AMOUNT), wallet_addr());
    CHECK_STR(step_to(&p, AT_POOL, &b), "another loan");
    p.leaves.amount = u256_from_u64(AMOUNT);
    aave_borrow(&b, evm_addr_or_zero(AT_USDC), u256_from_u64(AMOUNT), wallet_addr());
    CHECK_STR(step_to(&p, AT_POOL, &b), "another input");
    p = plan_of(LOAN_COLLATERAL, AT_USDC, 0);
    loan.amount = U256_ZERO;
    aave_collateral(&b, evm_addr_or_zero(AT_USDC), false);
    CHECK_STR(step_to(&p, AT_POOL, &b), "");
    aave_collateral(&b, evm_addr_or_zero(AT_USDC), true);
    CHECK_STR(step_to(&p, AT_POOL, &b), "another loan");
    buf_free(&b);
}

static void markets_keep_apart(void)
{
    struct plan p = plan_of(LOAN_REPAY, AT_USDC, AMOUNT);
    struct morpho_market m = { .loan = evm_addr_or_zero(AT_USDC), .collateral = evm_addr_or_zero(AT_WETH) };
    struct buf b = BUF_INIT(1024);

    (void)snprintf(loan.lender, sizeof loan.lender, "%s", AT_MORPHO);
    loan.amount = U256_ZERO;
    loan.shares = nine_shares.shares;
    morpho_market_id(loan.market, &m);
    morpho_repay(&b, &m, nine_shares, wallet_addr());
    CHECK_STR(step_to(&p, AT_MORPHO, &b), "");
    morpho_repay(&b, &m, (struct morpho_quantity){ .shares = { { 8 } } }, wallet_addr());
    CHECK_STR(step_to(&p, AT_MORPHO, &b), "another loan");
    m.oracle = evm_addr_or_zero(AT_OTHER);
    morpho_repay(&b, &m, nine_shares, wallet_addr());
    CHECK_STR(step_to(&p, AT_MORPHO, &b), "another loan");
    buf_free(&b);
}

static void nothing_else_is_part_of_a_loan(void)
{
    struct plan p = plan_of(LOAN_SUPPLY, AT_USDC, AMOUNT);
    struct buf b = BUF_INIT(128);

    erc20_transfer(&b, evm_addr_or_zero(AT_OTHER), u256_from_u64(AMOUNT));
    CHECK_STR(step_to(&p, AT_USDC, &b), "no part of a loan");
    p.recipient = AT_OTHER;
    erc20_transfer(&b, evm_addr_or_zero(AT_OTHER), u256_from_u64(AMOUNT));
    CHECK_STR(step_to(&p, AT_USDC, &b), "no part of a loan");
    buf_add(&b, "\x2e\x1a\x7d\x4d", 4); /* unwraps */
    buf_add(&b, (const char[32]){ [31] = 1 }, 32);
    CHECK_STR(step_to(&p, AT_WETH, &b), "no part of a loan");
    buf_free(&b);
}

TEST_MAIN(TEST(supplies_have_to_match_the_plan), TEST(the_lender_is_allowed_what_leaves),
          TEST(coin_is_wrapped_for_the_lender), TEST(everything_is_what_was_allowed),
          TEST(nothing_leaves_for_what_is_received), TEST(markets_keep_apart),
          TEST(nothing_else_is_part_of_a_loan))
