#include <ctype.h>

#include "base/test.h"
#include "codec/hex.c"

static void round_trip(void)
{
    uint8_t all[256], back[256];
    char text[2 * 256 + 1];

    for (unsigned i = 0; i < 256; i++)
        all[i] = (uint8_t)i;
    hex_encode(text, all, sizeof all);
    CHECK(strlen(text) == 512 && strncmp(text, "000102", 6) == 0);
    CHECK(hex_decode(back, sizeof back, text, 512) && memcmp(all, back, sizeof all) == 0);
    hex_encode(text, all, 0);
    CHECK_STR(text, "");
}

static void wrong_hex_is_refused(void)
{
    static const char *const bad[] = { "0", "0g", "g0", " 0", "0x", "+1", "\xff\xff" };
    uint8_t byte;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!hex_decode(&byte, 1, bad[i], strlen(bad[i])));
    CHECK(!hex_decode(&byte, 1, "0011", 4));
    CHECK(hex_decode(&byte, 1, "fF", 2) && byte == 255);
}

static void every_character(void)
{
    for (unsigned c = 1; c < 256; c++) {
        const char high[] = { (char)c, '0', '\0' }, low[] = { '0', (char)c, '\0' };
        const char *digit = strchr("0123456789abcdef", tolower((int)c));
        uint8_t at_high = 0, at_low = 0;

        CHECK(hex_decode(&at_high, 1, high, 2) == (digit != NULL));
        CHECK(hex_decode(&at_low, 1, low, 2) == (digit != NULL));
        CHECK(digit == NULL ||
              (at_high >> 4 == at_low && (at_low < 10 ? at_low + '0' : at_low - 10 + 'a') == *digit));
    }
}

static void prefixed(void)
{
    static const char *const bad[] = { "", "0", "x", "0x0", "0X00", "00", "0x001122", "0x0g", "1x00" };
    uint8_t out[2];
    size_t n;

    CHECK(hex_decode_0x(out, 2, &n, "0x") && n == 0);
    CHECK(hex_decode_0x(out, 2, &n, "0xABcd") && n == 2 && out[0] == 0xab && out[1] == 0xcd);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!hex_decode_0x(out, 2, &n, bad[i]));
}

TEST_MAIN(TEST(round_trip), TEST(wrong_hex_is_refused), TEST(every_character), TEST(prefixed))
