#include "base/test.h"
#include "route/provider_json.c"

#include "base/json_numbers.h"

#define USDC_AT   "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
#define USDC_LOW  "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
#define WALLET_AT "0x1111111111111111111111111111111111111111"

static struct arena *a;
static struct route_in in;

static json_t *json_of(const char *text)
{
    json_t *doc = json_read_texts(text, strlen(text));

    CHECK(doc != NULL);
    return doc;
}

static void one_chain_means_the_same_evm_chain(void)
{
    const struct chain *ethereum = chain_by_id(1);

    CHECK(provider_json_one_chain(ethereum, ethereum));
    CHECK(!provider_json_one_chain(ethereum, chain_find("base")));
    CHECK(!provider_json_one_chain(chain_find("solana"), chain_find("solana")));
}

static void listed_chains(void)
{
    static const char *const keys[] = { "base", "ethereum", NULL };

    CHECK(provider_json_lists(keys, chain_by_id(1)) && provider_json_lists(keys, chain_find("base")));
    CHECK(!provider_json_lists(keys, chain_find("bsc")) && !provider_json_lists(keys + 2, chain_by_id(1)));
}

/* Addresses of Solana are told apart by the case of their letters, and its coin goes by another zero. */
static void both_families(void)
{
    static const char me[] = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM";
    static const char tx[] =
        "5wHu1qwD4kT1n3QVXNB4gfUqJ1CpwbAUGNq2MWqA1xXbvrEJzKgD6gQWAHuVyYJxGpVeFYvaFo8VqZ3X9FZmFpSc";
    const struct chain *ethereum = chain_by_id(1), *solana = chain_find("solana");
    const struct token_ref coin = token_ref_of(token_find(solana, "SOL")),
                           usdc = token_ref_of(token_find(solana, "USDC"));
    struct route_in route = { .from_chain = ethereum, .to_chain = solana };
    struct arena *texts = arena_new();
    json_t *doc = json_pack("{s:s,s:s,s:s}", "at", me, "coin", provider_json_zero(&coin), "tx", tx);

    CHECK_STR(provider_json_zero(&coin), "11111111111111111111111111111111");
    CHECK_STR(provider_json_token(texts, &coin, "coin"), "coin");
    CHECK_STR(provider_json_token(texts, &usdc, "coin"), usdc.address);
    CHECK_STR(provider_json_payer(&route), WIRE_NOBODY);
    CHECK_STR(provider_json_payee(&route), WIRE_NOBODY_ON_SOLANA);
    route.wallet = "0x52908400098527886E0F7030069857D2E4169EE7";
    CHECK_STR(provider_json_payee(&route), WIRE_NOBODY_ON_SOLANA);
    route.recipient = me;
    CHECK_STR(provider_json_payee(&route), me);
    route.recipient = NULL;
    route.to_chain = chain_find("base");
    CHECK_STR(provider_json_payee(&route), route.wallet);
    CHECK(provider_json_says_address(doc, "at", me) &&
          !provider_json_says_address(doc, "at", "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWm"));
    CHECK(provider_json_says_token(doc, "coin", &coin, provider_json_zero(&coin)) &&
          !provider_json_says_address(doc, "at", route.wallet));
    CHECK_STR(provider_json_account(texts, doc, "at", solana), me);
    CHECK(provider_json_account(texts, doc, "coin", solana) != NULL &&
          provider_json_account(texts, doc, "at", ethereum) == NULL);
    CHECK(provider_json_tx_hash(texts, json_object_get(doc, "at"), solana) == NULL);
    CHECK_STR(provider_json_tx_hash(texts, json_object_get(doc, "tx"), solana), tx);
    CHECK(provider_json_tx_hash(texts, json_object_get(doc, "tx"), ethereum) == NULL);
    json_decref(doc);
    arena_free(texts);
}

