#include "route/relay.c"
#include "route/test_service.h"

#define USDC      "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
#define BASE_USDC "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
#define VAULT     "0x4cD00E387622C35bDDB9b4c962C136462338BC31"
#define TX        "0x5f7a0c2c8d0e3b8d1c2f3e4d5c6b7a8990817263544536271809f0e1d2c3b4a5"
#define FAR_TX    "0x11aa22bb33cc44dd55ee66ff77008811aa22bb33cc44dd55ee66ff7700881122"
#define REQUEST   "0x92b99e6e1ee1deeb9531b5ad7f87091b3d71254b3176de9e8b5f6c6d0bd3a331"
#define ORDER_ID  "0xd667fdcaad0eda9a75369d4b8ae5e4940388cee47b3bee998d466a461cd1259b"
/* The first of the two orders that lib/venue/test_relay_calls.c has from an independent library. */
#define SAME(a) "0x" a a a a a a a a a a a a a a a a a a a a
#define ME      SAME("a1")
#define ROUTER  "0x000000000000000000000000b92fe925dc43a0ecde6c8b1a2709c170ec4fff4f"
#define PAYMENT                                                                                              \
    "{\"recipient\":\"" ME "\",\"currency\":\"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913\","                 \
    "\"minimumAmount\":\"2900000000\",\"expectedAmount\":\"3000000000\"}"
#define ORDER                                                                                                   \
    "{\"version\":\"v1\",\"solverChainId\":\"base\",\"solver\":\"" SAME(                                        \
        "51") "\",\"salt\":\"0x7\","                                                                            \
              "\"inputs\":[{\"payment\":{\"chainId\":\"ethereum\",\"currency\":\"" EVM_ADDR_ZERO                \
              "\",\"amount\":\"1000000000000000000\",\"weight\":\"1\"},\"refunds\":[{\"chainId\":\"ethereum\"," \
              "\"recipient\":\"" ME "\",\"currency\":\"" EVM_ADDR_ZERO                                          \
              "\",\"minimumAmount\":\"0\",\"deadline\":1800000000,\"extraData\":\"" ROUTER "\"}]}],"            \
              "\"output\":{\"chainId\":\"base\",\"payments\":[" PAYMENT                                         \
              "],\"deadline\":1800000000,\"calls\":[],\"extraData\":\"" ROUTER "\"},\"fees\":[]}"
#define APPROVAL                                                                                             \
    "0x095ea7b30000000000000000000000004cd00e387622c35bddb9b4c962c136462338bc31"                             \
    "00000000000000000000000000000000000000000000000000000000017d7840"

#define STEP(id, data)                                                                                       \
    "{\"id\":\"" id "\",\"kind\":\"transaction\",\"requestId\":\"" REQUEST                                   \
    "\",\"items\":[{\"status\":\"incomplete\",\"data\":{\"from\":\"" SERVICE_WALLET "\"," data               \
    ",\"chainId\":1,\"maxFeePerGas\":\"1\"},\"check\":{\"endpoint\":\"/x\",\"method\":\"GET\"}}]}"
#define SIDE(chain, token, amount, minimum)                                                                  \
    "{\"currency\":{\"chainId\":" chain ",\"address\":\"" token "\",\"decimals\":6},\"amount\":\"" amount    \
    "\",\"amountUsd\":\"25\",\"minimumAmount\":\"" minimum "\"}"
#define DETAILS(from, in)                                                                                    \
    "\"details\":{\"operation\":\"swap\",\"sender\":\"" SERVICE_WALLET "\",\"recipient\":\"" SERVICE_WALLET  \
    "\",\"currencyIn\":" SIDE("1", from, in, in) ",\"currencyOut\":" SIDE(                                   \
        "8453", BASE_USDC, "24990000", "24740100") ",\"timeEstimate\":3,\"rate\":\"1\"}"
#define PROTOCOL                                                                                             \
    "\"protocol\":{\"v2\":{\"orderId\":\"" ORDER_ID "\",\"orderData\":" ORDER                                \
    ",\"paymentDetails\":{\"chainId\":\"ethereum\",\"depository\":\"" VAULT "\"}}}"

