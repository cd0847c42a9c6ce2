#include "base/test.h"
#include "model/amount.c"

#define MAX_UNITS "115792089237316195423570985008687907853269984665640564039457584007913129639935"

static struct arena *a;

static struct amount units(const char *digits, uint8_t decimals)
{
    struct amount v = { .decimals = decimals };

    CHECK(u256_parse(&v.raw, digits));
    return v;
}

static void parsing(void)
{
    static const struct {
        const char *text;
        uint8_t decimals;
        enum amount_fault fault;
        const char *raw;
    } rows[] = {
        { "0", 6, AMOUNT_FINE, "0" },
        { "0.0", 6, AMOUNT_FINE, "0" },
        { "1", 0, AMOUNT_FINE, "1" },
        { "1", 6, AMOUNT_FINE, "1000000" },
        { "1.5", 6, AMOUNT_FINE, "1500000" },
        { "000.500", 6, AMOUNT_FINE, "500000" },
        { "0.000001", 6, AMOUNT_FINE, "1" },
        { "1.000000000000000001", 18, AMOUNT_FINE, "1000000000000000001" },
        { "0.0000001", 6, AMOUNT_PLACES, NULL },
        { "1.0000000", 6, AMOUNT_PLACES, NULL },
        { "1.0", 0, AMOUNT_PLACES, NULL },
        { MAX_UNITS, 0, AMOUNT_FINE, MAX_UNITS },
        { "0" MAX_UNITS, 0, AMOUNT_FINE, MAX_UNITS },
        { "115792089237316195423570985008687907853269984665640564039457584007913129639936", 0,
          AMOUNT_OVERFLOW, NULL },
        { MAX_UNITS "0", 0, AMOUNT_OVERFLOW, NULL },
        { MAX_UNITS, 1, AMOUNT_OVERFLOW, NULL },
        { "115792089237316195423570985008687907853269984665640564039457.584007913129639935", 18, AMOUNT_FINE,
          MAX_UNITS },
        { "115792089237316195423570985008687907853269984665640564039457.584007913129639936", 18,
          AMOUNT_OVERFLOW, NULL },
        { "", 6, AMOUNT_FORM, NULL },
        { ".", 6, AMOUNT_FORM, NULL },
        { ".5", 6, AMOUNT_FORM, NULL },
        { "5.", 6, AMOUNT_FORM, NULL },
        { "1e3", 6, AMOUNT_FORM, NULL },
        { "+1", 6, AMOUNT_FORM, NULL },
        { "-1", 6, AMOUNT_FORM, NULL },
        { " 1", 6, AMOUNT_FORM, NULL },
        { "1 ", 6, AMOUNT_FORM, NULL },
        { "1.2.3", 6, AMOUNT_FORM, NULL },
        { "1,5", 6, AMOUNT_FORM, NULL },
        { "0x1", 6, AMOUNT_FORM, NULL },
        { "1.1x", 6, AMOUNT_FORM, NULL },
        { "1.00000000000x", 6, AMOUNT_FORM, NULL }, /* its form comes before its places */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char raw[U256_DECIMAL_LEN + 1];
        struct amount v;

        CHECK(amount_parse(&v, rows[i].text, rows[i].decimals) == rows[i].fault);
        CHECK(amount_form_ok(rows[i].text) == (rows[i].fault != AMOUNT_FORM));
        if (rows[i].fault != AMOUNT_FINE)
            continue;
        u256_decimal(raw, v.raw);
        CHECK_STR(raw, rows[i].raw);
        CHECK(v.decimals == rows[i].decimals);
    }
}