static void values_are_written(void)
{
    const struct token_ref coin = { .address = EVM_ADDR_ZERO }, low = { .address = USDC_LOW };

    CHECK_STR(provider_json_token(a, &coin, PROVIDER_JSON_COIN), PROVIDER_JSON_COIN);
    CHECK_STR(provider_json_token(a, &low, PROVIDER_JSON_COIN), USDC_AT);
    CHECK_STR(provider_json_amount(a, u256_from_u64(1000)), "1000");
    CHECK(provider_json_bps((struct ppm){ 30000 }) == 300 && provider_json_bps((struct ppm){ 199 }) == 1);
}

static uint32_t tolerance(uint64_t out, uint64_t min_out, uint32_t limit)
{
    struct ppm slippage;

    return provider_json_tolerance(&slippage, u256_from_u64(out), u256_from_u64(min_out),
                                   (struct ppm){ limit })
               ? slippage.value
               : PPM_NONE;
}

static void tolerances_are_computed(void)
{
    CHECK(tolerance(1000, 970, 50000) == 30000 && tolerance(1000, 970, 10050) == 10000);
    CHECK(tolerance(10001, 10000, 30000) == 0 && tolerance(10002, 10000, 30000) == 100);
    CHECK(tolerance(1000, 1000, 30000) == 0 && tolerance(999, 1000, 30000) == PPM_NONE);
    CHECK(tolerance(0, 0, 30000) == PPM_NONE && tolerance(5, 0, 1000000) == 1000000);
}

static uint64_t gas_of(const char *text)
{
    json_t *doc = json_of(text);
    uint64_t gas = provider_json_gas(doc, "gas");

    json_decref(doc);
    return gas;
}

static void gas_is_read(void)
{
    CHECK(gas_of("{\"gas\":153000}") == 153000 && gas_of("{\"gas\":\"153000\"}") == 153000);
    CHECK(gas_of("{\"gas\":153000.9}") == 153000);
    CHECK(gas_of("{\"gas\":0}") == PROVIDER_JSON_GAS && gas_of("{}") == PROVIDER_JSON_GAS &&
          gas_of("{\"gas\":null}") == PROVIDER_JSON_GAS);
    CHECK(gas_of("{\"gas\":-1}") == PROVIDER_JSON_GAS && gas_of("{\"gas\":1e99}") == PROVIDER_JSON_GAS);
    CHECK(gas_of("{\"gas\":18446744073709551616}") == PROVIDER_JSON_GAS &&
          gas_of("{\"gas\":\"x\"}") == PROVIDER_JSON_GAS);
}

static void seconds_and_hashes_are_read(void)
{
    json_t *doc = json_of("{\"half\":12.7,\"day\":\"86400\",\"long\":4294967296,\"before\":-1,\"tx\":"
                          "\"0xABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB\","
                          "\"short\":\"0xABAB\"}");
    unsigned seconds;

    CHECK(provider_json_seconds(&seconds, doc, "half") && seconds == 12);
    CHECK(provider_json_seconds(&seconds, doc, "day") && seconds == 86400);
    CHECK(!provider_json_seconds(&seconds, doc, "long") && !provider_json_seconds(&seconds, doc, "before"));
    CHECK(!provider_json_seconds(&seconds, doc, "none"));
    CHECK_STR(provider_json_hash(a, json_object_get(doc, "tx")),
              "0xabababababababababababababababababababababababababababababababab");
    CHECK(provider_json_hash(a, json_object_get(doc, "short")) == NULL &&
          provider_json_hash(a, json_object_get(doc, "none")) == NULL);
    json_decref(doc);
}

