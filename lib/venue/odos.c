/* Odos' router takes a referrer's fee before it checks the minimum. An input of 0 means all that the wallet
 * has. Its compact calls keep the tokens' addresses on the chain. */
#include "chain/evm/abi.h"
#include "venue/aggregators.h"
#include "venue/calls.h"

enum { FEE = 10, FEE_RECEIVER };

static bool check_input_and_fee(struct trade *out, const struct evm_call *call, const struct form *f)
{
    struct evm_addr receiver;

    (void)call;
    if (u256_is_zero(out->amount) || !abi_get_addr(&receiver, f->first[FEE_RECEIVER], ABI_WORD, 0))
        return false;
    if (!u256_is_zero(u256_from_be(f->first[FEE])))
        evm_addr_text(out->fee_receiver, receiver);
    return true;
}

static const struct call_row calls[] = {
    { 0x30f80b4c, TRADE_SWAP,
      "swap((address,uint256,address,address,uint256,uint256,address),bytes,address,(uint64,uint64,address))",
      .sell = { WORD, 0 }, .amount = { WORD, 1 }, .buy = { WORD, 3 }, .minimum = { WORD, 5 },
      .recipient = { WORD, 6 }, .coin = TRADE_COIN, .zero_is_sender = true, .check = check_input_and_fee },
    { 0 },
};

const struct contract_kind odos_router = { .calls = calls, .spender = true };
