#include "pool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "child.h"
#include "keeper.h"
#include "signals.h"
#include "worker.h"

enum { STOP_GRACE_MS = 1500, SIGNER_FD = 3 };

static void signer_exec(const struct pool *p)
{
    char fd[16];

    if (p->signer_fd == SIGNER_FD) {
        (void)fcntl(SIGNER_FD, F_SETFD, 0);
    } else if (dup2(p->signer_fd, SIGNER_FD) < 0) {
        _exit(EXIT_FAILURE);
    }
    (void)snprintf(fd, sizeof fd, "%d", SIGNER_FD);
    (void)execl(p->signer_program, "signer", "-c", p->conf_path, "-f", fd, (char *)NULL);
    log_fatal("msg=\"cannot start the signer\" program=%s reason=\"%s\"", p->signer_program, strerror(errno));
}

/* Numbers are unique among workers of both kinds. */
static int worker_begin(const struct pool *p, unsigned number)
{
    struct ctx ctx = p->shared;

    ctx.never_waits = number >= p->workers;
    return worker_run(&ctx, ctx.never_waits ? p->fast_fd : p->listen_fd, number);
}

static unsigned workers_count(const struct pool *p)
{
    return p->workers + p->fast_workers;
}

static void children_start(struct pool *p)
{
    if (p->signer == 0 && (p->signer = child_fork()) == 0)
        signer_exec(p);
    if (p->keeper == 0 && (p->keeper = child_fork()) == 0)
        exit(keeper_run(p->conf, p->shared.meter));
    for (unsigned i = 0; i < workers_count(p); i++)
        if (p->worker[i] == 0 && (p->worker[i] = child_fork()) == 0)
            exit(worker_begin(p, i));
}

/* Its place is filled by children_start. */
static void child_forget(struct pool *p, pid_t pid)
{
    if (pid == p->signer)
        p->signer = 0;
    if (pid == p->keeper)
        p->keeper = 0;
    for (unsigned i = 0; i < workers_count(p); i++)
        if (p->worker[i] == pid)
            p->worker[i] = 0;
}

/* The keeper has noticed it, but only the parent may kill the signer. Workers repeat what was not signed. */
static void signer_kill(const struct pool *p)
{
    if (stop_asked || p->signer == 0)
        return;
    log_warn("msg=\"the signer hangs and is killed\" pid=%d", (int)p->signer);
    (void)kill(p->signer, SIGKILL);
}

static bool child_reap(struct pool *p, int flags)
{
    int status;
    pid_t pid = waitpid(-1, &status, flags);

    if (pid <= 0)
        return false;
    if (!stop_asked)
        log_warn("msg=\"child ended\" pid=%d status=%d signal=%d core=%d", (int)pid,
                 WIFEXITED(status) ? WEXITSTATUS(status) : 0, WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                 WIFSIGNALED(status) && WCOREDUMP(status));
    if (pid == p->keeper && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SIGNER_SILENT)
        signer_kill(p);
    child_forget(p, pid);
    return true;
}

static void children_signal(const struct pool *p, int sig)
{
    if (p->keeper > 0)
        (void)kill(p->keeper, sig);
    for (unsigned i = 0; i < workers_count(p); i++)
        if (p->worker[i] > 0)
            (void)kill(p->worker[i], sig);
}

static bool children_left(const struct pool *p)
{
    bool any = p->keeper > 0;

    for (unsigned i = 0; i < workers_count(p); i++)
        any = any || p->worker[i] > 0;
    return any;
}

/* The next signer reads settings and keys afresh. It starts at once and waits until the former one has
 * released the audit log; requests wait in the socket's queue meanwhile. */
static void signer_renew(struct pool *p)
{
    renew_asked = 0;
    if (p->signer > 0)
        (void)kill(p->signer, SIGTERM);
    p->signer = 0;
}

void pool_run(struct pool *p)
{
    while (!stop_asked) {
        int64_t started = clock_mono_ms();

        children_start(p);
        (void)sigsuspend(&initial_mask);
        if (renew_asked)
            signer_renew(p);
        while (child_reap(p, WNOHANG)) {
        }
        /* Children that end at once (no memory, no signer) must not make the parent spin. */
        if (!stop_asked && clock_mono_ms() - started < 100)
            usleep(100 * 1000);
    }
}

void pool_stop(struct pool *p)
{
    int64_t end = clock_mono_ms() + STOP_GRACE_MS;

    children_signal(p, SIGTERM);
    while (children_left(p) && clock_mono_ms() < end)
        if (!child_reap(p, WNOHANG))
            usleep(10 * 1000);
    children_signal(p, SIGKILL);
    while (children_left(p) && child_reap(p, 0)) {
    }
    if (p->signer > 0) {
        (void)kill(p->signer, SIGTERM);
        (void)waitpid(p->signer, NULL, 0);
    }
}
