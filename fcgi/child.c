#include "child.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/log.h"
#include "base/process.h"
#include "signals.h"

static pid_t parent;

pid_t child_fork(void)
{
    pid_t pid;

    parent = getpid();
    pid = FAULT("child.fork") ? -1 : fork();
    if (pid != 0)
        return pid;
    stop_asked = 0;
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    (void)sigprocmask(SIG_SETMASK, &initial_mask, NULL);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
    return 0;
}

/* Becoming another user clears it, and the parent may have died meanwhile. */
static void end_with_parent(void)
{
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0)
        log_fatal("start_failed", "msg=\"cannot end with the parent\" reason=\"%s\"", strerror(errno));
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
}

void child_become(unsigned uid)
{
    process_become(uid);
    end_with_parent();
}

void child_become_in(unsigned uid, gid_t group)
{
    process_become_in(uid, group);
    end_with_parent();
}
