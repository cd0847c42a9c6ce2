#include "route/oneinch.c"
#include "route/test_service_answers.h"

#define USDC_AT "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
#define USDT_AT "0xdAC17F958D2ee523a2206206994597C13D831ec7"
/* 2^256 */
#define TOO_LARGE "115792089237316195423570985008687907853269984665640564039457584007913129639936"

#define ROUTER_AT "0x111111125421cA6dc452d289314280a0f8842A65"
#define TOKENS                                                                                               \
    "\"srcToken\":{\"address\":\"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48\"},"                             \
    "\"dstToken\":{\"address\":\"0xdac17f958d2ee523a2206206994597c13d831ec7\"},\"dstAmount\":\"999000\""

static const char good[] = "{" TOKENS ",\"gas\":153000}";
static const char built[] = "{" TOKENS ",\"tx\":{\"from\":\"0x1111111111111111111111111111111111111111\","
                            "\"to\":\"0x111111125421ca6dc452d289314280a0f8842a65\",\"data\":\"0x07ed237900\","
                            "\"value\":\"0\",\"gas\":0,\"gasPrice\":\"1000000000\"}}";

#define URL "provider.1inch.url = http://127.0.0.1:1/1/swap/v6.1"
static struct route_in in;

static void oneinch_serves(void)
{
    const struct chain *ethereum = chain_by_id(1), *base = chain_find("base");

    CHECK(oneinch.supports(ethereum, ethereum) && oneinch.supports(base, base));
    CHECK(!oneinch.supports(ethereum, base) && !oneinch.supports(chain_find("mantle"), chain_find("mantle")));
}

static void oneinch_is_asked(void)
{
    struct route_in coin = service_pair("base", "ETH", "base", "USDC", "1000000");
    struct call call;

    CHECK(oneinch.ask(&call, &service_ctx, &in, service_arena));
    CHECK_STR(call.url, "http://127.0.0.1:1/1/swap/v6.1/1/quote?src=" USDC_AT "&dst=" USDT_AT
                        "&amount=1000000&includeTokensInfo=true&includeGas=true");
    CHECK(service_has_header(&call, "Authorization: Bearer secret-1"));
    call_free(&call);
    CHECK(oneinch.ask(&call, &service_ctx, &coin, service_arena));
    CHECK(strstr(call.url, "/v6.1/8453/quote?src=" PROVIDER_JSON_COIN "&") != NULL);
    call_free(&call);
}

static void oneinch_is_switched(void)
{
    struct call call;

    service_close();
    service_open(URL, NULL);
    CHECK(!oneinch.ask(&call, &service_ctx, &in, service_arena)); /* without a key */
    service_close();
    service_open(URL "\nprovider.1inch.fee_bps = 20\nprovider.1inch.fee_receiver = " SERVICE_STRANGER,
                 "1inch");
    CHECK(oneinch.ask(&call, &service_ctx, &in, service_arena));
    CHECK(strstr(call.url, "&fee=0.2") != NULL);
    call_free(&call);
    service_close();
    service_open(URL, "1inch");
}

static void oneinch_offers(void)
{
    struct route_answer out;

    CHECK(service_offers(&oneinch, &in, 200, good, &out) == ASK_OFFERED);
    CHECK(service_amount_is(out.offers[0].out, "999000") && out.offers[0].gas_units == 153000);
    CHECK_STR(out.offers[0].label, "1inch");
}

static void oneinch_lies(void)
{
    static const struct service_change changes[] = {
        { "0xa0b86991", "0xa0b86992", ASK_UNAVAILABLE },
        { "0xdac17f95", "0xdac17f96", ASK_UNAVAILABLE },
        { "\"999000\"", "999000", ASK_OFFERED },
        { "\"999000\"", "\"-999000\"", ASK_UNAVAILABLE },
        { "\"999000\"", "9.99e5", ASK_UNAVAILABLE },
        { "\"999000\"", TOO_LARGE, ASK_UNAVAILABLE },
        { "\"999000\"", "\"0\"", ASK_TOO_SMALL },
        { "\"dstAmount\"", "\"toAmount\"", ASK_UNAVAILABLE },
        { ",\"gas\":153000", "", ASK_OFFERED },
        { "\"srcToken\":{", "\"srcToken\":[],\"x\":{", ASK_UNAVAILABLE },
        { NULL, NULL, ASK_UNAVAILABLE },
    };

    service_reads_changes(&oneinch, &in, good, changes);
    service_lies(&oneinch, &in, good);
}

