#include "route/jupiter.c"
#include "route/test_service_answers.h"

#define SOL_MINT  "So11111111111111111111111111111111111111112"
#define USDC_MINT "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
#define WIF_MINT  "EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm"
#define TAKER     "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
#define STRANGER  "DRpbCBMxVnDK7maPM5tGv6MvB3v1sRMC86PZ8okm21hy"
/* 2^64 */
#define TOO_LARGE "18446744073709551616"

#define ORDER                                                                                                \
    "\"mode\":\"manual\",\"inputMint\":\"" SOL_MINT "\",\"outputMint\":\"" USDC_MINT                         \
    "\",\"inAmount\":\"1000000000\",\"outAmount\":\"149850000\",\"otherAmountThreshold\":\"148351500\","     \
    "\"swapMode\":\"ExactIn\",\"slippageBps\":100,\"inUsdValue\":150.1,\"outUsdValue\":149.87,"              \
    "\"priceImpact\":-0.1,\"priceImpactPct\":\"-0.001\",\"routePlan\":[{\"swapInfo\":{\"ammKey\":"           \
    "\"HTvjzsfX3yU6BUodCjZ5vZkUrAxMDTrBs3CJaq43ashR\",\"label\":\"MeteoraDLMM\"},\"percent\":100}],"         \
    "\"feeMint\":\"" USDC_MINT "\",\"feeBps\":2,\"router\":\"iris\",\"gasless\":false,"                      \
    "\"prioritizationFeeLamports\":21000,\"rentFeeLamports\":2039280,"                                       \
    "\"requestId\":\"0198a1de-7f5c-7e0e-9d0c-2f8a2a6a4c11\","

static const char good[] =
    "{" ORDER "\"signatureFeeLamports\":5000,\"taker\":null,\"transaction\":null,\"totalTime\":210}";
/* "AQID" is no transaction: only the signer reads it. */
static const char built[] =
    "{" ORDER "\"signatureFeeLamports\":5000,\"signatureFeePayer\":\"" TAKER "\",\"taker\":\"" TAKER
    "\",\"transaction\":\"AQID\",\"lastValidBlockHeight\":\"351234567\"}";

static struct route_in in;

static void jupiter_serves(void)
{
    const struct chain *solana = chain_find("solana"), *ethereum = chain_by_id(1);

    CHECK(jupiter.supports(solana, solana));
    CHECK(!jupiter.supports(ethereum, ethereum) && !jupiter.supports(solana, ethereum));
    CHECK(!jupiter.supports(ethereum, solana) && !jupiter.supports(chain_find("sui"), chain_find("sui")));
}

#define URL "http://127.0.0.1:1/j"
#define QUESTION                                                                                             \
    "/swap/v2/order?inputMint=" SOL_MINT "&outputMint=" USDC_MINT "&amount=1000000000&slippageBps="

static void jupiter_is_asked(void)
{
    struct route_in dust = in;
    struct call call;

    CHECK(jupiter.ask(&call, &service_ctx, &in, service_arena));
    CHECK_STR(call.url, URL QUESTION "100&excludeRouters=jupiterz,dflow,okx"); /* for any wallet */
    CHECK(service_has_header(&call, "Accept: application/json") && call.headers[1] == NULL);
    call_free(&call);
    dust.slippage.value = 199; /* never more than was asked */
    CHECK(jupiter.ask(&call, &service_ctx, &dust, service_arena));
    CHECK(strstr(call.url, "&slippageBps=1&") != NULL);
    call_free(&call);
    dust.slippage.value = 99;
    CHECK(jupiter.ask(&call, &service_ctx, &dust, service_arena));
    CHECK(strstr(call.url, "&slippageBps=0&") != NULL);
    call_free(&call);
    CHECK(u256_parse(&dust.amount_in, "18446744073709551615"));
    CHECK(jupiter.ask(&call, &service_ctx, &dust, service_arena));
    call_free(&call);
    CHECK(u256_parse(&dust.amount_in, TOO_LARGE));
    CHECK(!jupiter.ask(&call, &service_ctx, &dust, service_arena));
}