static const char token_quote[] =
    "{\"steps\":[" STEP("approve", "\"to\":\"" USDC "\",\"data\":\"" APPROVAL "\",\"value\":\"0\"") "," STEP(
        "deposit",
        "\"to\":\"" VAULT
        "\",\"data\":\"0xe801795200\",\"value\":\"0\",\"gas\":\"81234\"") "],\"fees\":{}," DETAILS(USDC,
                                                                                                   "25000000") "," PROTOCOL
                                                                                                               "}";
static const char coin_quote[] = "{\"steps\":[" STEP(
    "deposit", "\"to\":\"" VAULT
               "\",\"data\":\"0x49290c1c00\",\"value\":\"8000000\"") "]," DETAILS(EVM_ADDR_ZERO,
                                                                                  "8000000") "," PROTOCOL "}";

static struct route_in relay_token_pair(void)
{
    return service_pair("ethereum", "USDC", "base", "USDC", "25000000");
}

static struct route_in relay_coin_pair(void)
{
    return service_pair("ethereum", "ETH", "base", "USDC", "8000000");
}

static void relay_serves_bridges_of_its_chains(void)
{
    const struct chain *ethereum = chain_find("ethereum");

    CHECK(!relay.supports(ethereum, ethereum));
    CHECK(!relay.supports(ethereum, chain_find("fantom")) && relay.supports(ethereum, chain_find("solana")));
    CHECK(relay.supports(ethereum, chain_find("base")) && relay.supports(chain_find("base"), ethereum));
    CHECK(relay.supports(chain_find("solana"), ethereum) &&
          !relay.supports(chain_find("solana"), chain_find("solana")));
}

static void relay_is_asked_for_quotes(void)
{
    struct route_in in = relay_token_pair();
    struct call call;

    in.recipient = SERVICE_STRANGER;
    service_open("provider.relay.fee_bps = 20\nprovider.relay.fee_receiver = " SERVICE_STRANGER, "relay");
    CHECK(relay.ask(&call, &service_ctx, &in, service_arena));
    CHECK_STR(call.url, "https://api.relay.link/quote/v3");
    CHECK_STR(buf_text(&call.body),
              "{\"user\":\"" SERVICE_WALLET "\",\"recipient\":\"" SERVICE_STRANGER
              "\",\"refundTo\":\"" SERVICE_WALLET "\",\"originChainId\":1,\"destinationChainId\":8453,"
              "\"originCurrency\":\"" USDC "\",\"destinationCurrency\":\"" BASE_USDC
              "\",\"amount\":\"25000000\",\"tradeType\":\"EXACT_INPUT\",\"slippageTolerance\":\"100\","
              "\"includeProtocolData\":true,\"appFees\":[{\"recipient\":\"" SERVICE_STRANGER
              "\",\"fee\":\"20\"}]}");
    CHECK(service_has_header(&call, "x-api-key: secret-1"));
    call_free(&call);
    service_close();
    service_open("", NULL);
    in = relay_coin_pair();
    in.wallet = NULL;
    CHECK(relay.ask(&call, &service_ctx, &in, service_arena));
    CHECK_STR(call.url, "https://api.relay.link/quote/v2");
    CHECK(strstr(buf_text(&call.body), "\"user\":\"" WIRE_NOBODY "\"") != NULL);
    CHECK(strstr(buf_text(&call.body), "\"originCurrency\":\"" EVM_ADDR_ZERO "\"") != NULL);
    call_free(&call);
    service_close();
}

static void relay_is_asked_for_solana_recipients(void)
{
    static const char far[] = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM";
    struct route_in in = service_pair("ethereum", "USDC", "solana", "SOL", "25000000");
    struct call call;

    in.recipient = far;
    service_open("", NULL);
    CHECK(relay.ask(&call, &service_ctx, &in, service_arena));
    CHECK(strstr(buf_text(&call.body), "\"recipient\":\"9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM\","
                                       "\"refundTo\":\"" SERVICE_WALLET "\",\"originChainId\":1,"
                                       "\"destinationChainId\":792703809,") != NULL);
    CHECK(strstr(buf_text(&call.body), "\"destinationCurrency\":\"11111111111111111111111111111111\"") !=
          NULL);
    call_free(&call);
    in = service_pair("ethereum", "USDC", "solana", "WSOL", "25000000");
    CHECK(!relay.ask(&call, &service_ctx, &in, service_arena));
    service_close();
}

