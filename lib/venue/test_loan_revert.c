#include "venue/loan_revert.c"

#include "base/test.h"
#include "codec/test_vectors.h"
#include "venue/aave_calls.h"

static struct buf sent = BUF_INIT(4096);

static const struct err *refused(const struct contract_kind *lender, enum loan_act act)
{
    struct loan_revert r = { lender, act, (const uint8_t *)sent.data, sent.len, "1.05" };

    return loan_revert_error(test_arena, &r);
}

static const struct err *says(const struct contract_kind *lender, enum loan_act act, const char *text)
{
    buf_reset(&sent);
    abi_selector(&sent, abi_selector_of("Error(string)"));
    abi_u64(&sent, ABI_WORD);
    abi_bytes_tail(&sent, text, strlen(text));
    return refused(lender, act);
}

static const struct err *reverts_with(const struct contract_kind *lender, enum loan_act act,
                                      uint32_t selector)
{
    buf_reset(&sent);
    abi_selector(&sent, selector);
    return refused(lender, act);
}

static const struct err *panics(const struct contract_kind *lender, enum loan_act act)
{
    buf_reset(&sent);
    abi_selector(&sent, abi_selector_of("Panic(uint256)"));
    abi_u64(&sent, 0x11);
    return refused(lender, act);
}

/* As both generations are documented. */
static const struct {
    const char *number;
    uint32_t selector;
    int status;
    const char *text;
} documented[] = {
    { "26", 0x2c5211c6, 400, "Amount must be a positive number" },
    { "27", 0x90cd6f24, 400, "Market is not active" },
    { "28", 0x6d305815, 400, "Market is frozen" },
    { "29", 0xd37f5f1c, 400, "Market is paused" },
    { "30", 0x53587745, 400, "Borrowing is not enabled for this asset" },
    { "32", 0x47bc4b2c, 400, "Amount exceeds supplied balance" },
    { "33", 0x17c5a78e, 500, "Lending operation failed" },
    { "34", 0xe43ec917, 400, "Insufficient collateral" },
    { "35", 0x6679996d, 400, "Health factor would fall below 1.05" },
    { "36", 0x911ceb81, 400, "Insufficient collateral" },
    { "39", 0xf0788fb2, 400, "No debt to repay" },
    { "43", 0x5fe10377, 400, "Amount exceeds supplied balance" },
    { "50", 0x77a6a896, 400, "Borrow cap reached" },
    { "51", 0xf58f733a, 400, "Supply cap reached" },
    { "57", 0x5b263df7, 400, "Insufficient collateral" },
    { "62", 0x0cafc072, 400, "collateral is not possible in this market" },
    { "82", 0xb77e1e0f, 404, "Market not found" },
};

static void vectors_begin(void)
{
    CHECK(test_section("revert_data") != NULL); /* makes the arena too */
}

static void aave_refuses_in_two_ways(void)
{
    for (size_t i = 0; i < sizeof documented / sizeof documented[0]; i++) {
        const struct err *older = says(&aave_pool, LOAN_BORROW, documented[i].number);
        const struct err *newer = reverts_with(&aave_pool, LOAN_BORROW, documented[i].selector);

        CHECK_STR(older->text, documented[i].text);
        CHECK_STR(newer->text, documented[i].text);
        CHECK(older->status == documented[i].status && newer->status == documented[i].status);
    }
}

static void errors_without_a_message_are_named(void)
{
    const struct err *e = reverts_with(&aave_pool, LOAN_SUPPLY, abi_selector_of("MustNotLeaveDust()"));

    CHECK(err_is(e, &E_LEND_REFUSED));
    CHECK_STR(e->hint, "The contract's reason: MustNotLeaveDust()");
    CHECK_STR(reverts_with(&aave_pool, LOAN_SUPPLY, 0x12345678)->hint,
              "The contract's reason: error 0x12345678");
    CHECK_STR(says(&aave_pool, LOAN_SUPPLY, "91")->hint, "The contract's reason: 91");
    CHECK_STR(says(&morpho_blue, LOAN_SUPPLY, "35")->hint, "The contract's reason: 35");
    CHECK_STR(says(&aave_pool, LOAN_SUPPLY, "")->hint, "The contract's reason: none given");
    buf_reset(&sent);
    buf_add(&sent, "\x2c\x52\x11", 3);
    CHECK_STR(refused(&aave_pool, LOAN_SUPPLY)->hint, "The contract's reason: unreadable");
}

