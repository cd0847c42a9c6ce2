#include "venue/wrapped_native.h"

#include "chain/evm/abi.h"
#include "venue/calls.h"

enum { SEL_DEPOSIT = 0xd0e30db0, SEL_WITHDRAW = 0x2e1a7d4d };

const struct call_row wrapped_native_calls[] = {
    { CONTRACT_WRAPPED_NATIVE, SEL_DEPOSIT, TRADE_SWAP, .sell = { COIN }, .amount = { VALUE },
      .buy = { CALLED }, .minimum = { VALUE }, .recipient = { SENDER } },
    { CONTRACT_WRAPPED_NATIVE, SEL_WITHDRAW, TRADE_SWAP, .words = 1, .sell = { CALLED },
      .amount = { WORD, 0 }, .buy = { COIN }, .minimum = { WORD, 0 }, .recipient = { SENDER } },
    { 0 },
};

void wrapped_native_deposit(struct buf *out)
{
    abi_selector(out, SEL_DEPOSIT);
}

void wrapped_native_withdraw(struct buf *out, struct u256 amount)
{
    abi_selector(out, SEL_WITHDRAW);
    abi_u256(out, amount);
}
