#include "predict/clob_private.c"

#include "base/test.h"
#define TEST_VECTORS "tests/vectors/polymarket.json"
#include "codec/test_vectors.h"

static struct arena *a;

static struct buf clob_answer(const char *text)
{
    return (struct buf){ .data = (char *)(uintptr_t)text, .len = strlen(text) };
}

static void the_arena_comes(void)
{
    a = arena_new();
}

/* ---- credentials ---- */

static void signatures_are_those_of_the_vectors(void)
{
    const json_t *row, *rows = test_section("l2_hmac");
    size_t i;

    json_array_foreach(rows, i, row)
    {
        const json_t *secret = json_object_get(row, "secret"), *body = json_object_get(row, "body");
        struct clob_credentials c = { .key = "" };
        char got[CLOB_SIGNATURE_LEN + 1] = "";

        (void)snprintf(c.secret, sizeof c.secret, "%s", json_string_value(secret));
        CHECK(clob_sign(got, &c, json_integer_value(json_object_get(row, "timestamp")),
                        test_text(row, "method"), test_text(row, "path"), json_string_value(body)));
        CHECK_STR(got, test_text(row, "signature"));
    }
    CHECK(i >= 18);
}

static bool read_credentials(struct clob_credentials *c, const char *text)
{
    struct buf answer = clob_answer(text);

    return clob_read_credentials(&answer, c);
}

static void credentials_fit_into_headers(void)
{
    static const char *const bad[] = {
        "",
        "null",
        "{}",
        "{\"apiKey\":\"k\",\"secret\":\"AAAA\"}",
        "{\"apiKey\":1,\"secret\":\"AAAA\",\"passphrase\":\"p\"}",
        "{\"apiKey\":\"\",\"secret\":\"AAAA\",\"passphrase\":\"p\"}",
        "{\"apiKey\":\"k\",\"secret\":\"AAAA\",\"passphrase\":\"p\\r\\nHost: x\"}",
        "{\"apiKey\":\"k\\u0000\",\"secret\":\"AAAA\",\"passphrase\":\"p\"}",
        "{\"apiKey\":\"k k\",\"secret\":\"AAAA\",\"passphrase\":\"p\"}",
        "{\"apiKey\":\"k\\u00e9\",\"secret\":\"AAAA\",\"passphrase\":\"p\"}",
        "{\"apiKey\":\"k\",\"secret\":\"no base64!\",\"passphrase\":\"p\"}",
        "{\"apiKey\":\"k\",\"secret\":\"\",\"passphrase\":\"p\"}",
    };
    struct clob_credentials c;
    char *text;

    CHECK(read_credentials(&c, "{\"apiKey\":\"k-1\",\"secret\":\"_-AA\",\"passphrase\":\"p\",\"more\":1}"));
    CHECK_STR(c.key, "k-1");
    CHECK_STR(c.secret, "_-AA");
    CHECK_STR(c.passphrase, "p");
    CHECK(
        read_credentials(&c, "{\"apiKey\":\"k\",\"secret\":\"AAA\",\"passphrase\":\"p\"}")); /* no padding */
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!read_credentials(&c, bad[i]));
    text = arena_printf(a, "{\"apiKey\":\"%0*d\",\"secret\":\"AAAA\",\"passphrase\":\"p\"}", CLOB_KEY_MAX + 1,
                        1);
    CHECK(!read_credentials(&c, text));
    text = arena_printf(a, "{\"apiKey\":\"k\",\"secret\":\"AAAA\",\"passphrase\":\"%0*d\"}",
                        CLOB_PASSPHRASE_MAX + 1, 1);
    CHECK(!read_credentials(&c, text));
}

/* ---- the account ---- */

