#include "venue/aave_state.c"

#include "base/test.h"

static uint8_t bytes[1024];

/* Writes `n` words: 1, 2, 3, … */
static size_t counted_words(size_t n)
{
    memset(bytes, 0, sizeof bytes);
    for (size_t i = 0; i < n; i++)
        bytes[i * ABI_WORD + ABI_WORD - 1] = (uint8_t)(i + 1);
    return n * ABI_WORD;
}

static void questions_have_their_selectors(void)
{
    CHECK(abi_selector_of("getPool()") == SEL_POOL);
    CHECK(abi_selector_of("getPoolDataProvider()") == SEL_DATA_PROVIDER);
    CHECK(abi_selector_of("getPriceOracle()") == SEL_ORACLE);
    CHECK(abi_selector_of("getReservesList()") == SEL_RESERVES);
    CHECK(abi_selector_of("getConfiguration(address)") == SEL_CONFIGURATION);
    CHECK(abi_selector_of("getReserveData(address)") == SEL_RESERVE);
    CHECK(abi_selector_of("getReserveTokensAddresses(address)") == SEL_TOKENS);
    CHECK(abi_selector_of("getAssetPrice(address)") == SEL_PRICE);
    CHECK(abi_selector_of("getUserReserveData(address,address)") == SEL_HOLDING);
    CHECK(abi_selector_of("getUserAccountData(address)") == SEL_ACCOUNT);
}

/* Supply cap 43,000 and borrow cap 28,000 across the limbs' borders; active, borrowing; 8 decimals. */
static void bits_of_a_reserve(void)
{
    struct aave_config k;
    struct u256 v = { { 0 } };
    uint8_t be[U256_BYTES];

    v.limb[0] = 7300 | UINT64_C(7800) << 16 | UINT64_C(10500) << 32 | UINT64_C(8) << 48 | UINT64_C(1) << 56 |
                UINT64_C(1) << 58;
    v.limb[1] = 1000 | UINT64_C(28000) << 16 | UINT64_C(43000) << 52;
    v.limb[2] = UINT64_C(43000) >> 12;
    u256_to_be(be, v);
    CHECK(aave_read_config(&k, be, sizeof be));
    CHECK(k.ltv == 7300 && k.threshold == 7800 && k.decimals == 8);
    CHECK(k.active && k.borrowing && !k.frozen && !k.paused);
    CHECK(k.supply_cap == 43000 && k.borrow_cap == 28000);
    CHECK(!aave_read_config(&k, be, sizeof be - 1));
}

/* The Pool's own answer to the same selector has fifteen words. */
static void reserves_are_read(void)
{
    size_t n = counted_words(12);
    struct aave_reserve r;

    CHECK(aave_read_reserve(&r, bytes, n));
    CHECK(r.supplied.limb[0] == 3 && r.borrowed.limb[0] == 4 + 5);
    CHECK(r.supply_rate.limb[0] == 6 && r.borrow_rate.limb[0] == 7);
    CHECK(!aave_read_reserve(&r, bytes, n - 1) && !aave_read_reserve(&r, bytes, n + ABI_WORD));
}

static void tokens_of_a_reserve(void)
{
    size_t n = counted_words(3);
    struct aave_tokens t;

    CHECK(aave_read_tokens(&t, bytes, n));
    CHECK(t.supply.bytes[EVM_ADDR_LEN - 1] == 1 && t.debt.bytes[EVM_ADDR_LEN - 1] == 3);
    CHECK(!aave_read_tokens(&t, bytes, n - 1));
}

static void holdings_are_read(void)
{
    struct aave_holding h;
    struct aave_account k;
    size_t n = counted_words(9);

    CHECK(aave_read_holding(&h, bytes, n) && !aave_read_holding(&h, bytes, n - 1));
    CHECK(h.supplied.limb[0] == 1 && h.borrowed.limb[0] == 2 + 3 && h.collateral);
    n = counted_words(6);
    CHECK(aave_read_account(&k, bytes, n) && !aave_read_account(&k, bytes, n + ABI_WORD));
    CHECK(k.collateral.limb[0] == 1 && k.available.limb[0] == 3 && k.threshold.limb[0] == 4);
    CHECK(k.ltv.limb[0] == 5 && k.health.limb[0] == 6);
}

static void lists_of_reserves(void)
{
    struct evm_addr list[2];
    size_t count, n = counted_words(4);

    bytes[ABI_WORD - 1] = ABI_WORD;
    CHECK(aave_read_reserves(list, 2, &count, bytes, n) && count == 2);
    CHECK(list[0].bytes[EVM_ADDR_LEN - 1] == 3 && list[1].bytes[EVM_ADDR_LEN - 1] == 4);
    CHECK(!aave_read_reserves(list, 1, &count, bytes, n));
    CHECK(!aave_read_reserves(list, 2, &count, bytes, n - 1));
    CHECK(!aave_read_reserves(list, 2, &count, bytes, 0));
    bytes[ABI_WORD - 1] = 2 * ABI_WORD;
    CHECK(!aave_read_reserves(list, 2, &count, bytes, n));
}

TEST_MAIN(TEST(questions_have_their_selectors), TEST(bits_of_a_reserve), TEST(reserves_are_read),
          TEST(tokens_of_a_reserve), TEST(holdings_are_read), TEST(lists_of_reserves))
