#include "base/buf.c"
#include "base/test.h"

static void grows_and_stays_terminated(void)
{
    struct buf b = BUF_INIT(100000);

    CHECK_STR(buf_text(&b), "");
    for (int i = 0; i < 10000; i++)
        buf_addf(&b, "%d", i % 10);
    CHECK(b.len == 10000 && !b.overflow && strlen(b.data) == 10000);
    buf_free(&b);
    CHECK(b.data == NULL && b.len == 0);
}

static void the_ceiling_is_exact(void)
{
    struct buf b = BUF_INIT(4);

    buf_adds(&b, "abcd");
    CHECK(!b.overflow);
    buf_add(&b, NULL, 0);
    CHECK(!b.overflow);
    buf_addc(&b, 'e');
    CHECK(b.overflow);
    CHECK_STR(buf_text(&b), "abcd");
    buf_free(&b);
}

static void after_an_overflow_all_is_dropped(void)
{
    struct buf b = BUF_INIT(4);

    buf_adds(&b, "ab");
    buf_addf(&b, "%s", "cde");
    buf_addc(&b, 'f');
    CHECK_STR(buf_text(&b), "ab");
    buf_reset(&b);
    CHECK(!b.overflow && b.len == 0);
    buf_adds(&b, "xy");
    CHECK_STR(buf_text(&b), "xy");
    buf_free(&b);
}

static void a_ceiling_of_nothing(void)
{
    struct buf b = BUF_INIT(0);

    buf_add(&b, "", 0);
    CHECK(!b.overflow);
    buf_addc(&b, 'x');
    CHECK(b.overflow && b.len == 0);
    buf_free(&b);
}

TEST_MAIN(TEST(grows_and_stays_terminated), TEST(the_ceiling_is_exact),
          TEST(after_an_overflow_all_is_dropped), TEST(a_ceiling_of_nothing))
