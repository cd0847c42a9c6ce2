#include "route/across.c"
#include "route/test_service_answers.h"
#include "venue/trade.h"

#define USDC      "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
#define BASE_USDC "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
#define WETH      "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
#define BASE_WETH "0x4200000000000000000000000000000000000006"
#define POOL      "0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5"
#define BSC_USDC  "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d"
#define BSC_POOL  "0x4e8E101924eDE233C13e2D8622DC8aED2872d505"
#define RELAYER   "0xFD03AbCAdaF3F930fA4E37Eb2f6ea3A44a41b7F0"
#define TX        "0x5f7a0c2c8d0e3b8d1c2f3e4d5c6b7a8990817263544536271809f0e1d2c3b4a5"
#define FAR_TX    "0x11aa22bb33cc44dd55ee66ff77008811aa22bb33cc44dd55ee66ff7700881122"

#define SIDE(name, token, chain)                                                                             \
    "\"" name "\":{\"address\":\"" token "\",\"symbol\":\"T\",\"decimals\":6,\"chainId\":" chain "}"
#define FEES(fee, out, from, to)                                                                             \
    "{\"estimatedFillTimeSec\":3,\"capitalFeePct\":\"78750000000001\",\"relayFeeTotal\":\"" fee              \
    "\",\"timestamp\":\"1791139163\",\"isAmountTooLow\":false,\"quoteBlock\":\"26120840\","                  \
    "\"exclusiveRelayer\":\"" RELAYER "\",\"exclusivityDeadline\":1791139303,\"spokePoolAddress\":\"" POOL   \
    "\",\"destinationSpokePoolAddress\":\"0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64\","                     \
    "\"totalRelayFee\":{\"pct\":\"964900000000000\",\"total\":\"" fee                                        \
    "\"},\"limits\":{\"minDeposit\":\"500154\",\"maxDeposit\":\"1389862444460\"},"                           \
    "\"fillDeadline\":\"1791146363\",\"outputAmount\":\"" out "\"," from "," to ",\"id\":\"n947p\"}"

static const char token_fees[] =
    FEES("9649", "9990351", SIDE("inputToken", USDC, "1"), SIDE("outputToken", BASE_USDC, "8453"));
static const char coin_fees[] = FEES("78892229181925", "999921107770818075", SIDE("inputToken", WETH, "1"),
                                     SIDE("outputToken", BASE_WETH, "8453"));

static struct route_in token_pair(void)
{
    return service_pair("ethereum", "USDC", "base", "USDC", "10000000");
}

static struct route_in coin_pair(void)
{
    return service_pair("ethereum", "ETH", "base", "ETH", "1000000000000000000");
}

static void across_serves_bridges_of_its_chains(void)
{
    const struct chain *ethereum = chain_find("ethereum");

    CHECK(!across.supports(ethereum, ethereum));
    CHECK(!across.supports(ethereum, chain_find("fantom")) &&
          !across.supports(ethereum, chain_find("scroll")) &&
          !across.supports(chain_find("scroll"), ethereum) &&
          !across.supports(chain_find("solana"), ethereum));
    for (const char *const *key = across_chains; *key != NULL; key++) {
        const struct chain *c = chain_find(*key);

        CHECK(contract_of(c, &across_spoke_pool) != NULL && token_wrapped_native(c) != NULL);
        CHECK(c == ethereum || (across.supports(ethereum, c) && across.supports(c, ethereum)));
    }
}

