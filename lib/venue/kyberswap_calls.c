/* KyberSwap's MetaAggregationRouterV2 measures what the recipient gained, fees taken, and reverts below the
 * minimum. */
#include "chain/evm/abi.h"
#include "codec/u256.h"
#include "venue/aggregators.h"
#include "venue/calls.h"

/* Members of the description, counted from its first. Its arrays count their elements too. */
enum {
    SELL,
    BUY,
    INPUTS = 4, /* amounts; the receivers before them are executors and pools */
    INPUTS_FIRST,
    FEE_RECEIVERS,
    FEE_RECEIVER,
    FEES,
    RECIPIENT = 10,
    AMOUNT,
    MINIMUM,
    FLAGS,
    PERMIT,
};

/* The service sets the first two in honest calls; the others want a receiver. Partial fills, coins on top and
 * all else that the router knows are refused. */
enum {
    FLAG_SIMPLE = 0x20,
    FLAG_SERVICE = 0x200,
    FLAG_FEE_ON_OUTPUT = 0x40,
    FLAG_FEE_IN_BPS = 0x80,
};

static bool inputs_fit(const struct form *f, unsigned desc, struct u256 amount)
{
    const uint8_t *inputs = f->first[desc + INPUTS];
    size_t n = form_length(inputs);
    struct u256 sum = U256_ZERO, one;

    for (size_t i = 0; i < n; i++)
        if (!abi_get_u256(&one, form_content(inputs), n * ABI_WORD, i) || !u256_add(&sum, sum, one))
            return false;
    return u256_cmp(sum, amount) <= 0;
}

static bool read_fee(struct trade *out, const struct form *f, unsigned desc)
{
    size_t n = form_length(f->first[desc + FEE_RECEIVERS]);
    struct evm_addr a;

    if (n != form_length(f->first[desc + FEES]) || n > 1)
        return false;
    if (n == 0)
        return true;
    if (!abi_get_addr(&a, f->first[desc + FEE_RECEIVER], ABI_WORD, 0))
        return false;
    evm_addr_text(out->fee_receiver, a);
    return true;
}

static bool check_description(struct trade *out, const struct form *f, unsigned desc)
{
    uint64_t flags, allowed = FLAG_SIMPLE | FLAG_SERVICE;

    if (!read_fee(out, f, desc))
        return false;
    if (out->fee_receiver[0] != '\0')
        allowed |= FLAG_FEE_ON_OUTPUT | FLAG_FEE_IN_BPS;
    return abi_get_u64(&flags, f->first[desc + FLAGS], ABI_WORD, 0) && (flags & ~allowed) == 0 &&
           inputs_fit(f, desc, out->amount);
}

enum { SIMPLE_DESC = 1, FULL_DESC = 3 };

static bool check_simple(struct trade *out, const struct evm_call *call, const struct form *f)
{
    (void)call;
    return check_description(out, f, SIMPLE_DESC);
}

static bool check_full(struct trade *out, const struct evm_call *call, const struct form *f)
{
    (void)call;
    return check_description(out, f, FULL_DESC);
}

#define DESCRIPTION                                                                                          \
    "(address,address,address[],uint256[],address[],uint256[],address,uint256,uint256,uint256,bytes)"
#define DESCRIBED_AT(desc)                                                                                   \
    .sell = { WORD, (desc) + SELL }, .amount = { WORD, (desc) + AMOUNT }, .buy = { WORD, (desc) + BUY },     \
    .minimum = { WORD, (desc) + MINIMUM }, .recipient = { WORD, (desc) + RECIPIENT },                        \
    .coin = AGGREGATOR_COIN, .zeros = 1U << ((desc) + PERMIT)

static const struct call_row calls[] = {
    { 0xe21fd0e9, TRADE_SWAP, "swap((address,address,bytes," DESCRIPTION ",bytes))", DESCRIBED_AT(FULL_DESC),
      .check = check_full },
    { 0x8af033fb, TRADE_SWAP, "swapSimpleMode(address," DESCRIPTION ",bytes,bytes)",
      DESCRIBED_AT(SIMPLE_DESC), .check = check_simple },
    { 0 },
};

const struct contract_kind kyberswap_router = { .calls = calls, .spender = true };
