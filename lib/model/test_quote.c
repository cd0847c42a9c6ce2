#include "base/test.h"
#include "model/quote.c"

static void ids_go_both_ways(void)
{
    struct uuid id, back;
    char text[QUOTE_ID_TEXT_LEN + 1];

    for (size_t i = 0; i < sizeof id.bytes; i++)
        id.bytes[i] = (uint8_t)(0xf0 + i);
    quote_id_text(text, &id);
    CHECK_STR(text, "q_f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
    CHECK(quote_id_parse(&back, text) && memcmp(&id, &back, sizeof id) == 0);
}

static void bad_ids_are_refused(void)
{
    static const char *const bad[] = {
        "",
        "q_",
        "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff00",
        "q_f0f1f2f3f4f5f6f7f8f9fafbfcfdfef",
        "q_f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff0",
        "q_f0f1f2f3f4f5f6f7f8f9fafbfcfdfefg",
        "Q_f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        "q_ 0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        "q-f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        "q_f0f1f2f3f4f5f6f7f8f9fafbfcfdfe\xff\xff",
    };
    struct uuid id;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!quote_id_parse(&id, bad[i]));
}

TEST_MAIN(TEST(ids_go_both_ways), TEST(bad_ids_are_refused))
