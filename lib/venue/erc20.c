#include "venue/erc20.h"

#include "chain/evm/abi.h"
#include "venue/calls.h"

enum {
    SEL_APPROVE = 0x095ea7b3,
    SEL_TRANSFER = 0xa9059cbb,
    SEL_BALANCE_OF = 0x70a08231,
    SEL_ALLOWANCE = 0xdd62ed3e,
    SEL_DECIMALS = 0x313ce567,
    SEL_SYMBOL = 0x95d89b41,
};

static const struct call_row calls[] = {
    { SEL_APPROVE, TRADE_ALLOWANCE, "approve(address,uint256)", .spender = { WORD, 0 }, .amount = { WORD, 1 },
      .sell = { CALLED } },
    { SEL_TRANSFER, TRADE_TRANSFER, "transfer(address,uint256)", .recipient = { WORD, 0 },
      .amount = { WORD, 1 }, .sell = { CALLED } },
    { 0 },
};

const struct contract_kind erc20_contract = { .calls = calls };

static void encode_pair(struct buf *out, uint32_t selector, struct evm_addr account, struct u256 amount)
{
    abi_selector(out, selector);
    abi_addr(out, account);
    abi_u256(out, amount);
}

void erc20_approve(struct buf *out, struct evm_addr spender, struct u256 amount)
{
    encode_pair(out, SEL_APPROVE, spender, amount);
}

void erc20_transfer(struct buf *out, struct evm_addr to, struct u256 amount)
{
    encode_pair(out, SEL_TRANSFER, to, amount);
}

void erc20_balance_of(struct buf *out, struct evm_addr owner)
{
    abi_selector(out, SEL_BALANCE_OF);
    abi_addr(out, owner);
}

void erc20_allowance(struct buf *out, struct evm_addr owner, struct evm_addr spender)
{
    abi_selector(out, SEL_ALLOWANCE);
    abi_addr(out, owner);
    abi_addr(out, spender);
}

void erc20_decimals(struct buf *out)
{
    abi_selector(out, SEL_DECIMALS);
}

void erc20_symbol(struct buf *out)
{
    abi_selector(out, SEL_SYMBOL);
}
