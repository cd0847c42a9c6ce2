#include "base/test.h"
#include "codec/base64.c"

/* RFC 4648, section 10. */
static const char *const rfc[][2] = { { "", "" },
                                      { "f", "Zg==" },
                                      { "fo", "Zm8=" },
                                      { "foo", "Zm9v" },
                                      { "foob", "Zm9vYg==" },
                                      { "fooba", "Zm9vYmE=" },
                                      { "foobar", "Zm9vYmFy" } };

static void rfc_vectors(void)
{
    char text[BASE64_LEN(6) + 1];
    uint8_t back[6];
    size_t n;

    for (size_t i = 0; i < sizeof rfc / sizeof rfc[0]; i++) {
        base64_encode(text, (const uint8_t *)rfc[i][0], strlen(rfc[i][0]));
        CHECK_STR(text, rfc[i][1]);
        CHECK(base64_decode(back, sizeof back, &n, text, strlen(text)));
        CHECK(n == strlen(rfc[i][0]) && memcmp(back, rfc[i][0], n) == 0);
    }
}

static void both_alphabets(void)
{
    static const uint8_t bytes[] = { 0xfb, 0xff, 0xbf, 0xff };
    char text[BASE64_LEN(sizeof bytes) + 1];

    base64_encode(text, bytes, sizeof bytes);
    CHECK_STR(text, "+/+//w==");
    base64url_encode(text, bytes, sizeof bytes);
    CHECK_STR(text, "-_-__w");
}

static void wrong_base64_is_refused(void)
{
    static const char *const bad[] = { "Z",    "Zg",    "Zg=",  "Zg===", "Zh==", "Zm9=", "Zg==Zg==",
                                       "Zm 9", "Zm9\n", "====", "Z===",  "=Zg=", "-_-_", "Zg==\n\n\n\n" };
    uint8_t out[16];
    size_t n;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!base64_decode(out, sizeof out, &n, bad[i], strlen(bad[i])));
    CHECK(!base64_decode(out, 2, &n, "Zm9v", 4));
    CHECK(base64_decode(out, 3, &n, "Zm9v", 4) && n == 3);
}

TEST_MAIN(TEST(rfc_vectors), TEST(both_alphabets), TEST(wrong_base64_is_refused))