static void the_allowance_is_the_spenders(void)
{
    struct evm_addr spender = polymarket_exchange_addr(POLYMARKET_V2);
    struct clob_balance b;
    struct buf answer = clob_answer(
        "{\"balance\":\"12500000\",\"allowances\":{\"0xe111180000d2663c0091e4f400237545b87b996b\":\"7\","
        "\"0xe2222d279d744050d28e00520010520000310F59\":\"115792089237316195423570985008687907853269984665640564039457584007913129639935\"}}");

    CHECK(clob_read_balance(&answer, spender, &b));
    CHECK(u256_cmp(b.balance, u256_from_u64(12500000)) == 0 && u256_cmp(b.allowance, u256_from_u64(7)) == 0);
    CHECK(clob_read_balance(&answer, polymarket_exchange_addr(POLYMARKET_NEG_RISK), &b));
    CHECK(u256_cmp(b.allowance, u256_from_u64(7)) > 0);
    CHECK(clob_read_balance(&answer, polymarket_exchange_addr(POLYMARKET_V3), &b));
    CHECK(u256_is_zero(b.allowance));
    answer = clob_answer("{\"balance\":\"-1\",\"allowances\":{}}");
    CHECK(!clob_read_balance(&answer, spender, &b));
    answer = clob_answer(
        "{\"balance\":\"1\",\"allowances\":{\"0xE111180000d2663C0091e4f400237545B87B996B\":true}}");
    CHECK(!clob_read_balance(&answer, spender, &b));
    answer = clob_answer("[]");
    CHECK(!clob_read_balance(&answer, spender, &b));
    CHECK_STR(clob_balance_query(a, CLOB_COLLATERAL, NULL, 3), "asset_type=COLLATERAL&signature_type=3");
    CHECK_STR(clob_balance_query(a, CLOB_SHARES_V3, "12", 0),
              "asset_type=CONDITIONAL-V2&token_id=12&signature_type=0");
}

static void short_answers_are_read(void)
{
    struct buf yes = clob_answer("{\"closed_only\":true}"), text = clob_answer("{\"closed_only\":\"true\"}");
    struct buf now = clob_answer("1785636706\n"), later = clob_answer("1e9"),
               many = clob_answer("99999999999999999999");
    struct buf two = clob_answer("{\"version\":2}"), none = clob_answer("{\"version\":-2}");
    struct buf market = clob_answer(
        "{\"condition_id\":\"0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1\"}");
    const char *condition = NULL;
    int64_t seconds = 0;
    unsigned version = 0;
    bool closed = false;

    CHECK(clob_read_closed_only(&yes, &closed) && closed);
    CHECK(!clob_read_closed_only(&text, &closed));
    CHECK(clob_read_time(&now, &seconds) && seconds == 1785636706);
    CHECK(!clob_read_time(&later, &seconds) && !clob_read_time(&many, &seconds));
    CHECK(clob_read_version(&two, &version) && version == 2);
    CHECK(!clob_read_version(&none, &version) && !clob_read_version(&now, &version));
    CHECK(clob_read_condition(a, &market, &condition) && strlen(condition) == 66);
    CHECK(!clob_read_condition(a, &two, &condition));
}

/* ---- the exchange ---- */

static bool read_market(struct clob_market *m, const char *text)
{
    struct buf answer = clob_answer(text);

    return clob_read_market(&answer, m);
}

static void rules_are_integers(void)
{
    static const struct {
        const char *tick;
        uint32_t want;
    } ticks[] = { { "0.1", 1000 },  { "0.01", 100 },     { "0.005", 50 },
                  { "0.0025", 25 }, { "\"0.001\"", 10 }, { "0.0001", 1 } };
    static const char *const bad[] = { "",
                                       "{}",
                                       "{\"mts\":0.01}",
                                       "{\"mos\":5}",
                                       "{\"mts\":0,\"mos\":5}",
                                       "{\"mts\":1,\"mos\":5}",
                                       "{\"mts\":-0.01,\"mos\":5}",
                                       "{\"mts\":0.00005,\"mos\":5}",
                                       "{\"mts\":0.01,\"mos\":1e300}",
                                       "{\"mts\":0.01,\"mos\":\"x\"}",
                                       "{\"mts\":0.01,\"mos\":5,\"fd\":3}",
                                       "{\"mts\":0.01,\"mos\":5,\"fd\":{\"r\":1.5,\"e\":1}}",
                                       "{\"mts\":0.01,\"mos\":5,\"fd\":{\"r\":0.1}}" };
    struct clob_market m;

    for (size_t i = 0; i < sizeof ticks / sizeof ticks[0]; i++) {
        CHECK(read_market(&m, arena_printf(a, "{\"mts\":%s,\"mos\":5}", ticks[i].tick)));
        CHECK(m.tick == ticks[i].want && m.min_size == 500 && m.fee_rate == 0 && !m.neg_risk && !m.paused);
    }
    CHECK(read_market(
        &m, "{\"mts\":0.01,\"mos\":0.001,\"nr\":true,\"ao\":false,\"fd\":{\"r\":0.07,\"e\":1,\"to\":true}}"));
    CHECK(m.min_size == 1 && m.neg_risk && m.paused && m.fee_rate == 70000000 && m.fee_exponent == 1);
    CHECK(read_market(&m, "{\"mts\":0.01,\"mos\":5,\"fd\":{\"r\":0.00000000001,\"e\":1.9}}"));
    CHECK(m.fee_rate == 1 && m.fee_exponent == 1);
    CHECK(read_market(&m, "{\"mts\":0.01,\"mos\":5,\"fd\":null}") && m.fee_rate == 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!read_market(&m, bad[i]));
}

