#include "base/test.h"
#include "chain/evm/rpc.c"

static struct arena *a;

static struct buf body_of(const char *text)
{
    struct buf b = BUF_INIT(MAX_UPSTREAM);

    buf_adds(&b, text);
    return b;
}

static bool read_text(struct rpc_answers *out, const char *text, unsigned count)
{
    struct buf b = body_of(text);
    bool ok;

    if (a == NULL)
        a = arena_new();
    ok = rpc_read(out, a, &b, count);
    buf_free(&b);
    return ok;
}

static void a_batch(void)
{
    struct buf out = BUF_INIT(4096), data = BUF_INIT(16);
    struct evm_addr to, from;
    struct rpc_batch b = rpc_begin(&out);

    CHECK(evm_addr_parse(&to, "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"));
    CHECK(evm_addr_parse(&from, "0x1111111111111111111111111111111111111111"));
    buf_adds(&data, "\x31\x3c\xe5\x67");
    rpc_add(&b, "eth_chainId", "[]");
    rpc_add(&b, "eth_getBlockByNumber", "[\"0x%x\",%s]", 255U, "false");
    rpc_add_call(&b, NULL, to, &data);
    rpc_add_call(&b, &from, to, &data);
    rpc_end(&b);
    CHECK(b.count == 4);
    CHECK_STR(
        buf_text(&out),
        "[{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"eth_chainId\",\"params\":[]},\n"
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_getBlockByNumber\",\"params\":[\"0xff\",false]},\n"
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"eth_call\",\"params\":[{\"to\":\"0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2\",\"data\":\"0x313ce567\"},\"latest\"]},\n"
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"eth_call\",\"params\":[{\"from\":\"0x1111111111111111111111111111111111111111\",\"to\":\"0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2\",\"data\":\"0x313ce567\"},\"latest\"]}]");
    buf_free(&out);
    buf_free(&data);
}

/* The items as a node without `lacking` is asked them. */
static const char *batch_text(const struct rpc_batch *b, unsigned lacking)
{
    static char text[1024];
    struct rpc_cursor c = { NULL };
    struct rpc_item item;

    text[0] = '\0';
    while (rpc_next(&item, &c, b, lacking))
        snprintf(text + strlen(text), sizeof text - strlen(text), "%u.%u(%u)%.*s ", item.id, item.form,
                 (unsigned)item.need, (int)item.len - 36, item.text + 36);
    return text;
}

