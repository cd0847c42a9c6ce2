#include "base/test.h"
#include "codec/uuid.c"

static void text_round_trip(void)
{
    char text[UUID_TEXT_LEN + 1];
    struct uuid u;

    CHECK(uuid_parse(&u, "00112233-4455-6677-8899-AABBCCDDEEFF"));
    uuid_text(text, u);
    CHECK_STR(text, "00112233-4455-6677-8899-aabbccddeeff");
}

static void random_ones_are_version_4(void)
{
    for (int i = 0; i < 100; i++) {
        char text[UUID_TEXT_LEN + 1];
        struct uuid u = uuid_random(), other = uuid_random();

        uuid_text(text, u);
        CHECK(text[14] == '4' && strchr("89ab", text[19]) != NULL && strlen(text) == UUID_TEXT_LEN);
        CHECK(memcmp(u.bytes, other.bytes, UUID_LEN) != 0);
    }
}

static void wrong_uuid_is_refused(void)
{
    static const char *const bad[] = { "",
                                       "00112233-4455-6677-8899-aabbccddeef",
                                       "00112233-4455-6677-8899-aabbccddeeff0",
                                       "00112233445566778899aabbccddeeff",
                                       "0011223-34455-6677-8899-aabbccddeeff",
                                       "00112233-4455-6677-8899_aabbccddeeff",
                                       "00112233-4455-6677-8899-aabbccddeefg",
                                       "{0112233-4455-6677-8899-aabbccddeef}" };
    struct uuid u;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!uuid_parse(&u, bad[i]));
}

static void rand_below_is_below(void)
{
    unsigned seen[7] = { 0 };

    for (int i = 0; i < 7000; i++)
        seen[rand_below(7)]++;
    for (size_t i = 0; i < 7; i++)
        CHECK(seen[i] > 700 && seen[i] < 1300);
    CHECK(rand_below(1) == 0);
}

TEST_MAIN(TEST(text_round_trip), TEST(random_ones_are_version_4), TEST(wrong_uuid_is_refused),
          TEST(rand_below_is_below))
