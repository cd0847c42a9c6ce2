/* Counters of a host's processes, workers, jobs and housekeeper alike, for monitoring: they are in a file of
 * shared memory, so that counting is an atomic addition or two. They go on when programs restart. A counter
 * is found by a hash of its name and labels; the code that shows it knows those. */
#ifndef BASE_METRICS_H
#define BASE_METRICS_H

#include <stddef.h>
#include <stdint.h>

/* A name, and the values of up to three labels; NULL: there is none. */
struct metric {
    const char *name, *a, *b, *c;
};
#define METRIC(...)                   METRIC_OF(__VA_ARGS__, NULL, NULL, NULL, NULL)
#define METRIC_OF(name, a, b, c, ...) ((struct metric){ name, a, b, c })

/* Before processes are forked; those that name the same file share it (with ".figures" behind its name).
 * Without it nothing is counted. */
void metrics_share(const char *file);

/* A number that tells this file from all others, and is `fresh` if it has none yet; 0: there is no file. */
uint64_t metrics_source(uint64_t fresh);

void metric_add(struct metric f, uint64_t n);
uint64_t metric_read(struct metric f); /* 0: nothing was counted */

/* A histogram's bounds, in the unit of what is observed; 0 ends them. */
enum { BUCKETS_MAX = 12 };
typedef const uint64_t metric_scale[BUCKETS_MAX];
void metric_observe(struct metric f, metric_scale scale, uint64_t value);
/* The number of values up to the bound at a place of its scale and above the previous one; at the place after
 * the last bound, of those above it. */
uint64_t metric_bucket(struct metric f, unsigned place);
/* The sum of all values. */
uint64_t metric_sum(struct metric f);

#endif