static void items_in_the_form_that_fits(void)
{
    struct buf out = BUF_INIT(4096);
    struct rpc_batch b = rpc_begin(&out);

    rpc_add(&b, "m_first", "[1]");
    rpc_add(&b, "m_simul", "[2]");
    rpc_or(&b, RPC_NEEDS_SIMULATE);
    rpc_add(&b, "m_overr", "[3]");
    rpc_or(&b, RPC_NEEDS_OVERRIDE);
    rpc_add(&b, "m_plain", "[4]");
    rpc_add(&b, "m_third", "[5]");
    rpc_or(&b, RPC_NEEDS_OVERRIDE);
    rpc_add(&b, "m_plain", "[6]");
    rpc_end(&b);
    CHECK(b.count == 3);
#define PARAMS(n) "\",\"params\":[" n "]} "
    CHECK_STR(batch_text(&b, 0),
              "0.0(0)first" PARAMS("1") "1.0(1)simul" PARAMS("2") "2.0(2)third" PARAMS("5"));
    CHECK_STR(batch_text(&b, RPC_NEEDS_SIMULATE),
              "0.0(0)first" PARAMS("1") "1.1(2)overr" PARAMS("3") "2.0(2)third" PARAMS("5"));
    CHECK_STR(batch_text(&b, RPC_NEEDS_SIMULATE | RPC_NEEDS_OVERRIDE),
              "0.0(0)first" PARAMS("1") "1.2(0)plain" PARAMS("4") "2.1(0)plain" PARAMS("6"));
    CHECK_STR(batch_text(&b, RPC_NEEDS_OVERRIDE),
              "0.0(0)first" PARAMS("1") "1.0(1)simul" PARAMS("2") "2.1(0)plain" PARAMS("6"));
    buf_free(&out);
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

static void answers_in_any_order(void)
{
    struct rpc_answers as;
    struct u256 v;
    uint64_t n;

    CHECK(read_text(
        &as,
        "[{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"0x3\"},{\"id\":0,\"result\":\"0x1\"},{\"id\":1,\"error\":{\"code\":-32000,\"message\":\"no\"}}]",
        3));
    CHECK(rpc_u64(&n, &as.items[0]) && n == 1);
    CHECK(rpc_u256(&v, &as.items[2]) && u256_cmp(v, u256_from_u64(3)) == 0);
    CHECK(as.items[1].result == NULL && as.items[1].error != NULL && as.items[1].error_code == -32000);
    CHECK_STR(as.items[1].error_text, "no");
    CHECK_STR(as.items[0].error_text, "");
    CHECK(!rpc_u64(&n, &as.items[1]));
    rpc_answers_free(&as);
}

static void missing_and_foreign_ids(void)
{
    struct rpc_answers as;

    CHECK(read_text(
        &as,
        "[{\"id\":1,\"result\":\"0x1\"},{\"id\":1,\"result\":\"0x2\"},{\"id\":7,\"result\":\"0x3\"},{\"id\":-1,\"result\":\"0x4\"},{\"id\":\"0\",\"result\":\"0x5\"},{\"id\":null},{},5,null,{\"id\":2},{\"id\":9223372036854775807,\"result\":\"0x1\"}]",
        3));
    CHECK(as.items[0].result == NULL && as.items[0].error == NULL);
    CHECK(as.items[2].result == NULL && as.items[2].error == NULL);
    CHECK_STR(json_string_value(as.items[1].result), "0x1"); /* the first one counts */
    rpc_answers_free(&as);
}

static void a_null_result_is_a_result(void)
{
    struct rpc_answers as;
    uint64_t n;

    CHECK(read_text(&as, "[{\"id\":0,\"error\":null,\"result\":null}]", 1));
    CHECK(json_is_null(as.items[0].result) && as.items[0].error == NULL && !rpc_u64(&n, &as.items[0]));
    rpc_answers_free(&as);
}

static void one_error_for_all(void)
{
    struct rpc_answers as;

    CHECK(read_text(
        &as, "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32005,\"message\":\"limit\"}}", 3));
    for (unsigned i = 0; i < 3; i++) {
        CHECK(as.items[i].error_code == -32005 && as.items[i].result == NULL);
        CHECK_STR(as.items[i].error_text, "limit");
    }
    rpc_answers_free(&as);
    CHECK(read_text(&as, "{\"error\":\"plain text\"}", 1));
    CHECK_STR(as.items[0].error_text, "plain text");
    rpc_answers_free(&as);
}

static void one_object_for_one_call(void)
{
    struct rpc_answers as;
    uint64_t n;

    CHECK(read_text(&as, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":\"0x2a\"}", 1));
    CHECK(rpc_u64(&n, &as.items[0]) && n == 42);
    rpc_answers_free(&as);
}

static void garbage_is_no_answer(void)
{
    static const char *const bad[] = { "",
                                       " ",
                                       "<html>502</html>",
                                       "null",
                                       "5",
                                       "\"0x1\"",
                                       "[]",
                                       "{}",
                                       "[[]]",
                                       "[{\"id\":0}]",
                                       "[{\"id\":5,\"result\":\"0x1\"}]",
                                       "{\"id\":0}",
                                       "{\"id\":3,\"result\":\"0x1\"}",
                                       "[{\"id\":0,\"result\":\"0x1\"}",
                                       "[{\"id\":0,\"result\":\"0x1\"}]]",
                                       "[{\"id\":0,\"result\":\"\xff\"}]" };
    struct rpc_answers as;
    struct buf cut = BUF_INIT(8);

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!read_text(&as, bad[i], 2));
    buf_adds(&cut, "[]");
    buf_adds(&cut, "does not fit");
    CHECK(!rpc_read(&as, a, &cut, 1));
    buf_free(&cut);
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
        "[{\"id\":0,\"result\":\"0x\"},{\"id\":1,\"result\":\"0x0aFF\"},{\"id\":2,\"result\":12},{\"id\":3,\"result\":\"0x10000000000000000\"},{\"id\":4,\"result\":\"0xabc\"},{\"id\":5,\"result\":{\"nonce\":\"0x5\",\"hash\":\"0x0102\",\"bad\":7}}]",
        6));
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

