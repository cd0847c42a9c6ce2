#include "perps/perps_quote.c"
#include "perps/perps_terms.h"

#include "base/test.h"

static struct arena *a;

static void sizes_are_judged_before_their_market_is_known(void)
{
    static const char *const bad[] = { "0",   "0.000", "-1", "NaN", "Infinity", "",
                                       "1,5", "0x1",   "+1", ".5",  "5." };
    static const char *const good[] = { "1", "0.0001", "5.0", "1e-400", "1e400", "1E2", "0.000000000001" };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(perps_size_fault(bad[i], NULL) != NULL);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        CHECK(perps_size_fault(good[i], NULL) == NULL);
    CHECK(perps_side_fault("long", NULL) == NULL && perps_side_fault("SHORT", NULL) == NULL);
    CHECK(perps_side_fault("buy", NULL) != NULL && perps_side_fault("", NULL) != NULL);
}

static const char *size_of(const char *text, unsigned decimals)
{
    const struct perps_asset p = { .sz_decimals = decimals };
    struct amount out;
    const struct err *e = perps_size_read(a, text, &p, &out);

    return e != NULL ? e->text : amount_text(a, out);
}

static void a_size_is_refused_and_never_rounded(void)
{
    char digits[401];

    a = arena_new();
    memset(digits, '7', 400);
    digits[400] = '\0';
    CHECK_STR(size_of("0.0001", 4), "0.0001");
    CHECK_STR(size_of("5.0", 0), "5");
    CHECK_STR(size_of("1e2", 0), "100");
    CHECK_STR(size_of("0.50000000000000000000000", 4), "0.5");
    CHECK_STR(size_of("0.00011", 4), "size exceeds 4 decimals");
    CHECK_STR(size_of("1.5", 0), "size exceeds 0 decimals");
    CHECK_STR(size_of("1e-400", 4), "size exceeds 4 decimals");
    CHECK_STR(size_of("1e400", 4), "Insufficient liquidity for this trade");
    CHECK_STR(size_of(digits, 4), "Insufficient liquidity for this trade");
}

static const char *leverage_of(const char *text, unsigned most)
{
    unsigned n = 1;
    const struct err *e = perps_leverage_read(a, text, most, &n);

    return e != NULL ? e->text : arena_printf(a, "%u", n);
}

static void leverage_is_a_whole_number_in_its_bounds(void)
{
    static const char *const bad[] = {
        "0", "21", "2.5", "-1", "1e400", "1e-400", "five", "", "NaN", "20.0001"
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK_STR(leverage_of(bad[i], 20), "Leverage must be between 1 and 20");
    CHECK_STR(leverage_of(NULL, 20), "1");
    CHECK_STR(leverage_of("1", 20), "1");
    CHECK_STR(leverage_of("5.0", 20), "5");
    CHECK_STR(leverage_of("2e1", 20), "20");
    CHECK_STR(leverage_of("4", 3), "Leverage must be between 1 and 3");
    arena_free(a);
}

TEST_MAIN(TEST(sizes_are_judged_before_their_market_is_known), TEST(a_size_is_refused_and_never_rounded),
          TEST(leverage_is_a_whole_number_in_its_bounds))
