#include "pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fault.h"
#include "base/file.h"
#include "base/incident.h"
#include "base/log.h"
#include "child.h"
#include "housekeeper.h"
#include "net/bulkhead.h"
#include "parker.h"
#include "parking.h"
#include "signals.h"
#include "worker.h"

enum {
    GRACE_MS = 60 * 1000, /* longer than any request; web servers wait no longer either */
    CHECK_S = 10,
    AT_ONCE_MS = 1000,
    PAUSE_MS = 100, /* before a child that died is replaced: the least and the most */
    PAUSE_MAX_MS = 30 * 1000,
    POLL_AGAIN_MS = 1000,
    POLL_MS = 5,
    SIGNER_FD = 3,
    READY_FD = 4,
};

/* ---- Children ---- */

/* It gets its socket and, unless negative, the end of a pipe on which it says that it is ready. */
static void signer_exec(const struct pool *p, int ready)
{
    const char *argv[] = { "signer", "-c", p->conf_path, "-f", "3", ready < 0 ? NULL : "-r", "4", NULL };
    int socket = fcntl(p->listeners[LISTEN_SIGNER].fd, F_DUPFD, READY_FD + 1);

    ready = ready < 0 ? ready : fcntl(ready, F_DUPFD, READY_FD + 1);
    if (dup2(socket, SIGNER_FD) == SIGNER_FD && (ready < 0 || dup2(ready, READY_FD) == READY_FD))
        (void)execv(p->signer_program, (char *const *)argv);
    log_fatal("start_failed", "msg=\"cannot start the signer\" program=%s reason=\"%s\"", p->signer_program,
              strerror(errno));
}

/* Those who run go on alone for a while. */
static void fork_failed(struct pool *p)
{
    if (!p->short_of_processes)
        log_error("fork_failed", "msg=\"cannot fork\" reason=\"%s\"", strerror(errno));
    p->short_of_processes = true;
    p->fork_from_ms = clock_mono_ms() + POLL_AGAIN_MS;
}

/* True in the child. A fork that fails leaves the place empty. */
static bool child_begin(struct pool *p, pid_t *place)
{
    pid_t pid;

    *place = 0;
    if (p->short_of_processes && clock_mono_ms() < p->fork_from_ms)
        return false;
    pid = child_fork();
    if (pid < 0)
        fork_failed(p);
    if (pid <= 0) /* a child writes to no memory without need: it would get pages of its own */
        return pid == 0;
    p->short_of_processes = false;
    *place = pid;
    return false;
}

/* ---- Pauses ---- */

static bool pace_allows(const struct pace *e)
{
    return clock_mono_ms() >= e->from_ms;
}

/* Before one of the kind is started, or all that are missing. */
static void pace_begin(struct pace *e)
{
    e->began_ms = clock_mono_ms();
    e->from_ms = e->began_ms + PAUSE_MS;
    e->said = false;
}

static void child_tell(const struct pace *e, const char *what, pid_t pid, int status, bool lasted)
{
    char how[INCIDENT_ABOUT_MAX + 1];

    (void)snprintf(how, sizeof how, "what=%s status=%d signal=%d core=%d", what,
                   WIFEXITED(status) ? WEXITSTATUS(status) : 0, WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                   WIFSIGNALED(status) && WCOREDUMP(status));
    log_repeated("child_ended", how, "msg=\"child ended\" pid=%d times=%u again_in_ms=%u", (int)pid,
                 e->times + lasted, e->pause_ms);
}

/* One of the kind has died that began then. Of those that end at once only the first one since the last start
 * is told of. */
static void pace_died(struct pace *e, const char *what, int64_t began_ms, pid_t pid, int status)
{
    int64_t now = clock_mono_ms();
    bool at_once = now - began_ms < AT_ONCE_MS;

    if (at_once && e->said)
        return;
    e->times = at_once ? e->times + 1 : 0;
    e->pause_ms = e->times < 2 ? PAUSE_MS : e->pause_ms < PAUSE_MAX_MS / 2 ? 2 * e->pause_ms : PAUSE_MAX_MS;
    e->from_ms = now + e->pause_ms;
    e->said = true;
    child_tell(e, what, pid, status, !at_once);
}

