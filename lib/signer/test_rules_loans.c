/* Calls of lenders, on each chain that has one: what is for the wallet itself may be signed, and besides it
 * nothing that differs from it in whom it is for, in what it is done at or in what it calls. */
#include "signer/signer_rules.c"

#include <stdio.h>

#include "base/test.h"
#include "chain/evm/abi.h"
#include "signer/test_signer_rules.h"
#include "venue/aave_calls.h"
#include "venue/erc20.h"
#include "venue/morpho_calls.h"

static const char AT_ASSET[] = "0x3333333333333333333333333333333333333333",
                  AT_WALLET[] = "0x1111111111111111111111111111111111111111",
                  AT_OTHER[] = "0x2222222222222222222222222222222222222222",
                  AT_MORPHO[] = "0xBBBBBbbBBb9cC5e90e3b3Af64bdAF62C37EEFFCb";
enum { AMOUNT = 7, SHARES = 9, NO_WORD = 99 };

static const struct {
    const char *chain, *address;
} pools[] = {
    { "ethereum", "0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2" },
    { "optimism", "0x794a61358D6845594F94dc1DB02A252b5b4814aD" },
    { "bsc", "0x6807dc923806fE8Fd134338EABCA509979a7e0cB" },
    { "polygon", "0x794a61358D6845594F94dc1DB02A252b5b4814aD" },
    { "arbitrum", "0x794a61358D6845594F94dc1DB02A252b5b4814aD" },
    { "base", "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5" },
    { "avalanche", "0x794a61358D6845594F94dc1DB02A252b5b4814aD" },
    { "linea", "0xc47b8C00b0f69a36fa203Ffeac0334874574a8Ac" },
    { "mantle", "0x458F293454fE0d67EC0655f3672301301DD51422" },
    { "gnosis", "0xb50201558B00496A145fE76f7424749556E326D8" },
    { "scroll", "0x11fCfe756c05AD438e312a7fd934381537D3cFfe" },
};
enum { POOLS = sizeof pools / sizeof pools[0] };
static const char *const morpho_chains[] = { "ethereum", "base" };
enum { MORPHO_CHAINS = sizeof morpho_chains / sizeof morpho_chains[0] };

static struct act last;

static const char *check_at(const char *chain, const char *to, const struct buf *data, uint64_t value)
{
    struct evm_tx tx = { .type = EVM_TX_FEE_MARKET, .chain_id = chain_find(chain)->id, .gas_limit = 100 };

    CHECK(evm_addr_parse(&tx.to, to));
    tx.value = u256_from_u64(value);
    tx.data = (const uint8_t *)data->data;
    tx.data_len = data->len;
    return rules_check_evm(&last, &tx, AT_WALLET);
}

/* ---- the calls, for a wallet ---- */

static struct evm_addr wallet_addr(void)
{
    return evm_addr_or_zero(AT_WALLET);
}

static struct evm_addr asset_addr(void)
{
    return evm_addr_or_zero(AT_ASSET);
}

static void pool_supply(struct buf *b)
{
    aave_supply(b, asset_addr(), u256_from_u64(AMOUNT), wallet_addr());
}

static void pool_withdraw(struct buf *b)
{
    aave_withdraw(b, asset_addr(), u256_from_u64(AMOUNT), wallet_addr());
}

static void pool_withdraw_all(struct buf *b)
{
    aave_withdraw(b, asset_addr(), LOAN_ALL, wallet_addr());
}

static void pool_borrow(struct buf *b)
{
    aave_borrow(b, asset_addr(), u256_from_u64(AMOUNT), wallet_addr());
}

static void pool_repay(struct buf *b)
{
    aave_repay(b, asset_addr(), u256_from_u64(AMOUNT), wallet_addr());
}

static void pool_repay_all(struct buf *b)
{
    aave_repay(b, asset_addr(), LOAN_ALL, wallet_addr());
}

static void pool_collateral(struct buf *b)
{
    aave_collateral(b, asset_addr(), true);
}

static const struct morpho_quantity amount = { .amount = { { AMOUNT } } },
                                    shares = { .shares = { { SHARES } } };

static const struct morpho_market *market(void)
{
    static struct morpho_market m;

    m = (struct morpho_market){ .loan = asset_addr(), .collateral = asset_addr() };
    m.lltv = u256_from_u64(860000000000000000);
    return &m;
}

static void blue_supply(struct buf *b)
{
    morpho_supply(b, market(), amount, wallet_addr());
}

static void blue_withdraw(struct buf *b)
{
    morpho_withdraw(b, market(), amount, wallet_addr());
}

static void blue_withdraw_all(struct buf *b)
{
    morpho_withdraw(b, market(), shares, wallet_addr());
}

static void blue_borrow(struct buf *b)
{
    morpho_borrow(b, market(), amount, wallet_addr());
}

