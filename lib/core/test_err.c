#include "core/err.c"
#include "core/test.h"

static void texts_are_filled_in(void)
{
    struct arena *a = arena_new();

    CHECK_STR(err_fmt(a, &E_REQUIRED, "amount", NULL)->text, "amount is required");
    CHECK_STR(err_fmt(a, &E_TOKEN_UNKNOWN, "%s%n", "base")->text, "Unknown token '%s%n' on chain 'base'");
    CHECK_STR(err_fmt(a, &E_TOKEN_UNKNOWN, NULL, NULL)->text, "Unknown token '' on chain ''");
    CHECK_STR(err_fmt(a, &E_INTERNAL, "unused", NULL)->text, "Internal server error");
    CHECK_STR(err_fmt(a, &E_CHAIN_UNKNOWN, "a\nb\xe2\x80\xae", NULL)->text, "Unknown chain 'a\xef\xbf\xbd"
                                                                            "b\xef\xbf\xbd'");
    CHECK_STR(err_fmt(a, &E_CHAIN_UNKNOWN, "my svc_sk_abc", NULL)->text, "Unknown chain '<secret>'");
    CHECK_STR(err_fmt(a, &E_TOKEN_UNKNOWN, "whsec_abc", "base")->text,
              "Unknown token '<secret>' on chain 'base'");
    CHECK_STR(E_REQUIRED.text, "%s is required");
    CHECK(err_fmt(a, &E_REQUIRED, "x", NULL)->status == 400);
    arena_free(a);
}

static void every_error_is_whole(void)
{
#define X(name, status_, rpc_, code_, text_, hint_)                                                          \
    CHECK(E_##name.status >= 400 && E_##name.status < 600 && E_##name.rpc < -31399);                         \
    CHECK(E_##name.code[0] != '\0' && E_##name.text[0] != '\0');
    ERR_LIST(X)
#undef X
}

TEST_MAIN(TEST(texts_are_filled_in), TEST(every_error_is_whole))
