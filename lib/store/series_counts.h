/* Counts in each minute of two days and in each hour of thirteen months, on all hosts together. They are read
 * from counters that only grow, and the last value of each counter is stored next to the sums, in the same
 * transaction: with any number of writers, and wherever a process dies, nothing is added twice or left
 * out. */
#ifndef STORE_SERIES_COUNTS_H
#define STORE_SERIES_COUNTS_H

#include "base/arena.h"
#include "model/series.h"
#include "store/db.h"

enum { SERIES_MINUTES_KEPT = 2 * 24 * 60, SERIES_HOURS_KEPT = 13 * 31 * 24 };

/* Adds to the present minute and hour what the counters of a source (base/metrics.h) have grown by since it
 * was last done; those of an unknown source count from now on. */
bool series_add(struct db *db, uint64_t source, const struct series_count *now, unsigned n);

/* Removes a part of what is older than it is kept, if there is any. */
bool series_purge(struct db *db);

enum series_grain { SERIES_MINUTES, SERIES_HOURS };

/* Sums of `step` slots each, from slot `from` on, to the slot before `until`; slots are minutes or hours
 * since 1970. */
struct series_asked {
    enum series_grain grain;
    enum series_metric metric;
    uint64_t from, until, step;
};
struct series_sum {
    uint64_t point; /* from 0 */
    uint64_t chain_id;
    unsigned place;
    uint64_t n;
};
/* By points; those without any are left out. In the arena; returns how many. */
int series_read(struct db *db, struct arena *a, const struct series_asked *asked, struct series_sum **out);

#endif
