#include "store/job_runs.h"

enum { JOBS_MAX = 32 };

static const char DONE_NOW[] = "INSERT INTO job_runs (job, done_at) VALUES (?, UTC_TIMESTAMP(3))"
                               " ON DUPLICATE KEY UPDATE done_at = VALUES(done_at)";
static const char FAILED_NOW[] = "INSERT INTO job_runs (job, failed_at) VALUES (?, UTC_TIMESTAMP(3))"
                                 " ON DUPLICATE KEY UPDATE failed_at = VALUES(failed_at)";
static const char LIST[] = "SELECT job, done_at, failed_at FROM job_runs ORDER BY job LIMIT 32";

bool job_runs_note(struct db *db, const char *job, bool done)
{
    struct stmt *st = db_prepare(db, done ? DONE_NOW : FAILED_NOW);

    bind_ascii(st, job);
    return db_exec(st) >= 0;
}

int job_runs_list(struct db *db, struct arena *a, struct job_run **out)
{
    struct stmt *st = db_prepare(db, LIST);
    int n = 0;

    *out = ARENA_ARRAY(a, struct job_run, JOBS_MAX);
    if (!db_query(st))
        return -1;
    while (n < JOBS_MAX && db_next(st))
        (*out)[n++] = (struct job_run){ col_text(st, 0, a), col_ms(st, 1), col_ms(st, 2) };
    return n;
}
