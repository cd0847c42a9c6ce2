#include "base/test.h"
#include "exec/evm/evm_receipt.c"

#define WETH           "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
#define USDC           "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
#define ME             "0x1111111111111111111111111111111111111111"

#define TOPIC(address) "\"0x000000000000000000000000" address "\""
#define MY_TOPIC       TOPIC("1111111111111111111111111111111111111111")
#define OTHER_TOPIC    TOPIC("2222222222222222222222222222222222222222")
#define TRANSFERRED    "\"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef\""
#define DEPOSITED      "\"0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c\""
#define WITHDRAWN      "\"0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65\""
#define APPROVED       "\"0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925\""
#define WORD(last)     "0x00000000000000000000000000000000000000000000000000000000000000" last

#define LOG(address, topics, data)                                                                           \
    "{\"address\":\"" address "\",\"topics\":[" topics "],\"data\":\"" data "\"}"
#define TO_ME(amount) LOG(USDC, TRANSFERRED "," OTHER_TOPIC "," MY_TOPIC, WORD(amount))

static void receipts(void)
{
    static const struct {
        const char *json;
        bool ok;
        uint64_t block;
        bool succeeded;
    } rows[] = {
        { "null", true, 0, false },
        { "{\"blockNumber\":\"0x10\",\"status\":\"0x1\",\"logs\":[]}", true, 16, true },
        { "{\"blockNumber\":\"0x10\",\"status\":\"0x0\",\"logs\":[]}", true, 16, false },
        { "{\"blockNumber\":\"0x10\",\"status\":\"0x2\"}", true, 16, false },
        { "{\"blockNumber\":\"0x10\"}", false, 0, false },
        { "{\"status\":\"0x1\"}", false, 0, false },
        { "{\"blockNumber\":null,\"status\":\"0x1\"}", false, 0, false },
        { "{\"blockNumber\":16,\"status\":\"0x1\"}", false, 0, false },
        { "{\"blockNumber\":\"0x10000000000000000\",\"status\":\"0x1\"}", false, 0, false },
        { "{}", false, 0, false },
        { "[]", false, 0, false },
        { "\"0x1\"", false, 0, false },
        { "false", false, 0, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *v = json_loads(rows[i].json, JSON_DECODE_ANY, NULL);
        struct receipt r;

        CHECK(receipt_read(&r, v) == rows[i].ok);
        if (rows[i].ok)
            CHECK(r.block == rows[i].block && r.succeeded == rows[i].succeeded);
        json_decref(v);
    }
}

/* The whole cost of the transaction; -1: unknown. */
static void costs_are_read_from_receipts(void)
{
    static const struct {
        const char *members;
        int64_t want;
    } rows[] = {
        { "\"gasUsed\":\"0x10\",\"effectiveGasPrice\":\"0x3\"", 48 },
        { "\"gasUsed\":\"0x10\",\"effectiveGasPrice\":\"0x3\",\"l1Fee\":\"0x2\"", 50 },
        { "\"gasUsed\":\"0x10\",\"effectiveGasPrice\":\"0x3\",\"l1Fee\":null", 48 },
        { "\"gasUsed\":\"0x10\",\"effectiveGasPrice\":\"0x3\",\"l1Fee\":\"?\"", -1 },
        { "\"gasUsed\":\"0x10\",\"effectiveGasPrice\":\"0x3\",\"l1Fee\":\"0x2\",\"operatorFeeScalar\":\"0x5\","
          "\"operatorFeeConstant\":\"0x7\"",
          8057 },
        { "\"gasUsed\":\"0x10\",\"effectiveGasPrice\":\"0x3\",\"operatorFeeConstant\":\"0x7\"", 55 },
        { "\"gasUsed\":\"0x10\",\"effectiveGasPrice\":\"0x3\",\"operatorFeeScalar\":\"5\"", -1 },
        { "\"gasUsed\":\"0x10\"", -1 },
        { "\"effectiveGasPrice\":\"0x3\"", -1 },
        { "\"gasUsed\":16,\"effectiveGasPrice\":\"0x3\"", -1 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *v = json_pack("{s:s,s:s}", "blockNumber", "0x10", "status", "0x1");
        char text[200];
        struct receipt r;
        uint64_t n;

        snprintf(text, sizeof text, "{%s}", rows[i].members);
        json_object_update_new(v, json_loads(text, 0, NULL));
        CHECK(receipt_read(&r, v) && r.has_fee == (rows[i].want >= 0));
        CHECK(!r.has_fee || (u256_to_u64(&n, r.fee) && (int64_t)n == rows[i].want));
        json_decref(v);
    }
}

/* The arrived amount of a token (its address; the zero address: the coin itself) by these logs; -1:
 * unknown. */
static int64_t arrived(const char *token, const char *logs, const char *wallet)
{
    json_t *list = json_loads(logs, JSON_DECODE_ANY, NULL);
    struct receipt r = { .block = 1, .succeeded = true, .logs = list };
    struct execution s = { .to = { .chain_id = 1 } };
    struct u256 v = U256_ZERO;
    uint64_t n = 0;
    bool ok;

    CHECK(list != NULL);
    snprintf(s.to.address, sizeof s.to.address, "%s", token);
    ok = receipt_arrived(&v, &r, &s, wallet) && u256_to_u64(&n, v);
    json_decref(list);
    return ok ? (int64_t)n : -1;
}

static void tokens_that_arrive(void)
{
    static const struct {
        const char *logs;
        int64_t want;
    } rows[] = {
        { "[]", -1 },
        { "null", -1 },
        { "{}", -1 },
        { "[" TO_ME("2a") "]", 42 },
        { "[" TO_ME("00") "]", 0 },
        { "[" TO_ME("2a") "," TO_ME("01") "]", 43 },
        { "[" LOG(USDC, APPROVED "," OTHER_TOPIC "," MY_TOPIC, WORD("ff")) "," TO_ME("2a") "]", 42 },
        { "[" LOG(WETH, TRANSFERRED "," OTHER_TOPIC "," MY_TOPIC, WORD("ff")) "]", -1 }, /* another token */
        { "[" LOG(USDC, TRANSFERRED "," OTHER_TOPIC "," OTHER_TOPIC, WORD("ff")) "]", -1 },
        { "[" LOG(USDC, TRANSFERRED "," MY_TOPIC "," OTHER_TOPIC, WORD("ff")) "]", -1 }, /* from us */
        { "[" LOG(USDC, TRANSFERRED, WORD("ff")) "]", -1 },
        { "[" LOG(USDC, "", WORD("ff")) "]", -1 },
        { "[null,7,\"x\",{},[]," TO_ME("2a") "]", 42 },
        /* data of another size tells nothing, and so the whole receipt does not */
        { "[" LOG(USDC, TRANSFERRED "," OTHER_TOPIC "," MY_TOPIC, "0x") "]", -1 },
        { "[" LOG(USDC, TRANSFERRED "," OTHER_TOPIC "," MY_TOPIC, "0x2a") "]", -1 },
        { "[" TO_ME("2a") "," LOG(USDC, TRANSFERRED "," OTHER_TOPIC "," MY_TOPIC, WORD("01") "00") "]", -1 },
        { "[{\"address\":\"" USDC "\",\"topics\":[" TRANSFERRED "," OTHER_TOPIC "," MY_TOPIC "]}]", -1 },
        { "[{\"address\":\"" USDC "\",\"topics\":[" TRANSFERRED "," OTHER_TOPIC "," MY_TOPIC "],\"data\":7}]",
          -1 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK(arrived("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", rows[i].logs, ME) == rows[i].want);
        CHECK(arrived("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", rows[i].logs, "not an address") == -1);
    }
}

static void the_coin_and_its_wrapped_form(void)
{
    static const char withdrawal[] = "[" LOG(WETH, WITHDRAWN "," OTHER_TOPIC, WORD("2a")) "]";
    static const char elsewhere[] = "[" LOG(USDC, WITHDRAWN "," OTHER_TOPIC, WORD("2a")) "]";
    static const char deposit[] = "[" LOG(WETH, DEPOSITED "," MY_TOPIC, WORD("2a")) "]";
    static const char deposit_of_others[] = "[" LOG(WETH, DEPOSITED "," OTHER_TOPIC, WORD("2a")) "]";
    static const char coin[] = "0x0000000000000000000000000000000000000000";

    CHECK(arrived(coin, withdrawal, ME) == 42);
    CHECK(arrived(coin, elsewhere, ME) == -1);
    CHECK(arrived(coin, "[" TO_ME("2a") "]", ME) == -1);
    CHECK(arrived(WETH, deposit, ME) == 42);
    CHECK(arrived(WETH, deposit_of_others, ME) == -1);
    CHECK(arrived(WETH, withdrawal, ME) == -1);
}

/* A lender takes the amount of the token that left the wallet, by any number of transfers. */
static void tokens_that_are_taken(void)
{
    static const char from_me[] = ",\"logIndex\":\"0x1\"}";
    const char *gave = LOG(USDC, TRANSFERRED "," MY_TOPIC "," OTHER_TOPIC, WORD("2a")),
               *of_another = LOG(WETH, TRANSFERRED "," MY_TOPIC "," OTHER_TOPIC, WORD("07"));
    struct receipt r = { .block = 1, .logs = json_array() };
    struct execution s = { .to = { .chain_id = 1, .address = USDC } };
    const char *const logs[] = { gave, of_another, TO_ME("05"), gave };
    struct u256 v;

    CHECK(!receipt_taken(&v, &r, &s, ME));
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++) {
        char text[1000];

        snprintf(text, sizeof text, "%.*s%s", (int)strlen(logs[i]) - 1, logs[i], from_me);
        json_array_append_new((json_t *)(uintptr_t)r.logs, json_loads(text, 0, NULL));
    }
    CHECK(receipt_taken(&v, &r, &s, ME) && u256_cmp(v, u256_from_u64(84)) == 0);
    CHECK(!receipt_taken(&v, &r, &s, "nobody"));
    json_decref((json_t *)(uintptr_t)r.logs);
}

/* Any contract can write a log's data, of any size; sums beyond 256 bits are not believed. */
static void huge_data(void)
{
    static const char all_ones[] = "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff";
    char *data = calloc(1, 1 << 20);
    json_t *log, *logs = json_array();
    struct receipt r = { .block = 1, .logs = logs };
    struct execution s = { .to = { .chain_id = 1, .address = USDC } };
    struct u256 v;

    if (data == NULL)
        return;
    memset(data, 'f', (1 << 20) - 1);
    memcpy(data, "0x", 2);
    log = json_loads(TO_ME("01"), 0, NULL);
    json_object_set_new(log, "data", json_string(data));
    json_array_append_new(logs, log);
    CHECK(!receipt_arrived(&v, &r, &s, ME));

    json_array_clear(logs);
    for (int i = 0; i < 2; i++) {
        log = json_loads(TO_ME("01"), 0, NULL);
        json_object_set_new(log, "data", json_string(all_ones));
        json_array_append_new(logs, log);
    }
    CHECK(!receipt_arrived(&v, &r, &s, ME));
    json_array_remove(logs, 1);
    CHECK(receipt_arrived(&v, &r, &s, ME) && v.limb[3] == UINT64_MAX);
    json_decref(logs);
    free(data);
}

static uint64_t low(struct u256 v)
{
    uint64_t n = UINT64_MAX;

    return u256_to_u64(&n, v) ? n : UINT64_MAX;
}

/* Transfers of either direction, and what the wallet has wrapped or unwrapped itself. */
static void all_that_changes(void)
{
    static const char logs[] =
        "[{\"address\":\"" USDC "\",\"topics\":[" TRANSFERRED "," MY_TOPIC "," OTHER_TOPIC
        "],\"data\":\"" WORD(
            "05") "\",\"logIndex\":\"0x0\"},"
                  "{\"address\":\"" USDC "\",\"topics\":[" TRANSFERRED "," OTHER_TOPIC "," MY_TOPIC
                  "],\"data\":\"" WORD(
                      "02") "\",\"logIndex\":\"0x1\"},"
                            "{\"address\":\"" USDC "\",\"topics\":[" TRANSFERRED "," OTHER_TOPIC
                            "," OTHER_TOPIC "],\"data\":\"" WORD("09") "\",\"logIndex\":\"0x2\"}," LOG(
                                WETH, DEPOSITED "," MY_TOPIC,
                                WORD("03")) "," LOG(WETH, WITHDRAWN "," MY_TOPIC,
                                                    WORD("01")) "," LOG(WETH, WITHDRAWN "," OTHER_TOPIC,
                                                                        WORD("07")) "," LOG(USDC,
                                                                                            WITHDRAWN
                                                                                            "," MY_TOPIC,
                                                                                            WORD("07")) "]";
    json_t *list = json_loads(logs, 0, NULL);
    const struct receipt r = { .block = 1, .succeeded = true, .logs = list };
    struct account_change c = { .count = 0 };

    CHECK(list != NULL && receipt_changes(&c, &r, ME, token_wrapped_native(chain_by_id(1))) && c.count == 3);
    CHECK(low(change_of(&c, USDC)->left) == 5 && low(change_of(&c, USDC)->came) == 2);
    CHECK(low(change_of(&c, WETH)->left) == 1 && low(change_of(&c, WETH)->came) == 3);
    CHECK(low(change_of(&c, "")->left) == 0 && low(change_of(&c, "")->came) == 1);
    CHECK(!receipt_changes(&c, &r, "nobody", NULL));
    for (unsigned i = c.count; i < ACCOUNT_TOKENS_MAX; i++)
        CHECK(change_of(&c, (char[]){ (char)('a' + (char)i), '\0' }) != NULL);
    CHECK(change_of(&c, "more") == NULL && c.count == ACCOUNT_TOKENS_MAX);
    json_decref(list);
}

TEST_MAIN(TEST(receipts), TEST(costs_are_read_from_receipts), TEST(tokens_that_arrive),
          TEST(the_coin_and_its_wrapped_form), TEST(tokens_that_are_taken), TEST(huge_data),
          TEST(all_that_changes))
