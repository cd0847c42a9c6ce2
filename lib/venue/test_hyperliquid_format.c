#include "venue/hyperliquid_format.c"

#include "venue/test_hyperliquid_rows.h"

static const char *decimal(uint64_t v)
{
    static char text[HYPERLIQUID_DECIMAL_LEN + 1];

    hyperliquid_decimal(text, v);
    return text;
}

static uint64_t number(const char *text)
{
    bool exact;
    uint64_t v = row_decimal(text, &exact);

    CHECK(exact);
    return v;
}

/* Rounded down they are the venue's library's, which truncates. */
static void prices_of_the_vectors(void)
{
    const json_t *row;
    size_t i, valid = 0;

    json_array_foreach(test_section("price_format_perp"), i, row)
    {
        unsigned places = (unsigned)row_u64(row, "sz_decimals");
        bool exact, some = json_object_get(row, "formatted") != NULL;
        uint64_t price = row_decimal(test_text(row, "price"), &exact), down = 0, up = 0;

        CHECK((exact && hyperliquid_price_fits(price, places)) == row_bool(row, "already_valid"));
        CHECK(hyperliquid_price_round(&down, price, places, false) == some);
        CHECK_STR(decimal(down), some ? test_text(row, "formatted") : "0");
        CHECK(hyperliquid_price_round(&up, price, places, true) && hyperliquid_price_fits(up, places));
        CHECK(up >= price && (up == down) == hyperliquid_price_fits(price, places));
        valid += row_bool(row, "already_valid");
    }
    CHECK(i == 85 && valid == 25);
}

static void sizes_of_the_vectors(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(test_section("size_format"), i, row)
    {
        unsigned places = (unsigned)row_u64(row, "sz_decimals");
        uint64_t size = row_exact(row, "size"), down = hyperliquid_size_down(size, places);
        bool some = json_object_get(row, "formatted") != NULL;

        CHECK_STR(decimal(down), some ? test_text(row, "formatted") : "0");
        CHECK(hyperliquid_size_fits(size, places) == (some && down == size));
    }
    CHECK(i == 35);
}

/* By less than one step, the smallest difference of two prices of five figures there. */
static void own_prices_are_rounded_to_the_next(void)
{
    static const struct {
        const char *price;
        unsigned sz_decimals;
        const char *down, *up;
    } rows[] = {
        { "64250.5", 5, "64250", "64251" },
        { "123456.7", 5, "123450", "123460" },
        { "123456", 5, "123456", "123456" },
        { "99999.95", 5, "99999", "100000" },
        { "3120.55", 4, "3120.5", "3120.6" },
        { "0.9999999", 0, "0.99999", "1" },
        { "0.123456", 4, "0.12", "0.13" },
        { "0.123456", 6, "0", "1" },
        { "0.123456", 7, "0", "1" },
        { "0.00000001", 0, "0", "0.000001" },
        { "0.0", 0, "0", "0" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t v = 0;

        CHECK(hyperliquid_price_round(&v, number(rows[i].price), rows[i].sz_decimals, false) ==
              (strcmp(rows[i].down, "0") != 0));
        CHECK_STR(decimal(v), rows[i].down);
        v = 0;
        CHECK(hyperliquid_price_round(&v, number(rows[i].price), rows[i].sz_decimals, true) ==
              (strcmp(rows[i].up, "0") != 0));
        CHECK_STR(decimal(v), rows[i].up);
    }
}

static void nothing_is_no_price_and_no_size(void)
{
    CHECK(!hyperliquid_price_fits(0, 0) && !hyperliquid_size_fits(0, 5));
    CHECK(hyperliquid_size_fits(1, 8) && hyperliquid_size_fits(1, 9) && !hyperliquid_size_fits(1, 7));
}

static void the_largest(void)
{
    uint64_t v;

    CHECK_STR(decimal(UINT64_MAX), "184467440737.09551615");
    CHECK(!hyperliquid_price_fits(UINT64_MAX, 0) && !hyperliquid_price_round(&v, UINT64_MAX, 0, true));
    CHECK(hyperliquid_price_round(&v, UINT64_MAX, 0, false));
    CHECK_STR(decimal(v), "184460000000");
}

TEST_MAIN(TEST(prices_of_the_vectors), TEST(sizes_of_the_vectors), TEST(own_prices_are_rounded_to_the_next),
          TEST(nothing_is_no_price_and_no_size), TEST(the_largest))
