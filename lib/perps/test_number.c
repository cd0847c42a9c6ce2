#include "perps/number.c"

#include "base/json_reader.h"
#include "base/test.h"

static struct arena *a;

static const char *read_as(const char *value, bool with_sign)
{
    const char *text = arena_printf(a, "{\"n\":%s}", value);
    json_t *doc = json_read_texts(text, strlen(text));
    const char *number = with_sign ? perps_signed(a, doc, "n") : perps_number(a, doc, "n");

    json_decref(doc);
    return number;
}

static void digits_are_kept_but_the_needless(void)
{
    static const char *const rows[][2] = {
        { "\"0.0000125\"", "0.0000125" },
        { "\"3.0\"", "3" },
        { "3", "3" },
        { "\"1.500\"", "1.5" },
        { "\"100\"", "100" },
        { "\"0.0\"", "0" },
        { "\"12345678901234567890.123456789012345678\"", "12345678901234567890.123456789012345678" },
    };

    a = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK_STR(read_as(rows[i][0], false), rows[i][1]);
        CHECK_STR(read_as(rows[i][0], true), rows[i][1]);
    }
}

static void a_sign_is_only_read_where_there_may_be_one(void)
{
    CHECK(read_as("\"-1.50\"", false) == NULL);
    CHECK_STR(read_as("\"-1.50\"", true), "-1.5");
    CHECK_STR(read_as("-7", true), "-7");
    CHECK_STR(read_as("\"-0.00\"", true), "0");
}

static void malformed_decimals_are_refused(void)
{
    static const char *const bad[] = {
        "\"\"",   "\"-\"",  "\"1e5\"", "1e5",     "\"NaN\"", "\"+1\"",
        "\".5\"", "\"5.\"", "\"1,5\"", "\"007\"", "\"0x1\"", "null",
        "true",   "[]",     "\"--1\"", "\" 1\"",  "\"1 \"",  "\"10000000000000000000000000000000000000000\""
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(read_as(bad[i], true) == NULL);
}

static void whole_numbers_have_a_bound(void)
{
    json_t *doc = json_pack("{s:s, s:s, s:s, s:s}", "n", "40", "more", "41", "part", "4.0", "less", "-1");
    unsigned n = 0;

    CHECK(perps_whole(&n, doc, "n", 40) && n == 40);
    CHECK(!perps_whole(&n, doc, "more", 40) && !perps_whole(&n, doc, "part", 40));
    CHECK(!perps_whole(&n, doc, "less", 40) && !perps_whole(&n, doc, "none", 40) && n == 40);
    json_decref(doc);
}

static void sums_of_any_sign(void)
{
    static const char *const rows[][3] = {
        { "1.5", "2.25", "3.75" },  { "-1.5", "-2.25", "-3.75" }, { "1.5", "-2.25", "-0.75" },
        { "-1.5", "2.25", "0.75" }, { "2.25", "-1.5", "0.75" },   { "-2.25", "1.5", "-0.75" },
        { "-1.5", "1.5", "0" },     { "1.5", "-1.5", "0" },       { "0", "-1.5", "-1.5" },
        { "0.1", "0.2", "0.3" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK_STR(perps_sum(a, rows[i][0], rows[i][1]), rows[i][2]);
    CHECK(perps_sum(a, "1.0000000000000000001", "1") == NULL);
    CHECK_STR(perps_difference(a, "1052.25", "300.06"), "752.19");
    CHECK_STR(perps_difference(a, "1", "0"), "1");
    CHECK_STR(perps_difference(a, "1", "1.000001"), "0");
}

static void amounts_are_exact(void)
{
    struct amount out;

    CHECK(perps_amount(&out, "0.00000001") && out.raw.limb[0] == 1 && out.decimals == PERPS_PLACES);
    CHECK(!perps_amount(&out, "0.000000001") && !perps_amount(&out, "-1"));
    CHECK(perps_is_positive("0.1") && !perps_is_positive("0") && !perps_is_positive("-1") &&
          !perps_is_positive(NULL));
    arena_free(a);
}

TEST_MAIN(TEST(digits_are_kept_but_the_needless), TEST(a_sign_is_only_read_where_there_may_be_one),
          TEST(malformed_decimals_are_refused), TEST(whole_numbers_have_a_bound), TEST(sums_of_any_sign),
          TEST(amounts_are_exact))
