/* 1inch's AggregationRouterV6 sends the result on itself and reverts below the minimum. No flag is allowed:
 * they mean partial fills, coins on top, Permit2. Its shorter calls do not name the bought token. The service
 * marks its calldata with four bytes at the end. */
#include "venue/aggregators.h"
#include "venue/calls.h"

static const struct call_row calls[] = {
    { 0x07ed2379, TRADE_SWAP, "swap(address,(address,address,address,address,uint256,uint256,uint256),bytes)",
      .sell = { WORD, 1 }, .amount = { WORD, 5 }, .buy = { WORD, 2 }, .minimum = { WORD, 6 },
      .recipient = { WORD, 4 }, .coin = AGGREGATOR_COIN, .zero_is_sender = true, .zeros = 1 << 7, .mark = 4 },
    { 0 },
};

const struct contract_kind oneinch_router = { .calls = calls, .spender = true };
