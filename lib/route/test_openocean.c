#include "route/openocean.c"
#include "route/test_service_answers.h"

#define USDC_AT "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
#define USDT_AT "0xdAC17F958D2ee523a2206206994597C13D831ec7"
/* 2^256 */
#define TOO_LARGE "115792089237316195423570985008687907853269984665640564039457584007913129639936"

#define PROXY_AT  "0x6352a56caadC4F1E25CD6c75970Fa768A3304e64"
#define TOKENS                                                                                               \
    "\"inToken\":{\"symbol\":\"USDC\",\"decimals\":6,\"address\":\"" USDC_AT                                 \
    "\"},\"outToken\":{\"symbol\":\"USDT\",\"decimals\":6,\"address\":\"" USDT_AT                            \
    "\"},\"inAmount\":\"1000000\",\"outAmount\":\"999000\",\"estimatedGas\":\"213456\""

static const char good[] =
    "{\"code\":200,\"data\":{" TOKENS ",\"path\":{\"routes\":[{\"parts\":10}]},\"price_impact\":\"0.01%\"}}";
static const char built[] =
    "{\"code\":200,\"data\":{" TOKENS ",\"minOutAmount\":\"984015\",\"to\":\"" PROXY_AT
    "\",\"value\":\"0\",\"data\":\"0x90411a3200\",\"gasPrice\":\"1000000000\","
    "\"chainId\":1}}";

static struct route_in in;

static void openocean_serves(void)
{
    const struct chain *ethereum = chain_by_id(1), *base = chain_find("base");

    CHECK(openocean.supports(ethereum, ethereum) && openocean.supports(base, base));
    CHECK(!openocean.supports(ethereum, base));
    CHECK(!openocean.supports(chain_find("solana"), chain_find("solana")));
}

#define QUESTION                                                                                             \
    "inTokenAddress=" USDC_AT "&outTokenAddress=" USDT_AT "&amountDecimals=1000000&gasPriceDecimals=10000000"

static void openocean_is_asked(void)
{
    struct route_in other = service_pair("base", "ETH", "base", "USDC", "1000000");
    struct call call;

    CHECK(openocean.ask(&call, &service_ctx, &in, service_arena));
    CHECK_STR(call.url, "http://127.0.0.1:1/o/v4/1/quote?" QUESTION "&slippage=3");
    CHECK(service_has_header(&call, "Accept: application/json"));
    call_free(&call);
    other.slippage.value = 800000;
    CHECK(openocean.ask(&call, &service_ctx, &other, service_arena));
    CHECK(strstr(call.url, "/v4/8453/quote?inTokenAddress=" PROVIDER_JSON_COIN "&") != NULL);
    CHECK(strstr(call.url, "&slippage=50") != NULL);
    call_free(&call);
    other.slippage.value = 499; /* more would be more than the agent allows */
    CHECK(!openocean.ask(&call, &service_ctx, &other, service_arena));
}

static void openocean_is_switched(void)
{
    struct call call;

    service_close();
    service_open("provider.openocean.url =", NULL);
    CHECK(!openocean.ask(&call, &service_ctx, &in, service_arena));
    service_close();
    service_open("provider.openocean.url = http://127.0.0.1:1/o\nprovider.openocean.fee_bps = 20\n"
                 "provider.openocean.fee_receiver = " SERVICE_STRANGER,
                 NULL);
    CHECK(openocean.ask(&call, &service_ctx, &in, service_arena));
    CHECK(strstr(call.url, "&referrer=" SERVICE_STRANGER "&referrerFee=0.2") != NULL);
    call_free(&call);
    service_close();
    service_open("provider.openocean.url = http://127.0.0.1:1/o", NULL);
}

static void openocean_offers(void)
{
    struct route_answer out;

    CHECK(service_offers(&openocean, &in, 200, good, &out) == ASK_OFFERED);
    CHECK(service_amount_is(out.offers[0].out, "999000") && out.offers[0].gas_units == 213456);
    CHECK_STR(out.offers[0].label, "OpenOcean");
}