static void across_is_asked_for_fees(void)
{
    struct route_in in = token_pair();
    struct call call;

    service_open("", "across");
    CHECK(across.ask(&call, &service_ctx, &in, service_arena));
    CHECK_STR(call.url, "https://app.across.to/api/suggested-fees?inputToken=" USDC "&outputToken=" BASE_USDC
                        "&originChainId=1&destinationChainId=8453&amount=10000000&recipient=" SERVICE_WALLET);
    CHECK(service_has_header(&call, "Authorization: Bearer secret-1"));
    call_free(&call);
    service_close();
    in = token_pair();
    service_open("provider.across.integrator = 0x00fe", "across");
    CHECK(across.ask(&call, &service_ctx, &in, service_arena));
    CHECK_STR(strstr(call.url, "&recipient="), "&recipient=" SERVICE_WALLET "&integratorId=0x00fe");
    call_free(&call);
    service_close();
    service_open("", NULL);
    in = coin_pair();
    in.wallet = NULL;
    CHECK(across.ask(&call, &service_ctx, &in, service_arena));
    CHECK(strstr(call.url, "inputToken=" WETH "&outputToken=" BASE_WETH "&") != NULL);
    CHECK(strstr(call.url, "&recipient=" WIRE_NOBODY) != NULL);
    call_free(&call);
    in = service_pair("ethereum", "ETH", "base", "WETH", "1"); /* which a wallet does not get */
    CHECK(!across.ask(&call, &service_ctx, &in, service_arena));
    service_close();
}

static void across_offers(void)
{
    struct route_in in = token_pair();
    struct route_answer out;

    service_open("", NULL);
    CHECK(service_offers(&across, &in, 200, token_fees, &out) == ASK_OFFERED);
    CHECK(service_amount_is(out.offers[0].out, "9990351") && u256_is_zero(out.offers[0].min_out));
    CHECK(out.offers[0].gas_units == ACROSS_GAS && out.offers[0].seconds == 3);
    service_lies(&across, &in, token_fees);
    in = coin_pair();
    CHECK(service_offers(&across, &in, 200, coin_fees, &out) == ASK_OFFERED);
    CHECK(service_amount_is(out.offers[0].out, "999921107770818075"));
    service_close();
}

/* Dollars have 18 places on bsc. */
static void decimals_may_differ_between_chains(void)
{
    static const char fees[] = FEES("9649000000000000", "9990351", SIDE("inputToken", BSC_USDC, "56"),
                                    SIDE("outputToken", USDC, "1")),
                      back[] = FEES("9649", "9990351000000000000", SIDE("inputToken", USDC, "1"),
                                    SIDE("outputToken", BSC_USDC, "56"));
    const struct route_in in = service_pair("bsc", "USDC", "ethereum", "USDC", "10000000000000000000"),
                          home = service_pair("ethereum", "USDC", "bsc", "USDC", "10000000");
    struct route_answer out;

    service_open("", NULL);
    CHECK(service_offers(&across, &in, 200, service_with(fees, POOL, BSC_POOL), &out) == ASK_OFFERED);
    CHECK(service_amount_is(out.offers[0].out, "9990351"));
    CHECK(service_end(&across, &in, 200,
                      service_with(service_with(fees, POOL, BSC_POOL), "\"9990351\"", "\"10000001\"")) ==
          ASK_UNAVAILABLE);
    CHECK(service_offers(&across, &home, 200, back, &out) == ASK_OFFERED);
    CHECK(service_amount_is(out.offers[0].out, "9990351000000000000"));
    CHECK(service_end(&across, &home, 200,
                      service_with(back, "\"9990351000000000000\"", "\"10000000000000000010\"")) ==
          ASK_UNAVAILABLE);
    service_close();
}

