/* 0x: the AllowanceHolder lends its allowance to a Settler for one call. The Settler compares what it has of
 * the bought token with the minimum, and pays all of it out. */
#include <string.h>

#include "chain/evm/abi.h"
#include "venue/aggregators.h"
#include "venue/calls.h"

/* Straight at a Settler only for the chain's coin: an allowance given to a Settler is open to any caller. The
 * service sends the coin by the holder too, which knows it by the zero address. */
static const struct call_row settler_calls[] = {
    { 0x1fff991f, TRADE_SWAP, "execute((address,address,uint256),bytes[],bytes32)", .sell = { COIN },
      .amount = { VALUE }, .buy = { WORD, 1 }, .minimum = { WORD, 2 }, .recipient = { WORD, 0 },
      .executor = { CALLED }, .coin = AGGREGATOR_COIN },
    { 0 },
};

/* The operator, who may take the token, has to be the Settler that is called. */
static bool check_settler(struct trade *out, const struct evm_call *call, const struct form *f)
{
    enum { OPERATOR, TARGET = 3, DATA };
    struct trade settled = { .act = TRADE_SWAP };
    struct evm_call inner = *call;

    inner.to = out->executor;
    if (memcmp(f->first[OPERATOR], f->first[TARGET], U256_BYTES) != 0 ||
        !call_read_inner(&settled, settler_calls, &inner, f->first[DATA]))
        return false;
    memcpy(out->buy, settled.buy, sizeof out->buy);
    memcpy(out->recipient, settled.recipient, sizeof out->recipient);
    out->minimum = settled.minimum;
    return true;
}

static const struct call_row holder_calls[] = {
    { 0x2213bc0b, TRADE_SWAP, "exec(address,address,uint256,address,bytes)", .sell = { WORD, 1 },
      .amount = { WORD, 2 }, .executor = { WORD, 3 }, .coin = EVM_ADDR_ZERO, .check = check_settler },
    { 0 },
};

const struct contract_kind zerox_allowance_holder = { .calls = holder_calls, .spender = true };
const struct contract_kind zerox_registry = { .calls = settler_calls };

/* ownerOf(2) and prev(2): of the feature for transactions that takers send themselves. */
void zerox_settler_ask(struct buf *out, unsigned i)
{
    static const uint32_t selectors[ZEROX_SETTLERS] = { 0x6352211e, 0xe2603dc2 };
    enum { TAKER_SUBMITTED = 2 };

    abi_selector(out, selectors[i]);
    abi_u64(out, TAKER_SUBMITTED);
}

bool zerox_settler_read(char out[static EVM_ADDR_TEXT_LEN + 1], const uint8_t *data, size_t n)
{
    struct evm_addr a;

    if (n != ABI_WORD || !abi_get_addr(&a, data, n, 0) || evm_addr_is_zero(a))
        return false;
    evm_addr_text(out, a);
    return true;
}
