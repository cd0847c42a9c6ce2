#include "predict/relayer.c"

#include "base/test.h"
#define TEST_VECTORS "tests/vectors/polymarket.json"
#include "codec/test_vectors.h"

static struct arena *a;

static void arena_comes(void)
{
    a = arena_new();
}

static struct buf relayer_answer(const char *text)
{
    return (struct buf){ .data = (char *)(uintptr_t)text, .len = strlen(text) };
}

static struct evm_addr relayer_addr(const json_t *row, const char *key)
{
    return evm_addr_or_zero(test_text(row, key));
}

/* ---- submissions ---- */

static size_t calls_of(struct polymarket_call *out, const json_t *rows)
{
    const json_t *row;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        uint8_t *data = arena_alloc(a, 4096);
        size_t n = 0;

        CHECK(hex_decode_0x(data, 4096, &n, test_text(row, "data")));
        out[i] = (struct polymarket_call){ .target = relayer_addr(row, "target"), .data = data, .len = n };
    }
    return json_array_size(rows);
}

static void batches_are_submitted_as_the_vectors_say(void)
{
    const json_t *row, *rows = test_section("deposit_wallet_batches");
    size_t i;

    json_array_foreach(rows, i, row)
    {
        const json_t *want = json_object_get(row, "submit_request");
        struct polymarket_call calls[16];
        struct polymarket_batch b = { .wallet = relayer_addr(row, "wallet"), .calls = calls };
        struct buf body = BUF_INIT(RELAYER_BODY_MAX);
        struct relayer_task task;
        uint8_t sig[65];
        json_t *got;
        size_t n;

        CHECK(params_whole(&b.nonce, test_text(row, "nonce")) &&
              params_whole(&b.deadline, test_text(row, "deadline")));
        b.count = calls_of(calls, json_object_get(row, "calls"));
        CHECK(hex_decode_0x(sig, sizeof sig, &n, test_text(row, "signature")) && n == sizeof sig);
        relayer_write_batch(&body, relayer_addr(want, "from"), &b, sig);
        CHECK(relayer_read_task(&task, (const uint8_t *)body.data, body.len) && !task.creates);
        CHECK(evm_addr_eq(task.wallet, b.wallet) && task.nonce == b.nonce);
        got = json_loadb(body.data, body.len, 0, NULL);
        CHECK_STR(json_string_value(json_object_get(got, "metadata")), test_text(row, "digest"));
        json_object_del(got, "metadata");
        CHECK(json_equal(got, want));
        json_decref(got);
        buf_free(&body);
    }
    CHECK(i > 0);
}

static void a_creation_is_submitted_as_the_vectors_say(void)
{
    const json_t *want = test_member("deposit_wallet_create_request");
    struct buf body = BUF_INIT(RELAYER_BODY_MAX);
    struct evm_addr owner = relayer_addr(want, "from");
    struct relayer_task task;
    json_t *got;

    relayer_write_creation(&body, owner);
    got = json_loadb(body.data, body.len, 0, NULL);
    CHECK(json_equal(got, want));
    json_decref(got);
    CHECK(relayer_read_task(&task, (const uint8_t *)body.data, body.len) && task.creates);
    CHECK(evm_addr_eq(task.wallet, polymarket_wallet_of(owner, POLYMARKET_WALLET_BEACON)));
    CHECK(!relayer_read_task(&task, (const uint8_t *)body.data, body.len - 1));
    CHECK(!relayer_read_task(&task, (const uint8_t *)"{}", 2));
    buf_free(&body);
}

/* ---- the caller ---- */

static void a_builder_signs_and_a_relayer_key_does_not(void)
{
    struct relayer_key key = {
        .builder = true, .key = "k", .secret = "c2VjcmV0", .passphrase = "p", .address = "0xa"
    };
    struct call call = { .url = "x" };

    CHECK(relayer_head(&call, a, &key, 1700000000, "POST", "/submit", "{}"));
    CHECK_STR(call.headers[0], "POLY_BUILDER_API_KEY: k");
    CHECK_STR(call.headers[1], "POLY_BUILDER_PASSPHRASE: p");
    CHECK(strncmp(call.headers[2], "POLY_BUILDER_SIGNATURE: ", 24) == 0 &&
          strlen(call.headers[2]) == 24 + 44);
    CHECK_STR(call.headers[3], "POLY_BUILDER_TIMESTAMP: 1700000000");
    key.builder = false;
    CHECK(relayer_head(&call, a, &key, 1700000000, "GET", "/transaction", NULL));
    CHECK_STR(call.headers[0], "RELAYER_API_KEY: k");
    CHECK_STR(call.headers[1], "RELAYER_API_KEY_ADDRESS: 0xa");
}

/* ---- answers ---- */

static void a_submission_has_an_id(void)
{
    static const char *const none[] = { "",
                                        "[]",
                                        "{}",
                                        "{\"transactionID\":7}",
                                        "{\"transactionID\":\"\"}",
                                        "{\"transactionID\":\"a b\"}",
                                        "{\"transactionID\":\"a&id=b\"}" };
    struct buf fine = relayer_answer("{\"transactionID\":\"01-aZ_\",\"state\":\"STATE_NEW\"}");
    const char *id;

    CHECK(relayer_read_submitted(a, &fine, &id));
    CHECK_STR(id, "01-aZ_");
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        struct buf answer = relayer_answer(none[i]);

        CHECK(!relayer_read_submitted(a, &answer, &id));
    }
}

#define A_HASH "0x00000000000000000000000000000000000000000000000000000000000000ff"

static void rows_are_found_by_id_or_by_digest(void)
{
    static const uint8_t digest[HASH_LEN] = { [31] = 7 }, other[HASH_LEN] = { [31] = 8 };
    struct buf list = relayer_answer(
        "[{\"transactionID\":\"x\",\"state\":\"STATE_FAILED\",\"transactionHash\":\"\"},"
        "{\"transactionID\":\"y\",\"state\":\"STATE_MINED\",\"transactionHash\":\"" A_HASH "\",\"metadata\":"
        "\"0x0000000000000000000000000000000000000000000000000000000000000007\"},{},null]");
    struct buf one =
        relayer_answer("{\"transactionID\":\"z\",\"state\":\"invalid\",\"transactionHash\":null}");
    struct buf garbage = relayer_answer("oops");
    struct relayer_row row;

    CHECK(relayer_read_rows(a, &list, "x", digest, &row) && row.state == RELAYER_GAVE_UP);
    CHECK(row.tx_hash.len == 0);
    CHECK(relayer_read_rows(a, &list, "", digest, &row) && row.state == RELAYER_HAS);
    CHECK_STR(row.id, "y");
    CHECK(row.tx_hash.len == 32 && row.tx_hash.bytes[31] == 0xff);
    CHECK(relayer_read_rows(a, &list, "", other, &row) && row.id == NULL);
    CHECK(relayer_read_rows(a, &one, "z", digest, &row) && row.state == RELAYER_GAVE_UP);
    CHECK(!relayer_read_rows(a, &garbage, "z", digest, &row));
}

TEST_MAIN(TEST(arena_comes), TEST(batches_are_submitted_as_the_vectors_say),
          TEST(a_creation_is_submitted_as_the_vectors_say), TEST(a_builder_signs_and_a_relayer_key_does_not),
          TEST(a_submission_has_an_id), TEST(rows_are_found_by_id_or_by_digest))
