#include "base/test.h"
#include "net/turns.c"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 8, AT_ONCE = 2 };

static struct turns *t;

static void be(unsigned worker)
{
    t->own = &t->all[worker];
}

static void only_so_many_compute(void)
{
    t = turns_new(WORKERS, AT_ONCE);
    turns_own(t, 0);
    turn_take(t);
    CHECK(!turns_are_taken(t));
    turns_own(t, 1);
    turn_take(t);
    CHECK(turns_are_taken(t));
    turn_give(t);
    CHECK(!turns_are_taken(t));
    turns_await(t);
    turns_free(t);
}

static void stuck_workers_do_not_count(void)
{
    t = turns_new(WORKERS, AT_ONCE);
    for (unsigned i = 0; i < AT_ONCE; i++) {
        be(i);
        atomic_store(&t->own->taken_ms, clock_mono_ms() - FRESH_MS);
    }
    CHECK(!turns_are_taken(t));
    turns_free(t);
}

static void killed_workers_do_not_block_turns(void)
{
    pid_t child;

    t = turns_new(WORKERS, 1);
    turns_own(t, 1);
    child = fork();
    if (child == 0) {
        turns_own(t, 0);
        turn_take(t);
        (void)raise(SIGKILL);
    }
    CHECK(waitpid(child, NULL, 0) == child);
    turns_await(t);
    CHECK(!turns_are_taken(t));
    turns_own(t, 0);
    CHECK(atomic_load(&t->all[0].taken_ms) == 0);
    turns_free(t);
}

static void without_turns_no_worker_waits(void)
{
    turn_take(NULL);
    turn_give(NULL);
    turns_await(NULL);
    CHECK(true);
}

TEST_MAIN(TEST(only_so_many_compute), TEST(stuck_workers_do_not_count),
          TEST(killed_workers_do_not_block_turns), TEST(without_turns_no_worker_waits))
