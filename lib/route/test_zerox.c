#include "route/test_service.h"
#include "route/zerox.c"

#define WETH   "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
#define USDC   "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
#define HOLDER "0x0000000000001fF3684f28c67538d4D072C22734"
#define BYTES  "0x2213bc0b00"

static const char price[] =
    "{\"liquidityAvailable\":true,\"blockNumber\":\"20114692\",\"allowanceTarget\":\"" HOLDER "\","
    "\"buyAmount\":\"3000000000\",\"minBuyAmount\":\"2970000000\",\"buyToken\":\"" USDC "\",\"sellToken\":\""
    "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2\",\"sellAmount\":\"1000000000000000000\",\"gas\":\"288079\","
    "\"gasPrice\":\"4837860000\",\"totalNetworkFee\":\"1393685000000000\",\"zid\":\"0x111\",\"fees\":"
    "{\"integratorFee\":null,\"zeroExFee\":null,\"gasFee\":null},\"issues\":{\"allowance\":null,\"balance\":"
    "null,\"simulationIncomplete\":false,\"invalidSourcesPassed\":[]},\"route\":{\"fills\":[]}}";

static const char quote[] =
    "{\"liquidityAvailable\":true,\"allowanceTarget\":\"" HOLDER "\",\"buyAmount\":\"2990000000\","
    "\"minBuyAmount\":\"2960100000\",\"buyToken\":\"" USDC "\",\"sellToken\":\"" WETH "\",\"sellAmount\":"
    "\"1000000000000000000\",\"transaction\":{\"to\":\"" HOLDER "\",\"data\":\"" BYTES
    "\",\"gas\":\"288079\","
    "\"gasPrice\":\"4837860000\",\"value\":\"0\"},\"zid\":\"0x112\"}";

static struct route_in zerox_pair(void)
{
    return service_pair("ethereum", "WETH", "ethereum", "USDC", "1000000000000000000");
}

static void zerox_serves_its_chains(void)
{
    CHECK(zerox.supports(chain_find("mantle"), chain_find("mantle")));
    CHECK(zerox.supports(chain_find("base"), chain_find("base")));
    CHECK(!zerox.supports(chain_find("gnosis"), chain_find("gnosis")));
    CHECK(!zerox.supports(chain_find("ethereum"), chain_find("base")));
    CHECK(!zerox.supports(chain_find("solana"), chain_find("solana")));
}

static void zerox_needs_a_key(void)
{
    const struct route_in in = zerox_pair();
    struct call call;

    service_open("", NULL);
    CHECK(!zerox.ask(&call, &service_ctx, &in, service_arena));
    service_close();
}

static void zerox_is_asked_for_prices(void)
{
    struct route_in in = service_pair("base", "ETH", "base", "USDC", "1000");
    struct call call;

    service_open("provider.0x.fee_bps = 15\nprovider.0x.fee_receiver = " SERVICE_STRANGER, "0x");
    CHECK(zerox.ask(&call, &service_ctx, &in, service_arena));
    CHECK_STR(call.url,
              "https://api.0x.org/swap/allowance-holder/price?chainId=8453&sellToken=" PROVIDER_JSON_COIN
              "&buyToken=0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913&sellAmount=1000&slippageBps=100"
              "&taker=" SERVICE_WALLET "&swapFeeRecipient=" SERVICE_STRANGER
              "&swapFeeBps=15&swapFeeToken=0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913");
    CHECK(service_has_header(&call, "0x-api-key: secret-1") && service_has_header(&call, "0x-version: v2"));
    call_free(&call);
    service_close();
    service_open("", "0x");
    in.wallet = NULL;
    in.slippage.value = 199;
    CHECK(zerox.ask(&call, &service_ctx, &in, service_arena));
    CHECK(strstr(call.url, "taker") == NULL && strstr(call.url, "swapFee") == NULL);
    CHECK(strstr(call.url, "&slippageBps=1") != NULL);
    call_free(&call);
    service_close();
}

