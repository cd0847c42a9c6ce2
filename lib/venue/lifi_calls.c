/* LI.FI's diamond, GenericSwapFacetV3: it calls venues of its own list only, and pays the receiver or
 * reverts. What it sells is the first swap's, what it buys the last one's. */
#include "venue/aggregators.h"
#include "venue/bridges.h"

static bool check_tokens(struct trade *out, const struct evm_call *call, const struct form *f)
{
    (void)call;
    (void)f;
    return !trade_sells_coin(out) && !trade_buys_coin(out);
}

static bool check_to_coin(struct trade *out, const struct evm_call *call, const struct form *f)
{
    (void)call;
    (void)f;
    return !trade_sells_coin(out) && trade_buys_coin(out);
}

static bool check_from_coin(struct trade *out, const struct evm_call *call, const struct form *f)
{
    (void)call;
    (void)f;
    return trade_sells_coin(out) && !trade_buys_coin(out);
}

#define SWAP "(address,address,address,address,uint256,bytes,bool)"
#define HEAD "(bytes32,string,string,address,uint256,"
#define PLACES(at)                                                                                           \
    .recipient = { WORD, 3 }, .minimum = { WORD, 4 }, .sell = { WORD, (at) + 2 }, .buy = { LAST, (at) + 3 }, \
    .amount = { WORD, (at) + 4 }, .coin = TRADE_COIN
#define SINGLE(kind, to)   "swapTokensSingleV3" kind HEAD SWAP ")", PLACES(5), .check = (to)
#define MULTIPLE(kind, to) "swapTokensMultipleV3" kind HEAD SWAP "[])", PLACES(6), .check = (to)

static const struct call_row calls[] = {
    { 0x4666fc80, TRADE_SWAP, SINGLE("ERC20ToERC20", check_tokens) },
    { 0x733214a3, TRADE_SWAP, SINGLE("ERC20ToNative", check_to_coin) },
    { 0xaf7060fd, TRADE_SWAP, SINGLE("NativeToERC20", check_from_coin) },
    { 0x5fd9ae2e, TRADE_SWAP, MULTIPLE("ERC20ToERC20", check_tokens) },
    { 0x2c57e884, TRADE_SWAP, MULTIPLE("ERC20ToNative", check_to_coin) },
    { 0x736eac0b, TRADE_SWAP, MULTIPLE("NativeToERC20", check_from_coin) },
    { 0 },
};

const struct contract_kind lifi_diamond = { .calls = calls, .bridges = lifi_bridge_calls, .spender = true };
