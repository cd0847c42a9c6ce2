/* The shapes of answers, as far as this program depends on them: described by hand, from the services'
 * documents and recordings of others. */
#include "drift/source.h"

#define TO_SIGN(at)                                                                                          \
    { at ".to", SHAPE_TEXT }, { at ".data", SHAPE_TEXT },                                                    \
    {                                                                                                        \
        at ".value", SHAPE_TEXT | SHAPE_NUMBER                                                               \
    }
#define MEMBERS(...)                                                                                         \
    (const struct shape_member[])                                                                            \
    {                                                                                                        \
        __VA_ARGS__,                                                                                         \
        {                                                                                                    \
            NULL, 0                                                                                          \
        }                                                                                                    \
    }
#define TEXT(at)                                                                                             \
    {                                                                                                        \
        at, SHAPE_TEXT                                                                                       \
    }
#define NUMBER(at)                                                                                           \
    {                                                                                                        \
        at, SHAPE_NUMBER                                                                                     \
    }
#define FLAG(at)                                                                                             \
    {                                                                                                        \
        at, SHAPE_FLAG                                                                                       \
    }
#define LIST(at)                                                                                             \
    {                                                                                                        \
        at, SHAPE_LIST                                                                                       \
    }
#define OBJECT(at)                                                                                           \
    {                                                                                                        \
        at, SHAPE_OBJECT                                                                                     \
    }
#define QUANTITY(at)                                                                                         \
    {                                                                                                        \
        at, SHAPE_TEXT | SHAPE_NUMBER                                                                        \
    }

/* clang-format off */
const struct recorded_shape recorded_shapes[] = {
    { "kyberswap", "/routes?", MEMBERS(NUMBER("code"), OBJECT("data.routeSummary"), TEXT("data.routeSummary.amountIn"),
        TEXT("data.routeSummary.amountOut"), TEXT("data.routeSummary.gas"), TEXT("data.routerAddress")) },
    { "kyberswap", "/route/build", MEMBERS(NUMBER("code"), TEXT("data.amountOut"), TEXT("data.data"), TEXT("data.routerAddress"),
        TEXT("data.transactionValue")) },
    { "0x", "/price?", MEMBERS(FLAG("liquidityAvailable"), TEXT("sellToken"), TEXT("buyToken"), TEXT("sellAmount"), TEXT("buyAmount"),
        TEXT("minBuyAmount")) },
    { "0x", "/quote?", MEMBERS(FLAG("liquidityAvailable"), TEXT("minBuyAmount"), TO_SIGN("transaction")) },
    { "1inch", "/quote?", MEMBERS(TEXT("dstAmount"), TEXT("srcToken.address"), TEXT("dstToken.address")) },
    { "1inch", "/swap?", MEMBERS(TEXT("dstAmount"), TO_SIGN("tx")) },
    { "velora", "/prices?", MEMBERS(NUMBER("priceRoute.network"), TEXT("priceRoute.srcAmount"), TEXT("priceRoute.destAmount"),
        TEXT("priceRoute.side"), TEXT("priceRoute.version")) },
    { "velora", "/transactions/", MEMBERS(TEXT("to"), TEXT("data"), TEXT("value")) },
    { "openocean", "/quote?", MEMBERS(NUMBER("code"), TEXT("data.inToken.address"), TEXT("data.outToken.address"), QUANTITY("data.outAmount")) },
    { "openocean", "/swap?", MEMBERS(NUMBER("code"), QUANTITY("data.minOutAmount"), TO_SIGN("data")) },
    { "lifi", "/v1/quote?", MEMBERS(TEXT("action.fromToken.address"), TEXT("action.toToken.address"), TEXT("estimate.toAmount"),
        TEXT("estimate.toAmountMin"), TEXT("estimate.approvalAddress"), NUMBER("estimate.executionDuration"), TO_SIGN("transactionRequest")) },
    { "relay", "/quote/", MEMBERS(LIST("steps"), TEXT("details.currencyOut.amount"), TEXT("details.currencyOut.minimumAmount"),
        NUMBER("details.timeEstimate"), TEXT("protocol.v2.orderId"), OBJECT("protocol.v2.orderData")) },
    { "across", "/suggested-fees?", MEMBERS(TEXT("inputToken.address"), TEXT("outputToken.address"), TEXT("outputAmount"),
        TEXT("totalRelayFee.total"), FLAG("isAmountTooLow"), TEXT("timestamp"), TEXT("fillDeadline"), TEXT("exclusiveRelayer"),
        NUMBER("estimatedFillTimeSec"), TEXT("spokePoolAddress")) },
    { "jupiter", "/order?", MEMBERS(TEXT("inputMint"), TEXT("outputMint"), TEXT("inAmount"), TEXT("outAmount"), TEXT("otherAmountThreshold"),
        { "transaction", SHAPE_TEXT | SHAPE_NULL }, TEXT("requestId")) },
    { "hyperliquid", "\"meta\"", MEMBERS(TEXT("universe[].name"), NUMBER("universe[].szDecimals"), NUMBER("universe[].maxLeverage"),
        NUMBER("universe[].marginTableId"), LIST("marginTables")) },
    { "hyperliquid", "\"l2Book\"", MEMBERS(TEXT("coin"), LIST("levels[]"), TEXT("levels[][].px"), TEXT("levels[][].sz")) },
    { "polymarket-gamma", "/markets", MEMBERS(TEXT("[].id"), TEXT("[].conditionId"), TEXT("[].clobTokenIds"), TEXT("[].outcomes"),
        TEXT("[].outcomePrices")) },
    { "polymarket-clob", "/book", MEMBERS(LIST("bids"), LIST("asks"), TEXT("bids[].price"), TEXT("bids[].size"), TEXT("asks[].price"),
        TEXT("asks[].size"), TEXT("tick_size"), TEXT("min_order_size")) },
    { "polymarket-data", "/trades", MEMBERS(TEXT("[].transactionHash"), TEXT("[].side"), TEXT("[].asset"), NUMBER("[].size"), NUMBER("[].price"),
        NUMBER("[].timestamp")) },
    { "morpho-api", "", MEMBERS(TEXT("data.markets.items[].marketId"), TEXT("data.markets.items[].lltv"),
        TEXT("data.markets.items[].oracle.address")) },
    { 0 },
};
/* clang-format on */
