#include "route/test_service.h"
#include "route/velora.c"

#define USDC     "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
#define WETH     "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
#define AUGUSTUS "0x6A000F20005980200259B80c5102003040001068"
#define ROUTE                                                                                                \
    "{\"blockNumber\":20114692,\"network\":1,\"srcToken\":\"0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee\","   \
    "\"srcDecimals\":18,\"srcAmount\":\"1000000000000000000\",\"destToken\":\"" USDC                         \
    "\",\"destDecimals\":6,"                                                                                 \
    "\"destAmount\":\"3000000000\",\"bestRoute\":[{\"percent\":100,\"swaps\":[]}],\"gasCost\":\"120000\","   \
    "\"gasCostUSD\":\"1.53\",\"side\":\"SELL\",\"version\":\"6.2\",\"contractAddress\":\"" AUGUSTUS "\","    \
    "\"tokenTransferProxy\":\"" AUGUSTUS "\",\"contractMethod\":\"swapExactAmountIn\",\"partnerFee\":0.01, " \
    "\"maxImpactReached\":false,\"hmac\":\"6f00\"}"

static const char price[] = "{\"priceRoute\":" ROUTE "}";
static const char built[] =
    "{\"from\":\"" SERVICE_WALLET "\",\"to\":\"0x6a000f20005980200259b80c5102003040001068\",\"value\":"
    "\"1000000000000000000\",\"data\":\"0xe3ead59e00\",\"gasPrice\":\"5000000000\",\"chainId\":1}";

static struct route_in velora_pair(void)
{
    return service_pair("ethereum", "ETH", "ethereum", "USDC", "1000000000000000000");
}

static void velora_serves_its_chains(void)
{
    const struct chain *ethereum = chain_find("ethereum"), *scroll = chain_find("scroll");

    CHECK(velora.supports(ethereum, ethereum) && !velora.supports(ethereum, chain_find("base")));
    CHECK(!velora.supports(scroll, scroll));
}

static void velora_is_asked_for_prices(void)
{
    const struct route_in in = velora_pair();
    struct call call;

    service_open("", NULL);
    CHECK(velora.ask(&call, &service_ctx, &in, service_arena));
    CHECK_STR(call.url, "https://api.paraswap.io/prices?version=6.2&network=1&srcToken=" PROVIDER_JSON_COIN
                        "&srcDecimals=18&destToken=" USDC "&destDecimals=6&amount=1000000000000000000"
                        "&side=SELL&excludeDirectContractMethods=true&maxImpact=100"
                        "&userAddress=" SERVICE_WALLET);
    CHECK(service_has_header(&call, "Accept: application/json"));
    call_free(&call);
    service_close();
    service_open("provider.velora.url =", NULL);
    CHECK(!velora.ask(&call, &service_ctx, &in, service_arena));
    service_close();
}

/* The fee leaves after the contract's check, so it counts against what is offered. */
static void velora_offers(void)
{
    const struct route_in in = velora_pair();
    struct route_answer out;

    service_open("", NULL);
    CHECK(service_offers(&velora, &in, 200, price, &out) == ASK_OFFERED);
    CHECK(service_amount_is(out.offers[0].out, "2999699999") && out.offers[0].gas_units == 120000);
    service_lies(&velora, &in, price);
    service_close();
    service_open("provider.velora.fee_bps = 50\nprovider.velora.fee_receiver = " SERVICE_STRANGER, NULL);
    CHECK(service_offers(&velora, &in, 200, price, &out) == ASK_OFFERED);
    CHECK(service_amount_is(out.offers[0].out, "2984999999"));
    service_close();
}

static void velora_refuses(void)
{
    static const struct {
        int status;
        const char *body;
        enum ask_end end;
    } rows[] = {
        { 400, "{\"error\":\"No routes found with enough liquidity\"}", ASK_NO_ROUTE },
        { 400,
          "{\"error\":\"ESTIMATED_LOSS_GREATER_THAN_MAX_IMPACT\",\"value\":\"99%\",\"priceRoute\":" ROUTE "}",
          ASK_NO_ROUTE },
        { 400, "{\"error\":\"Invalid srcToken\"}", ASK_REFUSED },
        { 404, "{\"error\":\"Token not found\"}", ASK_REFUSED },
        { 422, "{\"error\":\"Unsupported\"}", ASK_NO_ROUTE },
        { 400, "{\"error\":\"Amount 12 is too small to proceed\"}", ASK_TOO_SMALL },
        { 400, "{\"error\":\"Price Timeout\"}", ASK_UNAVAILABLE },
        { 401, "{\"error\":\"Unauthorized\"}", ASK_REFUSED },
        { 429, "{\"error\":\"Too many requests\"}", ASK_RATE_LIMITED },
        { 503, "", ASK_UNAVAILABLE },
    };
    const struct route_in in = velora_pair();

    service_open("", NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(service_end(&velora, &in, rows[i].status, rows[i].body) == rows[i].end);
    CHECK(service_end(&velora, &in, 200, service_with(price, "\"3000000000\"", "\"1\"")) == ASK_TOO_SMALL);
    CHECK(service_end(&velora, &in, 200, service_with(price, "\"3000000000\"", "\"0\"")) == ASK_TOO_SMALL);
    service_close();
}

static void velora_lies(void)
{
    static const char *const lies[][2] = {
        { "\"network\":1", "\"network\":10" },
        { "\"network\":1", "\"network\":1.0" },
        { "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", WETH },
        { USDC, WETH },
        { "\"1000000000000000000\"", "\"999999999999999999\"" },
        { "\"3000000000\"", "-3" },
        { "\"3000000000\"", "3e9" },
        { "\"3000000000\"", "\"0x77359400\"" },
        { "\"3000000000\"",
          "\"115792089237316195423570985008687907853269984665640564039457584007913129639936\"" },
        { "SELL", "BUY" },
        { "\"6.2\"", "\"5\"" },
        { "priceRoute", "route" },
    };
    const struct route_in in = velora_pair();

    service_open("", NULL);
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++)
        CHECK(service_end(&velora, &in, 200, service_with(price, lies[i][0], lies[i][1])) == ASK_UNAVAILABLE);
    service_close();
}

