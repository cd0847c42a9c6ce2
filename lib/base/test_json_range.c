#include "base/json_range.c"
#include "base/test.h"

static struct arena *a;

static void numbers_out_of_range_are_marked(void)
{
    static const struct {
        const char *text, *marked;
    } rows[] = {
        { "", "" },
        { "{\"a\":1,\"b\":[-2.5e3,9223372036854775807]}", "{\"a\":1,\"b\":[-2.5e3,9223372036854775807]}" },
        { "[9223372036854775808]", "[1.7976931348623157e308]" },
        { "[-9223372036854775808,-9223372036854775809]", "[-9223372036854775808,1.7976931348623157e308]" },
        { "{\"a\":1e999,\"b\":-1e999}", "{\"a\":1.7976931348623157e308,\"b\":1.7976931348623157e308}" },
        { "[1e308,1e-999,0.1]", "[1e308,1e-999,0.1]" },
        { "{\"1e999\":\"1e999 \\\" 1e999\",\"x\":1e999}",
          "{\"1e999\":\"1e999 \\\" 1e999\",\"x\":1.7976931348623157e308}" },
        { "\"1e999", "\"1e999" },
        { "\"\\", "\"\\" },
        { "true,-,+e,1e", "true,-,+e,1e" },
        { "1e999", "1.7976931348623157e308" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t n;

        CHECK_STR(json_range_mark(a, rows[i].text, strlen(rows[i].text), &n), rows[i].marked);
        CHECK(n == strlen(rows[i].marked));
    }
}

static void marks_are_found_at_any_depth(void)
{
    static const struct {
        const char *text;
        bool found;
    } rows[] = {
        { "[1.7976931348623157e308]", true },
        { "{\"a\":{\"b\":[1,-1.7976931348623157e308]}}", true },
        { "[1.7976931348623155e308,1]", false },
        { "{\"a\":\"1.7976931348623157e308\",\"b\":null}", false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *v = json_loads(rows[i].text, 0, NULL);

        CHECK(v != NULL && json_out_of_range(v) == rows[i].found);
        json_decref(v);
    }
}

static void all(void)
{
    a = arena_new();
    numbers_out_of_range_are_marked();
    marks_are_found_at_any_depth();
    arena_free(a);
}

TEST_MAIN(TEST(all))
