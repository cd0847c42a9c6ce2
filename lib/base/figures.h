/* Counters of a host's processes, workers, jobs and keeper alike, for monitoring: they are in a file of
 * shared memory, so that counting is an atomic addition or two. They go on when programs restart. A counter
 * is found by a hash of its name and labels; the code that shows it knows those. */
#ifndef BASE_FIGURES_H
#define BASE_FIGURES_H

#include <stddef.h>
#include <stdint.h>

/* A name, and the values of up to three labels; NULL: there is none. */
struct figure {
    const char *name, *a, *b, *c;
};
#define FIGURE(...)                   FIGURE_OF(__VA_ARGS__, NULL, NULL, NULL, NULL)
#define FIGURE_OF(name, a, b, c, ...) ((struct figure){ name, a, b, c })

/* Before processes are forked; those that name the same file share it (with ".figures" behind its name).
 * Without it nothing is counted. */
void figures_share(const char *file);

/* A number that tells this file from all others, and is `fresh` if it has none yet; 0: there is no file. */
uint64_t figures_source(uint64_t fresh);

void figure_add(struct figure f, uint64_t n);
uint64_t figure_read(struct figure f); /* 0: nothing was counted */

/* A histogram's bounds, in the unit of what is observed; 0 ends them. */
enum { BUCKETS_MAX = 12 };
typedef const uint64_t figure_scale[BUCKETS_MAX];
void figure_observe(struct figure f, figure_scale scale, uint64_t value);
/* The number of values up to the bound at a place of its scale and above the previous one; at the place after
 * the last bound, of those above it. */
uint64_t figure_bucket(struct figure f, unsigned place);
/* The sum of all values. */
uint64_t figure_sum(struct figure f);

#endif