static enum ask_end refused(int status, const char *description)
{
    struct route_answer out;

    return service_offers(&oneinch, &in, status,
                          arena_printf(service_arena,
                                       "{\"error\":\"Bad Request\",\"description\":\"%s\",\"statusCode\":%d,"
                                       "\"requestId\":\"r\",\"meta\":[]}",
                                       description, status),
                          &out);
}

static void oneinch_refuses(void)
{
    CHECK(refused(400, "insufficient liquidity") == ASK_NO_ROUTE);
    CHECK(refused(400, "Insufficient liquidity for this trade") == ASK_NO_ROUTE);
    CHECK(refused(400, "cannot sync 0x12") == ASK_REFUSED);
    CHECK(refused(400, "amount is not set") == ASK_NO_ROUTE && refused(500, "oh") == ASK_UNAVAILABLE);
    CHECK(refused(401, "") == ASK_REFUSED && refused(503, "banned") == ASK_UNAVAILABLE);
}

static void oneinch_builds(void)
{
    const char *const whole[] = { built, NULL };
    struct tx_in tx = { .route = in, .min_out = u256_from_u64(970000) };
    struct wallet_call out;
    struct call asked;

    CHECK(oneinch.ask_tx(&asked, &service_ctx, &tx, service_arena));
    CHECK_STR(asked.url,
              "http://127.0.0.1:1/1/swap/v6.1/1/swap?src=" USDC_AT "&dst=" USDT_AT
              "&amount=1000000&includeTokensInfo=true&from=" SERVICE_WALLET "&origin=" SERVICE_WALLET
              "&minReturn=970000&compatibility=true&disableEstimate=true&allowPartialFill=false");
    call_free(&asked);
    CHECK(service_built(&oneinch, &tx, whole, 200, &out) == TX_READY);
    CHECK_STR(out.to, ROUTER_AT);
    CHECK_STR(out.spender, ROUTER_AT);
    CHECK(out.data_len == 5 && out.gas_units == 0 && u256_is_zero(out.value));
    CHECK(u256_cmp(out.min_out, tx.min_out) == 0);
}

static enum tx_end oneinch_built_with(const char *cut, const char *put, int status)
{
    const char *const texts[] = { service_with(built, cut, put), NULL };
    struct tx_in tx = { .route = in, .min_out = u256_from_u64(970000) };
    struct wallet_call out;

    return service_built(&oneinch, &tx, texts, status, &out);
}

static void oneinch_builds_badly(void)
{
    CHECK(oneinch_built_with("{", "{", 200) == TX_READY);
    CHECK(oneinch_built_with("\"999000\"", "\"969999\"", 200) == TX_TOO_LITTLE);
    CHECK(oneinch_built_with("\"value\":\"0\"", "\"value\":\"1\"", 200) == TX_UNAVAILABLE);
    CHECK(oneinch_built_with(SERVICE_WALLET, SERVICE_STRANGER, 200) == TX_UNAVAILABLE);
    CHECK(oneinch_built_with("\"tx\":{", "\"xt\":{", 200) == TX_UNAVAILABLE);
    CHECK(oneinch_built_with("0x07ed237900", "0x07ed23790", 200) == TX_UNAVAILABLE);
    CHECK(oneinch_built_with("{", "{\"description\":\"insufficient liquidity\",", 400) == TX_NO_ROUTE);
    CHECK(oneinch_built_with("{", "{", 429) == TX_UNAVAILABLE);
}

static void oneinch_test_start(void)
{
    service_open(URL, "1inch");
    in = service_pair("ethereum", "USDC", "ethereum", "USDT", "1000000");
    in.slippage.value = 30000;
}

static void oneinch_test_end(void)
{
    service_close();
}

TEST_MAIN(TEST(oneinch_test_start), TEST(oneinch_serves), TEST(oneinch_is_asked), TEST(oneinch_is_switched),
          TEST(oneinch_offers), TEST(oneinch_lies), TEST(oneinch_refuses), TEST(oneinch_builds),
          TEST(oneinch_builds_badly), TEST(oneinch_test_end))
