#include "signer/hash_map.c"

#include "base/test.h"

static void numbers_come_back_and_only_grow(void)
{
    enum { MANY = 5000 };
    struct hash_map m = { .room = 0 };

    CHECK(hash_map_get(&m, 7) == 0);
    for (uint64_t i = 0; i < MANY; i++) /* keys that fall on the same places, too */
        CHECK(hash_map_raise(&m, i << 32, (int64_t)i + 1));
    CHECK(m.count == MANY);
    CHECK(hash_map_raise(&m, 0, 9) && hash_map_raise(&m, 1ULL << 32, 1) && m.count == MANY);
    CHECK(hash_map_get(&m, 0) == 9);
    for (uint64_t i = 1; i < MANY; i++)
        CHECK(hash_map_get(&m, i << 32) == (int64_t)i + 1);
    CHECK(hash_map_get(&m, MANY * (1ULL << 32)) == 0 && hash_map_get(&m, 1) == 0);
    hash_map_free(&m);
    CHECK(hash_map_get(&m, 0) == 0);
}

static void a_full_one_says_so(void)
{
    struct hash_map m = { .room = 0 };

    CHECK(hash_map_raise(&m, 1, 1));
    m.count = HASH_MAP_MAX;
    CHECK(!hash_map_raise(&m, 2, 1) && hash_map_get(&m, 2) == 0);
    hash_map_free(&m);
}

TEST_MAIN(TEST(numbers_come_back_and_only_grow), TEST(a_full_one_says_so))