static void jupiter_is_switched(void)
{
    struct rate_limit rate = provider_rate(&service_ctx, &jupiter);
    struct call call;

    CHECK(rate.units == 1 && rate.window_s == 2);
    service_close();
    service_open("provider.jupiter.url =", NULL);
    CHECK(!jupiter.ask(&call, &service_ctx, &in, service_arena));
    service_close();
    service_open("provider.jupiter.rate = 10/s", "jupiter");
    rate = provider_rate(&service_ctx, &jupiter);
    CHECK(rate.units == 10 && rate.window_s == 1);
    CHECK(jupiter.ask(&call, &service_ctx, &in, service_arena));
    CHECK(strncmp(call.url, "https://api.jup.ag" QUESTION, strlen("https://api.jup.ag" QUESTION)) == 0);
    CHECK(service_has_header(&call, "x-api-key: secret-1"));
    call_free(&call);
    service_close();
    service_open("provider.jupiter.url = " URL, NULL);
}

/* ---- offers ---- */

static bool rate_is(const struct rate *r, const char *give, const char *get)
{
    return service_amount_is(r->give, give) && service_amount_is(r->get, get);
}

static void jupiter_offers(void)
{
    struct route_answer out;

    CHECK(service_offers(&jupiter, &in, 200, good, &out) == ASK_OFFERED);
    CHECK_STR(out.offers[0].label, "Jupiter");
    CHECK(service_amount_is(out.offers[0].out, "149850000"));
    CHECK(service_amount_is(out.offers[0].min_out, "148351500"));
    CHECK(service_amount_is(out.offers[0].fee, "2065280"));
    CHECK(out.offers[0].gas_units == 0 && out.offers[0].spender == NULL && out.offers[0].payload.len == 0);
    CHECK(out.offers[0].seconds == 0 && out.offers[0].expires == 0);
    CHECK(service_amount_is(out.reference_out, "150000000")); /* 0.1 % more */
    CHECK(rate_is(&out.gas.output, "1000000000", "149850000"));
    CHECK(rate_is(&out.gas.usd, "1000000000", "150100000000000000000"));
}

/* The coin is the bought token, or neither side. */
static void jupiter_tells_what_the_coin_is_worth(void)
{
    static const char back[] =
        "{\"inputMint\":\"" USDC_MINT "\",\"outputMint\":\"" SOL_MINT
        "\",\"inAmount\":\"150000000\",\"outAmount\":\"990000000\",\"otherAmountThreshold\":\"980100000\","
        "\"inUsdValue\":150,\"outUsdValue\":148.5,\"priceImpact\":0}",
                      other[] = "{\"inputMint\":\"" USDC_MINT "\",\"outputMint\":\"" WIF_MINT
                                "\",\"inAmount\":\"1000000\",\"outAmount\":\"2000000\","
                                "\"otherAmountThreshold\":\"1980000\",\"priceImpact\":2e-7}";
    struct route_in to_coin = service_pair("solana", "USDC", "solana", "SOL", "150000000"),
                    neither = service_pair("solana", "USDC", "solana", "WIF", "1000000");
    struct route_answer out;

    CHECK(service_offers(&jupiter, &to_coin, 200, back, &out) == ASK_OFFERED);
    CHECK(rate_is(&out.gas.output, "990000000", "990000000"));
    CHECK(rate_is(&out.gas.usd, "990000000", "148500000000000000000"));
    CHECK(service_amount_is(out.offers[0].fee, "5000")); /* nothing is said, and that is paid in any case */
    CHECK(service_amount_is(out.reference_out, "990000000"));
    CHECK(service_offers(&jupiter, &neither, 200, other, &out) == ASK_OFFERED);
    CHECK(u256_is_zero(out.gas.output.get) && u256_is_zero(out.gas.usd.get));
    CHECK(service_amount_is(out.reference_out, "2000000"));
}

static void jupiter_refuses(void)
{
    CHECK(service_end(&jupiter, &in, 400, "{\"requestId\":\"1\",\"error\":\"Failed to get quotes\"}") ==
          ASK_NO_ROUTE);
    CHECK(service_end(&jupiter, &in, 400, "{\"error\":\"Token is not tradable\"}") == ASK_NO_ROUTE);
    CHECK(service_end(&jupiter, &in, 400, "{}") == ASK_UNAVAILABLE);
    CHECK(service_end(&jupiter, &in, 400, "bad") == ASK_UNAVAILABLE);
    CHECK(service_end(&jupiter, &in, 404, "{\"error\":\"Not Found\"}") == ASK_REFUSED);
    CHECK(service_end(&jupiter, &in, 401, "{\"code\":401,\"message\":\"Unauthorized\"}") == ASK_REFUSED);
    CHECK(service_end(&jupiter, &in, 403, "Request blocked by firewall") == ASK_REFUSED);
    CHECK(service_end(&jupiter, &in, 429, "[API Gateway] Too many requests") == ASK_RATE_LIMITED);
    CHECK(service_end(&jupiter, &in, 502, "") == ASK_UNAVAILABLE);
}

