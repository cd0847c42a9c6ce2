/* Known questions: one cheap question to each provider, venue and node of the settings, whose answer is known
 * well enough to tell whether it still is as this program takes it to be. It is asked with the operator's
 * keys, read by the readers that trades go by, judged by the guard, and never signed. */
#ifndef DRIFT_DRIFT_H
#define DRIFT_DRIFT_H

#include "base/arena.h"
#include "drift/report.h"
#include "service/ctx.h"

/* Gets the result for each; `arg` is the caller's. */
typedef void drift_tell(void *arg, const struct drift_report *r);

struct drift_check {
    const char *name;   /* of the one that is asked, or a chain's, for all of its nodes; NULL: all */
    const char *record; /* a folder for their answers, without what is secret; NULL: nothing is kept */
    drift_tell *tell;   /* NULL: the log is told what is in incident */
    void *arg;
};

/* Asks, and keeps what it finds. Sets ctx->net to hear its own calls meanwhile; `ctx` needs what jobs
 * have. Returns how many were asked, or found to be off; 0: there is none of that name. */
size_t drift_run(const struct ctx *ctx, const struct drift_check *poll);

#endif