static void zerox_offers(void)
{
    const struct route_in in = zerox_pair();
    struct route_answer out;

    service_open("", "0x");
    CHECK(service_offers(&zerox, &in, 200, price, &out) == ASK_OFFERED && out.count == 1);
    CHECK(service_amount_is(out.offers[0].out, "3000000000"));
    CHECK(service_amount_is(out.offers[0].min_out, "2970000000") && out.offers[0].gas_units == 288079);
    service_lies(&zerox, &in, price);
    service_close();
}

/* As 0x' own examples have it: 100000 are asked for, 150 are its fee. */
static void zerox_takes_its_fee_of_the_input(void)
{
    static const char sold[] = "\"sellAmount\":\"1000000000000000000\"", none[] = "\"zeroExFee\":null";
    static const char less[] = "\"sellAmount\":\"998500000000000000\"";
    static const char fee[] = "\"zeroExFee\":{\"amount\":\"1500000000000000\",\"token\":\"" WETH "\"}";
    static const char of_bought[] = "\"zeroExFee\":{\"amount\":\"1500000000000000\",\"token\":\"" USDC "\"}";
    static const char too_great[] =
        "\"zeroExFee\":{\"amount\":"
        "\"115792089237316195423570985008687907853269984665640564039457584007913129639935\",\"token\":\"" WETH
        "\"}";
    const struct route_in in = zerox_pair();

    service_open("", "0x");
    CHECK(service_end(&zerox, &in, 200, service_with(service_with(price, sold, less), none, fee)) ==
          ASK_OFFERED);
    CHECK(service_end(&zerox, &in, 200, service_with(price, none, of_bought)) == ASK_OFFERED);
    CHECK(service_end(&zerox, &in, 200, service_with(price, sold, less)) == ASK_UNAVAILABLE);
    CHECK(service_end(&zerox, &in, 200, service_with(price, none, fee)) == ASK_UNAVAILABLE);
    CHECK(service_end(&zerox, &in, 200, service_with(price, none, too_great)) == ASK_UNAVAILABLE);
    CHECK(service_end(&zerox, &in, 200, service_with(service_with(price, sold, less), none, of_bought)) ==
          ASK_UNAVAILABLE);
    service_close();
}

static void zerox_refuses(void)
{
    static const struct {
        int status;
        const char *body;
        enum ask_end end;
    } rows[] = {
        { 200, "{\"liquidityAvailable\":false,\"zid\":\"0x1\"}", ASK_NO_ROUTE },
        { 400, "{\"name\":\"INPUT_INVALID\",\"message\":\"no\",\"data\":{\"zid\":\"0x1\"}}", ASK_NO_ROUTE },
        { 400, "{\"name\":\"SWAP_VALIDATION_FAILED\",\"message\":\"no\"}", ASK_NO_ROUTE },
        { 400, "{\"name\":\"TOKEN_NOT_SUPPORTED\",\"message\":\"no\"}", ASK_REFUSED },
        { 400, "{\"name\":\"USER_NOT_AUTHORIZED\"}", ASK_REFUSED },
        { 403, "{\"name\":\"TAKER_NOT_AUTHORIZED_FOR_TRADE\"}", ASK_REFUSED },
        { 422, "{\"name\":\"BUY_TOKEN_NOT_AUTHORIZED_FOR_TRADE\"}", ASK_REFUSED },
        { 422, "{\"name\":\"SELL_TOKEN_NOT_AUTHORIZED_FOR_TRADE\"}", ASK_REFUSED },
        { 401, "", ASK_REFUSED },
        { 429, "{\"message\":\"slow down\"}", ASK_RATE_LIMITED },
        { 500, "{\"name\":\"INTERNAL_SERVER_ERROR\"}", ASK_UNAVAILABLE },
    };
    const struct route_in in = zerox_pair();

    service_open("", "0x");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(service_end(&zerox, &in, rows[i].status, rows[i].body) == rows[i].end);
    CHECK(service_end(&zerox, &in, 200, service_with(price, "2970000000", "0")) == ASK_TOO_SMALL);
    service_close();
}