static void jupiter_lies(void)
{
    static const struct service_change changes[] = {
        { "\"inputMint\":\"So1", "\"inputMint\":\"so1", ASK_UNAVAILABLE },
        { "\"outputMint\":\"EPj", "\"outputMint\":\"EPk", ASK_UNAVAILABLE },
        { "\"inAmount\":\"1000000000\"", "\"inAmount\":\"1000000001\"", ASK_UNAVAILABLE },
        { "\"inAmount\":\"1000000000\"", "\"inAmount\":1000000000", ASK_OFFERED }, /* every digit is read */
        { "\"outAmount\":\"149850000\"", "\"outAmount\":149850000", ASK_OFFERED },
        { "\"outAmount\":\"149850000\"", "\"outAmount\":1.4985e8", ASK_UNAVAILABLE },
        { "\"outAmount\":\"149850000\"", "\"outAmount\":\"149850000.5\"", ASK_UNAVAILABLE },
        { "\"outAmount\":\"149850000\"", "\"outAmount\":\"-149850000\"", ASK_UNAVAILABLE },
        { "\"outAmount\":\"149850000\"", "\"outAmount\":\"" TOO_LARGE "\"", ASK_UNAVAILABLE },
        { "\"outAmount\":\"149850000\"", "\"outAmount\":null", ASK_UNAVAILABLE },
        { "\"outAmount\":\"149850000\"", "\"outAmount\":\"149900000\"",
          ASK_UNAVAILABLE }, /* 1 % less is more */
        { "\"148351500\"", "\"148351499\"", ASK_UNAVAILABLE },
        { "\"148351500\"", "\"149850000\"", ASK_OFFERED },
        { "\"148351500\"", "\"149850001\"", ASK_UNAVAILABLE },
        { "\"148351500\"", "\"0\"", ASK_UNAVAILABLE },
        { "\"148351500\"", "\"" TOO_LARGE "\"", ASK_UNAVAILABLE },
        { "\"ExactIn\"", "\"ExactOut\"", ASK_UNAVAILABLE },
        { "\"swapMode\":\"ExactIn\",", "", ASK_OFFERED },
        { ":21000", ":1000000000", ASK_OFFERED },
        { ":21000", ":1000000001", ASK_UNAVAILABLE },
        { ":21000", ":-1", ASK_UNAVAILABLE },
        { ":21000", ":2.1e4", ASK_UNAVAILABLE },
        { ":21000", ":null", ASK_OFFERED },
        { ":2039280", ":[]", ASK_UNAVAILABLE },
        { ":5000,", ":\"x\",", ASK_UNAVAILABLE },
        { "150.1", "1e999999", ASK_OFFERED },
        { "-0.1", "\"nothing\"", ASK_OFFERED },
        { NULL, NULL, ASK_UNAVAILABLE },
    };

    service_reads_changes(&jupiter, &in, good, changes);
    service_lies(&jupiter, &in, good);
}

static struct u256 reference_with(const char *impact)
{
    struct route_answer out;

    CHECK(service_offers(&jupiter, &in, 200, service_with(good, "-0.1", impact), &out) == ASK_OFFERED);
    return out.reference_out;
}

static void an_impact_is_a_loss_or_nothing(void)
{
    CHECK(service_amount_is(reference_with("-50"), "299700000"));
    CHECK(service_amount_is(reference_with("50"), "299700000"));
    CHECK(service_amount_is(reference_with("0"), "149850000"));
    CHECK(u256_is_zero(reference_with("-100")) && u256_is_zero(reference_with("-101")));
    CHECK(u256_is_zero(reference_with("null")) && u256_is_zero(reference_with("\"--1\"")));
    CHECK(u256_is_zero(reference_with("1e400")));
}