/* It stays after all. */
static void pace_check(struct pace *e, const char *what)
{
    if (e->times == 0 || e->said || clock_mono_ms() - e->began_ms < AT_ONCE_MS)
        return;
    log_info("child_recovered", "msg=\"child stays\" what=%s times=%u", what, e->times);
    *e = (struct pace){ .began_ms = e->began_ms };
}

/* ---- Starting ---- */

/* If there is a previous signer, the new one reports when it is ready. */
static void signer_start(struct pool *p)
{
    int ends[2] = { -1, -1 };

    if (p->former.signer > 0 && pipe2(ends, O_CLOEXEC) != 0)
        return; /* tried again with the next look at the children */
    if (child_begin(p, &p->signer))
        signer_exec(p, ends[1]);
    if (p->signer_ready >= 0)
        (void)close(p->signer_ready);
    if (ends[1] >= 0)
        (void)close(ends[1]);
    p->signer_ready = ends[0];
}

/* Numbers are unique among workers of both kinds. */
static int worker_begin(const struct pool *p, unsigned number)
{
    struct ctx ctx = p->shared;

    ctx.never_waits = number >= p->workers;
    return worker_run(&ctx, p->listeners[ctx.never_waits ? LISTEN_FAST : LISTEN_ANY].fd, p->scoreboard,
                      number);
}

static void worker_start(struct pool *p, unsigned number)
{
    p->worker_began_ms[number] = clock_mono_ms();
    if (child_begin(p, &p->worker[number]))
        exit(worker_begin(p, number));
}

/* Starts a worker that may wait; if that fails, a worker that died in this place stays to be replaced. */
static void waiting_worker_start(struct pool *p, unsigned number)
{
    enum worker_state before = scoreboard_get(p->scoreboard, number);

    scoreboard_set(p->scoreboard, number, WORKER_IDLE);
    worker_start(p, number);
    if (p->worker[number] == 0)
        scoreboard_set(p->scoreboard, number, before);
}

static unsigned workers_count(const struct pool *p)
{
    return p->workers + p->fast_workers;
}

static bool workers_missing(const struct pool *p)
{
    bool any = scoreboard_count(p->scoreboard, WORKER_DIED) > 0;

    for (unsigned i = p->workers; i < workers_count(p); i++)
        any = any || p->worker[i] == 0;
    return any;
}

static bool children_missing(const struct pool *p)
{
    return p->signer == 0 || p->housekeeper == 0 || p->parker == 0 || workers_missing(p);
}

/* Those who are always there, and the successors of those who died. The fast workers come first: most calls
 * are for them. */
static void workers_replace(struct pool *p)
{
    pace_begin(&p->worker_pace);
    for (unsigned i = p->workers; i < workers_count(p); i++)
        if (p->worker[i] == 0)
            worker_start(p, i);
    for (unsigned i = 0; i < p->workers; i++)
        if (scoreboard_get(p->scoreboard, i) == WORKER_DIED)
            waiting_worker_start(p, i);
}

static void children_replace(struct pool *p)
{
    if (p->signer == 0 && pace_allows(&p->signer_pace)) {
        pace_begin(&p->signer_pace);
        signer_start(p);
    }
    if (p->housekeeper == 0 && pace_allows(&p->housekeeper_pace)) {
        pace_begin(&p->housekeeper_pace);
        if (child_begin(p, &p->housekeeper))
            exit(housekeeper_run(&p->shared, p->scoreboard));
    }
    if (p->parker == 0 && pace_allows(&p->parker_pace)) {
        pace_begin(&p->parker_pace);
        if (child_begin(p, &p->parker))
            exit(parker_run(&p->shared, p->shared.parking, p->scoreboard, p->listeners[LISTEN_FAST].path));
    }
    if (workers_missing(p) && pace_allows(&p->worker_pace))
        workers_replace(p);
}

/* The lowest places are taken first. A worker that is to be replaced counts as idle, so that workers that die
 * as soon as they begin do not make the pool grow. */
