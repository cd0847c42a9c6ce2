#include "base/test.h"
#include "chain/rpc/rpc.c"

static struct arena *a;

/* The classes of answers in these tests. */
static enum rpc_class classify(int64_t code, const char *text, int status)
{
    (void)status;
    if (strcmp(text, "nonce too low") == 0)
        return RPC_NONCE_LOW;
    return code == 3 ? RPC_REVERT : RPC_INCIDENT;
}

static bool says(const struct rpc_answer *r, const char *result)
{
    const char *text = json_string_value(r->result);

    return text != NULL && strcmp(text, result) == 0;
}

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
    ok = rpc_read(out, a, &b, count, classify);
    buf_free(&b);
    return ok;
}

static void a_batch(void)
{
    struct buf out = BUF_INIT(4096);
    struct rpc_batch b = rpc_begin(&out);

    rpc_add(&b, "m_first", "[]");
    rpc_add(&b, "m_other", "[\"0x%x\",%s]", 255U, "false");
    rpc_add_begin(&b, "m_halves");
    buf_adds(&out, "[1]");
    rpc_add_end(&b);
    rpc_end(&b);
    CHECK(b.count == 3);
    CHECK_STR(buf_text(&out),
              "[{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"m_first\",\"params\":[]},\n"
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m_other\",\"params\":[\"0xff\",false]},\n"
              "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"m_halves\",\"params\":[1]}]");
    buf_free(&out);
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

static void answers_in_any_order(void)
{
    struct rpc_answers as;

    CHECK(read_text(
        &as,
        "[{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"0x3\"},{\"id\":0,\"result\":\"0x1\"},{\"id\":1,\"error\":{\"code\":-32000,\"message\":\"no\"}}]",
        3));
    CHECK(says(&as.items[0], "0x1") && says(&as.items[2], "0x3"));
    CHECK(as.items[1].result == NULL && as.items[1].error != NULL && as.items[1].error_code == -32000);
    CHECK_STR(as.items[1].error_text, "no");
    CHECK_STR(as.items[0].error_text, "");
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
    CHECK(says(&as.items[1], "0x1")); /* the first one counts */
    rpc_answers_free(&as);
}

static void a_null_result_is_a_result(void)
{
    struct rpc_answers as;

    CHECK(read_text(&as, "[{\"id\":0,\"error\":null,\"result\":null}]", 1));
    CHECK(json_is_null(as.items[0].result) && as.items[0].error == NULL);
    rpc_answers_free(&as);
}

static void batch_errors_apply_to_all_items(void)
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

static void single_objects_answer_single_items(void)
{
    struct rpc_answers as;

    CHECK(read_text(&as, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":\"0x2a\"}", 1));
    CHECK(says(&as.items[0], "0x2a"));
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
    CHECK(!rpc_read(&as, a, &cut, 1, classify));
    buf_free(&cut);
}

static void classes_are_set_item_by_item(void)
{
    struct rpc_answers as;

    CHECK(read_text(
        &as,
        "[{\"id\":0,\"result\":\"0x1\"},{\"id\":1,\"error\":{\"code\":3,\"message\":\"x\"}},{\"id\":2,\"error\":{\"code\":-32005,\"message\":\"limit\"}},{\"id\":3,\"error\":{\"code\":-32000,\"message\":\"nonce too low\"}}]",
        5));
    CHECK(as.items[0].class == RPC_RESULT && as.items[1].class == RPC_REVERT);
    CHECK(as.items[2].class == RPC_INCIDENT && as.items[3].class == RPC_NONCE_LOW);
    CHECK(as.items[4].class == RPC_INCIDENT); /* left out */
    rpc_answers_free(&as);
}

static void results_reverts_and_refusals_are_final(void)
{
    CHECK(rpc_is_final(RPC_RESULT) && rpc_is_final(RPC_REVERT) && rpc_is_final(RPC_REFUSED));
    CHECK(!rpc_is_final(RPC_INCIDENT) && !rpc_is_final(RPC_BATCH) && !rpc_is_final(RPC_LACKS));
}

static bool add(struct rpc_answers *as, const char *text, int status)
{
    struct buf b = body_of(text);
    bool ok = rpc_answers_add(as, &b, status);

    buf_free(&b);
    return ok;
}

static void final_answers_are_not_replaced(void)
{
    struct rpc_answers as = rpc_answers_new(a, 3, classify);

    CHECK(add(&as, "[{\"id\":0,\"result\":\"0x1\"},{\"id\":1,\"error\":{\"message\":\"limit\"}}]", 200));
    CHECK(!add(&as, "<html>", 200) && !add(&as, "", 200));
    CHECK(add(&as, "{\"error\":{\"message\":\"busy\"}}", 200));
    CHECK_STR(as.items[1].error_text, "busy");
    CHECK_STR(as.items[2].error_text, "busy");
    CHECK(add(&as, "[{\"id\":0,\"result\":\"0x7\"},{\"id\":1,\"result\":\"0x2\"}]", 200));
    CHECK(says(&as.items[0], "0x1"));
    CHECK(says(&as.items[1], "0x2") && as.items[2].class == RPC_INCIDENT);
    rpc_answers_free(&as);
}

/* A part of a batch, and a node's answer to all of it or next to it. */
static void only_what_is_awaited(void)
{
    struct rpc_answers as = rpc_answers_new(a, 3, classify);

    as.items[0].awaited = as.items[2].awaited = false;
    CHECK(!add(&as, "[{\"id\":0,\"result\":\"0x1\"}]", 200) && as.items[0].result == NULL);
    CHECK(add(&as, "{\"error\":{\"message\":\"nonce too low\"}}", 200));
    CHECK(as.items[0].class == RPC_INCIDENT && as.items[1].class == RPC_NONCE_LOW);
    CHECK(as.items[2].class == RPC_INCIDENT);
    rpc_answers_free(&as);
}

static void an_error_for_one_of_them(void)
{
    struct rpc_answers as;

    CHECK(read_text(&as, "{\"id\":1,\"error\":{\"code\":3,\"message\":\"execution reverted\"}}", 2));
    CHECK(as.items[0].class == RPC_INCIDENT && as.items[1].class == RPC_REVERT);
    rpc_answers_free(&as);
}

static void results_under_a_bad_status(void)
{
    struct rpc_answers as = rpc_answers_new(a, 1, classify);

    CHECK(!add(&as, "[{\"id\":0,\"result\":\"0x1\"}]", 500));
    CHECK(as.items[0].class == RPC_INCIDENT && as.items[0].result == NULL);
    /* Some nodes put a good answer's error under one. */
    CHECK(add(&as, "{\"id\":0,\"error\":{\"code\":-32000,\"message\":\"nonce too low\"}}", 500));
    CHECK(as.items[0].class == RPC_NONCE_LOW);
    rpc_answers_free(&as);
}

static void rpc_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(a_batch), TEST(items_in_the_form_that_fits), TEST(answers_in_any_order),
          TEST(missing_and_foreign_ids), TEST(a_null_result_is_a_result),
          TEST(batch_errors_apply_to_all_items), TEST(single_objects_answer_single_items),
          TEST(garbage_is_no_answer), TEST(classes_are_set_item_by_item),
          TEST(results_reverts_and_refusals_are_final), TEST(final_answers_are_not_replaced),
          TEST(only_what_is_awaited), TEST(an_error_for_one_of_them), TEST(results_under_a_bad_status),
          TEST(rpc_test_end))