static void blue_repay(struct buf *b)
{
    morpho_repay(b, market(), amount, wallet_addr());
}

static void blue_repay_all(struct buf *b)
{
    morpho_repay(b, market(), shares, wallet_addr());
}

static void blue_pledge(struct buf *b)
{
    morpho_pledge(b, market(), u256_from_u64(AMOUNT), wallet_addr());
}

static void blue_release(struct buf *b)
{
    morpho_release(b, market(), u256_from_u64(AMOUNT), wallet_addr());
}

/* Words, counted behind the selector, that must be as they are; what leaves by it, so far as it says. */
struct call {
    void (*encode)(struct buf *b);
    unsigned fixed[4];
    bool takes;
};
static const struct call pool_calls[] = {
    { pool_supply, { 2, 3, NO_WORD }, true },     { pool_withdraw, { 2, NO_WORD }, false },
    { pool_withdraw_all, { 2, NO_WORD }, false }, { pool_borrow, { 2, 3, 4, NO_WORD }, false },
    { pool_repay, { 2, 3, NO_WORD }, true },      { pool_repay_all, { 2, 3, NO_WORD }, false },
    { pool_collateral, { NO_WORD }, false },
};
static const struct call blue_calls[] = {
    { blue_supply, { 6, 7, 8, 9 }, true },
    { blue_withdraw, { 6, 7, 8, NO_WORD }, false },
    { blue_withdraw_all, { 5, 7, 8, NO_WORD }, false },
    { blue_borrow, { 6, 7, 8, NO_WORD }, false },
    { blue_repay, { 6, 7, 8, 9 }, true },
    { blue_repay_all, { 5, 7, 8, 9 }, false },
    { blue_pledge, { 6, 7, 8, NO_WORD }, true },
    { blue_release, { 6, 7, NO_WORD }, false },
};
enum { POOL_CALLS = sizeof pool_calls / sizeof pool_calls[0] };
enum { BLUE_CALLS = sizeof blue_calls / sizeof blue_calls[0] };

static void what_counts(const struct call *c)
{
    CHECK(last.trade.act == TRADE_LOAN && last.has_token == c->takes);
    CHECK_STR(last.trade.loan.asset, AT_ASSET);
    CHECK_STR(last.trade.sell, c->takes ? AT_ASSET : "");
    CHECK(u256_cmp(last.trade.amount, u256_from_u64(c->takes ? AMOUNT : 0)) == 0);
}

/* The honest call next to each that is not. */
static void check_call(const char *chain, const char *to, const struct call *c)
{
    struct buf b = BUF_INIT(1024);

    c->encode(&b);
    CHECK(check_at(chain, to, &b, 0) == NULL);
    what_counts(c);
    CHECK_STR(check_at(chain, to, &b, 1), UNREADABLE);
    CHECK_STR(check_at(chain, AT_OTHER, &b, 0), NOT_LISTED);
    for (unsigned i = 0; i < 4 && c->fixed[i] != NO_WORD; i++)
        for (unsigned bit = 0; bit < 8 * ABI_WORD; bit++) {
            char *byte = &b.data[ABI_SELECTOR + c->fixed[i] * ABI_WORD + bit / 8];

            *byte = (char)(*byte ^ 1 << bit % 8);
            CHECK_STR(check_at(chain, to, &b, 0), UNREADABLE);
            *byte = (char)(*byte ^ 1 << bit % 8);
        }
    buf_addc(&b, 0);
    CHECK_STR(check_at(chain, to, &b, 0), UNREADABLE);
    buf_free(&b);
}

static void each_pool_lends_to_the_wallet_alone(void)
{
    for (size_t i = 0; i < POOLS; i++)
        for (size_t k = 0; k < POOL_CALLS; k++)
            check_call(pools[i].chain, pools[i].address, &pool_calls[k]);
}

static void morpho_lends_to_the_wallet_alone(void)
{
    for (size_t i = 0; i < MORPHO_CHAINS; i++)
        for (size_t k = 0; k < BLUE_CALLS; k++)
            check_call(morpho_chains[i], AT_MORPHO, &blue_calls[k]);
}

/* A lender's address is good on its own chains, and for its own calls. */
static void lenders_are_where_they_are_listed(void)
{
    struct buf pool = BUF_INIT(1024), blue = BUF_INIT(1024);

    pool_borrow(&pool);
    blue_borrow(&blue);
    for (size_t c = 0; c < chains_count; c++)
        for (size_t i = 0; i < POOLS; i++) {
            const struct contract *k = contract_of(&chains[c], &aave_pool);
            bool own = k != NULL && strcmp(k->address, pools[i].address) == 0;

            if (chains[c].type != CHAIN_EVM)
                continue;
            CHECK((check_at(chains[c].key, pools[i].address, &pool, 0) == NULL) == own);
            CHECK_STR(check_at(chains[c].key, pools[i].address, &blue, 0), NOT_LISTED);
        }
    CHECK_STR(check_at("ethereum", AT_MORPHO, &pool, 0), NOT_LISTED);
    CHECK_STR(check_at("arbitrum", AT_MORPHO, &blue, 0), NOT_LISTED);
    CHECK_STR(check_at("ethereum", "0x2f39d218133AFaB8F2B819B1066c7E434Ad94E9e", &pool, 0), NOT_LISTED);
    buf_free(&pool);
    buf_free(&blue);
}

