#include "base/safe_text.c"
#include "base/test.h"

static const struct {
    const char *in, *out; /* out NULL: the same */
} rows[] = {
    { "", NULL },
    { "USDC.e on base", NULL },
    { "caf\xc3\xa9 \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x8d\xa3", NULL },
    { "a\nb", "a\xef\xbf\xbd"
              "b" },
    { "\x1b[31mred", "\xef\xbf\xbd[31mred" },
    { "\x7f", "\xef\xbf\xbd" },
    { "\xc2\x85\xc2\xa0", "\xef\xbf\xbd\xc2\xa0" },
    { "ETH\xe2\x80\xae"
      "CDSU",
      "ETH\xef\xbf\xbd"
      "CDSU" },
    { "\xe2\x81\xa6x\xe2\x81\xa9", "\xef\xbf\xbdx\xef\xbf\xbd" },
    { "\xe2\x80\x8b\xef\xbb\xbf\xf3\xa0\x81\x81", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
    { "\xe2\x80\x94\xe2\x80\xb0", NULL }, /* next to a range */
    { "a\n\x80", "a\xef\xbf\xbd\x80" },   /* no UTF-8 */
};

static void deceiving_characters_are_replaced(void)
{
    struct arena *a = arena_new();

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK(safe_text_ok(rows[i].in) == (rows[i].out == NULL));
        CHECK_STR(safe_text_copy(a, rows[i].in), rows[i].out == NULL ? rows[i].in : rows[i].out);
    }
    CHECK_STR(safe_text_terminal(a, "a\x1b[2Jb\nc\xc2\x85 caf\xc3\xa9"), "a?[2Jb?c? caf\xc3\xa9");
    arena_free(a);
}

static void secrets_are_known_by_their_beginning(void)
{
    CHECK(safe_text_has_secret("svc_sk_a") && safe_text_has_secret("svc_op_a") &&
          safe_text_has_secret("my key: SVC_SK_A") && safe_text_has_secret("x whsec_"));
    CHECK(!safe_text_has_secret("") && !safe_text_has_secret("svc_s k_") &&
          !safe_text_has_secret(SAFE_TEXT_SECRET));
}

TEST_MAIN(TEST(deceiving_characters_are_replaced), TEST(secrets_are_known_by_their_beginning))
