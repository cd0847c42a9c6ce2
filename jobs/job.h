/* The skeleton of a job: flags, settings, database, time budget, signals, log line and exit status. A job
 * itself is one step, which may be interrupted by a crash anywhere: what it works on is claimed by leases
 * that run out. */
#ifndef JOBS_JOB_H
#define JOBS_JOB_H

#include <stdbool.h>

#include "base/arena.h"
#include "service/conf.h"
#include "service/ctx.h"

struct job_ctx {
    struct db *db;
    struct net *net;
    struct signer *signer;
    const struct conf *conf;
    struct arena *arena; /* reset between steps */
    struct ctx ctx;      /* the same, as the libraries take it */
};

struct job {
    const char *name;
    unsigned every_ms; /* pause after a step that found nothing */
    /* Work done: above 0 runs it again at once, 0 nothing was due, below 0 a failure (logged; next turn). */
    int (*step)(struct job_ctx *);
};

/* SIGTERM arrived, or the time budget is used up. */
bool job_stopping(void);

/* "NAME [-c FILE] [--for SECONDS]": one step without --for, else steps until the time is over. */
int job_main(int argc, char **argv, const struct job *job);

#endif
