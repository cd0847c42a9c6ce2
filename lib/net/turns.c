#include "net/turns.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"

enum {
    FRESH_MS = 5, /* who has computed for longer without a pause may hang */
    LOOK_MS = 3,
    CACHE_LINE = 64,
};

/* Each in a line of its own: it is written twice a request, by one worker. */
struct turn {
    _Alignas(CACHE_LINE) _Atomic int64_t taken_ms; /* monotonic; 0: it does not compute */
};

struct turns {
    unsigned workers, at_once;
    struct turn *all; /* shared */
    struct turn *own;
};

struct turns *turns_new(unsigned workers, unsigned at_once)
{
    struct turns *t = calloc(1, sizeof *t);
    void *all =
        mmap(NULL, workers * sizeof(struct turn), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (t == NULL || all == MAP_FAILED)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    *t = (struct turns){ .workers = workers, .at_once = at_once, .all = all };
    return t;
}

void turns_free(struct turns *t)
{
    (void)munmap(t->all, t->workers * sizeof(struct turn));
    free(t);
}

void turns_own(struct turns *t, unsigned own)
{
    t->own = &t->all[own];
    turn_give(t);
}

void turn_take(struct turns *t)
{
    if (t != NULL)
        atomic_store(&t->own->taken_ms, clock_mono_ms());
}

void turn_give(struct turns *t)
{
    if (t != NULL)
        atomic_store(&t->own->taken_ms, 0);
}

static bool turns_are_taken(const struct turns *t)
{
    int64_t fresh = clock_mono_ms() - FRESH_MS;
    unsigned n = 0;

    for (unsigned i = 0; i < t->workers && n < t->at_once; i++)
        n += atomic_load(&t->all[i].taken_ms) > fresh;
    return n >= t->at_once;
}

void turns_await(const struct turns *t)
{
    const struct timespec look = { .tv_nsec = LOOK_MS * 1000000 };

    while (t != NULL && turns_are_taken(t) && nanosleep(&look, NULL) == 0)
        continue;
}
