#include "base/test.h"
#include "net/cpu_slots.c"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 8, AT_ONCE = 2 };

static struct cpu_slots *t;

static void be(unsigned worker)
{
    t->own = &t->all[worker];
}

static void only_so_many_compute(void)
{
    t = cpu_slots_new(WORKERS, AT_ONCE);
    cpu_slots_own(t, 0);
    cpu_slot_take(t);
    CHECK(!cpu_slots_are_taken(t));
    cpu_slots_own(t, 1);
    cpu_slot_take(t);
    CHECK(cpu_slots_are_taken(t));
    cpu_slot_give(t);
    CHECK(!cpu_slots_are_taken(t));
    cpu_slots_await(t);
    cpu_slots_free(t);
}

static void stuck_workers_do_not_count(void)
{
    t = cpu_slots_new(WORKERS, AT_ONCE);
    for (unsigned i = 0; i < AT_ONCE; i++) {
        be(i);
        atomic_store(&t->own->taken_ms, clock_mono_ms() - FRESH_MS);
    }
    CHECK(!cpu_slots_are_taken(t));
    cpu_slots_free(t);
}

static void killed_workers_do_not_block_turns(void)
{
    pid_t child;

    t = cpu_slots_new(WORKERS, 1);
    cpu_slots_own(t, 1);
    child = fork();
    if (child == 0) {
        cpu_slots_own(t, 0);
        cpu_slot_take(t);
        (void)raise(SIGKILL);
    }
    CHECK(waitpid(child, NULL, 0) == child);
    cpu_slots_await(t);
    CHECK(!cpu_slots_are_taken(t));
    cpu_slots_own(t, 0);
    CHECK(atomic_load(&t->all[0].taken_ms) == 0);
    cpu_slots_free(t);
}

static void without_turns_no_worker_waits(void)
{
    cpu_slot_take(NULL);
    cpu_slot_give(NULL);
    cpu_slots_await(NULL);
    CHECK(true);
}

TEST_MAIN(TEST(only_so_many_compute), TEST(stuck_workers_do_not_count),
          TEST(killed_workers_do_not_block_turns), TEST(without_turns_no_worker_waits))