static void classes_are_set_item_by_item(void)
{
    struct rpc_answers as;

    CHECK(read_text(
        &as,
        "[{\"id\":0,\"result\":\"0x1\"},{\"id\":1,\"error\":{\"code\":3,\"message\":\"x\"}},{\"id\":2,\"error\":{\"code\":-32005,\"message\":\"limit\"}},{\"id\":3,\"error\":{\"code\":-32000,\"message\":\"already known\"}}]",
        5));
    CHECK(as.items[0].class == RPC_RESULT && as.items[1].class == RPC_REVERT);
    CHECK(as.items[2].class == RPC_TROUBLE && as.items[3].class == RPC_KNOWN);
    CHECK(as.items[4].class == RPC_TROUBLE); /* left out */
    rpc_answers_free(&as);
}

static bool add(struct rpc_answers *as, const char *text, int status)
{
    struct buf b = body_of(text);
    bool ok = rpc_answers_add(as, &b, status);

    buf_free(&b);
    return ok;
}

static void what_is_final_stays(void)
{
    struct rpc_answers as = rpc_answers_new(a, 3);
    uint64_t n;

    CHECK(add(&as, "[{\"id\":0,\"result\":\"0x1\"},{\"id\":1,\"error\":{\"message\":\"limit\"}}]", 200));
    CHECK(!add(&as, "<html>", 200) && !add(&as, "", 200));
    CHECK(add(&as, "{\"error\":{\"message\":\"busy\"}}", 200));
    CHECK_STR(as.items[1].error_text, "busy");
    CHECK_STR(as.items[2].error_text, "busy");
    CHECK(add(&as, "[{\"id\":0,\"result\":\"0x7\"},{\"id\":1,\"result\":\"0x2\"}]", 200));
    CHECK(rpc_u64(&n, &as.items[0]) && n == 1);
    CHECK(rpc_u64(&n, &as.items[1]) && n == 2 && as.items[2].class == RPC_TROUBLE);
    rpc_answers_free(&as);
}

/* A part of a batch, and what a node says to all of it or beside it. */
static void only_what_is_awaited(void)
{
    struct rpc_answers as = rpc_answers_new(a, 3);

    as.items[0].awaited = as.items[2].awaited = false;
    CHECK(!add(&as, "[{\"id\":0,\"result\":\"0x1\"}]", 200) && as.items[0].result == NULL);
    CHECK(add(&as, "{\"error\":{\"message\":\"nonce too low\"}}", 200));
    CHECK(as.items[0].class == RPC_TROUBLE && as.items[1].class == RPC_NONCE_LOW);
    CHECK(as.items[2].class == RPC_TROUBLE);
    rpc_answers_free(&as);
}

static void an_error_for_one_of_them(void)
{
    struct rpc_answers as;

    CHECK(read_text(&as, "{\"id\":1,\"error\":{\"code\":3,\"message\":\"execution reverted\"}}", 2));
    CHECK(as.items[0].class == RPC_TROUBLE && as.items[1].class == RPC_REVERT);
    rpc_answers_free(&as);
}

static void results_under_a_bad_status(void)
{
    struct rpc_answers as = rpc_answers_new(a, 1);

    CHECK(!add(&as, "[{\"id\":0,\"result\":\"0x1\"}]", 500));
    CHECK(as.items[0].class == RPC_TROUBLE && as.items[0].result == NULL);
    /* Some nodes put a good answer's error under one. */
    CHECK(add(&as, "{\"id\":0,\"error\":{\"code\":-32000,\"message\":\"nonce too low\"}}", 500));
    CHECK(as.items[0].class == RPC_NONCE_LOW);
    rpc_answers_free(&as);
}

static void rpc_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(a_batch), TEST(items_in_the_form_that_fits), TEST(long_calldata), TEST(answers_in_any_order),
          TEST(missing_and_foreign_ids), TEST(a_null_result_is_a_result), TEST(one_error_for_all),
          TEST(one_object_for_one_call), TEST(garbage_is_no_answer), TEST(typed_results), TEST(revert_data),
          TEST(classes_are_set_item_by_item), TEST(what_is_final_stays), TEST(only_what_is_awaited),
          TEST(an_error_for_one_of_them), TEST(results_under_a_bad_status), TEST(rpc_test_end))