static void openocean_lies(void)
{
    static const struct service_change changes[] = {
        { "0xA0b86991", "0xA0b86992", ASK_UNAVAILABLE },
        { "0xdAC17F95", "0xdAC17F96", ASK_UNAVAILABLE },
        { "\"inAmount\":\"1000000\"", "\"inAmount\":\"1000000000000\"",
          ASK_UNAVAILABLE }, /* units of the token */
        { "\"inAmount\":\"1000000\"", "\"inAmount\":1000000", ASK_OFFERED },
        { "\"outAmount\":\"999000\"", "\"outAmount\":\"-1\"", ASK_UNAVAILABLE },
        { "\"outAmount\":\"999000\"", "\"outAmount\":1e6", ASK_UNAVAILABLE },
        { "\"outAmount\":\"999000\"", "\"outAmount\":" TOO_LARGE, ASK_UNAVAILABLE },
        { "\"outAmount\":\"999000\"", "\"outAmount\":0", ASK_TOO_SMALL },
        { "\"213456\"", "213456", ASK_OFFERED },
        { "\"code\":200", "\"code\":\"200\"", ASK_OFFERED },
        { "\"code\":200", "\"code\":500", ASK_UNAVAILABLE },
        { "\"code\":200", "\"code\":429", ASK_RATE_LIMITED },
        { "\"code\":200", "\"code\":40001", ASK_NO_ROUTE },
        { "\"code\":200,", "", ASK_UNAVAILABLE },
        { "\"data\":{", "\"data\":[{}],\"x\":{", ASK_UNAVAILABLE },
        { NULL, NULL, ASK_UNAVAILABLE },
    };

    service_reads_changes(&openocean, &in, good, changes);
    service_lies(&openocean, &in, good);
}

static void openocean_builds(void)
{
    const char *const whole[] = { built, NULL };
    struct tx_in tx = { .route = in, .min_out = u256_from_u64(970000) };
    struct wallet_call out;
    struct call asked;

    CHECK(openocean.ask_tx(&asked, &service_ctx, &tx, service_arena));
    CHECK_STR(asked.url, "http://127.0.0.1:1/o/v4/1/swap?" QUESTION "&slippage=1.5&account=" SERVICE_WALLET);
    call_free(&asked);
    tx.route.slippage.value = 600;
    CHECK(openocean.ask_tx(&asked, &service_ctx, &tx, service_arena) &&
          strstr(asked.url, "&slippage=0.05&") != NULL);
    call_free(&asked);
    tx.route.slippage.value = 400;
    CHECK(!openocean.ask_tx(&asked, &service_ctx, &tx, service_arena));
    tx.route.slippage.value = 30000;
    CHECK(service_built(&openocean, &tx, whole, 200, &out) == TX_READY);
    CHECK_STR(out.to, PROXY_AT);
    CHECK_STR(out.spender, PROXY_AT);
    CHECK(out.data_len == 5 && out.gas_units == 213456 && u256_is_zero(out.value));
    CHECK(service_amount_is(out.min_out, "984015"));
}

static enum tx_end openocean_built_with(const char *cut, const char *put)
{
    const char *const texts[] = { service_with(built, cut, put), NULL };
    struct tx_in tx = { .route = in, .min_out = u256_from_u64(970000) };
    struct wallet_call out;

    return service_built(&openocean, &tx, texts, 200, &out);
}

static void openocean_builds_badly(void)
{
    CHECK(openocean_built_with("{", "{") == TX_READY);
    CHECK(openocean_built_with("\"chainId\":1", "\"chainId\":56") == TX_UNAVAILABLE);
    CHECK(openocean_built_with("\"value\":\"0\"", "\"value\":\"1\"") == TX_UNAVAILABLE);
    CHECK(openocean_built_with("\"984015\"", "null") == TX_UNAVAILABLE);
    CHECK(openocean_built_with("0x90411a3200", "0x") == TX_UNAVAILABLE);
    CHECK(openocean_built_with("\"1000000\"", "\"1000001\"") == TX_UNAVAILABLE);
    CHECK(openocean_built_with(PROXY_AT, "0x6352a56caadc4F1E25CD6c75970Fa768A3304e64") == TX_UNAVAILABLE);
    CHECK(openocean_built_with("\"code\":200", "\"code\":40001") == TX_NO_ROUTE);
    CHECK(openocean_built_with("\"code\":200", "\"code\":429") == TX_UNAVAILABLE);
}

static void openocean_test_start(void)
{
    service_open("provider.openocean.url = http://127.0.0.1:1/o", NULL);
    in = service_pair("ethereum", "USDC", "ethereum", "USDT", "1000000");
    in.slippage.value = 30000;
}

static void openocean_test_end(void)
{
    service_close();
}

TEST_MAIN(TEST(openocean_test_start), TEST(openocean_serves), TEST(openocean_is_asked),
          TEST(openocean_is_switched), TEST(openocean_offers), TEST(openocean_lies), TEST(openocean_builds),
          TEST(openocean_builds_badly), TEST(openocean_test_end))
