/* Whom known questions go to, and what is heard of them: for the files of this folder. */
#ifndef DRIFT_SOURCE_H
#define DRIFT_SOURCE_H

#include "drift/report.h"
#include "drift/shape.h"
#include "net/call.h"
#include "net/venues.h"
#include "route/provider.h"
#include "service/ctx.h"

enum { HEARD_MAX = 64 };

/* An answer that came over the network while a source was asked; all of it in the arena. */
struct heard {
    const char *url, *asked; /* `asked`: the body */
    const char *text;        /* the answer */
    size_t len;
    int status;
    enum call_result result;
    enum call_fault fault;
    const char *why, *deprecation, *sunset, *date;
    int64_t at_s;
};

/* One source while it is asked. */
struct asking {
    const struct ctx *ctx;
    struct arena *arena;
    const char *base;           /* the source's URL, below which its own answers come from; "": any */
    struct drift_report report; /* `state` and `said` are for its asker to set */
    struct heard heard[HEARD_MAX];
    size_t count;
};

/* Whether an answer came from below that URL. */
bool heard_below(const struct heard *h, const char *base);
/* Sets both, of a printf-like text. */
void asking_found(struct asking *k, enum drift_state state, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Reports the fault of the last answer from below that URL, by its status and first words: DRIFT_UNAVAILABLE,
 * DRIFT_REFUSED, DRIFT_UNREADABLE. */
void asking_failed(struct asking *k, const char *base);
/* The shape that each of these has to have: an answer that came from below `base` and has `part` in its URL
 * or in what was asked. */
struct recorded_shape {
    const char *source, *part;
    const struct shape_member *members;
};
extern const struct recorded_shape recorded_shapes[]; /* no source ends the list */

/* Whether what was found says that it serves us, and that it refuses us. */
bool asking_is_served(const struct asking *k);
bool asking_is_refused(const struct asking *k);

void provider_drift(struct asking *k, const struct provider *p);

/* ---- venues ---- */

struct venue_source {
    enum venue_service service;
    const char *(*base)(const struct ctx *ctx); /* its URL; NULL or "": it is off */
    void (*ask)(struct asking *k);
};
extern const struct venue_source venue_sources[VENUE_SERVICES];

#endif