/* An amount so small that nothing comes out. */
static void jupiter_brings_nothing(void)
{
    const char *dust = service_with(service_with(good, "\"149850000\"", "\"0\""), "\"148351500\"", "\"0\"");

    CHECK(service_end(&jupiter, &in, 200, dust) == ASK_TOO_SMALL);
}

/* ---- transactions ---- */

static struct tx_in tx_of(const char *min_out)
{
    struct tx_in tx = { .route = in };

    tx.route.wallet = TAKER;
    CHECK(u256_parse(&tx.min_out, min_out));
    return tx;
}

static enum tx_end built_with(const char *cut, const char *put, struct wallet_call *out)
{
    const char *const texts[] = { service_with(built, cut, put), NULL };
    struct tx_in tx = tx_of("148351500");

    return service_built(&jupiter, &tx, texts, 200, out);
}

static void jupiter_builds(void)
{
    const char *const refusal[] = { "{\"error\":\"Failed to get quotes\"}", NULL };
    struct tx_in tx = tx_of("148351501");
    struct wallet_call out;
    struct call asked;

    CHECK(jupiter.ask_tx(&asked, &service_ctx, &tx, service_arena));
    CHECK_STR(asked.url, URL QUESTION "50&excludeRouters=jupiterz,dflow,okx&taker=" TAKER);
    call_free(&asked);
    CHECK(built_with("{", "{", &out) == TX_READY);
    CHECK_STR(out.to, PROGRAM);
    CHECK(out.spender == NULL && service_amount_is(out.value, "1000000000") && out.gas_units == 0);
    CHECK(out.data_len == 3 && memcmp(out.data, "\1\2\3", 3) == 0);
    CHECK(service_amount_is(out.min_out, "148351500"));
    CHECK_STR(out.submit_via, "0198a1de-7f5c-7e0e-9d0c-2f8a2a6a4c11");
    CHECK(service_built(&jupiter, &tx, (const char *const[]){ built, NULL }, 200, &out) == TX_TOO_LITTLE);
    CHECK(service_built(&jupiter, &tx, refusal, 400, &out) == TX_NO_ROUTE);
    CHECK(service_built(&jupiter, &tx, refusal, 429, &out) == TX_UNAVAILABLE);
    CHECK(service_built(&jupiter, &tx, refusal, 500, &out) == TX_UNAVAILABLE);
}

static void jupiter_builds_nothing(void)
{
    static const struct {
        const char *put;
        enum tx_end end;
    } rows[] = {
        { "\"\",\"errorCode\":1,\"errorMessage\":\"Insufficient funds\"", TX_LACKS_INPUT },
        { "\"\",\"errorCode\":2,\"error\":\"x\"", TX_LACKS_GAS },
        { "\"\",\"errorCode\":3", TX_LACKS_GAS },
        { "\"\",\"errorCode\":4", TX_NO_ROUTE },
        { "null,\"errorCode\":\"odd\"", TX_NO_ROUTE },
        { "\"AQID\",\"errorCode\":1", TX_LACKS_INPUT }, /* both cannot be */
        { "\"AQID\",\"errorCode\":null", TX_READY },
        { "\"\"", TX_UNAVAILABLE },
        { "null", TX_UNAVAILABLE },
        { "[1,2,3]", TX_UNAVAILABLE },
        { "\"AQI\"", TX_UNAVAILABLE },
        { "\"AQID\\n\"", TX_UNAVAILABLE },
        { "\"AQ-D\"", TX_UNAVAILABLE },
        { "\"AQJ=\"", TX_UNAVAILABLE }, /* bits that mean nothing */
        { "\"====\"", TX_UNAVAILABLE },
    };
    struct wallet_call out;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(built_with("\"AQID\"", rows[i].put, &out) == rows[i].end);
}

static enum tx_end built_of_bytes(size_t n)
{
    char *text = arena_alloc(service_arena, BASE64_LEN(n) + 1);
    uint8_t *bytes = arena_alloc(service_arena, n);
    struct wallet_call out;

    memset(bytes, 1, n);
    base64_encode(text, bytes, n);
    return built_with("AQID", text, &out);
}

