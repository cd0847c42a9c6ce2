/* The last run of each job, on any host: one row for each, which jobs/job.c writes. */
#ifndef STORE_JOB_RUNS_H
#define STORE_JOB_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "store/db.h"

/* The job has done its work, or could not. */
bool job_runs_note(struct db *db, const char *job, bool done);

struct job_run {
    const char *job;
    int64_t done_ms, failed_ms; /* since 1970; 0: never */
};
/* All that ever ran, by name, in the arena. Returns how many. */
int job_runs_list(struct db *db, struct arena *a, struct job_run **out);

#endif
