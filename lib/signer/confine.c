#include "signer/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { STACK_ROOM = 256 * 1024 };

/* The system calls of the loop in signer/server.c, including those of libc and libsodium. */
static const int allowed[] = {
    /* requests and answers */
    SCMP_SYS(epoll_wait),
    SCMP_SYS(epoll_pwait),
    SCMP_SYS(epoll_ctl),
    SCMP_SYS(accept4),
    SCMP_SYS(getsockopt),
    SCMP_SYS(recvfrom),
    SCMP_SYS(sendto),
    SCMP_SYS(close),
    SCMP_SYS(read),
    SCMP_SYS(pread64),
    /* audit, wallets, ledger, kill switch, log */
    SCMP_SYS(write),
    SCMP_SYS(pwrite64),
    SCMP_SYS(ftruncate),
    SCMP_SYS(fallocate),
    SCMP_SYS(fstat),
    SCMP_SYS(fdatasync),
    /* memory; mmap and mprotect have rules of their own */
    SCMP_SYS(brk),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(madvise),
    SCMP_SYS(mlock),
    SCMP_SYS(munlock),
    /* random numbers, time, and the end */
    SCMP_SYS(getrandom),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(futex),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
#ifdef __SANITIZE_ADDRESS__
    /* The sanitizers' reports, in test builds only: they inspect the process and open a file. */
    SCMP_SYS(openat),
    SCMP_SYS(readlink),
    SCMP_SYS(lseek),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(getrlimit),
    SCMP_SYS(prlimit64),
    SCMP_SYS(ioctl),
    SCMP_SYS(uname),
    SCMP_SYS(stat),
#endif
#ifdef FAULTS
    /* Fault points, in test builds only. */
    SCMP_SYS(openat),
    SCMP_SYS(kill),
    SCMP_SYS(pause),
#endif
};

/* Locks each page from its first use on; unused pages of the libraries take no memory. Under a limit, a
 * locked stack could not grow and later allocations would fail: then only what is mapped now is locked. */
bool confine_lock_memory(void)
{
    const struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };
    struct rlimit now;

    /* Data that the crypto libraries leave on the stack lies within this room. Touching its far end is
     * enough: the pages in between come when they are used. */
    volatile uint8_t room[STACK_ROOM];

    room[0] = 0;
    (void)room[0];
    (void)setrlimit(RLIMIT_MEMLOCK, &all);
    if (getrlimit(RLIMIT_MEMLOCK, &now) == 0 && now.rlim_cur == RLIM_INFINITY)
        return mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0;
    return mlockall(MCL_CURRENT | MCL_ONFAULT) == 0;
}

static bool allow_listed(scmp_filter_ctx f)
{
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++) {
        int rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, allowed[i], 0);

        if (rc != 0 && rc != -EEXIST && rc != -EDOM) /* not every architecture has every call */
            return false;
    }
    return true;
}

/* No memory is made executable, and fstat may come as newfstatat of a descriptor. */
static bool allow_conditionally(scmp_filter_ctx f)
{
    const struct scmp_arg_cmp no_code = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
    const struct scmp_arg_cmp descriptor = SCMP_A3(SCMP_CMP_EQ, AT_EMPTY_PATH);

#ifdef __SANITIZE_ADDRESS__
    (void)descriptor;
    if (seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(newfstatat), 0) != 0)
        return false;
#else
    if (seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(newfstatat), 1, descriptor) != 0)
        return false;
#endif
    return seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, no_code) == 0 &&
           seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, no_code) == 0;
}

static bool load_filter(void)
{
    scmp_filter_ctx f = seccomp_init(SCMP_ACT_KILL_PROCESS);
    bool ok = f != NULL && allow_listed(f) && allow_conditionally(f) && seccomp_load(f) == 0;

    if (f != NULL)
        seccomp_release(f);
    return ok;
}

bool confine(void)
{
    const struct rlimit none = { 0, 0 };

    return setrlimit(RLIMIT_CORE, &none) == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 &&
           prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && load_filter();
}
