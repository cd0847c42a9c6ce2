#include "base/test.h"
#include "webhook/payload.c"

static const int64_t new_year = INT64_C(1767225600000);

static void writes_the_envelope(void)
{
    struct arena *a = arena_new();
    struct json_writer w;

    payload_open(&w, a, "swap.completed", new_year);
    jw_integer(&w, "swap_id", 42);
    jw_string(&w, "status", "completed");
    CHECK_STR(
        payload_close(&w),
        "{\"type\":\"swap.completed\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"data\":{\"swap_id\":42,\"status\":\"completed\"}}");
    arena_free(a);
}

static void keeps_text_as_utf8(void)
{
    struct arena *a = arena_new();
    struct json_writer w;

    payload_open(&w, a, "webhook.test", new_year + 7);
    jw_string(&w, "note", "caf\xc3\xa9 \xe2\x9c\x93");
    CHECK_STR(
        payload_close(&w),
        "{\"type\":\"webhook.test\",\"timestamp\":\"2026-01-01T00:00:00.007Z\",\"data\":{\"note\":\"caf\xc3\xa9 \xe2\x9c\x93\"}}");
    arena_free(a);
}

static void refuses_what_cannot_be(void)
{
    struct arena *a = arena_new();
    char *text = arena_alloc(a, WEBHOOK_BODY_MAX + 1);
    struct json_writer w;

    memset(text, 'x', WEBHOOK_BODY_MAX);
    payload_open(&w, a, "webhook.test", new_year);
    jw_string(&w, "too_long", text);
    CHECK(payload_close(&w) == NULL);
    payload_open(&w, a, "webhook.test", new_year);
    jw_string(&w, "no_text", NULL);
    CHECK(payload_close(&w) == NULL);
    arena_free(a);
}

TEST_MAIN(TEST(writes_the_envelope), TEST(keeps_text_as_utf8), TEST(refuses_what_cannot_be))