static void numbers_and_bytes_are_read(void)
{
    json_t *doc = json_of("{\"n\":12,\"h\":\"0x0c\",\"minus\":-12,\"exp\":1e1,\"big\":1" /* 2^256 */
                          "15792089237316195423570985008687907853269984665640564039457584007913129639936,"
                          "\"at\":\"" USDC_LOW "\",\"odd\":\"0xabc\",\"none\":\"0x\",\"wrong\":"
                          "\"0xA0B86991c6218b36c1d19D4a2e9Eb0cE3606eB48\",\"list\":[1]}");
    struct u256 n;
    uint64_t v;
    size_t len;

    CHECK(provider_json_u64(&v, doc, "n") && v == 12 && !provider_json_u64(&v, doc, "h") &&
          !provider_json_u64(&v, doc, "big"));
    CHECK(provider_json_quantity(&n, doc, "h") && u256_cmp(n, u256_from_u64(12)) == 0);
    CHECK(!provider_json_quantity(&n, doc, "minus") && !provider_json_quantity(&n, doc, "exp") &&
          !provider_json_quantity(&n, doc, "big"));
    CHECK(!provider_json_quantity(&n, doc, "list") && !provider_json_quantity(&n, doc, "gone"));
    CHECK_STR(provider_json_address(a, doc, "at"), USDC_AT);
    CHECK(provider_json_address(a, doc, "wrong") == NULL && provider_json_address(a, doc, "n") == NULL);
    CHECK(provider_json_bytes(a, &len, doc, "h") != NULL && len == 1);
    CHECK(provider_json_bytes(a, &len, doc, "none") != NULL && len == 0);
    CHECK(provider_json_bytes(a, &len, doc, "odd") == NULL && provider_json_bytes(a, &len, doc, "n") == NULL);
    CHECK(provider_json_bytes(a, &len, doc, "gone") == NULL);
    json_decref(doc);
}

static void repeated_values_have_to_match(void)
{
    const struct token_ref coin = { .address = EVM_ADDR_ZERO }, usdc = { .address = USDC_AT };
    json_t *doc =
        json_of("{\"token\":\"" USDC_LOW "\",\"coin\":\"" PROVIDER_JSON_COIN "\",\"amount\":\"0x10\","
                "\"chain\":1,\"name\":\"x\"}");

    CHECK(provider_json_says_token(doc, "token", &usdc, PROVIDER_JSON_COIN) &&
          provider_json_says_token(doc, "coin", &coin, PROVIDER_JSON_COIN));
    CHECK(!provider_json_says_token(doc, "coin", &usdc, PROVIDER_JSON_COIN) &&
          !provider_json_says_token(doc, "token", &coin, PROVIDER_JSON_COIN));
    CHECK(!provider_json_says_token(doc, "gone", &usdc, PROVIDER_JSON_COIN) &&
          !provider_json_says_token(doc, "name", &usdc, PROVIDER_JSON_COIN));
    CHECK(provider_json_says_amount(doc, "amount", u256_from_u64(16)));
    CHECK(!provider_json_says_amount(doc, "amount", u256_from_u64(17)));
    CHECK(provider_json_says_chain(doc, "chain", chain_by_id(1)) &&
          !provider_json_says_chain(doc, "chain", chain_by_id(10)));
    CHECK(provider_json_says(doc, "name", "x") && !provider_json_says(doc, "name", "y") &&
          !provider_json_says(doc, "gone", "x"));
    json_decref(doc);
}

static enum ask_end refusal_end(enum call_result result, int status, const char *code)
{
    static const struct provider_json_code codes[] = { { "4008", ASK_TOO_SMALL }, { NULL, ASK_UNAVAILABLE } };
    const struct call call = { .result = result, .status = status };

    return provider_json_refusal(&call, code, codes);
}

static void refusals_are_classified(void)
{
    CHECK(refusal_end(CALL_ANSWERED, 400, "4008") == ASK_TOO_SMALL &&
          refusal_end(CALL_ANSWERED, 500, "4008") == ASK_TOO_SMALL);
    CHECK(refusal_end(CALL_ANSWERED, 200, "4008") == ASK_TOO_SMALL &&
          refusal_end(CALL_ANSWERED, 200, "1") == ASK_NO_ROUTE);
    CHECK(refusal_end(CALL_ANSWERED, 400, NULL) == ASK_NO_ROUTE &&
          refusal_end(CALL_ANSWERED, 500, NULL) == ASK_UNAVAILABLE);
    CHECK(refusal_end(CALL_ANSWERED, 200, NULL) == ASK_UNAVAILABLE);
    CHECK(refusal_end(CALL_ANSWERED, 429, "4008") == ASK_RATE_LIMITED);
    CHECK(refusal_end(CALL_ANSWERED, 401, "4008") == ASK_REFUSED &&
          refusal_end(CALL_TIMEOUT, 0, NULL) == ASK_TIMEOUT);
    CHECK(refusal_end(CALL_ANSWERED, 404, "4008") == ASK_TOO_SMALL &&
          refusal_end(CALL_ANSWERED, 410, "1") == ASK_NO_ROUTE);
    CHECK(refusal_end(CALL_ANSWERED, 404, NULL) == ASK_REFUSED &&
          refusal_end(CALL_ANSWERED, 410, NULL) == ASK_REFUSED);
    CHECK(provider_json_tx_end(ASK_TOO_SMALL) == TX_NO_ROUTE &&
          provider_json_tx_end(ASK_REFUSED) == TX_NOT_SERVED);
    CHECK(provider_json_tx_end(ASK_TIMEOUT) == TX_UNAVAILABLE &&
          provider_json_tx_end(ASK_RATE_LIMITED) == TX_UNAVAILABLE);
}