static void relay_offers(void)
{
    struct route_in in = relay_token_pair();
    struct route_answer out;

    service_open("", NULL);
    CHECK(service_offers(&relay, &in, 200, token_quote, &out) == ASK_OFFERED);
    CHECK(service_amount_is(out.offers[0].out, "24990000") && out.offers[0].gas_units == 81234);
    CHECK(service_amount_is(out.offers[0].min_out, "24740100") && out.offers[0].seconds == 3);
    service_lies(&relay, &in, token_quote);
    in = relay_coin_pair();
    CHECK(service_offers(&relay, &in, 200, coin_quote, &out) == ASK_OFFERED);
    CHECK(out.offers[0].gas_units == PROVIDER_JSON_GAS);
    service_close();
}

/* A step of the third version is what the only item of one was. */
static void relay_offers_flatter(void)
{
    static const char before[] =
        "\"requestId\":\"" REQUEST "\",\"items\":[{\"status\":\"incomplete\",\"data\":";
    static const char check[] = "\"check\":{\"endpoint\":\"/x\",\"method\":\"GET\"}}]}";
    const char *flat;
    struct route_in in = relay_coin_pair();
    struct route_answer out;

    service_open("", "relay");
    flat = service_with(coin_quote, before, "\"data\":");
    flat = service_with(flat, check, "\"check\":{}}");
    CHECK(service_end(&relay, &in, 200, flat) == ASK_NO_ROUTE);
    flat = service_with(flat, "{", "{\"requestId\":\"" REQUEST "\",");
    CHECK(service_offers(&relay, &in, 200, flat, &out) == ASK_OFFERED);
    CHECK(service_amount_is(out.offers[0].out, "24990000"));
    service_lies(&relay, &in, flat);
    service_close();
}

static void relay_refuses(void)
{
    static const struct {
        const char *code;
        enum ask_end end;
    } rows[] = {
        { "AMOUNT_TOO_LOW", ASK_TOO_SMALL },      { "NO_QUOTES", ASK_NO_ROUTE },
        { "UNAUTHORIZED_QUOTE", ASK_REFUSED },    { "PRICE_FETCH_FAILED", ASK_UNAVAILABLE },
        { "REQUEST_TIMED_OUT", ASK_UNAVAILABLE }, { "SERVICE_UNAVAILABLE", ASK_UNAVAILABLE },
        { "NO_SWAP_ROUTES_FOUND", ASK_NO_ROUTE }, { "INSUFFICIENT_LIQUIDITY", ASK_NO_ROUTE },
        { "UNSUPPORTED_CURRENCY", ASK_REFUSED },  { "CHAIN_DISABLED", ASK_REFUSED },
        { "UNAUTHORIZED", ASK_REFUSED },          { "SWAP_QUOTE_FAILED", ASK_UNAVAILABLE },
        { "SOMETHING_NEW", ASK_NO_ROUTE },
    };
    const struct route_in in = relay_token_pair();

    service_open("", NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(service_end(&relay, &in, 400,
                          arena_printf(service_arena, "{\"message\":\"no\",\"errorCode\":\"%s\"}",
                                       rows[i].code)) == rows[i].end);
    CHECK(service_end(&relay, &in, 429, "{\"message\":\"slow\"}") == ASK_RATE_LIMITED);
    CHECK(service_end(&relay, &in, 401, "{\"message\":\"no\"}") == ASK_REFUSED);
    CHECK(service_end(&relay, &in, 500, "") == ASK_UNAVAILABLE);
    service_close();
}

/* Steps beyond a deposit, or a deposit without a binding order. */
static void steps_other_than_a_deposit_are_refused(void)
{
    static const char *const others[][2] = {
        { "\"id\":\"deposit\"", "\"id\":\"swap\"" },
        { "\"id\":\"approve\"", "\"id\":\"authorize\"" },
        { "\"kind\":\"transaction\"", "\"kind\":\"signature\"" },
        { "{\"steps\":[", "{\"steps\":[{\"id\":\"send\",\"kind\":\"transaction\"}," },
        { "\"items\":[", "\"items\":[{}," },
        { "\"protocol\"", "\"another\"" },
        { "\"v2\"", "\"v1\"" },
        { ORDER_ID, "0x1234" },
        { ORDER, "null" },
    };
    const struct route_in in = relay_token_pair();

    service_open("", NULL);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        CHECK(service_end(&relay, &in, 200, service_with(token_quote, others[i][0], others[i][1])) ==
              ASK_NO_ROUTE);
    service_close();
}

static void relay_lies(void)
{
    static const char *const lies[][2] = {
        { "\"chainId\":8453", "\"chainId\":1" },
        { BASE_USDC, USDC },
        { "\"address\":\"" USDC, "\"address\":\"" BASE_USDC },
        { "\"amount\":\"25000000\"", "\"amount\":\"25000001\"" },
        { "\"recipient\":\"" SERVICE_WALLET, "\"recipient\":\"" SERVICE_STRANGER },
        { "\"sender\":\"" SERVICE_WALLET, "\"sender\":\"" SERVICE_STRANGER },
        { "\"24990000\"", "-24990000" },
        { "\"24990000\"", "2.499e7" },
        { "\"24990000\"",
          "\"115792089237316195423570985008687907853269984665640564039457584007913129639936\"" },
        { "\"24740100\"", "\"24990001\"" },
        { "\"timeEstimate\":3", "\"timeEstimate\":-3" },
        { "\"details\"", "\"more\"" },
    };
    const struct route_in in = relay_token_pair();

    service_open("", NULL);
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++)
        CHECK(service_end(&relay, &in, 200, service_with(token_quote, lies[i][0], lies[i][1])) ==
              ASK_UNAVAILABLE);
    CHECK(service_end(&relay, &in, 200, service_with(token_quote, "24740100", "0")) == ASK_TOO_SMALL);
    service_close();
}

