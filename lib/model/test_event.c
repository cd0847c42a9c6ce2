#include "base/test.h"
#include "model/event.c"

static void ids_go_both_ways(void)
{
    struct uuid id, back;
    char text[EVENT_ID_TEXT_LEN + 1];

    for (size_t i = 0; i < sizeof id.bytes; i++)
        id.bytes[i] = (uint8_t)(0xf0 + i);
    event_id_text(text, id);
    CHECK_STR(text, "msg_f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
    CHECK(strlen(text) == EVENT_ID_TEXT_LEN);
    CHECK(event_id_parse(&back, text));
    CHECK(memcmp(&id, &back, sizeof id) == 0);
}

static void bad_ids_are_refused(void)
{
    static const char *const bad[] = {
        "",
        "msg_",
        "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        "msg_f0f1f2f3f4f5f6f7f8f9fafbfcfdfef",
        "msg_f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff0",
        "msg_f0f1f2f3f4f5f6f7f8f9fafbfcfdfefg",
        "MSG_f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        "msg_f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff",
    };
    struct uuid id;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!event_id_parse(&id, bad[i]));
}

static void statuses_go_both_ways(void)
{
    enum event_status s;

    CHECK_STR(event_status_text(EVENT_PENDING), "pending");
    CHECK_STR(event_status_text(EVENT_DELIVERED), "delivered");
    CHECK_STR(event_status_text(EVENT_FAILED), "failed");
    CHECK(event_status_parse(&s, "pending") && s == EVENT_PENDING);
    CHECK(event_status_parse(&s, "delivered") && s == EVENT_DELIVERED);
    CHECK(event_status_parse(&s, "failed") && s == EVENT_FAILED);
    CHECK(!event_status_parse(&s, ""));
    CHECK(!event_status_parse(&s, "Pending"));
    CHECK(!event_status_parse(&s, "submitted"));
}

TEST_MAIN(TEST(ids_go_both_ways), TEST(bad_ids_are_refused), TEST(statuses_go_both_ways))