static void jupiter_builds_badly(void)
{
    struct wallet_call out;

    CHECK(built_of_bytes(1232) == TX_READY && built_of_bytes(1233) == TX_UNAVAILABLE);
    CHECK(built_of_bytes(100000) == TX_UNAVAILABLE);
    CHECK(built_with("\"signatureFeePayer\":\"" TAKER, "\"signatureFeePayer\":\"" STRANGER, &out) ==
          TX_UNAVAILABLE);
    CHECK(built_with("\"signatureFeePayer\":\"" TAKER "\",", "", &out) == TX_UNAVAILABLE);
    CHECK(built_with("\"taker\":\"" TAKER, "\"taker\":\"" STRANGER, &out) == TX_UNAVAILABLE);
    CHECK(built_with("\"148351500\"", "\"148351499\"", &out) == TX_UNAVAILABLE);
    CHECK(built_with("\"inAmount\":\"1", "\"inAmount\":\"2", &out) == TX_UNAVAILABLE);
    CHECK(built_with(USDC_MINT, WIF_MINT, &out) == TX_UNAVAILABLE);
    CHECK(built_with(":21000", ":21000000000", &out) == TX_UNAVAILABLE);
    CHECK(built_with("\"0198a1de", "\"0198 a1de", &out) == TX_READY && out.submit_via == NULL);
    CHECK(built_with("{", "[{", &out) == TX_UNAVAILABLE);
}

/* ---- the second way ---- */

#define QUOTE_OF(impact)                                                                                     \
    "{\"inputMint\":\"" SOL_MINT "\",\"outputMint\":\"" USDC_MINT                                            \
    "\",\"inAmount\":\"1000000000\",\"outAmount\":\"149850000\",\"otherAmountThreshold\":\"148351500\","     \
    "\"swapMode\":\"ExactIn\",\"priceImpactPct\":\"" impact "\",\"unheard_of\":1.50}"

static const char swap_good[] = "{\"swapTransaction\":\"AQID\",\"lastValidBlockHeight\":351234567}";

static enum tx_end apart(const struct route_in *route, const char *quote, const char *swap, int status,
                         struct call *asked, struct wallet_call *out)
{
    const char *const texts[] = { quote, swap, NULL };
    struct tx_in tx = tx_of("148351500");

    tx.route = *route;
    tx.route.wallet = TAKER;
    return service_builds(&jupiter, &tx, texts, status, asked, out);
}

static void the_wrapped_coin_is_left_as_it_is(void)
{
    struct route_in sells = service_pair("solana", "WSOL", "solana", "USDC", "1000000000"),
                    same = service_pair("solana", "WSOL", "solana", "SOL", "1");
    struct tx_in tx = tx_of("1");
    struct wallet_call out;
    struct call asked;

    CHECK(!jupiter.ask(&asked, &service_ctx, &same, service_arena));
    tx.route = sells;
    CHECK(jupiter.ask_tx(&asked, &service_ctx, &tx, service_arena));
    CHECK_STR(asked.url, URL "/swap/v2/quote?inputMint=" SOL_MINT "&outputMint=" USDC_MINT
                             "&amount=1000000000&slippageBps=50");
    call_free(&asked);
    CHECK(apart(&sells, QUOTE_OF("0.001"), swap_good, 200, &asked, &out) == TX_READY);
    CHECK_STR(asked.url, URL "/swap/v2/swap");
    CHECK_STR(buf_text(&asked.body),
              "{\"taker\":\"" TAKER "\",\"wrapAndUnwrapSol\":false,\"quoteResponse\":" QUOTE_OF("0.001") "}");
    call_free(&asked);
    CHECK(u256_is_zero(out.value) && out.submit_via == NULL && out.data_len == 3);
    CHECK(service_amount_is(out.min_out, "148351500") && service_amount_is(out.reference_out, "150000000"));
}

static void the_second_way_where_the_first_fails(void)
{
    const char *const texts[] = { "no JSON", QUOTE_OF("0"), swap_good, NULL };
    struct tx_in tx = tx_of("148351500");
    struct wallet_call out;
    struct call asked;

    CHECK(service_built(&jupiter, &tx, texts, 200, &out) == TX_UNAVAILABLE);
    service_close();
    service_open("provider.jupiter.url = " URL "\nprovider.jupiter.second_door = on", NULL);
    CHECK(service_builds(&jupiter, &tx, texts, 200, &asked, &out) == TX_READY);
    CHECK(strstr(buf_text(&asked.body), "\"wrapAndUnwrapSol\":true") != NULL);
    CHECK(service_amount_is(out.value, "1000000000") && service_amount_is(out.reference_out, "149850000"));
    call_free(&asked);
    /* A refusal is an answer. */
    CHECK(built_with("\"AQID\"", "\"\",\"errorCode\":1", &out) == TX_LACKS_INPUT);
    service_close();
    service_open("provider.jupiter.url = " URL, NULL);
}

