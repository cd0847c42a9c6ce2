#include "net/cpu_slots.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"

enum {
    FRESH_MS = 5, /* who has computed for longer without a pause may hang */
    POLL_MS = 3,
    CACHE_LINE = 64,
};

/* Each in a line of its own: it is written twice a request, by one worker. */
struct cpu_slot {
    _Alignas(CACHE_LINE) _Atomic int64_t taken_ms; /* monotonic; 0: it does not compute */
};

struct cpu_slots {
    unsigned workers, at_once;
    struct cpu_slot *all; /* shared */
    struct cpu_slot *own;
};

struct cpu_slots *cpu_slots_new(unsigned workers, unsigned at_once)
{
    struct cpu_slots *t = calloc(1, sizeof *t);
    void *all = mmap(NULL, workers * sizeof(struct cpu_slot), PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (t == NULL || all == MAP_FAILED)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    *t = (struct cpu_slots){ .workers = workers, .at_once = at_once, .all = all };
    return t;
}

void cpu_slots_free(struct cpu_slots *t)
{
    (void)munmap(t->all, t->workers * sizeof(struct cpu_slot));
    free(t);
}

void cpu_slots_own(struct cpu_slots *t, unsigned own)
{
    t->own = &t->all[own];
    cpu_slot_give(t);
}

void cpu_slot_take(struct cpu_slots *t)
{
    if (t != NULL)
        atomic_store(&t->own->taken_ms, clock_mono_ms());
}

void cpu_slot_give(struct cpu_slots *t)
{
    if (t != NULL)
        atomic_store(&t->own->taken_ms, 0);
}

static bool cpu_slots_are_taken(const struct cpu_slots *t)
{
    int64_t fresh = clock_mono_ms() - FRESH_MS;
    unsigned n = 0;

    for (unsigned i = 0; i < t->workers && n < t->at_once; i++)
        n += atomic_load(&t->all[i].taken_ms) > fresh;
    return n >= t->at_once;
}

void cpu_slots_await(const struct cpu_slots *t)
{
    const struct timespec poll = { .tv_nsec = POLL_MS * 1000000 };

    while (t != NULL && cpu_slots_are_taken(t) && nanosleep(&poll, NULL) == 0)
        continue;
}
