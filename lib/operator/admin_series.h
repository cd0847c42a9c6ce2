/* The history of the service: swaps, their volume and duration by chain, answers and deliveries, over an hour
 * or over a year. */
#ifndef OPERATOR_ADMIN_SERIES_H
#define OPERATOR_ADMIN_SERIES_H

#include <stdbool.h>

#include "model/series.h"
#include "operator/operator.h"

/* Adds what this host has counted since it was last done (store/series_counts.h): little work, every few
 * seconds by one process of a host, and harmless where there are more. */
bool operator_fold_series(const struct ctx *ctx);

/* The names of the spans, which end with NULL. */
extern const char *const series_spans[];

/* The counts of one chain, by points. */
struct series_line {
    uint64_t chain_id;                    /* 0: what is of no chain */
    const char *chain;                    /* its key */
    const uint64_t *sums[SERIES_METRICS]; /* SERIES_PLACES of each point; NULL: nothing was counted */
};
struct series_report {
    uint64_t step_s, points;
    int64_t from_ms;                 /* of the first point; the last one goes on */
    const struct series_line *lines; /* that of no chain first */
    size_t count;
};
/* `span` is one of series_spans. In the arena. */
const char *operator_read_series(const struct ctx *ctx, struct arena *a, const char *span,
                                 struct series_report *out);

/* For a point of a line: the count at one of its places, and a value of its times. */
uint64_t series_line_sum(const struct series_line *l, enum series_metric metric, uint64_t point,
                         unsigned place);
uint64_t series_line_times(const struct series_line *l, enum series_metric metric, uint64_t point,
                           unsigned permille);

#endif
