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

static void what_was_deferred_is_done_once(void)
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
          TEST(text_is_copied), TEST(what_was_deferred_is_done_once))
