#include "venue/aave_calls.h"

#include "chain/evm/abi.h"
#include "venue/loan_calls.h"

enum {
    SEL_SUPPLY = 0x617ba037,
    SEL_WITHDRAW = 0x69328dec,
    SEL_REPAY = 0x573ade81,
    SEL_COLLATERAL = 0x5a3b74b9,
    NO_REFERRAL = 0,
};
static const uint32_t SEL_BORROW = 0xa415bcad;

static void encode_amount(struct buf *out, uint32_t selector, struct evm_addr asset, struct u256 amount)
{
    abi_selector(out, selector);
    abi_addr(out, asset);
    abi_u256(out, amount);
}

void aave_supply(struct buf *out, struct evm_addr asset, struct u256 amount, struct evm_addr wallet)
{
    encode_amount(out, SEL_SUPPLY, asset, amount);
    abi_addr(out, wallet);
    abi_u64(out, NO_REFERRAL);
}

void aave_withdraw(struct buf *out, struct evm_addr asset, struct u256 amount, struct evm_addr wallet)
{
    encode_amount(out, SEL_WITHDRAW, asset, amount);
    abi_addr(out, wallet);
}

void aave_repay(struct buf *out, struct evm_addr asset, struct u256 amount, struct evm_addr wallet)
{
    encode_amount(out, SEL_REPAY, asset, amount);
    abi_u64(out, LOAN_VARIABLE_RATE);
    abi_addr(out, wallet);
}

void aave_borrow(struct buf *out, struct evm_addr asset, struct u256 amount, struct evm_addr wallet)
{
    encode_amount(out, SEL_BORROW, asset, amount);
    abi_u64(out, LOAN_VARIABLE_RATE);
    abi_u64(out, NO_REFERRAL);
    abi_addr(out, wallet);
}

void aave_collateral(struct buf *out, struct evm_addr asset, bool enabled)
{
    encode_amount(out, SEL_COLLATERAL, asset, u256_from_u64(enabled));
}

static const struct loan_row loans[] = {
    { SEL_SUPPLY, LOAN_SUPPLY, "supply(address,uint256,address,uint16)", .amount = 1, .wallets = 1 << 2,
      .zeros = 1 << 3 },
    { SEL_WITHDRAW, LOAN_WITHDRAW, "withdraw(address,uint256,address)", .amount = 1, .wallets = 1 << 2 },
    { SEL_BORROW, LOAN_BORROW, "borrow(address,uint256,uint256,uint16,address)", .amount = 1, .rates = 1 << 2,
      .zeros = 1 << 3, .wallets = 1 << 4 },
    { SEL_REPAY, LOAN_REPAY, "repay(address,uint256,uint256,address)", .amount = 1, .rates = 1 << 2,
      .wallets = 1 << 3 },
    { SEL_COLLATERAL, LOAN_COLLATERAL, "setUserUseReserveAsCollateral(address,bool)", .amount = 1 },
    { 0 },
};

const struct contract_kind aave_pool = { .loans = loans, .spender = true };