static void texts_are_canonical(void)
{
    static const struct {
        const char *raw;
        uint8_t decimals;
        const char *text;
    } rows[] = {
        { "0", 0, "0" },
        { "0", 18, "0" },
        { "7", 0, "7" },
        { "100", 0, "100" },
        { "1", 6, "0.000001" },
        { "10", 6, "0.00001" },
        { "100000", 6, "0.1" },
        { "1000000", 6, "1" },
        { "1500000", 6, "1.5" },
        { "123456789", 6, "123.456789" },
        { "100000000000000000000", 18, "100" },
        { "1", 36, "0.000000000000000000000000000000000001" },
        { MAX_UNITS, 0, MAX_UNITS },
        { MAX_UNITS, 18, "115792089237316195423570985008687907853269984665640564039457.584007913129639935" },
        { MAX_UNITS, 36, "115792089237316195423570985008687907853269.984665640564039457584007913129639935" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct amount v = units(rows[i].raw, rows[i].decimals), back;
        const char *text = amount_text(a, v);

        CHECK_STR(text, rows[i].text);
        CHECK(amount_parse(&back, text, v.decimals) == AMOUNT_FINE && u256_cmp(back.raw, v.raw) == 0);
        CHECK(amount_is_zero(v) == (strcmp(rows[i].raw, "0") == 0));
    }
}

/* Numbers as JSON has them, kept to 18 places. */
static void numbers_become_amounts(void)
{
    static const struct {
        const char *number;
        const char *text; /* NULL: refused */
    } rows[] = {
        { "0", "0" },
        { "3000", "3000" },
        { "2998.35", "2998.35" },
        { "0.1", "0.1" },
        { "1.234e-05", "0.00001234" },
        { "1.5E3", "1500" },
        { "1.5e+3", "1500" },
        { "12e0", "12" },
        { "0e999999999999", "0" },
        { "1e-999999999999", "0" },
        { "1.0000000000000000019", "1.000000000000000001" },
        { "1e58", "10000000000000000000000000000000000000000000000000000000000" },
        { "1e60", NULL },
        { "1e999999999999", NULL },
        { "", NULL },
        { "e5", NULL },
        { "1e", NULL },
        { "1e+", NULL },
        { "1e5x", NULL },
        { "1e5.5", NULL },
        { "-1", NULL },
        { "+1", NULL },
        { ".5", NULL },
        { "5.", NULL },
        { "1.2.3", NULL },
        { "0x10", NULL },
        { "NaN", NULL },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct amount v;

        CHECK(amount_of_number(&v, rows[i].number, 18) == (rows[i].text != NULL));
        if (rows[i].text != NULL)
            CHECK_STR(amount_text(a, v), rows[i].text);
    }
}

static void worths_are_rounded_down(void)
{
    struct amount rate, worth;

    CHECK(amount_rate(&rate, units("100000000000000000", 18), units("299835000", 6)));
    CHECK_STR(amount_text(a, rate), "2998.35");
    CHECK(amount_times_down(&worth, units("1500000000000000000", 18), rate));
    CHECK_STR(amount_text(a, worth), "4497.525");
    CHECK(amount_times_down(&worth, units("1", 18), rate)); /* one wei */
    CHECK_STR(amount_text(a, worth), "0.000000000000002998");
    CHECK(amount_rate(&rate, units("3", 0), units("1000000000000000000000000000000000000", 36)));
    CHECK_STR(amount_text(a, rate), "0.333333333333333333");
    CHECK(!amount_rate(&rate, units("0", 18), units("1", 6)));
    CHECK(!amount_times_down(&worth, units(MAX_UNITS, 0), units(MAX_UNITS, 18)));
}

static void fixed_places(void)
{
    static const struct {
        const char *raw;
        uint8_t decimals, places;
        const char *text;
    } rows[] = {
        { "0", 18, 2, "0.00" },           { "1", 18, 2, "0.00" },      { "5", 0, 2, "5.00" },
        { "1500000", 6, 2, "1.50" },      { "1999999", 6, 2, "1.99" }, { "1999999", 6, 0, "1" },
        { "123456789", 6, 3, "123.456" }, { "10", 1, 4, "1.0000" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK_STR(amount_places_down(a, units(rows[i].raw, rows[i].decimals), rows[i].places), rows[i].text);
}

static void the_least_that_may_arrive_is_rounded_down(void)
{
    static const struct {
        const char *raw;
        uint32_t ppm;
        const char *least; /* NULL: refused */
    } rows[] = {
        { "2990701827", 30000, "2900980772" }, /* 2900980772.19 */
        { "100", 0, "100" },
        { "100", 1000000, "0" },
        { "1", 1, "0" },
        { "1000000", 1, "999999" },
        { "1999999", 500000, "999999" },
        { "0", 30000, "0" },
        { MAX_UNITS, 0, MAX_UNITS }, /* the product is wider than 256 bits */
        { "100", 1000001, NULL },
        { "100", UINT32_MAX, NULL },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char least[U256_DECIMAL_LEN + 1];
        struct amount out;
        bool ok = amount_less_ppm_down(&out, units(rows[i].raw, 6), (struct ppm){ rows[i].ppm });

        CHECK(ok == (rows[i].least != NULL));
        if (!ok)
            continue;
        u256_decimal(least, out.raw);
        CHECK_STR(least, rows[i].least);
        CHECK(out.decimals == 6);
    }
}

static void rates(void)
{
    static const struct {
        const char *in, *out;
        uint8_t in_decimals, out_decimals;
        const char *rate;
    } rows[] = {
        { "1000000000000000000", "2990701827", 18, 6, "2990.701827" },          /* ETH → USDC */
        { "2990701827", "1000000000000000000", 6, 18, "0.000334369675696861" }, /* and back, cut at 18 */
        { "100000000", "20000000000000000000", 8, 18, "20" },                   /* WBTC → ETH */
        { "3000000000", "100000000", 6, 8, "0.000333333333333333" },            /* USDC → WBTC */
        { "1000000", "999800", 6, 6, "0.9998" },
        { "3", "1", 0, 0, "0.333333333333333333" },
        { "1", "1", 36, 0, "1000000000000000000000000000000000000" },
        { "1", "1", 0, 36, "0" }, /* less than 18 places show */
        { "1", "1000000000000000000", 0, 36, "0.000000000000000001" },
        { "1", "0", 18, 18, "0" },
        { "0", "1", 18, 18, "0" }, /* not representable */
        { "1", MAX_UNITS, 36, 0, "0" },
        { MAX_UNITS, MAX_UNITS, 18, 18, "1" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK_STR(amount_rate_text(a, units(rows[i].in, rows[i].in_decimals),
                                   units(rows[i].out, rows[i].out_decimals)),
                  rows[i].rate);
}

static void other_decimals(void)
{
    static const struct {
        const char *raw;
        uint8_t from, to;
        const char *want; /* NULL: it does not fit */
    } rows[] = {
        { "1234567", 6, 6, "1234567" },
        { "1234567", 6, 18, "1234567000000000000" },
        { "1234567000000000000", 18, 6, "1234567" },
        { "1234567000000000001", 18, 6, "1234568" }, /* rounded up */
        { "1", 18, 6, "1" },
        { "0", 18, 6, "0" },
        { MAX_UNITS, 6, 7, NULL },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char raw[U256_DECIMAL_LEN + 1];
        struct amount out;
        bool ok = amount_rescale_up(&out, units(rows[i].raw, rows[i].from), rows[i].to);

        CHECK(ok == (rows[i].want != NULL));
        if (!ok)
            continue;
        u256_decimal(raw, out.raw);
        CHECK_STR(raw, rows[i].want);
        CHECK(out.decimals == rows[i].to);
    }
}

static void shortfalls(void)
{
    static const struct {
        const char *want, *have, *share, *percent;
    } rows[] = {
        { "1000", "1000", "0", "0" },
        { "1000", "1001", "0", "0" },
        { "1000", "900", "0.1", "10" },
        { "3", "1", "0.666667", "66.6667" }, /* rounded up */
        { MAX_UNITS, "0", "1", "100" },
        { MAX_UNITS, "1", "1", "100" },
        { "10000000", "9999999", "0.000001", "0.0001" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ppm share = amount_shortfall(units(rows[i].want, 0).raw, units(rows[i].have, 0).raw);

        CHECK_STR(ppm_text(a, share), rows[i].share);
        CHECK_STR(ppm_percent(a, share), rows[i].percent);
    }
    CHECK(amount_shortfall(U256_ZERO, u256_from_u64(1)).value == PPM_NONE);
}

static void amount_test_start(void)
{
    a = arena_new();
}

static void amount_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(amount_test_start), TEST(parsing), TEST(texts_are_canonical), TEST(numbers_become_amounts),
          TEST(worths_are_rounded_down), TEST(fixed_places), TEST(the_least_that_may_arrive_is_rounded_down),
          TEST(rates), TEST(other_decimals), TEST(shortfalls), TEST(amount_test_end))
