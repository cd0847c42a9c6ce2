#include "store/lend_listings.h"

#include "store/test_store.h"

static void listings_are_in_their_order(void)
{
    const struct lend_listing first = { { 9 }, 1704067200000, "[{\"type\":\"x\",\"level\":\"RED\"}]" };
    const struct lend_listing second = { { 1 }, 0, "[]" };
    struct lend_listing got[4];

    CHECK(lend_listings_of(db, a, 8453, 4, got) == 0);
    CHECK(lend_listings_add(db, 8453, 0, &first) && lend_listings_add(db, 8453, 1, &second));
    CHECK(lend_listings_add(db, 1, 0, &second));
    CHECK(lend_listings_of(db, a, 8453, 4, got) == 2 && lend_listings_of(db, a, 8453, 1, got) == 1);
    CHECK(lend_listings_of(db, a, 8453, 4, got) == 2);
    CHECK(got[0].id[0] == 9 && got[0].created_ms == 1704067200000 && got[1].id[0] == 1);
    CHECK(got[1].created_ms == 0);
    CHECK_STR(got[0].warnings, first.warnings);
    CHECK(lend_listings_clear(db, 8453) && lend_listings_of(db, a, 8453, 4, got) == 0);
    CHECK(lend_listings_of(db, a, 1, 4, got) == 1);
}

STORE_TEST_MAIN(TEST(listings_are_in_their_order))