static void check_other_call(const char *lender, const char *signature)
{
    struct buf b = BUF_INIT(1024);

    abi_selector(&b, abi_selector_of(signature));
    for (unsigned word = 0; word < 8; word++)
        abi_addr(&b, wallet_addr());
    CHECK_STR(check_at("ethereum", lender, &b, 0), NOT_LISTED);
    buf_free(&b);
}

/* All calls of lenders that are not loans are refused. */
static void other_calls_of_lenders_are_refused(void)
{
    static const char *const of_pools[] = {
        "supplyWithPermit(address,uint256,address,uint16,uint256,uint8,bytes32,bytes32)",
        "deposit(address,uint256,address,uint16)",
        "repayWithPermit(address,uint256,uint256,address,uint256,uint8,bytes32,bytes32)",
        "repayWithATokens(address,uint256,uint256)",
        "swapBorrowRateMode(address,uint256)",
        "setUserEMode(uint8)",
        "liquidationCall(address,address,address,uint256,bool)",
        "flashLoan(address,address[],uint256[],uint256[],address,bytes,uint16)",
        "flashLoanSimple(address,address,uint256,bytes,uint16)",
        "approveDelegation(address,uint256)",
    };
    static const char *const of_morpho[] = {
        "setAuthorization(address,bool)",
        "setAuthorizationWithSig((address,address,bool,uint256,uint256),(uint8,bytes32,bytes32))",
        "liquidate((address,address,address,address,uint256),address,uint256,uint256,bytes)",
        "flashLoan(address,uint256,bytes)",
        "createMarket((address,address,address,address,uint256))",
        "accrueInterest((address,address,address,address,uint256))",
    };

    for (size_t i = 0; i < sizeof of_pools / sizeof of_pools[0]; i++)
        check_other_call(pools[0].address, of_pools[i]);
    for (size_t i = 0; i < sizeof of_morpho / sizeof of_morpho[0]; i++)
        check_other_call(AT_MORPHO, of_morpho[i]);
}

static const char *check_allowance_of(const char *chain, const char *spender, struct u256 most)
{
    struct buf b = BUF_INIT(128);
    const char *why;

    erc20_approve(&b, evm_addr_or_zero(spender), most);
    why = check_at(chain, AT_ASSET, &b, 0);
    buf_free(&b);
    return why;
}

static void lenders_get_allowances_with_a_bound(void)
{
    const struct u256 bounded = { { UINT64_MAX, UINT64_MAX, 0, 0 } }, beyond = { { 0, 0, 1, 0 } };

    for (size_t i = 0; i < POOLS; i++) {
        CHECK(check_allowance_of(pools[i].chain, pools[i].address, bounded) == NULL);
        CHECK(check_allowance_of(pools[i].chain, pools[i].address, U256_ZERO) == NULL);
        CHECK_STR(check_allowance_of(pools[i].chain, pools[i].address, beyond), "allowance without a bound");
    }
    for (size_t i = 0; i < MORPHO_CHAINS; i++) {
        CHECK(check_allowance_of(morpho_chains[i], AT_MORPHO, bounded) == NULL);
        CHECK_STR(check_allowance_of(morpho_chains[i], AT_MORPHO, LOAN_ALL), "allowance without a bound");
    }
    CHECK_STR(check_allowance_of("base", pools[0].address, bounded), "spender not on the list");
    CHECK_STR(check_allowance_of("polygon", AT_MORPHO, bounded), "spender not on the list");
    CHECK_STR(check_allowance_of("ethereum", "0x2f39d218133AFaB8F2B819B1066c7E434Ad94E9e", bounded),
              "spender not on the list");
}

static void a_loan_is_no_transfer(void)
{
    struct buf b = BUF_INIT(1024);

    pool_supply(&b);
    CHECK(check_at("base", pools[5].address, &b, 0) == NULL);
    CHECK_STR(rules_check_transfer(&last), "not a plain transfer");
    CHECK(rules_check_address(CHAIN_EVM, pools[5].address) != NULL);
    buf_free(&b);
}

TEST_MAIN(TEST(each_pool_lends_to_the_wallet_alone), TEST(morpho_lends_to_the_wallet_alone),
          TEST(lenders_are_where_they_are_listed), TEST(other_calls_of_lenders_are_refused),
          TEST(lenders_get_allowances_with_a_bound), TEST(a_loan_is_no_transfer))
