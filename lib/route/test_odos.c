#include "route/odos.c"
#include "route/test_service_answers.h"

#define USDC_AT "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
#define USDT_AT "0xdAC17F958D2ee523a2206206994597C13D831ec7"
/* 2^256 */
#define TOO_LARGE "115792089237316195423570985008687907853269984665640564039457584007913129639936"

#define ROUTER_AT "0x0D05a7D3448512B78fa8A9e46c4872C88C4a0D05"

static const char good[] = "{\"inTokens\":[\"" USDC_AT "\"],\"outTokens\":[\"" USDT_AT
                           "\"],\"inAmounts\":[\"1000000\"],\"outAmounts\":[\"999000\"],\"gasEstimate\":"
                           "213456.7,\"gweiPerGas\":0.35,\"percentDiff\":-1e-3,\"pathViz\":null,\"pathId\":"
                           "\"p-1\",\"blockNumber\":23000000}";
static const char built[] =
    "{\"transaction\":{\"gas\":-1,\"gasPrice\":350000000,\"value\":\"0\",\"to\":\"" ROUTER_AT
    "\",\"from\":\"" SERVICE_WALLET
    "\",\"data\":\"0x30f80b4c00\",\"nonce\":7,\"chainId\":1},\"outputTokens\":[{\"amount\":\"999000\"}],"
    "\"simulation\":null}";

static struct route_in in;

static void odos_serves(void)
{
    const struct chain *ethereum = chain_by_id(1), *base = chain_find("base");

    CHECK(odos.supports(ethereum, ethereum) && odos.supports(base, base));
    CHECK(!odos.supports(ethereum, base) && !odos.supports(chain_find("gnosis"), chain_find("gnosis")));
}

#define QUESTION                                                                                             \
    "{\"chainId\":1,\"inputTokens\":[{\"tokenAddress\":\"" USDC_AT                                           \
    "\",\"amount\":\"1000000\"}],\"outputTokens\":[{\"tokenAddress\":\"" USDT_AT                             \
    "\",\"proportion\":1}],\"slippageLimitPercent\":3,\"userAddr\":\"" SERVICE_WALLET                        \
    "\",\"compact\":false,\"simple\":false,\"disableRFQs\":true}"

static void odos_is_asked(void)
{
    struct route_in nobody = in, coin = service_pair("base", "ETH", "base", "USDC", "1000000");
    struct call call;

    CHECK(odos.ask(&call, &service_ctx, &in, service_arena));
    CHECK_STR(call.url, "http://127.0.0.1:1/o/sor/quote/v3");
    CHECK_STR(buf_text(&call.body), QUESTION);
    CHECK(call.headers[2] == NULL);
    call_free(&call);
    nobody.wallet = NULL;
    CHECK(odos.ask(&call, &service_ctx, &nobody, service_arena) &&
          strstr(buf_text(&call.body), "userAddr") == NULL);
    call_free(&call);
    CHECK(odos.ask(&call, &service_ctx, &coin, service_arena));
    CHECK(strstr(buf_text(&call.body), "{\"tokenAddress\":\"" EVM_ADDR_ZERO "\"") != NULL);
    call_free(&call);
}

static void odos_is_switched(void)
{
    struct call call;

    service_close();
    service_open("provider.odos.url =", NULL);
    CHECK(!odos.ask(&call, &service_ctx, &in, service_arena));
    service_close();
    service_open("provider.odos.url = http://127.0.0.1:1/o\nprovider.odos.fee_bps = 20\n"
                 "provider.odos.fee_receiver = " SERVICE_STRANGER,
                 "odos");
    CHECK(odos.ask(&call, &service_ctx, &in, service_arena));
    CHECK(strstr(buf_text(&call.body),
                 ",\"partnerFeePercent\":0.002,\"feeRecipient\":\"" SERVICE_STRANGER "\"}") != NULL);
    CHECK(service_has_header(&call, "x-api-key: secret-1"));
    call_free(&call);
    service_close();
    service_open("provider.odos.url = http://127.0.0.1:1/o", NULL);
}

static void odos_offers(void)
{
    struct route_answer out;

    CHECK(service_offers(&odos, &in, 200, good, &out) == ASK_OFFERED);
    CHECK(service_amount_is(out.offers[0].out, "999000") && out.offers[0].gas_units == 213456);
    CHECK_STR(out.offers[0].label, "Odos");
}

static void odos_lies(void)
{
    static const struct service_change changes[] = {
        { "0xA0b86991", "0xA0b86992", ASK_SILENT },
        { "0xdAC17F95", "0xdAC17F96", ASK_SILENT },
        { "[\"1000000\"]", "[\"1000001\"]", ASK_SILENT },
        { "[\"1000000\"]", "[1000000]", ASK_OFFERED },
        { "[\"1000000\"]", "\"1000000\"", ASK_SILENT },
        { "[\"1000000\"]", "[\"1000000\",\"1\"]", ASK_SILENT },
        { "[\"999000\"]", "[-999000]", ASK_SILENT },
        { "[\"999000\"]", "[9.99e5]", ASK_SILENT },
        { "[\"999000\"]", "[" TOO_LARGE "]", ASK_SILENT },
        { "[\"999000\"]", "[[[999000]]]", ASK_SILENT },
        { "[\"999000\"]", "[\"0\"]", ASK_TOO_SMALL },
        { "[\"999000\"]", "[]", ASK_SILENT },
        { "213456.7", "-1", ASK_OFFERED },
        { "\"p-1\"", "null", ASK_OFFERED },
        { NULL, NULL, ASK_SILENT },
    };

    service_reads_changes(&odos, &in, good, changes);
    service_lies(&odos, &in, good);
}