static uint64_t fee(uint32_t exponent, uint32_t price, uint64_t shares)
{
    const struct clob_market m = { .fee_rate = 70000000, .fee_exponent = exponent };
    uint64_t out = 0;

    CHECK(clob_fee(&out, &m, price, shares));
    return out;
}

static void fees_are_rounded_up(void)
{
    const struct clob_market m = { .fee_rate = CLOB_RATE_ONE, .fee_exponent = 0 };
    const struct clob_market dear = { .fee_rate = 2 * CLOB_RATE_ONE, .fee_exponent = 0 };
    uint64_t out;

    CHECK(fee(1, 5000, 100000000) == 1750000); /* 100 shares at a half: 100 x 0.07 x 0.25 dollars */
    CHECK(fee(1, 4000, 20000000) == 336000);   /* 20 x 0.07 x 0.24 */
    CHECK(fee(2, 4000, 20000000) == 80640);    /* 20 x 0.07 x 0.24 x 0.24 */
    CHECK(fee(1, 1, 1) == 1);                  /* less than the smallest unit */
    CHECK(fee(1, 0, 100000000) == 0 && fee(1, 10000, 100000000) == 0);
    CHECK(fee(4, 9999, UINT64_MAX) > 0);
    CHECK(clob_fee(&out, &m, 5000, UINT64_MAX) && !clob_fee(&out, &dear, 5000, UINT64_MAX));
    CHECK(!clob_fee(&out, &m, 10001, 1));
}

static void fees_are_rounded_to_five_decimals(void)
{
    const struct clob_market m = { .fee_rate = 70000000, .fee_exponent = 1 };

    CHECK(clob_fee_charged(&m, 3500, 26461537) == 421400); /* 0.42139997… */
    CHECK(clob_fee_charged(&m, 4100, 100) == 0 && clob_fee_charged(&m, 5000, 286) == 10);
    CHECK(clob_fee_charged(&m, 10001, 100) == 0);
}

/* ---- refusals ---- */

static struct clob_error said(enum call_result result, int status, const char *body)
{
    struct call c = { .result = result, .status = status, .answer = clob_answer(body) };
    struct clob_error out;

    clob_error_read(a, &c, &out);
    return out;
}

