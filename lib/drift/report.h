/* Results of the known questions to the services that this host uses: in memory that the processes of a host
 * share by a file, for monitors and for the operator. */
#ifndef DRIFT_REPORT_H
#define DRIFT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum drift_state {
    DRIFT_UNKNOWN,
    DRIFT_WORKS,
    DRIFT_CHANGED,    /* it works, and something is not as described */
    DRIFT_EMPTY,      /* it answers, and offers nothing */
    DRIFT_REFUSED,    /* it does not serve us: a key, a plan, an end, a failure of its own */
    DRIFT_UNREADABLE, /* its answer is malformed */
    DRIFT_UNSAFE,     /* the guard refuses what it hands over */
    DRIFT_UNAVAILABLE,
    DRIFT_OFF, /* not asked: switched off, without a key or a node */
    DRIFT_STATES
};

enum { DRIFT_NAME_MAX = 31, DRIFT_SAID_MAX = 199, DRIFT_REPORTS_MAX = 128 };

struct drift_report {
    char name[DRIFT_NAME_MAX + 1]; /* a provider's or a venue's; of nodes "base/1" */
    enum drift_state state;
    char said[DRIFT_SAID_MAX + 1]; /* one line: what it does, or what is wrong */
    int64_t at_ms;                 /* Unix time of the answer */
    unsigned took_ms;
};

const char *drift_state_text(enum drift_state s); /* "works" */
/* Whether the operator has to look at it. */
bool drift_is_incident(enum drift_state s);
/* Whether it is to be asked again before all are: what did not work may do so in minutes. */
bool drift_is_due(const struct drift_report *r, int64_t now_ms);

/* Before processes are forked; those that name the same file share it (with ".drift" behind its name).
 * `create` is false for a program that may run as another user than they do. Without it nothing is kept. */
void drift_share(const char *file, bool create);
bool drift_is_shared(void);
void drift_keep(const struct drift_report *r);
/* All that are kept, in the order in which they came first; how many. */
size_t drift_reports(struct drift_report out[static DRIFT_REPORTS_MAX]);
/* The one of that name; false: there is none. */
bool drift_report_of(const char *name, struct drift_report *out);

/* Forgets what was not asked since then: it is in the settings no more. */
void drift_forget(int64_t before_ms);

/* The time of the last round, in Unix milliseconds; 0: never. Only one process gets a round that is due
 * (older than `age_ms`). */
int64_t drift_round_ms(void);
bool drift_take_round(int64_t now_ms, int64_t age_ms);

#endif
