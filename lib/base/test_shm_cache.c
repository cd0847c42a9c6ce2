#include "base/shm_cache.c"
#include "base/test.h"

#include <sys/wait.h>
#include <unistd.h>

struct value {
    uint64_t n;
    char text[41]; /* no whole number of words */
};

static struct shm_cache shm_cache = SHM_CACHE_INIT(3, struct value);

static struct value value_of(uint64_t n)
{
    struct value v;

    memset(&v, 0, sizeof v);
    v.n = n;
    memset(v.text, (int)('a' + n % 26), sizeof v.text);
    return v;
}

static bool shm_cache_is(const struct value *v, uint64_t n)
{
    struct value want = value_of(n);

    return memcmp(v, &want, sizeof want) == 0;
}

static bool shm_cache_has(size_t place, uint64_t n)
{
    struct value v;

    return shm_cache_read(&shm_cache, place, &v) && shm_cache_is(&v, n);
}

static void reads_return_the_last_write(void)
{
    struct value one = value_of(1), two = value_of(2), none;

    CHECK(!shm_cache_read(&shm_cache, 0, &none) && !shm_cache_read(&shm_cache, 2, &none));
    shm_cache_write(&shm_cache, 0, &one);
    shm_cache_write(&shm_cache, 2, &one);
    shm_cache_write(&shm_cache, 2, &two);
    CHECK(shm_cache_has(0, 1) && shm_cache_has(2, 2) && !shm_cache_read(&shm_cache, 1, &none));
    shm_cache_clear(&shm_cache);
    CHECK(!shm_cache_read(&shm_cache, 0, &none) && !shm_cache_read(&shm_cache, 2, &none));
}

static void half_written_values_are_absent(void)
{
    struct value one = value_of(1), got;

    for (size_t i = 0; i < place_size(&shm_cache); i++) {
        shm_cache_write(&shm_cache, 1, &one);
        shm_cache_place(&shm_cache, 1)[i] ^= 1;
        CHECK(!shm_cache_read(&shm_cache, 1, &got));
    }
}

static void writer(uint64_t n)
{
    for (unsigned i = 0; i < 20000; i++) {
        struct value v = value_of(n + i % 13);

        shm_cache_write(&shm_cache, 0, &v);
    }
    _exit(0);
}

/* Two write the same place all the time: a third reads what one of them wrote, or nothing. */
static void processes_share_it(void)
{
    bool whole = true;
    unsigned left = 2;
    struct value v;

    shm_cache_share(&shm_cache);
    for (unsigned i = 0; i < left; i++)
        if (fork() == 0)
            writer(100 * i);
    while (left > 0) {
        if (shm_cache_read(&shm_cache, 0, &v))
            whole = whole && shm_cache_is(&v, v.n);
        left -= waitpid(-1, NULL, WNOHANG) > 0;
    }
    CHECK(whole);
}

TEST_MAIN(TEST(reads_return_the_last_write), TEST(half_written_values_are_absent), TEST(processes_share_it))