static void the_text_decides_before_the_status(void)
{
    static const struct {
        int status;
        const char *text;
        enum clob_fault fault;
        const struct err *err;
    } rows[] = {
        { 401, "Unauthorized/Invalid api key", CLOB_UNAUTHORIZED, &E_PREDICT_ORDER_FAILED },
        { 401, "Invalid L1 Request headers", CLOB_UNAUTHORIZED, &E_PREDICT_ORDER_FAILED },
        { 400, "order_version_mismatch", CLOB_VERSION, &E_PREDICT_ORDER_FAILED },
        { 400, "order 0xab is invalid. Duplicated.", CLOB_DUPLICATED, &E_PREDICT_ORDER_FAILED },
        { 400, "order 0xab is invalid. Price (0.401) breaks minimum tick size rule: 0.01", CLOB_REFUSED,
          &E_TICK },
        { 400, "order 0xab is invalid. Size (1) lower than the minimum: 5", CLOB_REFUSED, &E_MIN_SIZE },
        { 400, "order 0xab is invalid. Anything new", CLOB_REFUSED, &E_PREDICT_ORDER_FAILED },
        { 400, "not enough balance / allowance", CLOB_REFUSED, &E_ALLOWANCE },
        { 400, "invalid expiration value", CLOB_REFUSED, &E_EXPIRATION },
        { 400, "invalid post-only order: order crosses book", CLOB_REFUSED, &E_WOULD_MATCH },
        { 400, "order couldn't be fully filled. FOK orders are fully filled or killed.", CLOB_REFUSED,
          &E_NO_MATCH },
        { 404, "no orders found to match with FAK order, not found", CLOB_REFUSED, &E_NO_MATCH },
        { 400, "the order owner has to be the owner of the API KEY", CLOB_REFUSED, &E_PREDICT_ORDER_FAILED },
        { 400, "'0x12' address banned", CLOB_REFUSED, &E_NOT_PERMITTED },
        { 400, "address 0x12 is in closed only mode", CLOB_REFUSED, &E_NOT_PERMITTED },
        { 401, "maker address not allowed, please use the deposit wallet flow", CLOB_REFUSED,
          &E_NOT_PERMITTED },
        { 403, "Trading restricted in your region, please refer to available regions", CLOB_REFUSED,
          &E_NOT_PERMITTED },
        { 403, "anything", CLOB_REFUSED, &E_NOT_PERMITTED },
        { 400, "the market is not yet ready to process new orders", CLOB_REFUSED, &E_MARKET_PAUSED },
        { 404, "No orderbook exists for the requested token id", CLOB_REFUSED, &E_MARKET_NOT_FOUND },
        { 404, "market not found", CLOB_REFUSED, &E_MARKET_NOT_FOUND },
        { 404, "order not found", CLOB_UNKNOWN, &E_PREDICT_ORDER_FAILED },
        { 400, "something new", CLOB_REFUSED, &E_PREDICT_ORDER_FAILED },
        { 503, "Trading is currently cancel-only. New orders are not accepted, but cancels are allowed.",
          CLOB_LATER, &E_PREDICT_ORDER_FAILED },
        { 400, "Trading is currently disabled. Check polymarket.com for updates", CLOB_LATER,
          &E_PREDICT_ORDER_FAILED },
        { 429, "Too Many Requests", CLOB_LATER, &E_PREDICT_ORDER_FAILED },
        { 429, "order 0x1 is invalid. Size (1) lower than the minimum: 5", CLOB_LATER, &E_MIN_SIZE },
        { 425, "matching engine is restarting", CLOB_LATER, &E_PREDICT_ORDER_FAILED },
        { 500, "could not insert order", CLOB_LATER, &E_PREDICT_ORDER_FAILED },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct clob_error e =
            said(CALL_ANSWERED, rows[i].status, arena_printf(a, "{\"error\":\"%s\"}", rows[i].text));

        CHECK_STR(e.text, rows[i].text);
        CHECK(e.fault == rows[i].fault && e.err == rows[i].err);
    }
}

/* A proxy's page says nothing about an order. */
static void malformed_answers_decide_nothing(void)
{
    CHECK(said(CALL_TIMEOUT, 0, "").fault == CLOB_LATER);
    CHECK(said(CALL_FAILED, 400, "{\"error\":\"not enough balance\"}").fault == CLOB_LATER);
    CHECK(said(CALL_ANSWERED, 404, "<html>").fault == CLOB_LATER);
    CHECK(said(CALL_ANSWERED, 400, "{\"error\":5}").fault == CLOB_LATER);
    CHECK(said(CALL_ANSWERED, 401, "{}").fault == CLOB_LATER);
    CHECK(said(CALL_ANSWERED, 302, "{\"error\":\"moved\"}").fault == CLOB_LATER);
    CHECK(said(CALL_ANSWERED, 200, "{}").fault == CLOB_FINE && said(CALL_ANSWERED, 200, "{}").err == NULL);
}

static void texts_of_the_exchange_are_sanitised(void)
{
    struct clob_error e = said(CALL_ANSWERED, 400, "{\"error\":\"a\\nb\\u202e\"}");

    CHECK(safe_text_ok(e.text));
    clob_error_of_text(a, "", &e);
    CHECK(e.fault == CLOB_FINE && e.err == NULL);
    clob_error_of_text(a, "not enough balance / allowance", &e);
    CHECK(e.fault == CLOB_REFUSED && e.err == &E_ALLOWANCE);
}

static void the_arena_goes(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(the_arena_comes), TEST(signatures_are_those_of_the_vectors),
          TEST(credentials_fit_into_headers), TEST(the_allowance_is_the_spenders),
          TEST(short_answers_are_read), TEST(rules_are_integers), TEST(fees_are_rounded_up),
          TEST(fees_are_rounded_to_five_decimals), TEST(the_text_decides_before_the_status),
          TEST(malformed_answers_decide_nothing), TEST(texts_of_the_exchange_are_sanitised),
          TEST(the_arena_goes))
