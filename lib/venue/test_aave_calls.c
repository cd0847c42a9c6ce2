#include "venue/aave_calls.c"

#include "codec/test_vectors.h"
#include "venue/test_loan.h"

static const struct contract *pool_on(const char *chain)
{
    return contract_of(chain_find(chain), &aave_pool);
}

/* ---- test vectors ---- */

static const char *argument(const json_t *row, size_t i)
{
    const char *text = json_string_value(json_array_get(json_object_get(row, "args"), i));

    return text != NULL ? text : "";
}

static struct u256 amount_of(const json_t *row)
{
    struct u256 v = U256_ZERO;

    CHECK(u256_parse(&v, argument(row, 1)));
    return v;
}

/* False for calls of other contracts. */
static bool encode_row(struct buf *out, const json_t *row)
{
    const char *signature = test_text(row, "signature");
    struct evm_addr asset = evm_addr_or_zero(argument(row, 0));

    if (strcmp(signature, loans[0].signature) == 0)
        aave_supply(out, asset, amount_of(row), evm_addr_or_zero(argument(row, 2)));
    else if (strcmp(signature, loans[1].signature) == 0)
        aave_withdraw(out, asset, amount_of(row), evm_addr_or_zero(argument(row, 2)));
    else if (strcmp(signature, loans[2].signature) == 0)
        aave_borrow(out, asset, amount_of(row), evm_addr_or_zero(argument(row, 4)));
    else if (strcmp(signature, loans[3].signature) == 0)
        aave_repay(out, asset, amount_of(row), evm_addr_or_zero(argument(row, 3)));
    else if (strcmp(signature, loans[4].signature) == 0)
        aave_collateral(out, asset, json_is_true(json_array_get(json_object_get(row, "args"), 1)));
    else
        return false;
    return true;
}

static void calls_are_as_the_vectors_have_them(void)
{
    const json_t *rows = test_section("abi_calls"), *row;
    struct buf b = BUF_INIT(1024);
    unsigned seen = 0;
    size_t i, n;

    json_array_foreach(rows, i, row)
    {
        const uint8_t *want = test_bytes(row, "calldata", &n);

        buf_reset(&b);
        if (!encode_row(&b, row))
            continue;
        CHECK(b.len == n && memcmp(b.data, want, n) == 0);
        seen++;
    }
    CHECK(seen == 5);
    buf_free(&b);
}

/* ---- reading ---- */

static void amounts_are_read_back(void)
{
    struct evm_addr usdc = address(AT_USDC), wallet = address(AT_WALLET);
    const struct contract *pool = pool_on("ethereum");
    struct buf b = BUF_INIT(1024);
    struct loan l;

    aave_supply(&b, usdc, u256_from_u64(7), wallet);
    check_loan(&l, pool, &b);
    CHECK(l.act == LOAN_SUPPLY && equals(l.amount, 7));
    CHECK_STR(l.asset, AT_USDC);
    CHECK(!reads_with(pool, &b, 1, 0)); /* nothing */
    CHECK(!reads_with(pool, &b, 2, 1)); /* for another account */
    CHECK(!reads_with(pool, &b, 3, 1)); /* with a referral */
    buf_reset(&b);
    aave_withdraw(&b, usdc, LOAN_ALL, wallet);
    check_loan(&l, pool, &b);
    CHECK(l.act == LOAN_WITHDRAW && u256_cmp(l.amount, LOAN_ALL) == 0);
    CHECK(!reads_with(pool, &b, 2, 1)); /* to another account */
    buf_free(&b);
}

static void debts_are_the_wallets_at_variable_rates(void)
{
    struct evm_addr usdc = address(AT_USDC), wallet = address(AT_WALLET);
    const struct contract *pool = pool_on("base");
    struct buf b = BUF_INIT(1024);
    struct loan l;

    aave_borrow(&b, usdc, u256_from_u64(9), wallet);
    check_loan(&l, pool, &b);
    CHECK(l.act == LOAN_BORROW && equals(l.amount, 9));
    CHECK(!reads_with(pool, &b, 2, 1)); /* at a stable rate */
    CHECK(!reads_with(pool, &b, 3, 1)); /* with a referral */
    CHECK(!reads_with(pool, &b, 4, 1)); /* on another account's credit */
    buf_reset(&b);
    aave_repay(&b, usdc, LOAN_ALL, wallet);
    check_loan(&l, pool, &b);
    CHECK(l.act == LOAN_REPAY && u256_cmp(l.amount, LOAN_ALL) == 0);
    CHECK(!reads_with(pool, &b, 2, 1)); /* at a stable rate */
    CHECK(!reads_with(pool, &b, 3, 1)); /* another account's debt */
    buf_free(&b);
}

static void collateral_is_on_or_off(void)
{
    const struct contract *pool = pool_on("ethereum");
    struct buf b = BUF_INIT(1024);
    struct loan l;

    aave_collateral(&b, address(AT_WETH), true);
    check_loan(&l, pool, &b);
    CHECK(l.act == LOAN_COLLATERAL && equals(l.amount, 1));
    CHECK_STR(l.asset, AT_WETH);
    CHECK(!reads_with(pool, &b, 1, 2));
    buf_reset(&b);
    aave_collateral(&b, address(AT_WETH), false);
    check_loan(&l, pool, &b);
    CHECK(u256_is_zero(l.amount));
    buf_free(&b);
}

static void other_calls_are_unlisted(void)
{
    static const uint8_t flash_loan[] = { 0x42, 0xb0, 0xb7, 0x7c, 0 };
    const struct contract *pool = pool_on("ethereum");
    struct loan l;

    CHECK(read_loan(&l, pool, AT_WALLET, flash_loan, sizeof flash_loan) == TRADE_UNLISTED);
    CHECK(read_loan(&l, pool, AT_WALLET, flash_loan, 3) == TRADE_UNLISTED);
    CHECK(pool_on("fantom") == NULL && pool_on("scroll") != NULL);
}

TEST_MAIN(TEST(calls_are_as_the_vectors_have_them), TEST(amounts_are_read_back),
          TEST(debts_are_the_wallets_at_variable_rates), TEST(collateral_is_on_or_off),
          TEST(other_calls_are_unlisted))