static void zerox_lies(void)
{
    static const char *const lies[][2] = {
        { "\"1000000000000000000\"", "\"1000000000000000001\"" },
        { "\"1000000000000000000\"", "-1" },
        { "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", USDC },
        { USDC, WETH },
        { "\"3000000000\"", "\"-3000000000\"" },
        { "\"3000000000\"", "3e9" },
        { "\"3000000000\"", "null" },
        { "\"3000000000\"", "{\"amount\":1}" },
        { "\"3000000000\"",
          "\"115792089237316195423570985008687907853269984665640564039457584007913129639936\"" },
        { "\"2970000000\"", "\"3000000001\"" },
        { "\"minBuyAmount\"", "\"min\"" },
        { "true,", "\"true\"," },
    };
    const struct route_in in = zerox_pair();

    service_open("", "0x");
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++)
        CHECK(service_end(&zerox, &in, 200, service_with(price, lies[i][0], lies[i][1])) == ASK_UNAVAILABLE);
    service_close();
}

static enum tx_end zerox_built(int status, const char *answer, const char *min_out, struct wallet_call *out)
{
    struct tx_in in = { .route = zerox_pair() };
    enum tx_end end = TX_NO_ROUTE;
    struct call call;

    *out = (struct wallet_call){ .to = NULL };
    CHECK(u256_parse(&in.min_out, min_out));
    if (!zerox.ask_tx(&call, &service_ctx, &in, service_arena))
        return end;
    CHECK(strstr(call.url, "/quote?") != NULL && strstr(call.url, "slippageBps=50&") != NULL);
    service_plays(&call, status, answer);
    end = zerox.read_tx(&call, &in, service_arena, out);
    call_free(&call);
    return end;
}

static void zerox_builds(void)
{
    struct wallet_call out;

    service_open("", "0x");
    CHECK(zerox_built(200, quote, "2960000000", &out) == TX_READY);
    CHECK_STR(out.to, HOLDER);
    CHECK_STR(out.spender, HOLDER);
    CHECK(out.data_len == 5 && out.data[0] == 0x22 && u256_is_zero(out.value) && out.gas_units == 288079);
    CHECK(service_amount_is(out.min_out, "2960100000"));
    CHECK(zerox_built(200, quote, "3100000000", &out) == TX_READY &&
          service_amount_is(out.min_out, "2960100000"));
    service_close();
}

static void zerox_lies_about_a_transaction(void)
{
    static const char *const lies[][2] = {
        { "\"value\":\"0\"", "\"value\":\"1\"" },
        { "\"value\":\"0\"", "\"value\":\"-1\"" },
        { BYTES, "0x2213bc0" },
        { BYTES, "0x" },
        { BYTES, "2213bc0b" },
        { "\"to\":\"" HOLDER "\"", "\"to\":\"0x00\"" },
        { "\"transaction\"", "\"tx\"" },
        { "\"sellAmount\":", "\"sellAmount\":2,\"other\":" },
        { "\"value\":\"0\"", "\"from\":\"" SERVICE_STRANGER "\"" },
        { "\"value\":\"0\"", "\"chainId\":10" },
        { "\"allowanceTarget\":\"" HOLDER "\"", "\"allowanceTarget\":\"everybody\"" },
    };
    struct wallet_call out;

    service_open("", "0x");
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++)
        CHECK(zerox_built(200, service_with(quote, lies[i][0], lies[i][1]), "2960000000", &out) ==
              TX_UNAVAILABLE);
    CHECK(zerox_built(200, "{\"liquidityAvailable\":false}", "1", &out) == TX_NO_ROUTE);
    CHECK(zerox_built(429, "", "1", &out) == TX_UNAVAILABLE &&
          zerox_built(401, "", "1", &out) == TX_NOT_SERVED);
    CHECK(zerox_built(400, "{\"name\":\"SWAP_VALIDATION_FAILED\"}", "1", &out) == TX_NO_ROUTE);
    service_close();
}

TEST_MAIN(TEST(zerox_serves_its_chains), TEST(zerox_needs_a_key), TEST(zerox_is_asked_for_prices),
          TEST(zerox_offers), TEST(zerox_takes_its_fee_of_the_input), TEST(zerox_refuses), TEST(zerox_lies),
          TEST(zerox_builds), TEST(zerox_lies_about_a_transaction))
