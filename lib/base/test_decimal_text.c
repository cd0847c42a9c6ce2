#include "base/decimal_text.c"
#include "base/test.h"

static struct arena *a;

static void numbers_as_they_are_sent(void)
{
    static const struct {
        const char *text, *plain; /* plain NULL: refused */
    } rows[] = {
        { "1", "1" },
        { "0", "0" },
        { "0.0", "0" },
        { "00.500", "0.5" },
        { "25.000000000", "25" },
        { "84993.23079999999", "84993.23079999999" },
        { "1e-05", "0.00001" },
        { "1E-7", "0.0000001" },
        { "1e+06", "1000000" },
        { "1.5e3", "1500" },
        { "1.5e1", "15" },
        { "12.34e-1", "1.234" },
        { "1200e-2", "12" },
        { "0.00012e4", "1.2" },
        { "0e50", "0" },
        { "123456789.987654321e0", "123456789.987654321" },
        { "9007199254740993", "9007199254740993" },
        { "0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827" },
        { "1e78", NULL },
        { "1e100", NULL },
        { "1e101", NULL },
        { "1e-101", NULL },
        { "1e99999999999999999999", NULL },
        { "", NULL },
        { "e5", NULL },
        { "1e", NULL },
        { "1e+", NULL },
        { "1e5.0", NULL },
        { "1e 5", NULL },
        { ".5", NULL },
        { "5.", NULL },
        { "1.2.3", NULL },
        { "-1", NULL },
        { "+1", NULL },
        { " 1", NULL },
        { "1 ", NULL },
        { "0x10", NULL },
        { "1,5", NULL },
        { "NaN", NULL },
        { "1ee5", NULL },
    };

    a = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *got = decimal_plain(a, rows[i].text);

        CHECK((got == NULL) == (rows[i].plain == NULL));
        if (got != NULL && rows[i].plain != NULL)
            CHECK_STR(got, rows[i].plain);
    }
    arena_free(a);
}

static void numbers_of_every_length(void)
{
    char text[DECIMAL_CHARS_MAX + 2];
    const char *plain;

    a = arena_new();
    memset(text, '9', sizeof text);
    text[1] = '.';
    text[DECIMAL_CHARS_MAX] = '\0';
    CHECK(decimal_plain(a, text) != NULL);
    text[DECIMAL_CHARS_MAX] = '9';
    text[DECIMAL_CHARS_MAX + 1] = '\0';
    CHECK(decimal_plain(a, text) == NULL);
    plain = decimal_plain(a, "1e77");
    CHECK(plain != NULL && strlen(plain) == DECIMAL_WHOLE_MAX);
    plain = decimal_plain(a, "1e-100");
    CHECK(plain != NULL && strlen(plain) == 102 && plain[101] == '1');
    arena_free(a);
}

TEST_MAIN(TEST(numbers_as_they_are_sent), TEST(numbers_of_every_length))
