#include "base/test.h"
#include "http/accept.c"

static bool takes(const char *list)
{
    static const char *const ranges[] = { "*", "gzip" };

    return accepts(list, ranges, 2, false);
}

static void what_is_named_is_taken(void)
{
    CHECK(takes("gzip") && takes("br,GZIP") && takes("deflate , gzip;q=0.001") && takes("*"));
    CHECK(!takes(NULL) && !takes("") && !takes("br, gzipped, zip") && !takes(", ;q=1,"));
}

static void what_weighs_nothing_is_refused(void)
{
    CHECK(!takes("gzip;q=0") && !takes("gzip ; q=0.000, br") && !takes("*;q=0"));
}

static void the_most_exact_range_decides(void)
{
    CHECK(!takes("*, gzip;q=0") && !takes("gzip;q=0, *") && takes("*;q=0, gzip"));
    CHECK(accepts("br", (const char *const[]){ "*" }, 1, true));
}

TEST_MAIN(TEST(what_is_named_is_taken), TEST(what_weighs_nothing_is_refused),
          TEST(the_most_exact_range_decides))
