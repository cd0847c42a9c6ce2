/* HTTP calls to third parties: one or many at a time, through one curl multi handle that lives as long as the
 * process and keeps its connections. Proxy variables in the environment are ignored, and redirects are never
 * followed. */
#ifndef NET_CALL_H
#define NET_CALL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "net/breaker.h"
#include "net/bulkhead.h"

/* Which addresses may be connected to; checked on the address actually used, after the name is resolved. */
enum call_guard {
    CALL_CONFIGURED, /* a URL from the operator's settings: any address, http or https */
    CALL_PUBLIC,     /* an agent's URL: https and public unicast only */
    CALL_LOOPBACK,   /* the sandbox: as PUBLIC, and http or https to the loopback too */
};

enum call_result {
    CALL_PENDING,  /* not ended yet */
    CALL_ANSWERED, /* a complete answer, with any status */
    CALL_TIMEOUT,
    CALL_REFUSED, /* the guard: never connected */
    CALL_FAILED,  /* no connection, broken connection, answer over its ceiling; calls_run: no usable one */
    CALL_HELD,    /* not asked: its lane is full, or the breakers of all its URLs are open */
};

/* The cause of CALL_FAILED, for reports to those who can mend it. */
enum call_fault {
    FAULT_OTHER,
    FAULT_NAME,
    FAULT_CONNECTION_REFUSED,
    FAULT_TLS,
    FAULT_TLS_UNTRUSTED,
    FAULT_TLS_EXPIRED,
    FAULT_TLS_NAME,
    FAULT_TOO_LARGE, /* more than the call takes has come */
};

enum {
    CALL_MAX_HEADERS = 8,
    CALL_NOTICE_MAX = 63,
    CALL_HEDGE_MS = 400, /* how long calls_run waits for the others before it starts their hedges */
};
#define CALL_AS_LONG_AS_IT_TAKES UINT_MAX

/* A URL to ask, and what is known about it. */
struct target {
    const char *url;
    struct breaker *breaker; /* learns how each call to it ended; NULL: none */
    /* Its name in the log, which reports when it does not answer: a node, such as "chain=base node=1
     * host=rpc.example"; NULL: it is not logged. */
    const char *name;
    /* Calls to it are counted under these (base/metrics.h): "rpc_milliseconds", "rpc_errors_total". NULL: not
     * at all. */
    const char *chain, *node;
};

/* Two of the reasons that a call may have. */
#define CALL_WHY_NAME    "host name not found"
#define CALL_WHY_ADDRESS "address not allowed"

struct call {
    /* what to ask */
    const char *url;           /* not owned, must outlive the call; NULL: the first of `more` */
    const struct target *more; /* calls_run asks them next; no url ends them. NULL: none */
    struct bulkhead *bulkhead; /* calls_run waits in a lane of these; NULL: in none */
    unsigned lane;
    /* calls_run, before each attempt: writes the body for `url`; false skips the URL. NULL: the body is the
     * same for all. */
    bool (*prepare)(struct call *c);
    /* calls_run, for each answer: whether it is usable; may set `again`. NULL: below 500 and not 429 */
    bool (*usable)(struct call *c);
    bool again; /* `url` is asked once more, before the next one */
    /* calls_run, once the call is over, unless the run was: in how many milliseconds the run is over for the
     * others at the latest; CALL_AS_LONG_AS_IT_TAKES for no change. NULL: the same. */
    unsigned (*over)(struct call *c);
    void *watcher; /* of the code that set `over` */
    /* calls_run starts it in parallel to this one, if that is still without a usable answer CALL_HEDGE_MS
     * after the run began. The first usable answer of the two ends both, and is then this call's own:
     * `result`, `status`, `url` and `answer` are the hedge's. They count as one: `slots`, `lane` and `over`
     * are this call's. NULL: none. Not owned, but call_free frees what it holds. */
    struct call *hedge;
    const char *headers[CALL_MAX_HEADERS]; /* "Name: value", not owned; NULL ends the list */
    struct buf body;                       /* owned */
    const char *method;                    /* not owned; NULL: GET without a body, POST with one */
    enum call_guard guard;
    unsigned timeout_ms;  /* 0: the run's deadline alone */
    bool truncate_answer; /* bytes beyond the ceiling of `answer` are dropped, which is no failure */
    void *owner;          /* the caller's own */
    /* what came back */
    enum call_result result;
    enum call_fault fault;
    int status;
    struct buf answer;     /* owned; its ceiling is set by call_init */
    int64_t retry_after_s; /* of a Retry-After header in seconds or as a date; -1 when absent */
    int64_t quota_left;    /* of RateLimit-Remaining, with or without X- before it; -1 when absent */
    int64_t quota_reset_s; /* of RateLimit-Reset, in seconds or as a Unix time; -1 when absent */
    /* The headers Deprecation, Sunset and Date, as they came; "" where there is none, or a longer one. */
    char deprecation[CALL_NOTICE_MAX + 1], sunset[CALL_NOTICE_MAX + 1], date[CALL_NOTICE_MAX + 1];
    unsigned took_ms;
    char why[160];               /* for the log and last_error: no secret, no internal address */
    void *handle;                /* net's own; so are the next */
    const struct target *target; /* of url; NULL: none */
    struct call *beside;         /* in a hedge: the call that it was started in parallel to */
};

/* The cause of a call's end: one of base/cause.h. */
unsigned call_cause(enum call_result result, enum call_fault fault, int status);

void call_init(struct call *c, const char *url, size_t answer_max);
/* It waits in that lane; `s` may be NULL. */
static inline void call_use_lane(struct call *c, struct bulkhead *s, unsigned lane)
{
    c->bulkhead = s;
    c->lane = lane;
}
void call_free(struct call *c);

struct net;
struct cpu_slots;

struct net *net_new(const char *user_agent, unsigned max_connections);
/* From now on a worker that waits for answers gives up its turn meanwhile. */
void net_take_cpu_slots(struct net *n, struct cpu_slots *cpu_slots);
void net_free(struct net *n);

/* From now on `hear` is given each call when it has ended, before its answer is read; NULL: none is. */
typedef void call_hear(void *arg, const struct call *c);
void net_hear(struct net *n, call_hear *hear, void *arg);

/* Starts a call; the struct must not move until it has ended. */
void net_start(struct net *n, struct call *c);
/* Waits at most this long for a call to end; NULL when none has. Each ended call is returned once. */
struct call *net_wait(struct net *n, unsigned timeout_ms);
void net_cancel(struct net *n, struct call *c); /* ends it as CALL_TIMEOUT */
unsigned net_running(const struct net *n);

/* Runs all calls at once under one deadline; without a net (NULL), in a process that never waits, all have
 * CALL_FAILED, and a test build ends, since nothing there should have asked. Those that have not ended by
 * then are CALL_TIMEOUT, with their hedges. A call without a usable answer moves on to its next URL, a silent
 * URL gets half of the remaining time, and URLs whose breakers are open are skipped. Returns how many
 * answered. */
size_t calls_run(struct net *n, struct call *calls, size_t count, unsigned deadline_ms);

#endif