static void spare_workers_start(struct pool *p)
{
    unsigned spare =
        scoreboard_count(p->scoreboard, WORKER_IDLE) + scoreboard_count(p->scoreboard, WORKER_DIED);

    for (unsigned i = 0; i < p->workers && spare < SPARE_WORKERS; i++) {
        if (scoreboard_get(p->scoreboard, i) != WORKER_NONE)
            continue;
        waiting_worker_start(p, i);
        spare++;
    }
}

static void children_start(struct pool *p)
{
    children_replace(p);
    pace_check(&p->signer_pace, "signer");
    pace_check(&p->housekeeper_pace, "keeper");
    pace_check(&p->parker_pace, "parker");
    pace_check(&p->worker_pace, "worker");
    spare_workers_start(p);
}

static void worker_forget(struct pool *p, unsigned number, bool died)
{
    p->worker[number] = 0;
    if (number >= p->workers)
        return;
    bulkhead_clear(p->shared.bulkhead, number);
    scoreboard_set(p->scoreboard, number, died ? WORKER_DIED : WORKER_NONE);
}

static bool housekeeper_found_silence(int status)
{
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SIGNER_SILENT;
}

/* One of the present ones, unless it is the one that checks. */
static void child_forget(struct pool *p, pid_t pid, int status)
{
    /* A worker with nothing to do ends well. */
    bool died = !WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS, tell = died && !stop_asked;

    if (pid == p->signer) {
        p->signer = 0;
        if (tell)
            pace_died(&p->signer_pace, "signer", p->signer_pace.began_ms, pid, status);
    }
    if (pid == p->housekeeper) {
        p->housekeeper = 0;
        if (tell && !housekeeper_found_silence(status))
            pace_died(&p->housekeeper_pace, "keeper", p->housekeeper_pace.began_ms, pid, status);
    }
    if (pid == p->parker) {
        p->parker = 0;
        if (tell)
            pace_died(&p->parker_pace, "parker", p->parker_pace.began_ms, pid, status);
    }
    for (unsigned i = 0; i < workers_count(p); i++)
        if (p->worker[i] == pid) {
            worker_forget(p, i, died);
            if (tell)
                pace_died(&p->worker_pace, "worker", p->worker_began_ms[i], pid, status);
        }
}

static void former_forget(struct handover *h, pid_t pid)
{
    if (pid == h->signer)
        h->signer = 0;
    for (size_t i = 0; i < h->child_count; i++)
        if (h->children[i] == pid)
            h->children[i--] = h->children[--h->child_count];
}

/* The housekeeper has noticed it, but only the parent may kill the signer. Workers repeat what was not
 * signed. */
static void signer_kill(const struct pool *p)
{
    pid_t serving = p->former.signer > 0 ? p->former.signer : p->signer;

    if (stop_asked || serving <= 0)
        return;
    log_repeated("signer_unresponsive", "", "msg=\"the signer hangs and is killed\" pid=%d", (int)serving);
    (void)kill(serving, SIGKILL);
}

static void check_ended(struct pool *p, int status)
{
    p->check = 0;
    p->checked = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
    if (!p->checked)
        log_error("restart_refused", "msg=\"not restarted: the settings do not pass\" program=%s",
                  p->program);
}

static bool child_reap(struct pool *p, int flags)
{
    int status;
    pid_t pid = waitpid(-1, &status, flags);

    if (pid <= 0)
        return false;
    former_forget(&p->former, pid);
    if (pid == p->check)
        check_ended(p, status);
    if (pid == p->housekeeper && housekeeper_found_silence(status))
        signer_kill(p);
    child_forget(p, pid, status);
    return true;
}

static void children_signal(const struct pool *p, int sig)
{
    if (p->housekeeper > 0)
        (void)kill(p->housekeeper, sig);
    if (p->parker > 0)
        (void)kill(p->parker, sig);
    for (unsigned i = 0; i < workers_count(p); i++)
        if (p->worker[i] > 0)
            (void)kill(p->worker[i], sig);
}