static enum tx_end relay_built(struct route_in route, const char *answer, struct wallet_call *out)
{
    struct tx_in in = { .route = route, .min_out = u256_from_u64(24740000) };
    enum tx_end end;
    struct call call;

    *out = (struct wallet_call){ .to = NULL };
    CHECK(relay.ask_tx(&call, &service_ctx, &in, service_arena));
    CHECK(strstr(buf_text(&call.body), "\"slippageTolerance\":\"50\"") != NULL);
    service_plays(&call, 200, answer);
    end = relay.read_tx(&call, &in, service_arena, out);
    call_free(&call);
    return end;
}

static void relay_builds(void)
{
    struct wallet_call out;
    struct relay_order order;
    uint8_t id[HASH_LEN];

    service_open("", NULL);
    CHECK(relay_built(relay_token_pair(), token_quote, &out) == TX_READY);
    CHECK_STR(out.to, VAULT);
    CHECK_STR(out.spender, VAULT);
    CHECK_STR(out.reference, REQUEST);
    CHECK(relay_order_read(&order, out.proof, out.proof_len));
    relay_order_id(id, &order);
    CHECK_STR(relay_hash_text(id, service_arena), ORDER_ID);
    CHECK(u256_is_zero(out.value) && out.data_len == 5 && out.gas_units == 81234);
    CHECK(service_amount_is(out.min_out, "24740100"));
    CHECK(relay_built(relay_coin_pair(), coin_quote, &out) == TX_READY);
    CHECK(out.spender == NULL && service_amount_is(out.value, "8000000"));
    service_close();
}

