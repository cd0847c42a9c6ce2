/* OpenOcean's exchange measures the balance of the recipient. A referrer's fee leaves before. */
#include "chain/evm/abi.h"
#include "venue/aggregators.h"
#include "venue/calls.h"

enum { FLAGS = 8, REFERRER, FLAG_SHOULD_CLAIM = 2 };

/* The exchange takes tokens from the wallet itself; it has to be told so. */
static bool check_flags_and_fee(struct trade *out, const struct evm_call *call, const struct form *f)
{
    struct evm_addr referrer;
    uint64_t flags;

    (void)call;
    if (!abi_get_u64(&flags, f->first[FLAGS], ABI_WORD, 0) ||
        flags != (trade_sells_coin(out) ? 0 : FLAG_SHOULD_CLAIM) ||
        !abi_get_addr(&referrer, f->first[REFERRER], ABI_WORD, 0))
        return false;
    if (!evm_addr_is_zero(referrer))
        evm_addr_text(out->fee_receiver, referrer);
    return true;
}

static const struct call_row calls[] = {
    { 0x90411a32, TRADE_SWAP,
      "swap(address,(address,address,address,address,uint256,uint256,uint256,uint256,address,bytes),"
      "(uint256,uint256,uint256,bytes)[])",
      .sell = { WORD, 1 }, .amount = { WORD, 5 }, .buy = { WORD, 2 }, .minimum = { WORD, 6 },
      .recipient = { WORD, 4 }, .coin = AGGREGATOR_COIN, .zero_is_sender = true, .zeros = 1 << 10,
      .check = check_flags_and_fee },
    { 0 },
};

const struct contract_kind openocean_exchange = { .calls = calls, .spender = true };
