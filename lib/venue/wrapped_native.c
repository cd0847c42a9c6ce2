#include "venue/wrapped_native.h"

#include "chain/evm/abi.h"
#include "venue/calls.h"

enum { SEL_DEPOSIT = 0xd0e30db0, SEL_WITHDRAW = 0x2e1a7d4d };

static const struct call_row calls[] = {
    { SEL_DEPOSIT, TRADE_SWAP, "deposit()", .sell = { COIN }, .amount = { VALUE }, .buy = { CALLED },
      .minimum = { VALUE }, .recipient = { SENDER } },
    { SEL_WITHDRAW, TRADE_SWAP, "withdraw(uint256)", .sell = { CALLED }, .amount = { WORD, 0 },
      .buy = { COIN }, .minimum = { WORD, 0 }, .recipient = { SENDER } },
    { 0 },
};

const struct contract_kind wrapped_native_contract = { .calls = calls };

void wrapped_native_deposit(struct buf *out)
{
    abi_selector(out, SEL_DEPOSIT);
}

void wrapped_native_withdraw(struct buf *out, struct u256 amount)
{
    abi_selector(out, SEL_WITHDRAW);
    abi_u256(out, amount);
}
