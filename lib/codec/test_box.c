#include "base/test.h"
#include "codec/box.c"

static const uint8_t key[BOX_KEY_LEN] = { 1, 2, 3 };

static void sealed_text_opens(void)
{
    static const uint8_t secret[] = "a webhook secret";
    uint8_t sealed[sizeof secret + BOX_OVERHEAD], again[sizeof sealed], open[sizeof secret];

    box_seal(sealed, secret, sizeof secret, key);
    box_seal(again, secret, sizeof secret, key);
    CHECK(memcmp(sealed, again, sizeof sealed) != 0);
    CHECK(box_open(open, sealed, sizeof sealed, key) && memcmp(open, secret, sizeof secret) == 0);
}

static void any_change_is_noticed(void)
{
    static const uint8_t other[BOX_KEY_LEN] = { 1, 2, 4 };
    uint8_t sealed[4 + BOX_OVERHEAD], open[4];

    box_seal(sealed, (const uint8_t *)"abcd", 4, key);
    for (size_t i = 0; i < sizeof sealed; i++) {
        sealed[i] ^= 1;
        CHECK(!box_open(open, sealed, sizeof sealed, key));
        sealed[i] ^= 1;
    }
    CHECK(!box_open(open, sealed, sizeof sealed, other));
    CHECK(!box_open(open, sealed, sizeof sealed - 1, key));
    CHECK(!box_open(open, sealed, BOX_OVERHEAD - 1, key));
    CHECK(!box_open(open, sealed, 0, key));
    CHECK(box_open(open, sealed, sizeof sealed, key));
}

static void nothing_can_be_sealed(void)
{
    uint8_t sealed[BOX_OVERHEAD], open[1];

    box_seal(sealed, NULL, 0, key);
    CHECK(box_open(open, sealed, sizeof sealed, key));
}

TEST_MAIN(TEST(sealed_text_opens), TEST(any_change_is_noticed), TEST(nothing_can_be_sealed))