static void the_only_offer(void)
{
    struct route_answer answer = { .count = 0 };

    CHECK(provider_json_offer(&answer, "x", U256_ZERO, 5) == ASK_TOO_SMALL && answer.count == 0);
    CHECK(provider_json_offer(&answer, "x", u256_from_u64(1), 5) == ASK_OFFERED && answer.count == 1);
    CHECK(answer.offers[0].gas_units == 5 && answer.offers[0].payload.data != NULL);
    CHECK(provider_json_half((struct ppm){ 30001 }).value == 15000);
}

static bool reads_tx(const char *text, struct wallet_call *tx)
{
    json_t *doc = json_of(text);
    bool read;

    *tx = (struct wallet_call){ .to = NULL };
    read = provider_json_tx(tx, doc, &in, a);
    json_decref(doc);
    return read;
}

#define TO   "\"to\":\"" USDC_LOW "\""
#define DATA "\"data\":\"0x01020304\""

static void transactions_are_read(void)
{
    struct wallet_call tx;

    in = (struct route_in){ .from_chain = chain_by_id(1),
                            .wallet = WALLET_AT,
                            .from = { .address = USDC_AT } };
    CHECK(reads_tx("{" TO "," DATA "}", &tx) && provider_json_pays_input(&tx, &in) && tx.data_len == 4);
    CHECK_STR(tx.to, USDC_AT);
    CHECK_STR(tx.spender, USDC_AT);
    CHECK(reads_tx("{" TO "," DATA ",\"value\":\"0x1\",\"chainId\":1,\"from\":\"" WALLET_AT "\"}", &tx));
    CHECK(!provider_json_pays_input(&tx, &in));
    CHECK(!reads_tx("{" TO "," DATA ",\"chainId\":10}", &tx));
    CHECK(!reads_tx("{" TO "," DATA ",\"from\":\"" USDC_AT "\"}", &tx));
    CHECK(!reads_tx("{" TO "," DATA ",\"value\":-1}", &tx));
    CHECK(!reads_tx("{" TO ",\"data\":\"0x010203\"}", &tx) && !reads_tx("{" TO "}", &tx));
    CHECK(!reads_tx("{" DATA "}", &tx) && !reads_tx("{\"to\":1," DATA "}", &tx));
    in.from = (struct token_ref){ .address = EVM_ADDR_ZERO };
    in.amount_in = u256_from_u64(7);
    CHECK(reads_tx("{" TO "," DATA ",\"value\":7}", &tx) && provider_json_pays_input(&tx, &in) &&
          tx.spender == NULL);
    CHECK(reads_tx("{" TO "," DATA ",\"value\":8}", &tx) && !provider_json_pays_input(&tx, &in));
}

static void provider_json_test_start(void)
{
    a = arena_new();
}

static void provider_json_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(provider_json_test_start), TEST(one_chain_means_the_same_evm_chain), TEST(listed_chains),
          TEST(both_families), TEST(values_are_written), TEST(tolerances_are_computed), TEST(gas_is_read),
          TEST(seconds_and_hashes_are_read), TEST(numbers_and_bytes_are_read),
          TEST(repeated_values_have_to_match), TEST(refusals_are_classified), TEST(the_only_offer),
          TEST(transactions_are_read), TEST(provider_json_test_end))
