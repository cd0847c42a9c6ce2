#include "base/arena.c"
#include "base/test.h"

static bool all_zero(const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (p[i] != 0)
            return false;
    }
    return true;
}

static void memory_is_zeroed_and_aligned(void)
{
    struct arena *a = arena_new();

    for (size_t size = 0; size < 300; size++) {
        unsigned char *p = arena_alloc(a, size);

        CHECK((uintptr_t)p % _Alignof(max_align_t) == 0);
        CHECK(all_zero(p, size));
        memset(p, 0xff, size);
    }
    arena_free(a);
}

static void large_blocks_fit(void)
{
    struct arena *a = arena_new();
    char *small = arena_strdup(a, "before");
    unsigned char *big = arena_alloc(a, 1000000);

    memset(big, 1, 1000000);
    CHECK_STR(small, "before");
    arena_free(a);
}

static void reset_forgets_and_zeroes_again(void)
{
    struct arena *a = arena_new();
    unsigned char *p = arena_alloc(a, 64);

    memset(p, 0xff, 64);
    (void)arena_alloc(a, 100000);
    arena_reset(a);
    CHECK(arena_alloc(a, 64) == p);
    CHECK(all_zero(p, 64));
    arena_free(a);
    arena_free(NULL);
}

static void reset_keeps_blocks_for_the_next_request(void)
{
    struct arena *a = arena_new();
    unsigned char *p[3], *big;

    for (int i = 0; i < 3; i++)
        p[i] = arena_alloc(a, BLOCK_SIZE);
    arena_reset(a);
    CHECK(a->spare_size == 2 * BLOCK_SIZE);
    CHECK(arena_alloc(a, BLOCK_SIZE) == p[0]);
    CHECK(arena_alloc(a, BLOCK_SIZE) == p[1] && arena_alloc(a, BLOCK_SIZE) == p[2] && a->spare == NULL);
    big = arena_alloc(a, 2 * SPARE_MAX);
    CHECK(all_zero(big, 2 * SPARE_MAX));
    arena_reset(a);
    CHECK(a->spare_size <= SPARE_MAX);
    arena_free(a);
}

static void memory_grows_in_place_while_it_is_last(void)
{
    struct arena *a = arena_new();
    char *p = arena_extend(a, NULL, 0, 10), *moved;

    memcpy(p, "123456789", 10);
    CHECK(arena_extend(a, p, 10, 1000) == p);
    (void)arena_alloc(a, 1);
    moved = arena_extend(a, p, 1000, 2000);
    CHECK(moved != p);
    CHECK_STR(moved, "123456789");
    p = arena_extend(a, moved, 2000, 2 * BLOCK_SIZE);
    CHECK_STR(p, "123456789");
    CHECK_STR(moved, "123456789");
    arena_free(a);
}

static void text_is_copied(void)
{
    struct arena *a = arena_new();

    CHECK_STR(arena_strndup(a, "abcdef", 3), "abc");
    CHECK_STR(arena_strndup(a, "ab", 9), "ab");
    CHECK_STR(arena_printf(a, "%s-%d", "x", 7), "x-7");
    CHECK_STR(arena_printf(a, "%s", ""), "");
    CHECK(memcmp(arena_memdup(a, "a\0b", 3), "a\0b", 3) == 0);
    CHECK(arena_memdup(a, NULL, 0) != NULL);
    arena_free(a);
}

static char order[4], *order_end = order;

static void note_end(void *letter)
{
    *order_end++ = *(const char *)letter;
}

static void deferred_calls_run_once(void)
{
    static char letters[] = "abc";
    struct arena *a = arena_new();

    arena_defer(a, note_end, &letters[0]);
    arena_defer(a, note_end, &letters[1]);
    arena_reset(a);
    CHECK_STR(order, "ba");
    arena_defer(a, note_end, &letters[2]);
    CHECK_STR(order, "ba");
    arena_free(a);
    CHECK_STR(order, "bac");
}

TEST_MAIN(TEST(memory_is_zeroed_and_aligned), TEST(large_blocks_fit), TEST(reset_forgets_and_zeroes_again),
          TEST(reset_keeps_blocks_for_the_next_request), TEST(memory_grows_in_place_while_it_is_last),
          TEST(text_is_copied), TEST(deferred_calls_run_once))