static void former_signal(const struct handover *h, int sig)
{
    for (size_t i = 0; i < h->child_count; i++)
        (void)kill(h->children[i], sig);
}

static bool children_left(const struct pool *p)
{
    bool any = p->housekeeper > 0 || p->parker > 0 || p->former.child_count > 0;

    for (unsigned i = 0; i < workers_count(p); i++)
        any = any || p->worker[i] > 0;
    return any;
}

/* ---- Restarting ---- */

static void check_start(struct pool *p)
{
    if (!child_begin(p, &p->check)) {
        restart_asked = p->check == 0; /* else it is asked for again */
        return;
    }
    (void)alarm(CHECK_S);
    (void)execv(p->program, p->argv_t);
    log_fatal("start_failed", "msg=\"cannot check the settings\" program=%s reason=\"%s\"", p->program,
              strerror(errno));
}

/* The signer that serves is left; one that only waits for it has nothing to lose. */
static pid_t signer_leave(struct pool *p)
{
    pid_t serving = p->former.signer;

    if (serving <= 0)
        return p->signer;
    if (p->signer > 0)
        (void)kill(p->signer, SIGKILL);
    return serving;
}

static void pool_leave(struct pool *p)
{
    static struct handover left;

    left = (struct handover){ .lock = p->lock, .listener_count = POOL_LISTENERS };
    memcpy(left.listeners, p->listeners, sizeof p->listeners);
    left.signer = signer_leave(p);
    if (p->housekeeper > 0)
        left.children[left.child_count++] = p->housekeeper;
    if (p->parker > 0)
        left.children[left.child_count++] = p->parker;
    for (unsigned i = 0; i < workers_count(p); i++)
        if (p->worker[i] > 0)
            left.children[left.child_count++] = p->worker[i];
    log_info("restarting", "msg=\"restarting\" program=%s", p->program);
    parking_tell(p->shared.parking, PARKING_RESTARTS);
    handover_exec(&left, p->program, p->argv);
    parking_tell(p->shared.parking, PARKING_STAYS);
    log_error("restart_failed", "msg=\"not restarted\" program=%s reason=\"%s\"", p->program,
              strerror(errno));
}

/* Only checked settings count: they may have changed if a restart was asked for again meanwhile. */
static void pool_restart(struct pool *p)
{
    bool settled = p->former.child_count == 0 && !p->signer_told;

    if (p->checked && !restart_asked)
        pool_leave(p);
    p->checked = false;
    if (restart_asked && p->check == 0 && settled)
        check_start(p);
}

/* The new children have begun: the previous ones are needed only for their present requests. */
static void former_dismiss(struct pool *p)
{
    if (p->former.child_count > 0)
        (void)FAULT("restart.dismiss");
    former_signal(&p->former, SIGTERM);
    p->former_until_ms = clock_mono_ms() + GRACE_MS;
}

static void former_check(struct pool *p)
{
    if (p->former.signer == 0)
        p->signer_told = false;
    if (p->former.child_count > 0 && clock_mono_ms() >= p->former_until_ms) {
        log_warn("former_workers_killed", "msg=\"former workers do not end and are killed\" count=%zu",
                 p->former.child_count);
        former_signal(&p->former, SIGKILL);
    }
}

/* The signer has said that it is ready, or ended before it was. */
static void signer_probe(struct pool *p)
{
    char said;
    bool ready = read(p->signer_ready, &said, 1) == 1;

    (void)close(p->signer_ready);
    p->signer_ready = -1;
    if (!ready || p->former.signer == 0)
        return;
    (void)FAULT("restart.signer");
    (void)kill(p->former.signer, SIGTERM);
    p->signer_told = true;
}

/* ---- Running ---- */

/* Whether some that ended at once have been started again, and may do so once more. */
static bool children_doubtful(const struct pool *p)
{
    return p->signer_pace.times > 0 || p->housekeeper_pace.times > 0 || p->parker_pace.times > 0 ||
           p->worker_pace.times > 0;
}