static void morpho_refuses_by_texts(void)
{
    CHECK(says(&morpho_blue, LOAN_BORROW, "insufficient collateral") == &E_LEND_COLLATERAL);
    CHECK(says(&morpho_blue, LOAN_BORROW, "insufficient liquidity") == &E_LEND_LIQUIDITY);
    CHECK(says(&morpho_blue, LOAN_SUPPLY, "zero assets") == &E_AMOUNT);
    CHECK(err_is(says(&morpho_blue, LOAN_SUPPLY, "market not created"), &E_MARKET_NOT_FOUND));
    CHECK(says(&morpho_blue, LOAN_SUPPLY, "inconsistent input") == &E_LEND_FAILED);
    CHECK(says(&morpho_blue, LOAN_SUPPLY, "unauthorized") == &E_LEND_FAILED);
    CHECK(says(&morpho_blue, LOAN_REPAY, "transferFrom reverted") == &E_BALANCE);
    CHECK(err_is(says(&aave_pool, LOAN_SUPPLY, "zero assets"), &E_LEND_REFUSED));
}

/* The wallet's when something is taken from it, the market's when something is to be paid out. */
static void tokens_are_short(void)
{
    static const char *const texts[] = { "ERC20: transfer amount exceeds balance", "Dai/insufficient-balance",
                                         "GPv2: failed transferFrom",
                                         "BEP20: transfer amount exceeds balance" };
    uint32_t oz = 0xe450d38c; /* ERC20InsufficientBalance */

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        CHECK(says(&aave_pool, LOAN_SUPPLY, texts[i]) == &E_BALANCE);
        CHECK(says(&aave_pool, LOAN_WITHDRAW, texts[i]) == &E_LEND_LIQUIDITY);
        CHECK(err_is(says(&aave_pool, LOAN_COLLATERAL, texts[i]), &E_LEND_REFUSED));
    }
    CHECK(reverts_with(&morpho_blue, LOAN_PLEDGE, oz) == &E_BALANCE);
    CHECK(reverts_with(&aave_pool, LOAN_BORROW, oz) == &E_LEND_LIQUIDITY);
    CHECK(err_is(says(&aave_pool, LOAN_SUPPLY, "ERC20: insufficient allowance"), &E_LEND_REFUSED));
    buf_reset(&sent);
    CHECK(refused(&aave_pool, LOAN_REPAY) == &E_BALANCE);
    CHECK(refused(&morpho_blue, LOAN_BORROW) == &E_LEND_LIQUIDITY);
    CHECK(err_is(refused(&aave_pool, LOAN_COLLATERAL), &E_LEND_REFUSED));
}

static void subtractions_below_zero(void)
{
    CHECK(panics(&morpho_blue, LOAN_WITHDRAW) == &E_LEND_SUPPLIED);
    CHECK(panics(&morpho_blue, LOAN_RELEASE) == &E_LEND_SUPPLIED);
    CHECK(err_is(panics(&morpho_blue, LOAN_REPAY), &E_LEND_NO_DEBT));
    CHECK(err_is(panics(&morpho_blue, LOAN_SUPPLY), &E_LEND_REFUSED));
    CHECK(panics(&aave_pool, LOAN_WITHDRAW) == &E_LEND_LIQUIDITY);
    CHECK(panics(&aave_pool, LOAN_BORROW) == &E_LEND_LIQUIDITY);
    CHECK_STR(panics(&aave_pool, LOAN_SUPPLY)->hint, "The contract's reason: Panic(0x11)");
}

/* The vectors' texts are of real contracts. */
static void vectors_are_read(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(test_section("revert_data"), i, row)
    {
        struct loan_revert r = { .lender = &aave_pool, .act = LOAN_WITHDRAW };
        const char *reason = json_string_value(json_object_get(row, "reason"));

        r.data = test_bytes(row, "data", &r.len);
        if (reason != NULL && strcmp(reason, "35") == 0)
            CHECK_STR(loan_revert_error(test_arena, &r)->text, "Health factor would fall below 1");
        if (reason != NULL && strstr(reason, "insufficient-balance") != NULL)
            CHECK(loan_revert_error(test_arena, &r) == &E_LEND_LIQUIDITY);
        if (strcmp(test_text(row, "kind"), "custom") == 0)
            CHECK_STR(loan_revert_error(test_arena, &r)->hint, "The contract's reason: error 0xfb8f41b2");
    }
}

static void buffer_is_freed(void)
{
    buf_free(&sent);
}

TEST_MAIN(TEST(vectors_begin), TEST(aave_refuses_in_two_ways), TEST(errors_without_a_message_are_named),
          TEST(morpho_refuses_by_texts), TEST(tokens_are_short), TEST(subtractions_below_zero),
          TEST(vectors_are_read), TEST(buffer_is_freed))
