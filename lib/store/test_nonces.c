#include "store/test_store.h"

static void searches_of_nonces_are_stored(void)
{
    struct taken_nonce n = { 602, 1, 9, 1000, 16, 992, false, { 0 } },
                       got = { 602, 1, 9, 0, 0, 0, true, { 1 } };

    CHECK(nonces_taken_get(db, &got) == LOOKUP_NONE && nonces_taken_put(db, &n) &&
          nonces_taken_get(db, &got) == LOOKUP_FOUND);
    CHECK(got.top == 1000 && got.span == 16 && got.block == 992 && !got.found);
    n.found = true;
    n.block = 990;
    memset(n.hash, 0xab, sizeof n.hash);
    CHECK(nonces_taken_put(db, &n) && nonces_taken_get(db, &got) == LOOKUP_FOUND && got.found &&
          got.block == 990);
    CHECK(memcmp(got.hash, n.hash, sizeof n.hash) == 0);
    CHECK(nonces_taken_end(db, 602, 1, 10, 11) && nonces_taken_end(db, 602, 8453, 9, 9));
    CHECK(nonces_taken_get(db, &got) == LOOKUP_FOUND);
    CHECK(nonces_taken_end(db, 602, 1, 8, 9) && nonces_taken_get(db, &got) == LOOKUP_NONE);
}

STORE_TEST_MAIN(TEST(searches_of_nonces_are_stored))
