/* The gateway's parent and its children: the signer, the workers, the housekeeper and the parker. It restarts
 * whichever of them ends, until it is told to stop. There are two kinds of workers, each with a socket: many
 * that may wait for third parties, and a few that never do, which therefore answer at once while the others
 * wait.
 *
 * The first kind has as many as are needed: SPARE_WORKERS idle ones are kept, a worker that leaves fewer
 * wakes the parent, which forks more, up to `workers`, while requests wait at the socket; those that had
 * nothing to do for a while end (worker.h). A worker that dies is always replaced.
 *
 * SIGHUP restarts everything without a gap, with the programs, settings and keys of that moment:
 * 1. A child of its own executes `gateway -t`, which goes through all that a start needs. If it finds
 * something wrong, nothing changes.
 * 2. The parent executes the installed gateway in its own place: it stays the same process, its listening
 * sockets stay open, and so do its children (handover.h).
 * 3. That starts workers and a housekeeper on those sockets, and tells the previous ones to finish their
 * present requests. It starts a signer, and tells the previous one to end once the next has read its keys and
 * only waits for the audit log; requests to sign wait in the socket's queue until then. A further SIGHUP
 * waits until the previous children are gone. If the parent is killed meanwhile, all its children end, and an
 * ordinary start finds nothing that it has to know of. */
#ifndef FCGI_POOL_H
#define FCGI_POOL_H

#include <stdint.h>
#include <sys/types.h>

#include "handover.h"
#include "listener.h"
#include "net/scoreboard.h"
#include "service/conf.h"
#include "service/ctx.h"

enum pool_listener {
    LISTEN_ANY,  /* for any call */
    LISTEN_FAST, /* for calls that never wait for third parties */
    LISTEN_SIGNER,
    POOL_LISTENERS
};

/* The pace at which dead children of a kind are replaced: those that end at once are started at growing
 * pauses, so that neither the parent nor the log is busy with them. */
struct pace {
    int64_t began_ms; /* when one was last started */
    int64_t from_ms;  /* when the next one may be */
    unsigned pause_ms;
    unsigned times; /* that one ended at once, in a row */
    bool said;      /* since the last start */
};

struct pool {
    const struct conf *conf;
    struct ctx shared;
    const char *conf_path;
    const char *program; /* this one, as it is installed */
    const char *signer_program;
    char *const *argv;   /* to execute it with */
    char *const *argv_t; /* to have it check the settings */
    int lock;            /* lock.h */
    struct listener listeners[POOL_LISTENERS];
    unsigned workers, fast_workers;
    pid_t signer, housekeeper, parker;
    pid_t worker[2 * WORKERS_MAX]; /* `workers` that may wait, then `fast_workers`; 0: none */
    int64_t worker_began_ms[2 * WORKERS_MAX];
    struct scoreboard *scoreboard; /* of those that may wait */
    struct pace signer_pace, housekeeper_pace, parker_pace, worker_pace;
    bool short_of_processes; /* the last fork failed */
    int64_t fork_from_ms;    /* then: when another is tried */
    pid_t check;
    bool checked; /* it found nothing wrong */
    struct handover former;
    int64_t former_until_ms; /* when those who are left are killed */
    bool ready_said;         /* that signer and database are */
    int signer_ready;        /* says when the signer waits for the previous one alone; -1 */
    bool signer_told;        /* the previous one to end */
};

void pool_run(struct pool *p);
/* Clients that have connected are answered, no other can connect. The signer goes last: workers may need
 * it. */
void pool_stop(struct pool *p);

#endif
