#include "route/lifi.c"
#include "route/test_service.h"

#define USDC      "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
#define WETH      "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
#define BASE_USDC "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
#define DIAMOND   "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE"
#define TX        "0x5f7a0c2c8d0e3b8d1c2f3e4d5c6b7a8990817263544536271809f0e1d2c3b4a5"
#define FAR_TX    "0x11aa22bb33cc44dd55ee66ff77008811aa22bb33cc44dd55ee66ff7700881122"

#define ACTION(to_chain, to)                                                                                 \
    "\"action\":{\"fromChainId\":1,\"toChainId\":" to_chain ",\"fromToken\":{\"address\":\"" EVM_ADDR_ZERO   \
    "\",\"chainId\":1,\"decimals\":18},\"toToken\":{\"address\":\"" to "\",\"chainId\":" to_chain            \
    "},\"fromAmount\":\"1000000000000000000\",\"slippage\":0.01,\"fromAddress\":\"" SERVICE_WALLET           \
    "\",\"toAddress\":\"" SERVICE_WALLET "\"}"
#define FEE(place, included)                                                                                 \
    "{\"name\":\"a fee\",\"token\":{\"address\":\"" EVM_ADDR_ZERO "\",\"chainId\":" place                    \
    "},\"amount\":\"2500\",\"included\":" included "}"
#define REQUEST(value)                                                                                       \
    "\"transactionRequest\":{\"to\":\"" DIAMOND "\",\"from\":\"" SERVICE_WALLET                              \
    "\",\"data\":\"0xaf7060fd00\",\"value\":\"" value "\",\"gasPrice\":\"0x1\",\"gasLimit\":\"0xb4d92\","    \
    "\"chainId\":1}"
#define ANSWER(to_chain, to, fees, value)                                                                            \
    "{\"type\":\"lifi\",\"id\":\"1\",\"tool\":\"across\"," ACTION(                                                   \
        to_chain,                                                                                                    \
        to) ",\"estimate\":{\"tool\":"                                                                               \
            "\"across\",\"approvalAddress\":\"" DIAMOND "\",\"toAmountMin\":\"2970000000\",\"toAmount\":"            \
            "\"3000000000\",\"fromAmount\":\"1000000000000000000\",\"feeCosts\":[" fees                              \
            "],\"gasCosts\":[{\"type\":"                                                                             \
            "\"APPROVE\",\"estimate\":\"46000\"},{\"type\":\"SEND\",\"estimate\":\"569811\",\"limit\":\"740754\"}]," \
            "\"executionDuration\":12.5},\"includedSteps\":[]," REQUEST(value) "}"

/* Ether for dollars: on one chain, and across. */
static const char near_quote[] = ANSWER("1", USDC, FEE("1", "true"), "0xde0b6b3a7640000"),
                  far_quote[] =
                      ANSWER("8453", BASE_USDC, FEE("1", "true") "," FEE("1", "true"), "0xde0b6b3a7640000");

static struct route_in lifi_near_pair(void)
{
    return service_pair("ethereum", "ETH", "ethereum", "USDC", "1000000000000000000");
}

static struct route_in lifi_far_pair(void)
{
    return service_pair("ethereum", "ETH", "base", "USDC", "1000000000000000000");
}

static void lifi_serves_its_chains(void)
{
    const struct chain *ethereum = chain_find("ethereum"), *fantom = chain_find("fantom");

    CHECK(lifi.supports(ethereum, ethereum) && lifi.supports(chain_find("base"), chain_find("base")));
    CHECK(!lifi.supports(fantom, fantom) && !lifi.supports(ethereum, fantom));
    CHECK(lifi.supports(ethereum, chain_find("solana")) && !lifi.supports(chain_find("solana"), ethereum) &&
          !lifi.supports(ethereum, chain_find("ton")));
    CHECK(lifi.supports(ethereum, chain_find("base")) && lifi.supports(chain_find("base"), ethereum));
    for (const char *const *key = (const char *const[]){ "mantle", "gnosis", "scroll", NULL }; *key != NULL;
         key++) {
        const struct chain *c = chain_find(*key);

        CHECK(lifi.supports(c, c) && !lifi.supports(c, ethereum) && !lifi.supports(ethereum, c));
    }
}

