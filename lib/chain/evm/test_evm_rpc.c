#include "base/test.h"
#include "chain/evm/evm_rpc.c"

#include "chain/evm/evm_rpc_class.h"

static struct arena *a;

static bool read_text(struct rpc_answers *out, const char *text, unsigned count)
{
    struct buf b = BUF_INIT(MAX_UPSTREAM);
    bool ok;

    if (a == NULL)
        a = arena_new();
    buf_adds(&b, text);
    ok = rpc_read(out, a, &b, count, evm_classify);
    buf_free(&b);
    return ok;
}

static void calls(void)
{
    struct buf out = BUF_INIT(4096), data = BUF_INIT(16);
    struct evm_addr to, from;
    struct rpc_batch b = rpc_begin(&out);

    CHECK(evm_addr_parse(&to, "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"));
    CHECK(evm_addr_parse(&from, "0x1111111111111111111111111111111111111111"));
    buf_adds(&data, "\x31\x3c\xe5\x67");
    rpc_add_call(&b, NULL, to, &data);
    rpc_add_call(&b, &from, to, &data);
    rpc_add_call_of_code(&b, to, "\x60\x01", 2, &data);
    rpc_end(&b);
    CHECK(b.count == 3);
    CHECK_STR(
        buf_text(&out),
        "[{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"eth_call\",\"params\":[{\"to\":\"0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2\",\"data\":\"0x313ce567\"},\"latest\"]},\n"
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_call\",\"params\":[{\"from\":\"0x1111111111111111111111111111111111111111\",\"to\":\"0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2\",\"data\":\"0x313ce567\"},\"latest\"]},\n"
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"eth_call\",\"params\":[{\"to\":\"0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2\",\"data\":\"0x313ce567\"},\"latest\",{\"0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2\":{\"code\":\"0x6001\"}}]}]");
    buf_free(&out);
    buf_free(&data);
}

static void long_calldata(void)
{
    struct buf out = BUF_INIT(MAX_TX), data = BUF_INIT(4096);
    struct rpc_batch b = rpc_begin(&out);
    const struct evm_addr to = { { 0 } };
    json_t *doc;

    for (int i = 0; i < 1000; i++)
        buf_addc(&data, (uint8_t)i);
    rpc_add_call(&b, NULL, to, &data);
    rpc_end(&b);
    doc = json_loadb(out.data, out.len, 0, NULL);
    CHECK(doc != NULL && strstr(out.data, "fdfeff000102") != NULL);
    json_decref(doc);
    buf_free(&out);
    buf_free(&data);
}

static void typed_results(void)
{
    struct rpc_answers as;
    struct u256 v;
    const uint8_t *p;
    uint8_t two[2];
    uint64_t u;
    size_t n;

    CHECK(read_text(
        &as,
        "[{\"id\":0,\"result\":\"0x\"},{\"id\":1,\"result\":\"0x0aFF\"},{\"id\":2,\"result\":12},{\"id\":3,\"result\":\"0x10000000000000000\"},{\"id\":4,\"result\":\"0xabc\"},{\"id\":5,\"result\":{\"nonce\":\"0x5\",\"hash\":\"0x0102\",\"bad\":7}},{\"id\":6,\"result\":null},{\"id\":7,\"error\":{\"code\":3,\"message\":\"x\"}}]",
        8));
    CHECK(rpc_bytes(&p, &n, a, &as.items[0]) && n == 0 && !rpc_u256(&v, &as.items[0]));
    CHECK(rpc_bytes(&p, &n, a, &as.items[1]) && n == 2 && p[0] == 10 && p[1] == 255);
    CHECK(!rpc_u64(&u, &as.items[2]) && !rpc_bytes(&p, &n, a, &as.items[2]));
    CHECK(!rpc_u64(&u, &as.items[3]) && rpc_u256(&v, &as.items[3]));
    CHECK(!rpc_bytes(&p, &n, a, &as.items[4]) && rpc_u64(&u, &as.items[4]) && u == 0xabc);
    CHECK(rpc_member_u64(&u, as.items[5].result, "nonce") && u == 5);
    CHECK(rpc_member_bytes(two, 2, as.items[5].result, "hash") && two[1] == 2);
    CHECK(!rpc_member_bytes(two, 1, as.items[5].result, "hash"));
    CHECK(!rpc_member_u64(&u, as.items[5].result, "bad") && !rpc_member_u64(&u, as.items[5].result, "none"));
    CHECK(!rpc_member_u64(&u, as.items[0].result, "nonce") && !rpc_member_u64(&u, NULL, "nonce"));
    CHECK(!rpc_u64(&u, &as.items[6]) && !rpc_u64(&u, &as.items[7]));
    rpc_answers_free(&as);
}

static void revert_data(void)
{
    static const struct {
        const char *answer;
        size_t n;
    } rows[] = {
        { "{\"error\":{\"code\":3,\"message\":\"execution reverted\",\"data\":\"0xdead00\"}}", 3 },
        { "{\"error\":{\"code\":3,\"message\":\"execution reverted\",\"data\":\"0x\"}}", 0 },
        { "{\"error\":{\"code\":3,\"message\":\"execution reverted\"}}", 0 },
        { "{\"error\":{\"code\":-32015,\"message\":\"VM\",\"data\":\"Reverted 0xdead\"}}", 2 },
        { "{\"error\":{\"code\":-32000,\"message\":\"x\",\"data\":{\"data\":\"0xde\"}}}", 1 },
        { "{\"error\":{\"code\":-32000,\"message\":\"x\",\"data\":[1]}}", 0 },
        { "{\"error\":{\"code\":-32000,\"message\":\"x\",\"data\":\"0xzz\"}}", 0 },
        { "{\"error\":true}", 0 },
    };
    struct rpc_answer good = { .error_text = "" };
    struct rpc_answers as;
    const uint8_t *p;
    size_t n;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK(read_text(&as, rows[i].answer, 1));
        n = 99;
        CHECK(rpc_revert_data(&p, &n, a, &as.items[0]) && n == rows[i].n);
        rpc_answers_free(&as);
    }
    CHECK(!rpc_revert_data(&p, &n, a, &good));
}

static void rpc_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(calls), TEST(long_calldata), TEST(typed_results), TEST(revert_data), TEST(rpc_test_end))