static void the_second_way_lies(void)
{
    struct route_in sells = service_pair("solana", "WSOL", "solana", "USDC", "1000000000");
    static const struct {
        const char *quote, *swap;
        int status;
        enum tx_end end;
    } rows[] = {
        { "{}", swap_good, 200, TX_UNAVAILABLE },
        { QUOTE_OF("0"), "{}", 200, TX_UNAVAILABLE },
        { QUOTE_OF("0"), "[]", 200, TX_UNAVAILABLE },
        { QUOTE_OF("0"), "{\"swapTransaction\":\"\"}", 200, TX_UNAVAILABLE },
        { QUOTE_OF("0"), "{\"swapTransaction\":7}", 200, TX_UNAVAILABLE },
        { QUOTE_OF("0"), "{\"error\":\"no liquidity\"}", 400, TX_NO_ROUTE },
        { QUOTE_OF("0"), swap_good, 500, TX_UNAVAILABLE },
    };
    struct wallet_call out;
    struct call asked;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK(apart(&sells, rows[i].quote, rows[i].swap, rows[i].status, &asked, &out) == rows[i].end);
        call_free(&asked);
    }
    CHECK(apart(&sells, service_with(QUOTE_OF("0"), "148351500", "148351499"), swap_good, 200, &asked,
                &out) == TX_UNAVAILABLE);
    call_free(&asked);
}

/* ---- tokens ---- */

static bool tokens_read(struct token_list *out, int status, const char *answer)
{
    const struct chain *solana = chain_find("solana");
    struct call call;
    bool read;

    CHECK(jupiter.ask_tokens(&call, &service_ctx, solana, service_arena));
    CHECK_STR(call.url, URL "/tokens/v2/tag?query=verified");
    service_plays(&call, status, answer);
    read = jupiter.read_tokens(&call, solana, service_arena, out);
    call_free(&call);
    return read;
}

#define TOKEN(id, verified)                                                                                  \
    "{\"id\":\"" id "\",\"name\":\"Dog\",\"symbol\":\"WIF\",\"decimals\":6,\"isVerified\":" verified "}"

static void jupiter_lists_what_it_has_verified(void)
{
    struct token_list list;
    struct call call;

    CHECK(!jupiter.ask_tokens(&call, &service_ctx, chain_by_id(1), service_arena));
    CHECK(tokens_read(&list, 200,
                      "[" TOKEN(WIF_MINT, "true") "," TOKEN(USDC_MINT, "false") "," TOKEN(
                          USDC_MINT, "\"true\"") "," TOKEN(USDC_MINT, "1") "," TOKEN("x", "true") "]"));
    CHECK(list.count == 1 && !list.ranked && list.tokens[0].decimals == 6);
    CHECK_STR(list.tokens[0].address, WIF_MINT);
    CHECK(!tokens_read(&list, 200, "{}") && !tokens_read(&list, 200, "[") && !tokens_read(&list, 500, "[]"));
}

static void jupiter_test_start(void)
{
    service_open("provider.jupiter.url = " URL, NULL);
    in = service_pair("solana", "SOL", "solana", "USDC", "1000000000");
}

static void jupiter_test_end(void)
{
    service_close();
}

TEST_MAIN(TEST(jupiter_test_start), TEST(jupiter_serves), TEST(jupiter_is_asked), TEST(jupiter_is_switched),
          TEST(jupiter_offers), TEST(jupiter_tells_what_the_coin_is_worth), TEST(jupiter_refuses),
          TEST(jupiter_lies), TEST(an_impact_is_a_loss_or_nothing), TEST(jupiter_brings_nothing),
          TEST(jupiter_builds), TEST(jupiter_builds_nothing), TEST(jupiter_builds_badly),
          TEST(the_wrapped_coin_is_left_as_it_is), TEST(the_second_way_where_the_first_fails),
          TEST(the_second_way_lies), TEST(jupiter_lists_what_it_has_verified), TEST(jupiter_test_end))
