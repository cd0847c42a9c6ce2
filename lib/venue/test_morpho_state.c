#include "venue/morpho_state.c"

#include "base/test.h"

static uint8_t bytes[1024];

static size_t counted_words(size_t n)
{
    memset(bytes, 0, sizeof bytes);
    for (size_t i = 0; i < n; i++)
        bytes[i * ABI_WORD + ABI_WORD - 1] = (uint8_t)(i + 1);
    return n * ABI_WORD;
}

static void questions_have_their_selectors(void)
{
    CHECK(abi_selector_of("idToMarketParams(bytes32)") == SEL_TERMS);
    CHECK(abi_selector_of("market(bytes32)") == SEL_STATE);
    CHECK(abi_selector_of("borrowRateView((address,address,address,address,uint256),"
                          "(uint128,uint128,uint128,uint128,uint128,uint128))") == SEL_RATE);
    CHECK(abi_selector_of("price()") == SEL_PRICE);
    CHECK(abi_selector_of("position(bytes32,address)") == SEL_HOLDING);
}

static void terms_and_state(void)
{
    struct morpho_market m;
    struct morpho_state s;
    size_t n = counted_words(5);

    CHECK(morpho_read_terms(&m, bytes, n) && !morpho_read_terms(&m, bytes, n - 1));
    CHECK(m.loan.bytes[EVM_ADDR_LEN - 1] == 1 && m.rates.bytes[EVM_ADDR_LEN - 1] == 4);
    CHECK(m.lltv.limb[0] == 5);
    n = counted_words(6);
    CHECK(morpho_read_state(&s, bytes, n) && !morpho_read_state(&s, bytes, n + ABI_WORD));
    CHECK(s.supplied.limb[0] == 1 && s.borrowed.limb[0] == 3 && s.updated_s == 5 && s.fee.limb[0] == 6);
}

/* 8 of 20 million lent; 40 % a year for 30 days: three terms of the series, each rounded down. */
static void interest_is_the_contracts(void)
{
    struct morpho_state s = { .supplied = { { 20000000000000 } },
                              .borrowed = { { 8000000000000 } },
                              .updated_s = 1000 };
    const struct u256 rate = { { 12683916793 } }, too_high = { { 0, 0, 0, 1 } };

    CHECK(morpho_accrue(&s, rate, 1000) && s.borrowed.limb[0] == 8000000000000);
    CHECK(morpho_accrue(&s, rate, 1000 + 2592000) && s.updated_s == 2593000);
    CHECK(s.borrowed.limb[0] == 8267384592436 && s.supplied.limb[0] == 20267384592436);
    CHECK(!morpho_accrue(&s, too_high, UINT64_MAX));
}

/* Shares are rounded as by the contract: 10^6 shares for a unit at first, down for lenders and up for
 * borrowers. */
static void shares_are_rounded_against_the_wallet(void)
{
    struct morpho_state s = { .supplied = { { 200 } },
                              .supply_shares = { { 100000000 } },
                              .borrowed = { { 200 } },
                              .borrow_shares = { { 100000000 } } };
    const struct u256 half = { { 50000000 } };
    struct u256 n;

    CHECK(morpho_supplied(&n, &s, half) && n.limb[0] == 99);
    CHECK(morpho_borrowed(&n, &s, half) && n.limb[0] == 100);
    CHECK(morpho_borrowed(&n, &s, U256_ZERO) && u256_is_zero(n));
}

/* 10 of collateral at 3,000, up to 86 % of that, for a debt of 12,000: in millionths of a dollar. */
static void health_is_what_may_be_owed_by_what_is(void)
{
    const struct morpho_market m = { .lltv = { { 860000000000000000 } } };
    const struct u256 collateral = { { 10000000000000000000U } }, debt = { { 12000000000 } };
    struct u256 price, worth, limit;

    CHECK(u256_parse(&price, "3000000000000000000000000000"));
    CHECK(morpho_worth(&worth, collateral, price) && worth.limb[0] == 30000000000);
    CHECK(morpho_limit(&limit, worth, &m) && limit.limb[0] == 25800000000);
    CHECK(morpho_health(limit, debt).limb[0] == 2150000000000000000);
    CHECK(u256_is_zero(morpho_health(limit, U256_ZERO)));
}

/* A tenth of 1,000 is the receiver's: 100 × (10^6 + 10^6) / (10^4 + 1000 - 100 + 1). */
static void a_fee_makes_shares(void)
{
    struct morpho_state s = { .supplied = { { 11000 } },
                              .supply_shares = { { 1000000 } },
                              .fee = { { 100000000000000000 } } };

    CHECK(fee_take(&s, u256_from_u64(1000)) && s.supply_shares.limb[0] == 1000000 + 18346);
}

TEST_MAIN(TEST(shares_are_rounded_against_the_wallet), TEST(a_fee_makes_shares),
          TEST(health_is_what_may_be_owed_by_what_is), TEST(questions_have_their_selectors),
          TEST(terms_and_state), TEST(interest_is_the_contracts))