static void lifi_is_asked_for_quotes(void)
{
    struct route_in in = lifi_near_pair();
    struct call call;

    service_open("", NULL);
    CHECK(lifi.ask(&call, &service_ctx, &in, service_arena));
    CHECK_STR(call.url, "https://li.quest/v1/quote?fromChain=1&toChain=1&fromToken=" EVM_ADDR_ZERO
                        "&toToken=" USDC "&fromAmount=1000000000000000000&fromAddress=" SERVICE_WALLET
                        "&toAddress=" SERVICE_WALLET "&slippage=0.01&skipSimulation=true");
    call_free(&call);
    in.wallet = NULL;
    CHECK(lifi.ask(&call, &service_ctx, &in, service_arena));
    CHECK(strstr(call.url, "fromAddress=" WIRE_NOBODY "&toAddress=" WIRE_NOBODY "&") != NULL);
    call_free(&call);
    service_close();
}

static void lifi_is_asked_for_bridges(void)
{
    struct route_in in = lifi_far_pair();
    struct call call;

    in.recipient = SERVICE_STRANGER;
    service_open("provider.lifi.fee_receiver = acme\nprovider.lifi.fee_bps = 25", "lifi");
    CHECK(lifi.ask(&call, &service_ctx, &in, service_arena));
    CHECK(strstr(call.url, "&toChain=8453&") != NULL &&
          strstr(call.url, "&fromAddress=" SERVICE_WALLET "&toAddress=" SERVICE_STRANGER "&") != NULL);
    CHECK(strstr(call.url,
                 "&allowBridges=across%2Ccelercircle%2Cpolymer%2CpolymerStandard&allowDestinationCall=false"
                 "&integrator=acme&fee=0.0025") != NULL);
    CHECK(service_has_header(&call, "x-lifi-api-key: secret-1"));
    call_free(&call);
    service_close();
    service_open("provider.lifi.bridges = across", NULL);
    CHECK(lifi.ask(&call, &service_ctx, &in, service_arena));
    CHECK(strstr(call.url, "&allowBridges=across&") != NULL);
    call_free(&call);
    in = service_pair("ethereum", "ETH", "base", "WETH", "8000000");
    CHECK(!lifi.ask(&call, &service_ctx, &in, service_arena));
    in = service_pair("ethereum", "USDC", "ethereum", "WETH", "8000000");
    CHECK(lifi.ask(&call, &service_ctx, &in, service_arena));
    call_free(&call);
    service_close();
}

static void lifi_offers(void)
{
    struct route_in in = lifi_near_pair();
    struct route_answer out;

    service_open("", NULL);
    CHECK(service_offers(&lifi, &in, 200, near_quote, &out) == ASK_OFFERED);
    CHECK(service_amount_is(out.offers[0].out, "3000000000") && u256_is_zero(out.offers[0].fee));
    CHECK(service_amount_is(out.offers[0].min_out, "2970000000") && out.offers[0].gas_units == 569811);
    CHECK(out.offers[0].seconds == 0);
    service_lies(&lifi, &in, near_quote);
    in = lifi_far_pair();
    CHECK(service_offers(&lifi, &in, 200, far_quote, &out) == ASK_OFFERED && out.offers[0].seconds == 12);
    service_close();
}

/* An offer with coin to pay besides the input is refused, under any label: no call that is signed has a place
 * for it. */
