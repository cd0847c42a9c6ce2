#include "base/process.c"
#include "base/test.h"

#include <sys/wait.h>
#include <unistd.h>

static void a_closed_process_stays_closed(void)
{
    struct rlimit limit = { 1, 1 }, more = { 1, 1 };
    int status = 0;
    pid_t pid;

    CHECK(prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1);
    process_close();
    CHECK(prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0);
    CHECK(getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_cur == 0 && limit.rlim_max == 0);
    /* a pool's workers are such children */
    pid = fork();
    if (pid == 0)
        _exit(prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0 &&
                      (geteuid() == 0 || setrlimit(RLIMIT_CORE, &more) != 0)
                  ? 0
                  : 1);
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Only root can, and not back again. */
static void becoming_another_user(void)
{
    bool root = geteuid() == 0;
    int status = 0;
    pid_t pid = fork();

    if (pid == 0) {
        unsigned before = geteuid(), want = root ? 61414 : before;

        process_become(0);
        if (geteuid() != before)
            _exit(1);
        process_become(61414);
        _exit(geteuid() == want && (!root || (getegid() == want && getgroups(0, NULL) == 0 &&
                                              seteuid(0) != 0 && prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0))
                  ? 0
                  : 1);
    }
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
}

TEST_MAIN(TEST(a_closed_process_stays_closed), TEST(becoming_another_user))
