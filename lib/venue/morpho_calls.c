#include "venue/morpho_calls.h"

#include "chain/evm/abi.h"
#include "venue/loan_calls.h"

enum {
    SEL_WITHDRAW = 0x5c2bea49,
    SEL_BORROW = 0x50d8cd4b,
    SEL_REPAY = 0x20b76e81,
    SEL_PLEDGE = 0x238d6579,
};
static const uint32_t SEL_SUPPLY = 0xa99aad89, SEL_RELEASE = 0x8720316d;

/* Members of a market, which stands first in all calls. */
enum { LOAN_TOKEN, COLLATERAL_TOKEN, ORACLE, RATES, LLTV, MARKET };

void morpho_market_words(struct buf *out, const struct morpho_market *m)
{
    abi_addr(out, m->loan);
    abi_addr(out, m->collateral);
    abi_addr(out, m->oracle);
    abi_addr(out, m->rates);
    abi_u256(out, m->lltv);
}

void morpho_market_id(uint8_t out[static HASH_LEN], const struct morpho_market *m)
{
    struct buf b = BUF_INIT(MARKET * ABI_WORD);

    morpho_market_words(&b, m);
    keccak256(out, b.data, b.len);
    buf_free(&b);
}

/* Bytes at the end would name a callback: there are none. */
static void encode_no_callback(struct buf *out, unsigned members)
{
    abi_u64(out, (members + 1) * ABI_WORD);
    abi_bytes_tail(out, "", 0);
}

static void encode_quantity(struct buf *out, uint32_t selector, const struct morpho_market *m,
                            struct morpho_quantity q, struct evm_addr wallet)
{
    abi_selector(out, selector);
    morpho_market_words(out, m);
    abi_u256(out, q.amount);
    abi_u256(out, q.shares);
    abi_addr(out, wallet);
}

void morpho_supply(struct buf *out, const struct morpho_market *m, struct morpho_quantity q,
                   struct evm_addr wallet)
{
    encode_quantity(out, SEL_SUPPLY, m, q, wallet);
    encode_no_callback(out, MARKET + 3);
}

void morpho_repay(struct buf *out, const struct morpho_market *m, struct morpho_quantity q,
                  struct evm_addr wallet)
{
    encode_quantity(out, SEL_REPAY, m, q, wallet);
    encode_no_callback(out, MARKET + 3);
}

void morpho_withdraw(struct buf *out, const struct morpho_market *m, struct morpho_quantity q,
                     struct evm_addr wallet)
{
    encode_quantity(out, SEL_WITHDRAW, m, q, wallet);
    abi_addr(out, wallet);
}

void morpho_borrow(struct buf *out, const struct morpho_market *m, struct morpho_quantity q,
                   struct evm_addr wallet)
{
    encode_quantity(out, SEL_BORROW, m, q, wallet);
    abi_addr(out, wallet);
}

static void encode_collateral(struct buf *out, uint32_t selector, const struct morpho_market *m,
                              struct u256 amount, struct evm_addr wallet)
{
    abi_selector(out, selector);
    morpho_market_words(out, m);
    abi_u256(out, amount);
    abi_addr(out, wallet);
}

void morpho_pledge(struct buf *out, const struct morpho_market *m, struct u256 amount, struct evm_addr wallet)
{
    encode_collateral(out, SEL_PLEDGE, m, amount, wallet);
    encode_no_callback(out, MARKET + 2);
}

void morpho_release(struct buf *out, const struct morpho_market *m, struct u256 amount,
                    struct evm_addr wallet)
{
    encode_collateral(out, SEL_RELEASE, m, amount, wallet);
    abi_addr(out, wallet);
}

#define PARAMS      "(address,address,address,address,uint256)"
#define BIT(member) (1U << (MARKET + (member)))

/* Calls name shares only to withdraw or repay all of them: a call does not show what shares are worth. */
static const struct loan_row loans[] = {
    { SEL_SUPPLY, LOAN_SUPPLY, "supply(" PARAMS ",uint256,uint256,address,bytes)", .asset = LOAN_TOKEN,
      .amount = MARKET, .wallets = BIT(2), .zeros = BIT(1) | BIT(3), .market_size = MARKET },
    { SEL_WITHDRAW, LOAN_WITHDRAW, "withdraw(" PARAMS ",uint256,uint256,address,address)",
      .asset = LOAN_TOKEN, .amount = MARKET, .shares = MARKET + 1, .wallets = BIT(2) | BIT(3),
      .market_size = MARKET },
    { SEL_BORROW, LOAN_BORROW, "borrow(" PARAMS ",uint256,uint256,address,address)", .asset = LOAN_TOKEN,
      .amount = MARKET, .wallets = BIT(2) | BIT(3), .zeros = BIT(1), .market_size = MARKET },
    { SEL_REPAY, LOAN_REPAY, "repay(" PARAMS ",uint256,uint256,address,bytes)", .asset = LOAN_TOKEN,
      .amount = MARKET, .shares = MARKET + 1, .wallets = BIT(2), .zeros = BIT(3), .market_size = MARKET },
    { SEL_PLEDGE, LOAN_PLEDGE, "supplyCollateral(" PARAMS ",uint256,address,bytes)",
      .asset = COLLATERAL_TOKEN, .amount = MARKET, .wallets = BIT(1), .zeros = BIT(2),
      .market_size = MARKET },
    { SEL_RELEASE, LOAN_RELEASE, "withdrawCollateral(" PARAMS ",uint256,address,address)",
      .asset = COLLATERAL_TOKEN, .amount = MARKET, .wallets = BIT(1) | BIT(2), .market_size = MARKET },
    { 0 },
};

const struct contract_kind morpho_blue = { .loans = loans, .spender = true };
