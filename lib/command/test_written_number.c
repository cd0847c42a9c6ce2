#include "command/written_number.c"

#include "base/test.h"

static const struct row {
    const char *text;
    unsigned shift;
    size_t span;
    const char *plain; /* NULL: no number */
} rows[] = {
    { "1 ETH", 0, 1, "1" },
    { "0.5", 0, 3, "0.5" },
    { ".5", 0, 2, "0.5" },
    { "1.50", 0, 4, "1.5" },
    { "100.00", 0, 6, "100" },
    { "0", 0, 1, "0" },
    { "0.000", 0, 5, "0" },
    { "5. ETH", 0, 1, "5" },
    /* comma and point */
    { "0,5", 0, 3, "0.5" },
    { "2,75", 0, 4, "2.75" },
    { "0,125", 0, 5, "0.125" },
    { "1,234", 0, 5, "1234" },
    { "1,234,567", 0, 9, "1234567" },
    { "1.234", 0, 5, "1.234" },
    { "1.234.567", 0, 9, "1234567" },
    { "1,234.56", 0, 8, "1234.56" },
    { "2.500,75", 0, 8, "2500.75" },
    { "1.234,567", 0, 9, "1234.567" },
    { "1, 5", 0, 1, "1" },
    /* blanks and apostrophes */
    { "4 500 USDC", 0, 5, "4500" },
    { "1\xc2\xa0"
      "000",
      0, 6, "1000" },
    { "1\xe2\x80\xaf"
      "000",
      0, 7, "1000" },
    { "1 234 567,5", 0, 11, "1234567.5" },
    { "12'000.5", 0, 8, "12000.5" },
    { "12\xe2\x80\x99"
      "000",
      0, 8, "12000" },
    { "5 50", 0, 1, "5" },
    { "1234 567", 0, 4, "1234" },
    { "0.5 100", 0, 3, "0.5" },
    /* suffixes */
    { "5", 3, 1, "5000" },
    { "2.5", 3, 3, "2500" },
    { "1.2345", 3, 6, "1234.5" },
    { "0.5", 6, 3, "500000" },
    { "0", 3, 1, "0" },
    { "1,500", 3, 5, NULL },
    /* none */
    { "1,23,456", 0, 8, NULL },
    { "12,34.5", 0, 7, NULL },
    { "1.2.3", 0, 5, NULL },
    { "1,2345", 0, 6, NULL },
    { "1 234,567", 0, 9, NULL },
    { "1'000 000", 0, 5, "1000" },
    { "0,123,456", 0, 9, NULL },
    { "1,234.567,8", 0, 11, NULL },
    { "007", 0, 3, NULL },
    { "00.5", 0, 4, NULL },
};

static void numbers_as_people_write_them(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char plain[NUMBER_MAX + 1];
        size_t span = number_span(rows[i].text);
        bool read = number_plain(plain, rows[i].text, span, rows[i].shift);

        CHECK(span == rows[i].span);
        CHECK(read == (rows[i].plain != NULL));
        if (read && rows[i].plain != NULL)
            CHECK_STR(plain, rows[i].plain);
        if (span != rows[i].span || read != (rows[i].plain != NULL))
            fprintf(stderr, "  of \"%s\"\n", rows[i].text);
    }
}

static void very_long_ones(void)
{
    char digits[2 * NUMBER_MAX + 1], plain[NUMBER_MAX + 1];

    memset(digits, '9', sizeof digits - 1);
    digits[sizeof digits - 1] = '\0';
    CHECK(!number_plain(plain, digits, number_span(digits), 0));
    digits[78] = '\0';
    CHECK(number_plain(plain, digits, number_span(digits), 0));
    CHECK_STR(plain, digits);
}

TEST_MAIN(TEST(numbers_as_people_write_them), TEST(very_long_ones))
