#include "base/test.h"
#include "http/accept.c"

static bool takes(const char *list)
{
    static const char *const ranges[] = { "*", "gzip" };

    return accepts(list, ranges, 2, false);
}

static void named_encodings_are_accepted(void)
{
    CHECK(takes("gzip") && takes("br,GZIP") && takes("deflate , gzip;q=0.001") && takes("*"));
    CHECK(!takes(NULL) && !takes("") && !takes("br, gzipped, zip") && !takes(", ;q=1,"));
}

static void encodings_of_weight_zero_are_refused(void)
{
    CHECK(!takes("gzip;q=0") && !takes("gzip ; q=0.000, br") && !takes("*;q=0"));
}

static void the_most_exact_range_decides(void)
{
    CHECK(!takes("*, gzip;q=0") && !takes("gzip;q=0, *") && takes("*;q=0, gzip"));
    CHECK(accepts("br", (const char *const[]){ "*" }, 1, true));
}

TEST_MAIN(TEST(named_encodings_are_accepted), TEST(encodings_of_weight_zero_are_refused),
          TEST(the_most_exact_range_decides))