static enum tx_end velora_build_with(const char *route, int status, const char *answer, const char *min_out,
                                     struct wallet_call *out, const char **body)
{
    struct tx_in in = { .route = velora_pair(), .deadline = 1800000000 };
    enum tx_end end;
    struct call call;

    *out = (struct wallet_call){ .to = NULL };
    CHECK(u256_parse(&in.min_out, min_out) && velora.ask_tx(&call, &service_ctx, &in, service_arena));
    service_plays(&call, 200, route);
    end = velora.read_tx(&call, &in, service_arena, out);
    if (end == TX_ASKS_MORE) {
        CHECK_STR(call.url, "https://api.paraswap.io/transactions/1?ignoreChecks=true");
        *body = arena_strdup(service_arena, buf_text(&call.body));
        service_plays(&call, status, answer);
        end = velora.read_tx(&call, &in, service_arena, out);
    }
    call_free(&call);
    return end;
}

static void velora_builds(void)
{
    const char *body = NULL;
    struct wallet_call out;

    service_open("", NULL);
    CHECK(velora_build_with(price, 200, built, "2970000000", &out, &body) == TX_READY);
    CHECK_STR(body, "{\"srcToken\":\"" PROVIDER_JSON_COIN "\",\"srcDecimals\":18,\"destToken\":\"" USDC
                    "\",\"destDecimals\":6,\"srcAmount\":\"1000000000000000000\","
                    "\"destAmount\":\"2970297031\",\"priceRoute\":" ROUTE ",\"userAddress\":\"" SERVICE_WALLET
                    "\",\"deadline\":1800000000}");
    CHECK_STR(out.to, AUGUSTUS);
    CHECK(out.spender == NULL && service_amount_is(out.value, "1000000000000000000"));
    CHECK(out.data_len == 5 && service_amount_is(out.min_out, "2970000000"));
    CHECK(velora_build_with(price, 200, built, "2999800000", &out, &body) == TX_TOO_LITTLE);
    service_close();
    service_open("provider.velora.fee_bps = 200\nprovider.velora.fee_receiver = " SERVICE_STRANGER, NULL);
    CHECK(velora_build_with(price, 200, built, "98", &out, &body) == TX_READY);
    CHECK(strstr(body, "\"destAmount\":\"102\"") != NULL); /* less 2.04, rounded up, less one: 98 */
    CHECK(strstr(body, "\"partnerAddress\":\"" SERVICE_STRANGER "\",\"partnerFeeBps\":200}") != NULL);
    service_close();
}

static void velora_lies_about_a_transaction(void)
{
    static const char *const lies[][2] = {
        { SERVICE_WALLET, SERVICE_STRANGER },
        { "\"chainId\":1}", "\"chainId\":10}" },
        { "\"1000000000000000000\"", "\"1000000000000000001\"" },
        { "\"1000000000000000000\"", "\"0\"" },
        { "0xe3ead59e00", "0xe3ead5" },
        { "0xe3ead59e00", "e3ead59e00" },
        { "\"to\"", "\"contract\"" },
    };
    const char *body = NULL;
    struct wallet_call out;

    service_open("", NULL);
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++)
        CHECK(velora_build_with(price, 200, service_with(built, lies[i][0], lies[i][1]), "1", &out, &body) ==
              TX_UNAVAILABLE);
    CHECK(velora_build_with(service_with(price, USDC, WETH), 200, built, "1", &out, &body) == TX_UNAVAILABLE);
    CHECK(velora_build_with(price, 400, "{\"error\":\"No routes found with enough liquidity\"}", "1", &out,
                            &body) == TX_NO_ROUTE);
    CHECK(velora_build_with(price, 429, "", "1", &out, &body) == TX_UNAVAILABLE);
    service_close();
}

TEST_MAIN(TEST(velora_serves_its_chains), TEST(velora_is_asked_for_prices), TEST(velora_offers),
          TEST(velora_refuses), TEST(velora_lies), TEST(velora_builds), TEST(velora_lies_about_a_transaction))