/* Until something is due; -1: for ever. */
static int pool_timeout_ms(const struct pool *p)
{
    if (children_missing(p))
        return PAUSE_MS;
    return p->former.child_count > 0 || p->short_of_processes || children_doubtful(p) ? POLL_AGAIN_MS : -1;
}

/* Signals are delivered here. */
static void pool_wait(struct pool *p)
{
    int ms = pool_timeout_ms(p);
    const struct timespec until = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000 * 1000L };
    struct pollfd fds[] = {
        { .fd = p->signer_ready, .events = POLLIN },
        { .fd = scoreboard_fd(p->scoreboard), .events = POLLIN },
    };

    if (ppoll(fds, 2, ms < 0 ? NULL : &until, &initial_mask) <= 0)
        return;
    if (fds[0].revents != 0)
        signer_probe(p);
    if (fds[1].revents != 0)
        scoreboard_woken(p->scoreboard);
}

/* The housekeeper has found that signer and database answer. */
static void ready_say(struct pool *p)
{
    if (p->ready_said || !scoreboard_is_ready(p->scoreboard))
        return;
    p->ready_said = true;
    log_info("ready", "msg=\"ready\" workers=%u fast_workers=%u socket=%s", p->workers, p->fast_workers,
             p->listeners[LISTEN_ANY].path);
}

/* For those who signal this process by its id, or wait until it has restarted. */
static void pid_file_write(const char *path)
{
    char text[16];
    int n = snprintf(text, sizeof text, "%d\n", (int)getpid());

    if (!file_replace(path, text, (size_t)n, 0644))
        log_error("pid_file_failed", "msg=\"cannot write the process id\" file=%s reason=\"%s\"", path,
                  strerror(errno));
}

static void pool_begin(struct pool *p)
{
    children_start(p);
    former_dismiss(p);
    pid_file_write(p->conf->pid_file);
}

void pool_run(struct pool *p)
{
    pool_begin(p);
    while (!stop_asked) {
        pool_wait(p);
        while (child_reap(p, WNOHANG)) {
        }
        former_check(p);
        if (stop_asked)
            break;
        ready_say(p);
        pool_restart(p);
        children_start(p);
    }
}

/* ---- Stopping ---- */

static bool children_await(struct pool *p, int64_t until_ms)
{
    while (children_left(p) && clock_mono_ms() < until_ms)
        if (!child_reap(p, WNOHANG))
            usleep(POLL_MS * 1000);
    return !children_left(p);
}

static bool queues_left(const struct pool *p)
{
    return listener_has_queue(&p->listeners[LISTEN_ANY]) || listener_has_queue(&p->listeners[LISTEN_FAST]);
}

/* Clients that have connected get to a worker. There may be many more of them than workers as yet. */
static void queues_await(struct pool *p, int64_t until_ms)
{
    listener_hide(&p->listeners[LISTEN_ANY]);
    listener_hide(&p->listeners[LISTEN_FAST]);
    while (queues_left(p) && children_left(p) && clock_mono_ms() < until_ms) {
        children_start(p);
        if (!child_reap(p, WNOHANG))
            usleep(POLL_MS * 1000);
    }
}

static void signer_stop(pid_t pid)
{
    if (pid <= 0)
        return;
    (void)kill(pid, SIGTERM);
    (void)waitpid(pid, NULL, 0);
}

void pool_stop(struct pool *p)
{
    int64_t until_ms = clock_mono_ms() + GRACE_MS;

    if (p->check > 0)
        (void)kill(p->check, SIGKILL);
    parking_tell(p->shared.parking, PARKING_ENDS);
    queues_await(p, until_ms);
    parking_close(p->shared.parking);
    children_signal(p, SIGTERM);
    former_signal(&p->former, SIGTERM);
    if (!children_await(p, until_ms)) {
        children_signal(p, SIGKILL);
        former_signal(&p->former, SIGKILL);
        while (children_left(p) && child_reap(p, 0)) {
        }
    }
    signer_stop(p->former.signer);
    signer_stop(p->signer);
    (void)unlink(p->conf->pid_file);
    log_info("stopped", "msg=\"stopped\"");
}
