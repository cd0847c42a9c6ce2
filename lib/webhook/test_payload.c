#include "base/test.h"
#include "webhook/payload.c"

static const int64_t new_year = INT64_C(1767225600000);

static void writes_the_envelope(void)
{
    struct buf out = BUF_INIT(WEBHOOK_BODY_MAX);
    json_t *data = json_pack("{s:i, s:s}", "swap_id", 42, "status", "completed");

    CHECK(payload_write(&out, "swap.completed", new_year, data));
    CHECK_STR(
        buf_text(&out),
        "{\"type\":\"swap.completed\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"data\":{\"swap_id\":42,\"status\":\"completed\"}}");
    CHECK(json_object_size(data) == 2); /* still ours */
    json_decref(data);
    buf_free(&out);
}

static void keeps_text_as_utf8(void)
{
    struct buf out = BUF_INIT(WEBHOOK_BODY_MAX);
    json_t *data = json_pack("{s:s}", "note", "caf\xc3\xa9 \xe2\x9c\x93");

    CHECK(payload_write(&out, "webhook.test", new_year + 7, data));
    CHECK_STR(
        buf_text(&out),
        "{\"type\":\"webhook.test\",\"timestamp\":\"2026-01-01T00:00:00.007Z\",\"data\":{\"note\":\"caf\xc3\xa9 \xe2\x9c\x93\"}}");
    json_decref(data);
    buf_free(&out);
}

static void refuses_what_cannot_be(void)
{
    struct buf out = BUF_INIT(40);
    json_t *data = json_object();

    CHECK(!payload_write(&out, "webhook.test", new_year, data));
    buf_reset(&out);
    CHECK(!payload_write(&out, "webhook.test", new_year, NULL));
    json_decref(data);
    buf_free(&out);
}

TEST_MAIN(TEST(writes_the_envelope), TEST(keeps_text_as_utf8), TEST(refuses_what_cannot_be))