static void relay_lies_about_transactions(void)
{
    static const char *const lies[][2] = {
        { "\"data\":\"0xe801795200\",\"value\":\"0\"", "\"data\":\"0xe801795200\",\"value\":\"1\"" },
        { "\"to\":\"" VAULT, "\"to\":\"" SERVICE_STRANGER }, /* not whom the approval is for */
        { "17d7840", "17d7841" },
        { "\"to\":\"" USDC, "\"to\":\"" BASE_USDC },
        { "0xe801795200", "0x" },
        /* Orders that are not the one that the deposit names, or not such as are signed. */
        { "\"minimumAmount\":\"2900000000\"", "\"minimumAmount\":\"2899999999\"" },
        { "\"salt\":\"0x7\"", "\"salt\":\"0x8\"" },
        { "\"calls\":[]", "\"calls\":[\"0x12\"]" },
        { "\"calls\":[]", "\"calls\":0" },
        { PAYMENT, PAYMENT "," PAYMENT },
        { "\"deadline\":1800000000", "\"deadline\":4294967296" },
        { "\"fees\":[]", "\"fees\":[{}]" },
        { "\"fees\":[]", "\"fees\":[{},{},{},{},{}]" },
    };
    struct wallet_call out;

    service_open("", NULL);
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++)
        CHECK(relay_built(relay_token_pair(), service_with(token_quote, lies[i][0], lies[i][1]), &out) ==
              TX_UNAVAILABLE);
    CHECK(relay_built(relay_coin_pair(),
                      service_with(coin_quote, "\"value\":\"8000000\"", "\"value\":\"8000001\""),
                      &out) == TX_UNAVAILABLE);
    CHECK(relay_built(relay_coin_pair(),
                      service_with(coin_quote, "\"chainId\":1,\"max", "\"chainId\":8453,\"max"),
                      &out) == TX_UNAVAILABLE);
    CHECK(relay_built(relay_coin_pair(), service_with(coin_quote, SERVICE_WALLET, SERVICE_STRANGER), &out) ==
          TX_UNAVAILABLE);
    CHECK(relay_built(relay_token_pair(), service_with(token_quote, "\"v2\"", "\"v1\""), &out) ==
          TX_NO_ROUTE);
    service_close();
}

static struct bridge_status relay_status(const char *status, const char *seen, int to_chain)
{
    const struct bridge_in in = {
        .from_chain = chain_find("ethereum"), .to_chain = chain_find("base"), .tx = TX, .reference = REQUEST
    };
    struct bridge_status out = { .state = BRIDGE_UNKNOWN };
    struct call call;

    CHECK(relay.ask_status(&call, &service_ctx, &in, service_arena));
    CHECK_STR(call.url, "https://api.relay.link/intents/status/v3?requestId=" REQUEST);
    service_plays(&call, 200,
                  arena_printf(service_arena,
                               "{\"status\":\"%s\",\"inTxHashes\":[%s],\"txHashes\":[\"" FAR_TX
                               "\"],\"originChainId\":1,\"destinationChainId\":%d,\"updatedAt\":1}",
                               status, seen, to_chain));
    relay.read_status(&call, &in, service_arena, &out);
    call_free(&call);
    return out;
}

static void statuses_of_bridges_are_read(void)
{
    static const struct {
        const char *status;
        enum bridge_state state;
    } rows[] = {
        { "waiting", BRIDGE_UNDER_WAY }, { "depositing", BRIDGE_UNDER_WAY },
        { "pending", BRIDGE_UNDER_WAY }, { "submitted", BRIDGE_UNDER_WAY },
        { "delayed", BRIDGE_UNDER_WAY }, { "success", BRIDGE_DONE },
        { "refund", BRIDGE_REFUNDED },   { "failure", BRIDGE_FAILED },
        { "received", BRIDGE_UNKNOWN },  { "", BRIDGE_UNKNOWN },
    };

    service_open("", NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(relay_status(rows[i].status, "\"" TX "\"", 8453).state == rows[i].state);
    CHECK_STR(relay_status("success", "\"" TX "\"", 8453).tx, FAR_TX);
    CHECK(relay_status("waiting", "", 8453).state == BRIDGE_UNDER_WAY);
    CHECK(relay_status("success", "\"" FAR_TX "\"", 8453).state == BRIDGE_UNKNOWN); /* of another deposit */
    CHECK(relay_status("success", "\"" TX "\"", 10).state == BRIDGE_UNKNOWN);
    CHECK(relay_status("success", "7,\"\"", 8453).state == BRIDGE_UNKNOWN);
    service_close();
}

TEST_MAIN(TEST(relay_serves_bridges_of_its_chains), TEST(relay_is_asked_for_quotes),
          TEST(relay_is_asked_for_solana_recipients), TEST(relay_offers), TEST(relay_offers_flatter),
          TEST(relay_refuses), TEST(steps_other_than_a_deposit_are_refused), TEST(relay_lies),
          TEST(relay_builds), TEST(relay_lies_about_transactions), TEST(statuses_of_bridges_are_read))
