#include "route/kyberswap.c"
#include "route/test_service_answers.h"

#define USDC_AT "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
#define USDT_AT "0xdAC17F958D2ee523a2206206994597C13D831ec7"
/* 2^256 */
#define TOO_LARGE "115792089237316195423570985008687907853269984665640564039457584007913129639936"

#define ROUTER_AT "0x6131B5fae19EA4f9D964eAc0408E4408b66337b5"
#define SUMMARY                                                                                              \
    "{\"tokenIn\":\"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48\",\"amountIn\":\"1000000\","                  \
    "\"amountInUsd\":\"1.0001\",\"tokenOut\":\"0xdac17f958d2ee523a2206206994597c13d831ec7\","                \
    "\"amountOut\":\"999000\",\"amountOutUsd\":\"0.9991\",\"gas\":\"153000\",\"gasPrice\":\"1e9\", "         \
    "\"extraFee\":{\"feeAmount\":\"0\"},\"route\":[[{\"pool\":\"0x01\",\"swapAmount\":\"1000000\"}]],"       \
    "\"routeID\":\"r-1\",\"checksum\":\"123\",\"timestamp\":1795000000.50}"

static const char good[] = "{\"code\":0,\"message\":\"successfully\",\"data\":{\"routeSummary\":" SUMMARY
                           ",\"routerAddress\":\"" ROUTER_AT "\"},\"requestId\":\"x\"}";
static const char built[] =
    "{\"code\":0,\"data\":{\"amountIn\":\"1000000\",\"amountOut\":\"999000\",\"gas\":"
    "\"160000\",\"data\":\"0xe21fd0e900\",\"routerAddress\":\"" ROUTER_AT "\",\"transactionValue\":\"0\"}}";

static struct route_in in;

static void kyber_serves(void)
{
    const struct chain *ethereum = chain_by_id(1), *base = chain_find("base"), *solana = chain_find("solana");

    CHECK(kyberswap.supports(ethereum, ethereum) && kyberswap.supports(base, base));
    CHECK(!kyberswap.supports(ethereum, base) && !kyberswap.supports(solana, solana));
    CHECK(!kyberswap.supports(chain_find("gnosis"), chain_find("gnosis")));
}

static void kyber_is_asked(void)
{
    struct route_in coin = service_pair("base", "ETH", "base", "USDC", "1000000");
    struct call call;

    CHECK(kyberswap.ask(&call, &service_ctx, &in, service_arena));
    CHECK_STR(call.url, "http://127.0.0.1:1/k/ethereum/api/v1/routes?tokenIn=" USDC_AT "&tokenOut=" USDT_AT
                        "&amountIn=1000000&gasInclude=true&excludeRFQSources=true");
    CHECK(service_has_header(&call, "X-Client-Id: agent-gateway"));
    call_free(&call);
    CHECK(kyberswap.ask(&call, &service_ctx, &coin, service_arena));
    CHECK(strstr(call.url, "/k/base/api/v1/routes?tokenIn=" PROVIDER_JSON_COIN "&tokenOut=0x8335") != NULL);
    call_free(&call);
}

static void kyber_is_switched(void)
{
    struct call call;

    service_close();
    service_open("provider.kyberswap.url =", NULL);
    CHECK(!kyberswap.ask(&call, &service_ctx, &in, service_arena));
    service_close();
    service_open("provider.kyberswap.url = http://127.0.0.1:1/k\nprovider.kyberswap.fee_bps = 20\n"
                 "provider.kyberswap.fee_receiver = " SERVICE_STRANGER,
                 NULL);
    CHECK(kyberswap.ask(&call, &service_ctx, &in, service_arena));
    CHECK(strstr(call.url,
                 "&feeAmount=20&isInBps=true&chargeFeeBy=currency_out&feeReceiver=" SERVICE_STRANGER) !=
          NULL);
    call_free(&call);
    service_close();
    service_open("provider.kyberswap.url = http://127.0.0.1:1/k", NULL);
}

static void kyber_offers(void)
{
    struct route_answer out;

    CHECK(service_offers(&kyberswap, &in, 200, good, &out) == ASK_OFFERED);
    CHECK(service_amount_is(out.offers[0].out, "999000") && out.offers[0].gas_units == 153000);
    CHECK_STR(out.offers[0].label, "KyberSwap");
}

static void kyber_lies(void)
{
    static const struct service_change changes[] = {
        { "0xa0b86991", "0xa0b86992", ASK_UNAVAILABLE }, /* another token */
        { "0xdac17f95", "0xdac17f96", ASK_UNAVAILABLE },
        { "\"amountIn\":\"1000000\"", "\"amountIn\":\"1000001\"", ASK_UNAVAILABLE },
        { "\"amountIn\":\"1000000\"", "\"amountIn\":1000000", ASK_OFFERED }, /* a number is as good */
        { "\"amountIn\":\"1000000\",", "", ASK_UNAVAILABLE },
        { "\"amountOut\":\"999000\"", "\"amountOut\":\"-999000\"", ASK_UNAVAILABLE },
        { "\"amountOut\":\"999000\"", "\"amountOut\":9.99e5", ASK_UNAVAILABLE },
        { "\"amountOut\":\"999000\"", "\"amountOut\":\"" TOO_LARGE "\"", ASK_UNAVAILABLE },
        { "\"amountOut\":\"999000\"", "\"amountOut\":{\"a\":[1]}", ASK_UNAVAILABLE },
        { "\"amountOut\":\"999000\"", "\"amountOut\":\"0\"", ASK_TOO_SMALL },
        { "\"routeSummary\":{", "\"routeSummary\":{\"a\":}", ASK_UNAVAILABLE },
        { "\"checksum\":\"123\"", "\"checksum\":nonsense", ASK_UNAVAILABLE },
        { "\"gas\":\"153000\"", "\"gas\":\"x\"", ASK_OFFERED },
        { NULL, NULL, ASK_UNAVAILABLE },
    };

    service_reads_changes(&kyberswap, &in, good, changes);
    service_lies(&kyberswap, &in, good);
}

