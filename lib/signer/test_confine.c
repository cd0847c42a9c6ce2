#include "signer/confine.c"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "base/test.h"

/* The end of a confined process that runs `act`; by itself it ends with 0. */
static int confined(void (*act)(void))
{
    int status = -1;
    pid_t pid = fork();

    if (pid == 0) {
        if (!confine())
            _exit(3);
        act();
        _exit(0);
    }
    CHECK(waitpid(pid, &status, 0) == pid);
    return status;
}

/* Raw calls: whether libc would have got there is not the question. */
static void a_socket(void)
{
    (void)syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
}

static void a_local_socket(void)
{
    (void)syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0);
}

static void a_connection(void)
{
    (void)syscall(SYS_connect, 0, NULL, 0);
}

static void a_program(void)
{
    (void)syscall(SYS_execve, "/bin/true", NULL, NULL);
}

static void a_process(void)
{
    (void)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
}

static void a_poll_of_another(void)
{
    (void)syscall(SYS_ptrace, PTRACE_ATTACH, 1, NULL, NULL);
}

static void anothers_memory(void)
{
    (void)syscall(SYS_process_vm_readv, 1, NULL, 0, NULL, 0, 0);
}

static void being_polled_at(void)
{
    (void)syscall(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0);
}

static void memory_that_runs(void)
{
    (void)syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                  0);
}

static void memory_made_to_run(void)
{
    static uint8_t page[8192] __attribute__((aligned(4096)));

    (void)syscall(SYS_mprotect, page, sizeof page, PROT_READ | PROT_EXEC);
}

static void another_user(void)
{
    (void)syscall(SYS_setuid, 0);
}

static void a_file_gone(void)
{
    (void)syscall(SYS_unlink, "/nowhere");
}

static void a_mount(void)
{
    (void)syscall(SYS_mount, "none", "/nowhere", "tmpfs", 0, NULL);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(FAULTS)
static void a_file(void)
{
    (void)syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY);
}
#endif

static void unlisted_system_calls_end_the_process(void)
{
    static void (*const acts[])(void) = {
        a_socket,
        a_local_socket,
        a_connection,
        a_program,
        a_process,
        a_poll_of_another,
        anothers_memory,
        being_polled_at,
        memory_that_runs,
        memory_made_to_run,
        another_user,
        a_file_gone,
        a_mount,
#if !defined(__SANITIZE_ADDRESS__) && !defined(FAULTS)
        a_file,
#endif
    };

    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++) {
        int status = confined(acts[i]);

        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
        if (!WIFSIGNALED(status))
            fprintf(stderr, "  act %zu ended with %d\n", i, WEXITSTATUS(status));
    }
}

static void what_the_loop_needs(void)
{
    uint8_t bytes[16];
    struct stat st;
    void *p = malloc(1 << 20);

    if (p == NULL || getrandom(bytes, sizeof bytes, 0) != sizeof bytes || fstat(1, &st) != 0 ||
        usleep(1) != 0)
        _exit(1);
    free(p);
}

static void listed_system_calls_work(void)
{
    int status = confined(what_the_loop_needs);

    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void a_crash(void)
{
    (void)signal(SIGSEGV, SIG_DFL);
    (void)raise(SIGSEGV);
}

/* The limit is raised beforehand, so that it is the cage that takes it away. */
static void no_core_is_left(void)
{
    struct rlimit now;
    int status;

    CHECK(getrlimit(RLIMIT_CORE, &now) == 0);
    now.rlim_cur = now.rlim_max;
    CHECK(setrlimit(RLIMIT_CORE, &now) == 0);
    status = confined(a_crash);
    CHECK(WIFSIGNALED(status) && !WCOREDUMP(status));
}

TEST_MAIN(TEST(unlisted_system_calls_end_the_process), TEST(listed_system_calls_work), TEST(no_core_is_left))