static void across_refuses(void)
{
    static const struct {
        const char *code;
        enum ask_end end;
    } rows[] = {
        { "AMOUNT_TOO_LOW", ASK_TOO_SMALL },       { "AMOUNT_TOO_HIGH", ASK_NO_ROUTE },
        { "ROUTE_NOT_ENABLED", ASK_NO_ROUTE },     { "INVALID_PARAM", ASK_NO_ROUTE },
        { "UPSTREAM_RPC_ERROR", ASK_UNAVAILABLE }, { "UPSTREAM_GATEWAY_TIMEOUT", ASK_TIMEOUT },
        { "SOMETHING_NEW", ASK_NO_ROUTE },
    };
    const struct route_in in = token_pair();

    service_open("", NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(service_end(&across, &in, 400,
                          arena_printf(service_arena,
                                       "{\"type\":\"AcrossApiError\",\"code\":\"%s\",\"status\":400,"
                                       "\"message\":\"no\"}",
                                       rows[i].code)) == rows[i].end);
    CHECK(service_end(&across, &in, 404, "{\"type\":\"AcrossApiError\",\"status\":404}") == ASK_NO_ROUTE);
    CHECK(service_end(&across, &in, 429, "Too Many Requests") == ASK_RATE_LIMITED);
    CHECK(service_end(&across, &in, 401, "{\"message\":\"Unauthorized\"}") == ASK_REFUSED);
    CHECK(service_end(&across, &in, 500, "") == ASK_UNAVAILABLE);
    service_close();
}

static void across_lies(void)
{
    static const struct service_change changes[] = {
        { "\"isAmountTooLow\":false", "\"isAmountTooLow\":true", ASK_TOO_SMALL },
        { "\"address\":\"" USDC, "\"address\":\"" BASE_USDC, ASK_UNAVAILABLE },
        { BASE_USDC, USDC, ASK_UNAVAILABLE },
        { "\"chainId\":8453", "\"chainId\":10", ASK_UNAVAILABLE },
        { "\"chainId\":1}", "\"chainId\":10}", ASK_UNAVAILABLE },
        { "\"inputToken\"", "\"input\"", ASK_UNAVAILABLE },
        { POOL, SERVICE_STRANGER, ASK_UNAVAILABLE },
        { "\"spokePoolAddress\"", "\"pool\"", ASK_UNAVAILABLE },
        { "\"9990351\"", "\"9990352\"", ASK_UNAVAILABLE }, /* more than the fee leaves */
        { "\"9990351\"", "\"9990350\"", ASK_UNAVAILABLE },
        { "\"9990351\"", "-9990351", ASK_UNAVAILABLE },
        { "\"9990351\"", "9.990351e6", ASK_UNAVAILABLE },
        { "\"9990351\"", "\"115792089237316195423570985008687907853269984665640564039457584007913129639936\"",
          ASK_UNAVAILABLE },
        { "\"total\":\"9649\"", "\"total\":\"10000001\"", ASK_UNAVAILABLE },
        { "\"totalRelayFee\"", "\"fee\"", ASK_UNAVAILABLE },
        { "1791139163", "4294967296", ASK_UNAVAILABLE },
        { "1791146363", "4294967296", ASK_UNAVAILABLE },
        { "1791139303", "4294967296", ASK_UNAVAILABLE },
        { "1791139303", "-1", ASK_UNAVAILABLE },
        { "1791146363", "1791139163", ASK_UNAVAILABLE }, /* over before it began */
        { "\"estimatedFillTimeSec\":3", "\"estimatedFillTimeSec\":-3", ASK_UNAVAILABLE },
        { RELAYER, "nobody", ASK_UNAVAILABLE },
        { NULL, NULL, ASK_UNAVAILABLE },
    };
    const struct route_in in = token_pair();

    service_open("", NULL);
    service_reads_changes(&across, &in, token_fees, changes);
    CHECK(service_end(&across, &in, 200,
                      service_with(service_with(token_fees, "\"9990351\"", "\"0\""), "\"total\":\"9649\"",
                                   "\"total\":\"10000000\"")) == ASK_TOO_SMALL);
    service_close();
}

static enum tx_end built(struct route_in route, const char *answer, struct wallet_call *out)
{
    const char *const answers[] = { answer, NULL };
    const struct tx_in in = { .route = route, .min_out = u256_from_u64(9990000) };

    return service_built(&across, &in, answers, 200, out);
}

/* The trade as the signer will read it. */
static struct trade trade_of(const struct wallet_call *call)
{
    const struct evm_tx tx = { .chain_id = 1,
                               .to = evm_addr_or_zero(call->to),
                               .value = call->value,
                               .data = call->data,
                               .data_len = call->data_len };
    struct trade t;

    CHECK(trade_read_evm(&t, chain_by_id(1), &tx, SERVICE_WALLET, NO_PROOF) == TRADE_READ);
    CHECK(t.act == TRADE_BRIDGE && t.far_chain == 8453 && t.far_deadline == 1791146363);
    CHECK_STR(t.recipient, SERVICE_WALLET);
    CHECK_STR(t.refund, SERVICE_WALLET);
    return t;
}

static void across_builds(void)
{
    struct wallet_call out;
    struct trade t;

    service_open("", NULL);
    CHECK(built(token_pair(), token_fees, &out) == TX_READY);
    CHECK_STR(out.to, POOL);
    CHECK_STR(out.spender, POOL);
    CHECK(out.refund_after == 1791146363 && out.seconds == 3 && out.reference == NULL);
    CHECK(u256_is_zero(out.value) && service_amount_is(out.min_out, "9990351"));
    t = trade_of(&out);
    CHECK(service_amount_is(t.amount, "10000000") && service_amount_is(t.minimum, "9990351"));
    CHECK_STR(t.sell, USDC);
    CHECK_STR(t.buy, BASE_USDC);
    CHECK(built(coin_pair(), coin_fees, &out) == TX_READY && out.spender == NULL);
    CHECK(service_amount_is(out.value, "1000000000000000000"));
    t = trade_of(&out);
    CHECK(u256_cmp(t.value, t.value_spent) == 0 && trade_buys_coin(&t));
    CHECK_STR(t.sell, WETH);
    CHECK(built(token_pair(), service_with(token_fees, POOL, SERVICE_STRANGER), &out) == TX_UNAVAILABLE);
    CHECK(built(token_pair(), "{}", &out) == TX_UNAVAILABLE);
    service_close();
}

#define STATUS(state, tx, far)                                                                               \
    "{\"status\":\"" state "\",\"originChainId\":1,\"depositId\":\"44\",\"depositTxnRef\":\"" tx             \
    "\",\"fillTxnRef\":\"" FAR_TX "\",\"destinationChainId\":" far ",\"depositRefundTxnRef\":\"" TX          \
    "\",\"pagination\":{\"currentIndex\":0,\"maxIndex\":0}}"

static struct bridge_status status_of(int http, const char *answer)
{
    const struct bridge_in in = { .from_chain = chain_find("ethereum"),
                                  .to_chain = chain_find("base"),
                                  .tx = TX };
    struct bridge_status out = { .state = BRIDGE_UNKNOWN };
    struct call call;

    CHECK(across.ask_status(&call, &service_ctx, &in, service_arena));
    CHECK_STR(call.url, "https://app.across.to/api/deposit/status?depositTxnRef=" TX);
    service_plays(&call, http, answer);
    across.read_status(&call, &in, service_arena, &out);
    call_free(&call);
    return out;
}

static void statuses_of_bridges_are_read(void)
{
    struct bridge_status s;

    service_open("", NULL);
    CHECK(status_of(200, STATUS("pending", TX, "8453")).state == BRIDGE_UNDER_WAY);
    CHECK(status_of(200, STATUS("slowFillRequested", TX, "8453")).state == BRIDGE_UNDER_WAY);
    s = status_of(200, STATUS("expired", TX, "8453"));
    CHECK(s.state == BRIDGE_UNDER_WAY && s.tx == NULL);
    s = status_of(200, STATUS("filled", TX, "8453"));
    CHECK(s.state == BRIDGE_DONE && s.token == NULL);
    CHECK_STR(s.tx, FAR_TX);
    s = status_of(200, STATUS("refunded", TX, "8453"));
    CHECK(s.state == BRIDGE_REFUNDED);
    CHECK_STR(s.tx, TX);
    CHECK_STR(s.token, WETH);
    CHECK(status_of(200, STATUS("somehow", TX, "8453")).state == BRIDGE_UNKNOWN);
    CHECK(status_of(200, STATUS("filled", FAR_TX, "8453")).state == BRIDGE_UNKNOWN); /* of another deposit */
    CHECK(status_of(200, STATUS("filled", TX, "10")).state == BRIDGE_UNKNOWN);
    CHECK(status_of(404, "{\"error\":\"DepositNotFoundException\"}").state == BRIDGE_UNKNOWN);
    CHECK(status_of(200, "[]").state == BRIDGE_UNKNOWN && status_of(200, "x").state == BRIDGE_UNKNOWN);
    service_close();
}

TEST_MAIN(TEST(across_serves_bridges_of_its_chains), TEST(across_is_asked_for_fees), TEST(across_offers),
          TEST(decimals_may_differ_between_chains), TEST(across_refuses), TEST(across_lies),
          TEST(across_builds), TEST(statuses_of_bridges_are_read))
