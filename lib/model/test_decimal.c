#include "base/test.h"
#include "model/decimal.c"

static void decimals_are_read(void)
{
    static const struct {
        const char *text;
        unsigned places;
        enum decimal_fault fault;
        uint64_t value;
    } rows[] = {
        { "0.4", 4, DECIMAL_FINE, 4000 },
        { "0.40", 4, DECIMAL_FINE, 4000 },
        { "00.4000000000000000000000000000000000000000000000000000", 4, DECIMAL_FINE, 4000 },
        { "4e-1", 4, DECIMAL_FINE, 4000 },
        { "400E-3", 4, DECIMAL_FINE, 4000 },
        { "0.00004e+4", 4, DECIMAL_FINE, 4000 },
        { "20", 2, DECIMAL_FINE, 2000 },
        { "20.05", 2, DECIMAL_FINE, 2005 },
        { "1005.5", 2, DECIMAL_FINE, 100550 },
        { "0", 4, DECIMAL_FINE, 0 },
        { "0.000", 4, DECIMAL_FINE, 0 },
        { "0e999999999999999999999", 4, DECIMAL_FINE, 0 },
        { "0.40000000000000001", 4, DECIMAL_PLACES, 4000 },
        { "0.30000000000000004", 4, DECIMAL_PLACES, 3000 },
        { "0.00001", 4, DECIMAL_PLACES, 0 },
        { "1.00001", 4, DECIMAL_PLACES, 10000 },
        { "1e-300", 4, DECIMAL_PLACES, 0 },
        { "20.000000000000000000000000000001", 2, DECIMAL_PLACES, 2000 },
        { "123456789012345678", 0, DECIMAL_FINE, 123456789012345678 },
        { "999999999999999999", 0, DECIMAL_FINE, 999999999999999999 },
        { "1000000000000000000", 0, DECIMAL_RANGE, 0 },
        { "1e300", 2, DECIMAL_RANGE, 0 },
        { "1e99999999999999999999", 2, DECIMAL_RANGE, 0 },
        { "", 4, DECIMAL_FORM, 0 },
        { ".5", 4, DECIMAL_FORM, 0 },
        { "5.", 4, DECIMAL_FORM, 0 },
        { "-1", 4, DECIMAL_FORM, 0 },
        { "+1", 4, DECIMAL_FORM, 0 },
        { "1e", 4, DECIMAL_FORM, 0 },
        { "1e+", 4, DECIMAL_FORM, 0 },
        { "1e1.5", 4, DECIMAL_FORM, 0 },
        { "1.2.3", 4, DECIMAL_FORM, 0 },
        { "0x10", 4, DECIMAL_FORM, 0 },
        { " 1", 4, DECIMAL_FORM, 0 },
        { "1 ", 4, DECIMAL_FORM, 0 },
        { "NaN", 4, DECIMAL_FORM, 0 },
        { "Infinity", 4, DECIMAL_FORM, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t value = 0;

        CHECK(decimal_exact(&value, rows[i].text, rows[i].places) == rows[i].fault);
        CHECK(value == rows[i].value);
    }
}

static void very_long_ones(void)
{
    char text[402];
    uint64_t value = 0;

    memset(text, '9', sizeof text);
    text[401] = '\0';
    CHECK(decimal_exact(&value, text, 2) == DECIMAL_RANGE);
    text[1] = '.';
    CHECK(decimal_exact(&value, text, 2) == DECIMAL_PLACES && value == 999);
    memset(text, '0', 401);
    text[1] = '.';
    text[400] = '1';
    CHECK(decimal_exact(&value, text, 4) == DECIMAL_PLACES && value == 0);
}

TEST_MAIN(TEST(decimals_are_read), TEST(very_long_ones))
