#include "base/err.c"
#include "base/test.h"

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

static void copies_are_what_they_are_copies_of(void)
{
    struct arena *a = arena_new();
    const struct err *named = err_on(a, &E_REQUIRED, "amount"),
                     *twice = err_hint(a, err_fmt(a, named, "amount", NULL), "Send it"),
                     *wait = err_wait(a, &E_BUSY, 9, "In 9 seconds");

    CHECK(err_is(&E_REQUIRED, &E_REQUIRED) && err_is(named, &E_REQUIRED) && err_is(twice, &E_REQUIRED));
    CHECK(err_is(err_both(a, twice, &E_AMOUNT), &E_REQUIRED));
    CHECK(!err_is(twice, &E_AMOUNT) && !err_is(NULL, &E_AMOUNT));
    CHECK(E_BUSY.wait_s == 0 && err_is(wait, &E_BUSY) && wait->wait_s == 9);
    CHECK_STR(err_hint(a, wait, "Later")->hint, "Later");
    CHECK(err_hint(a, wait, "Later")->wait_s == 9);
    CHECK(!err_is(&E_WALLET_NOT_YOURS, &E_WALLET_NOT_FOUND)); /* the same words, another cause */
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

static void faults_are_chained(void)
{
    struct arena *a = arena_new();
    const struct err *x = err_on(a, &E_AMOUNT, "x"), *y = err_on(a, &E_SLIPPAGE, "y"),
                     *z = err_on(a, &E_VALIDATION, "z"), *all;

    CHECK(err_both(a, NULL, NULL) == NULL && err_both(a, x, NULL) == x && err_both(a, NULL, y) == y);
    CHECK(err_both(a, &E_UPSTREAM, y) == y && err_both(a, x, &E_UPSTREAM) == x);
    CHECK(err_both(a, &E_UPSTREAM, NULL) == &E_UPSTREAM);
    CHECK(err_both(a, &E_UPSTREAM, &E_INTERNAL) == &E_INTERNAL);
    all = err_both(a, err_both(a, x, y), z);
    CHECK_STR(all->text, E_AMOUNT.text);
    CHECK_STR(all->field, "x");
    CHECK_STR(all->also->field, "y");
    CHECK_STR(all->also->also->field, "z");
    CHECK(all->also->also->also == NULL && x->also == NULL);
    arena_free(a);
}

TEST_MAIN(TEST(faults_are_chained), TEST(texts_are_filled_in), TEST(copies_are_what_they_are_copies_of),
          TEST(every_error_is_whole))