static void offers_with_other_payments_are_refused(void)
{
    static const char *const rows[][2] = {
        { "\"included\":true", "\"included\":false" },
        { ",\"included\":true", "" },
        { "\"amount\":\"2500\",\"included\":true", "\"included\":false" },
        { "0xde0b6b3a7640000", "0xde0b6b3a7641388" },
        { "0xde0b6b3a7640000", "0x0" },
    };
    struct route_in in = lifi_far_pair();

    service_open("", NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(service_end(&lifi, &in, 200, service_with(far_quote, rows[i][0], rows[i][1])) ==
              ASK_PAID_BESIDE);
    CHECK(service_end(&lifi, &in, 200,
                      service_with(far_quote, "\"amount\":\"2500\",\"included\":true",
                                   "\"amount\":\"0\",\"included\":false")) == ASK_OFFERED);
    service_close();
}

static void lifi_refuses(void)
{
    static const struct {
        int status;
        const char *body;
        enum ask_end end;
    } rows[] = {
        { 404, "{\"message\":\"no\",\"code\":1002,\"errors\":[]}", ASK_NO_ROUTE },
        { 404, "{\"code\":1002,\"errors\":[{\"errorType\":\"NO_QUOTE\",\"code\":\"NO_POSSIBLE_ROUTE\"}]}",
          ASK_NO_ROUTE },
        { 404,
          "{\"code\":1002,\"errors\":{\"failed\":[{\"subpaths\":{\"a\":[{\"code\":\"AMOUNT_TOO_LOW\"}]}}]}}",
          ASK_TOO_SMALL },
        { 404, "{\"code\":1002,\"errors\":[{\"code\":\"FEES_HIGHER_THAN_AMOUNT\"}]}", ASK_TOO_SMALL },
        { 400, "{\"code\":1011,\"message\":\"AMOUNT_TOO_LOW\"}", ASK_NO_ROUTE },
        { 400, "{\"code\":1001}", ASK_NO_ROUTE },
        { 400, "{\"code\":1005}", ASK_RATE_LIMITED },
        { 429, "{\"code\":1005}", ASK_RATE_LIMITED },
        { 400, "{\"code\":1009}", ASK_TIMEOUT },
        { 400, "{\"code\":1010}", ASK_REFUSED },
        { 401, "", ASK_REFUSED },
        { 500, "{\"code\":1006}", ASK_UNAVAILABLE },
        { 424, "{\"code\":1012}", ASK_UNAVAILABLE },
    };
    const struct route_in in = lifi_near_pair();

    service_open("", NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(service_end(&lifi, &in, rows[i].status, rows[i].body) == rows[i].end);
    CHECK(service_end(&lifi, &in, 200, service_with(near_quote, "2970000000", "0")) == ASK_TOO_SMALL);
    service_close();
}

static void lifi_lies(void)
{
    static const char *const lies[][2] = {
        { "\"toChainId\":8453", "\"toChainId\":1" },
        { "\"fromChainId\":1", "\"fromChainId\":10" },
        { "\"fromToken\":{\"address\":\"" EVM_ADDR_ZERO, "\"fromToken\":{\"address\":\"" WETH },
        { BASE_USDC, USDC },
        { "\"fromAmount\":\"1000000000000000000\"", "\"fromAmount\":\"1\"" },
        { "\"fromAddress\":\"" SERVICE_WALLET, "\"fromAddress\":\"" SERVICE_STRANGER },
        { "\"toAddress\":\"" SERVICE_WALLET, "\"toAddress\":\"" SERVICE_STRANGER },
        { "\"3000000000\"", "\"-3000000000\"" },
        { "\"3000000000\"", "3e9" },
        { "\"3000000000\"",
          "\"115792089237316195423570985008687907853269984665640564039457584007913129639936\"" },
        { "\"2970000000\"", "\"3000000001\"" },
        { "12.5", "-1" },
        { "12.5", "1e10" },
        { "\"estimate\"", "\"guess\"" },
        { "\"action\"", "\"deed\"" },
    };
    const struct route_in in = lifi_far_pair();

    service_open("", NULL);
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++)
        CHECK(service_end(&lifi, &in, 200, service_with(far_quote, lies[i][0], lies[i][1])) ==
              ASK_UNAVAILABLE);
    service_close();
}

static enum tx_end lifi_built(struct route_in route, int status, const char *answer, struct wallet_call *out)
{
    struct tx_in in = { .route = route, .min_out = u256_from_u64(2970000000) };
    enum tx_end end;
    struct call call;

    *out = (struct wallet_call){ .to = NULL };
    CHECK(lifi.ask_tx(&call, &service_ctx, &in, service_arena));
    CHECK(strstr(call.url, "&slippage=0.005&") != NULL);
    service_plays(&call, status, answer);
    end = lifi.read_tx(&call, &in, service_arena, out);
    call_free(&call);
    return end;
}

static void lifi_builds(void)
{
    struct wallet_call out;

    service_open("", NULL);
    CHECK(lifi_built(lifi_near_pair(), 200, near_quote, &out) == TX_READY);
    CHECK_STR(out.to, DIAMOND);
    CHECK(out.spender == NULL && service_amount_is(out.value, "1000000000000000000") && out.data_len == 5);
    CHECK(service_amount_is(out.min_out, "2970000000") && out.reference == NULL);
    CHECK(lifi_built(lifi_far_pair(), 200, far_quote, &out) == TX_READY);
    CHECK(service_amount_is(out.value, "1000000000000000000"));
    service_close();
}

static void lifi_lies_about_transactions(void)
{
    static const char *const lies[][2] = {
        { "0xde0b6b3a7640000", "0xde0b6b3a7640001" },
        { "0xde0b6b3a7640000", "0xde0b6b3a763ffff" },
        { "\"included\":true", "\"included\":false" },
        { "\"from\":\"" SERVICE_WALLET, "\"from\":\"" SERVICE_STRANGER },
        { "\"chainId\":1}}", "\"chainId\":8453}}" },
        { "\"transactionRequest\"", "\"request\"" },
        { "0xaf7060fd00", "0xaf" },
        { "0xaf7060fd00", "base64" },
    };
    struct wallet_call out;

    service_open("", NULL);
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++)
        CHECK(lifi_built(lifi_far_pair(), 200, service_with(far_quote, lies[i][0], lies[i][1]), &out) ==
              TX_UNAVAILABLE);
    CHECK(lifi_built(lifi_far_pair(), 404, "{\"code\":1002}", &out) == TX_NO_ROUTE);
    CHECK(lifi_built(lifi_far_pair(), 429, "", &out) == TX_UNAVAILABLE &&
          lifi_built(lifi_far_pair(), 200, "", &out) == TX_UNAVAILABLE);
    service_close();
}

