#include "base/metrics.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/shared_file.h"

/* Twice as many as there are series, so that a search is short. */
enum { CELLS = 4096, LAYOUT = 2, SUM = BUCKETS_MAX + 1, PLAIN };

struct cell {
    _Atomic uint64_t key; /* 0: free */
    _Atomic uint64_t n;
};

struct metrics {
    uint64_t layout;
    _Atomic uint64_t source; /* 0: not in use yet */
    struct cell cells[CELLS];
};

static struct metrics *figures;

void metrics_share(const char *file)
{
    int fd = -1;

    if (figures == NULL)
        figures = shared_file_map_beside(file, ".figures", sizeof *figures, LAYOUT, &fd);
    if (fd >= 0)
        (void)close(fd);
    if (figures == NULL)
        log_warn("metrics_unusable", "msg=\"nothing is counted for monitors\" file=%s.figures reason=\"%s\"",
                 file, strerror(errno));
}

uint64_t metrics_source(uint64_t fresh)
{
    uint64_t none = 0;

    if (figures == NULL || atomic_compare_exchange_strong(&figures->source, &none, fresh))
        return figures == NULL ? 0 : fresh;
    return none;
}

/* FNV-1a, the end of the text included. */
static uint64_t hash_text(uint64_t sum, const char *text)
{
    if (text != NULL)
        for (; *text != '\0'; text++)
            sum = (sum ^ (uint8_t)*text) * 0x100000001b3;
    return (sum ^ 0xff) * 0x100000001b3;
}

static uint64_t metric_key(struct metric f, unsigned part)
{
    uint64_t sum = hash_text(hash_text(0xcbf29ce484222325, f.name), f.a);

    sum = (hash_text(hash_text(sum, f.b), f.c) ^ part) * 0x100000001b3;
    return sum ^ sum >> 32 ^ 1ULL << 63;
}

/* A cell never becomes free again, so the first free one ends a search. NULL: there is none, or nothing is
 * counted. */
static struct cell *cell_find(struct metric f, unsigned part, bool take)
{
    uint64_t key = metric_key(f, part);

    for (unsigned i = 0; figures != NULL && i < CELLS; i++) {
        struct cell *c = &figures->cells[(key + i) % CELLS];
        uint64_t owner = atomic_load_explicit(&c->key, memory_order_relaxed);

        if (owner == key)
            return c;
        if (owner == 0 && (!take || atomic_compare_exchange_strong(&c->key, &owner, key)))
            return take ? c : NULL;
        if (owner == key)
            return c;
    }
    return NULL;
}

static void part_add(struct metric f, unsigned part, uint64_t n)
{
    struct cell *c = cell_find(f, part, true);

    if (c != NULL)
        atomic_fetch_add_explicit(&c->n, n, memory_order_relaxed);
}

static uint64_t part_read(struct metric f, unsigned part)
{
    const struct cell *c = cell_find(f, part, false);

    return c == NULL ? 0 : atomic_load_explicit(&c->n, memory_order_relaxed);
}

void metric_add(struct metric f, uint64_t n)
{
    part_add(f, PLAIN, n);
}

uint64_t metric_read(struct metric f)
{
    return part_read(f, PLAIN);
}

void metric_observe(struct metric f, metric_scale scale, uint64_t value)
{
    unsigned place = 0;

    while (place < BUCKETS_MAX && scale[place] != 0 && value > scale[place])
        place++;
    part_add(f, place, 1);
    part_add(f, SUM, value);
}

uint64_t metric_bucket(struct metric f, unsigned place)
{
    return part_read(f, place);
}

uint64_t metric_sum(struct metric f)
{
    return part_read(f, SUM);
}