static void odos_refuses(void)
{
    struct route_answer out;

    CHECK(service_offers(&odos, &in, 400, "{\"detail\":\"x\",\"traceId\":\"t\",\"errorCode\":2000}", &out) ==
          ASK_NO_ROUTE);
    CHECK(service_offers(&odos, &in, 500, "{\"errorCode\":2998}", &out) == ASK_TIMEOUT);
    CHECK(service_offers(&odos, &in, 400, "{\"errorCode\":4014}", &out) == ASK_REFUSED);
    CHECK(service_offers(&odos, &in, 422, "{\"detail\":[{\"loc\":[\"body\"],\"msg\":\"x\"}]}", &out) ==
          ASK_NO_ROUTE);
    CHECK(service_offers(&odos, &in, 500, "{\"errorCode\":3110}", &out) == ASK_SILENT);
}

static struct tx_in odos_tx(uint64_t min_out)
{
    return (struct tx_in){ .route = in, .min_out = u256_from_u64(min_out), .deadline = 1800000000 };
}

/* The minimum is part of the path: it is asked for before the output is known. */
static void odos_builds(void)
{
    const char *const texts[] = { good, NULL }, *const whole[] = { good, built, NULL };
    struct tx_in tx = odos_tx(970000);
    struct wallet_call out;
    struct call asked;

    CHECK(odos.ask_tx(&asked, &service_ctx, &tx, service_arena));
    CHECK_STR(buf_text(&asked.body), service_with(QUESTION, "Percent\":3", "Percent\":1.5"));
    call_free(&asked);
    CHECK(service_builds(&odos, &tx, texts, 200, &asked, &out) == TX_ASKS_MORE);
    CHECK_STR(asked.url, "http://127.0.0.1:1/o/sor/assemble");
    CHECK_STR(buf_text(&asked.body),
              "{\"userAddr\":\"" SERVICE_WALLET "\",\"pathId\":\"p-1\",\"simulate\":false}");
    call_free(&asked);
    CHECK(service_built(&odos, &tx, whole, 200, &out) == TX_READY);
    CHECK_STR(out.to, ROUTER_AT);
    CHECK_STR(out.spender, ROUTER_AT);
    CHECK(out.data_len == 5 && out.gas_units == 213456 && u256_is_zero(out.value));
    CHECK(service_amount_is(out.min_out, "984015"));
}

static enum tx_end odos_built_with(const char *cut, const char *put)
{
    const char *const texts[] = { good, service_with(built, cut, put), NULL };
    struct tx_in tx = odos_tx(970000);
    struct wallet_call out;

    return service_built(&odos, &tx, texts, 200, &out);
}

static void odos_builds_badly(void)
{
    const char *const refused[] = { good, "{\"errorCode\":2000}", NULL }, *const silent[] = { "{", NULL };
    const char *const nameless[] = { service_with(good, "\"p-1\"", "null"), NULL };
    const char *const whole[] = { good, built, NULL };
    struct tx_in tx = odos_tx(970000), dear = odos_tx(984016);
    struct wallet_call out;

    CHECK(odos_built_with("{", "{") == TX_READY);
    CHECK(odos_built_with("\"chainId\":1", "\"chainId\":8453") == TX_SILENT);
    CHECK(odos_built_with(SERVICE_WALLET, SERVICE_STRANGER) == TX_SILENT);
    CHECK(odos_built_with("\"value\":\"0\"", "\"value\":\"1\"") == TX_SILENT);
    CHECK(odos_built_with("0x30f80b4c00", "0x30f8") == TX_SILENT);
    CHECK(odos_built_with(ROUTER_AT, "") == TX_SILENT);
    CHECK(odos_built_with("\"transaction\"", "\"action\"") == TX_SILENT);
    CHECK(service_built(&odos, &dear, whole, 200, &out) == TX_TOO_LITTLE);
    CHECK(service_built(&odos, &tx, nameless, 200, &out) == TX_SILENT);
    CHECK(service_built(&odos, &tx, refused, 400, &out) == TX_NO_ROUTE);
    CHECK(service_built(&odos, &tx, refused, 429, &out) == TX_SILENT);
    CHECK(service_built(&odos, &tx, silent, 200, &out) == TX_SILENT);
}

static void odos_test_start(void)
{
    service_open("provider.odos.url = http://127.0.0.1:1/o", NULL);
    in = service_pair("ethereum", "USDC", "ethereum", "USDT", "1000000");
    in.slippage.value = 30000;
}

static void odos_test_end(void)
{
    service_close();
}

TEST_MAIN(TEST(odos_test_start), TEST(odos_serves), TEST(odos_is_asked), TEST(odos_is_switched),
          TEST(odos_offers), TEST(odos_lies), TEST(odos_refuses), TEST(odos_builds), TEST(odos_builds_badly),
          TEST(odos_test_end))