static struct bridge_status lifi_status(int http, const char *status, const char *substatus,
                                        const char *sending)
{
    const struct bridge_in in = { .from_chain = chain_find("ethereum"),
                                  .to_chain = chain_find("base"),
                                  .tx = TX };
    struct bridge_status out = { .state = BRIDGE_UNKNOWN };
    struct call call;

    CHECK(lifi.ask_status(&call, &service_ctx, &in, service_arena));
    CHECK_STR(call.url, "https://li.quest/v1/status?txHash=" TX "&fromChain=1&toChain=8453");
    service_plays(
        &call, http,
        arena_printf(service_arena,
                     "{\"status\":\"%s\",\"substatus\":\"%s\",\"sending\":{\"txHash\":\"%s\",\"chainId\":1},"
                     "\"receiving\":{\"chainId\":8453,\"txHash\":\"" FAR_TX
                     "\",\"amount\":\"2999\",\"token\":{\"address\":\"" BASE_USDC "\"}}}",
                     status, substatus, sending));
    lifi.read_status(&call, &in, service_arena, &out);
    call_free(&call);
    return out;
}

static void statuses_of_bridges_are_read(void)
{
    static const struct {
        const char *status, *substatus;
        enum bridge_state state;
    } rows[] = {
        { "NOT_FOUND", "", BRIDGE_UNKNOWN },
        { "INVALID", "", BRIDGE_UNKNOWN },
        { "PENDING", "WAIT_SOURCE_CONFIRMATIONS", BRIDGE_UNDER_WAY },
        { "PENDING", "REFUND_IN_PROGRESS", BRIDGE_UNDER_WAY },
        { "DONE", "COMPLETED", BRIDGE_DONE },
        { "DONE", "PARTIAL", BRIDGE_DONE },
        { "DONE", "REFUNDED", BRIDGE_REFUNDED },
        { "DONE", "SOMETHING_NEW", BRIDGE_UNKNOWN },
        { "FAILED", "OUT_OF_GAS", BRIDGE_FAILED },
        { "LOST", "", BRIDGE_UNKNOWN },
    };
    struct bridge_status out;

    service_open("", NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(lifi_status(200, rows[i].status, rows[i].substatus, TX).state == rows[i].state);
    out = lifi_status(200, "DONE", "COMPLETED", TX);
    CHECK_STR(out.tx, FAR_TX);
    CHECK_STR(out.token, BASE_USDC);
    CHECK(service_amount_is(out.amount, "2999"));
    CHECK(lifi_status(200, "DONE", "COMPLETED", FAR_TX).state == BRIDGE_UNKNOWN); /* that of another one */
    CHECK(lifi_status(500, "DONE", "COMPLETED", TX).state == BRIDGE_UNKNOWN);
    CHECK(lifi_status(429, "DONE", "COMPLETED", TX).state == BRIDGE_UNKNOWN);
    service_close();
}

TEST_MAIN(TEST(lifi_serves_its_chains), TEST(lifi_is_asked_for_quotes), TEST(lifi_is_asked_for_bridges),
          TEST(lifi_offers), TEST(offers_with_other_payments_are_refused), TEST(lifi_refuses),
          TEST(lifi_lies), TEST(lifi_builds), TEST(lifi_lies_about_transactions),
          TEST(statuses_of_bridges_are_read))