static void kyber_refuses(void)
{
    struct route_answer out;

    CHECK(service_offers(&kyberswap, &in, 400, "{\"code\":4008,\"message\":\"route not found\"}", &out) ==
          ASK_NO_ROUTE);
    CHECK(service_offers(&kyberswap, &in, 400, "{\"code\":4011}", &out) == ASK_REFUSED);
    CHECK(service_offers(&kyberswap, &in, 422, "{\"code\":4005}", &out) == ASK_TOO_SMALL);
    CHECK(service_offers(&kyberswap, &in, 500, "{\"code\":4010}", &out) == ASK_NO_ROUTE);
    CHECK(service_offers(&kyberswap, &in, 500, "{\"code\":9}", &out) == ASK_UNAVAILABLE);
    CHECK(service_offers(&kyberswap, &in, 200, "{\"code\":4009}", &out) == ASK_NO_ROUTE);
}

static struct tx_in kyber_tx(uint64_t min_out)
{
    return (struct tx_in){ .route = in, .min_out = u256_from_u64(min_out), .deadline = 1800000000 };
}

/* The summary goes back as it came: its number is no other one, its blank is still there. */
static void kyber_builds(void)
{
    const char *const texts[] = { good, NULL };
    const char *const whole[] = { good, built, NULL };
    struct tx_in tx = kyber_tx(979000);
    struct wallet_call out;
    struct call asked;

    CHECK(service_builds(&kyberswap, &tx, texts, 200, &asked, &out) == TX_ASKS_MORE);
    CHECK_STR(asked.url, "http://127.0.0.1:1/k/ethereum/api/v1/route/build");
    CHECK_STR(buf_text(&asked.body), "{\"routeSummary\":" SUMMARY ",\"sender\":\"" SERVICE_WALLET
                                     "\",\"recipient\":\"" SERVICE_WALLET "\",\"origin\":\"" SERVICE_WALLET
                                     "\",\"slippageTolerance\":200,\"deadline\":1800000000,"
                                     "\"enableGasEstimation\":false,\"source\":\"agent-gateway\"}");
    call_free(&asked);
    CHECK(service_built(&kyberswap, &tx, whole, 200, &out) == TX_READY);
    CHECK_STR(out.to, ROUTER_AT);
    CHECK_STR(out.spender, ROUTER_AT);
    CHECK(out.data_len == 5 && out.gas_units == 160000 && u256_is_zero(out.value));
    CHECK(service_amount_is(out.min_out, "979020"));
}

static enum tx_end kyber_built_with(const char *cut, const char *put, uint64_t min_out)
{
    const char *const texts[] = { good, service_with(built, cut, put), NULL };
    struct tx_in tx = kyber_tx(min_out);
    struct wallet_call out;

    return service_built(&kyberswap, &tx, texts, 200, &out);
}

static void kyber_builds_badly(void)
{
    const char *const refused[] = { good, "{\"code\":4008}", NULL }, *const silent[] = { "{", NULL };
    struct tx_in tx = kyber_tx(979000);
    struct wallet_call out;

    CHECK(kyber_built_with("{", "{", 999001) == TX_TOO_LITTLE);
    CHECK(kyber_built_with("{", "{", 1) == TX_READY);
    CHECK(kyber_built_with("\"1000000\"", "\"1000001\"", 979000) == TX_UNAVAILABLE);
    CHECK(kyber_built_with("\"amountOut\"", "\"out\"", 979000) == TX_UNAVAILABLE);
    CHECK(kyber_built_with("Value\":\"0\"", "Value\":\"1\"", 979000) == TX_UNAVAILABLE);
    CHECK(kyber_built_with("Value\":\"0\"", "Value\":-1", 979000) == TX_UNAVAILABLE);
    CHECK(kyber_built_with("0xe21fd0e900", "e21fd0e900", 979000) == TX_UNAVAILABLE);
    CHECK(kyber_built_with(ROUTER_AT, "0x1", 979000) == TX_UNAVAILABLE);
    CHECK(kyber_built_with("\"data\":{", "\"date\":{", 979000) == TX_UNAVAILABLE);
    CHECK(service_built(&kyberswap, &tx, refused, 422, &out) == TX_NO_ROUTE);
    CHECK(service_built(&kyberswap, &tx, refused, 429, &out) == TX_UNAVAILABLE);
    CHECK(service_built(&kyberswap, &tx, silent, 500, &out) == TX_UNAVAILABLE);
}

static void kyber_test_start(void)
{
    service_open("provider.kyberswap.url = http://127.0.0.1:1/k", NULL);
    in = service_pair("ethereum", "USDC", "ethereum", "USDT", "1000000");
    in.slippage.value = 30000;
}

static void kyber_test_end(void)
{
    service_close();
}

TEST_MAIN(TEST(kyber_test_start), TEST(kyber_serves), TEST(kyber_is_asked), TEST(kyber_is_switched),
          TEST(kyber_offers), TEST(kyber_lies), TEST(kyber_refuses), TEST(kyber_builds),
          TEST(kyber_builds_badly), TEST(kyber_test_end))
