#ifndef FAULTS
#define FAULTS
#endif
#include "base/fault.c"
#include "base/test.h"

#include <sys/wait.h>

static char list[] = "/tmp/test_fault.XXXXXX";

static void write_list(const char *text)
{
    FILE *f = fopen(list, "w");

    if (f == NULL)
        log_fatal("test", "cannot write %s", list);
    fputs(text, f);
    fclose(f);
}

/* The exit status of a child that hits the point, or minus the signal that ended it. */
static int hit_in_child(const char *name)
{
    int status;
    pid_t pid = fork();

    if (pid == 0) {
        alarm(1);
        _exit(fault_hit(name) ? 1 : 0);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return -1000;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static void points_that_are_not_listed_do_nothing(void)
{
    write_list("other error\nstep.more error\n");
    CHECK(!fault_hit("step"));
    CHECK(fault_hit("step.more"));
    write_list("");
    CHECK(!fault_hit("other"));
}

static void actions(void)
{
    write_list("a kill\nb hang\nc error\n");
    CHECK(hit_in_child("a") == -SIGKILL);
    CHECK(hit_in_child("b") == -SIGALRM);
    CHECK(hit_in_child("c") == 1);
}

static void the_nth_time_counts_across_processes(void)
{
    char count[sizeof list + 16];

    write_list("n error 3\n");
    CHECK(hit_in_child("n") == 0);
    CHECK(!fault_hit("n"));
    CHECK(hit_in_child("n") == 1);
    CHECK(hit_in_child("n") == 0);
    snprintf(count, sizeof count, "%s.count.n", list);
    CHECK(unlink(count) == 0);
}

static void fault_test_start(void)
{
    int fd = mkstemp(list);

    CHECK(fd >= 0 && close(fd) == 0 && setenv("GATEWAY_FAULTS", list, 1) == 0);
}

static void fault_test_end(void)
{
    CHECK(unlink(list) == 0 && !fault_hit("c"));
}

TEST_MAIN(TEST(fault_test_start), TEST(points_that_are_not_listed_do_nothing), TEST(actions),
          TEST(the_nth_time_counts_across_processes), TEST(fault_test_end))
