#include "api/admission/meter.c"
#include "base/test.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

static const int64_t NOW = 1800000000000000;
static char path[] = "/tmp/test_meter.XXXXXX";

static struct meter *fresh(void)
{
    (void)unlink(path);
    return meter_open(path);
}

static unsigned take_many(struct meter *m, const struct uuid *agent, uint32_t units, unsigned tries)
{
    unsigned n = 0;

    while (tries-- > 0)
        n += meter_agent(m, agent, units, NOW).allowed;
    return n;
}

static uint64_t pending(struct meter *m, const struct uuid *agent)
{
    uint64_t requests;
    int64_t last_ms;

    meter_pending(m, agent, &requests, &last_ms);
    CHECK(last_ms == (requests == 0 ? 0 : NOW / 1000));
    return requests;
}

/* A neighbour: another agent whose search begins at the same place. */
static struct uuid neighbour(struct uuid agent)
{
    struct uuid u = uuid_random();

    memcpy(u.bytes, agent.bytes, 4);
    return u;
}

static struct ip_address address_of(const char *text)
{
    struct ip_address a;

    CHECK(ip_address_parse(&a, text));
    return a;
}

static void load_is_of_this_minute_and_the_one_before(void)
{
    enum { MINUTE_US = 60 * 1000 * 1000 };
    struct meter *m = fresh();
    struct uuid a = uuid_random(), b = neighbour(a), uncounted = uuid_random();
    struct meter_load load[3];

    CHECK(take_many(m, &a, 0, 1) == 1 && take_many(m, &b, 0, 1) == 1);
    CHECK(meter_loads(m, NOW, load, 3) == 0);
    meter_worked(m, &a, 200, 1500, NOW);
    meter_worked(m, &a, 429, 700, NOW);
    meter_worked(m, &b, 200, 90 * 1000, NOW);
    meter_worked(m, &uncounted, 200, 90 * 1000, NOW); /* it has no cell */
    CHECK(meter_loads(m, NOW, load, 3) == 2 && meter_loads(m, NOW, load, 1) == 1);
    CHECK(memcmp(&load[0].agent, &b, sizeof b) == 0 && load[0].work_ms == 90 && load[0].refused == 0);
    meter_worked(m, &b, METER_GOES_ON, 10 * 1000, NOW);
    CHECK(meter_loads(m, NOW, load, 1) == 1 && load[0].work_ms == 100 && load[0].requests == 1);
    meter_worked(m, &a, 500, 200 * 1000, NOW + MINUTE_US);
    CHECK(meter_loads(m, NOW + MINUTE_US, load, 3) == 2);
    CHECK(memcmp(&load[0].agent, &a, sizeof a) == 0 && load[0].work_ms == 202);
    CHECK(load[0].requests == 3 && load[0].refused == 2);
    CHECK(meter_loads(m, NOW + 2 * MINUTE_US, load, 3) == 1 && load[0].requests == 1 &&
          load[0].work_ms == 200);
    CHECK(meter_loads(m, NOW + 3 * MINUTE_US, load, 3) == 0);
    meter_close(m);
}

static void each_agent_has_its_own(void)
{
    struct meter *m = fresh();
    struct uuid a = uuid_random(), b = neighbour(a);

    CHECK(pending(m, &a) == 0);
    CHECK(take_many(m, &a, 5, 8) == 5 && take_many(m, &b, 3, 8) == 3);
    CHECK(pending(m, &a) == 8 && pending(m, &b) == 8); /* refused ones are requests too */
    CHECK(take_many(m, &a, 0, 1000) == 1000 && pending(m, &a) == 1008);
    CHECK(!meter_agent(m, &a, 5, NOW).allowed); /* the debt stays */
    meter_close(m);
}

static void kinds_and_addresses_are_apart(void)
{
    struct meter *m = fresh();
    struct ip_address a = address_of("192.0.2.1"), b = address_of("192.0.2.2");

    CHECK(meter_address(m, METER_REGISTER, &a, rate_limit_per_minute(2), NOW).allowed);
    CHECK(meter_address(m, METER_REGISTER, &a, rate_limit_per_minute(2), NOW).allowed);
    CHECK(!meter_address(m, METER_REGISTER, &a, rate_limit_per_minute(2), NOW).allowed);
    CHECK(meter_address(m, METER_PUBLIC, &a, rate_limit_per_minute(2), NOW).allowed);
    CHECK(meter_address(m, METER_REGISTER, &b, rate_limit_per_minute(2), NOW).allowed);
    CHECK(meter_address(m, METER_REGISTER, &a, rate_limit_per_minute(2), NOW + 30000000).allowed);
    meter_close(m);
}

static void the_file_outlives_its_users(void)
{
    struct meter *m = fresh();
    struct uuid a = uuid_random();
    struct ip_address from = address_of("2001:db8::");

    CHECK(take_many(m, &a, 5, 8) == 5 &&
          meter_address(m, METER_PUBLIC, &from, rate_limit_per_minute(1), NOW).allowed);
    meter_close(m);
    m = meter_open(path);
    CHECK(take_many(m, &a, 5, 8) == 0 &&
          !meter_address(m, METER_PUBLIC, &from, rate_limit_per_minute(1), NOW).allowed);
    meter_close(m);
}

static void a_file_of_another_layout_is_put_aside(void)
{
    struct uuid a = uuid_random();
    struct meter *m;
    FILE *f = fopen(path, "w");

    CHECK(f != NULL && fputs("an older version's", f) >= 0 && fclose(f) == 0);
    m = meter_open(path);
    CHECK(take_many(m, &a, 5, 8) == 5);
    meter_close(m);
}

enum { PROCESSES = 8, TRIES = 300000 };

/* Runs fn in several processes, each with a mapping of its own; returns the sum of their results. */
static uint64_t in_parallel(uint64_t (*fn)(struct meter *, unsigned nr))
{
    uint64_t sum = 0, one;
    int fds[2], start[2];
    char byte;

    CHECK(pipe(fds) == 0 && pipe(start) == 0);
    for (unsigned i = 0; i < PROCESSES; i++)
        if (fork() == 0) {
            struct meter *m = meter_open(path);

            (void)close(start[1]);
            (void)!read(start[0], &byte, 1); /* ends when the parent closes it: all begin at once */
            one = fn(m, i);
            _exit(write(fds[1], &one, sizeof one) == sizeof one ? 0 : 1);
        }
    (void)close(start[0]);
    (void)close(start[1]);
    for (unsigned i = 0; i < PROCESSES; i++) {
        CHECK(read(fds[0], &one, sizeof one) == sizeof one);
        sum += one;
    }
    while (wait(NULL) > 0) {
    }
    (void)close(fds[0]);
    (void)close(fds[1]);
    return sum;
}

static struct uuid shared_agents[4];

static uint64_t take_from_all(struct meter *m, unsigned nr)
{
    uint64_t n = 0;

    (void)nr;
    for (unsigned i = 0; i < TRIES; i++)
        n += meter_agent(m, &shared_agents[i % 4], 400000, NOW).allowed;
    return n;
}

static void processes_count_exactly(void)
{
    struct meter *m = fresh();
    uint64_t requests = 0;

    for (unsigned i = 0; i < 4; i++)
        shared_agents[i] = i == 0 ? uuid_random() : neighbour(shared_agents[0]);
    CHECK(in_parallel(take_from_all) == 4 * 400000);
    for (unsigned i = 0; i < 4; i++)
        requests += pending(m, &shared_agents[i]);
    CHECK(requests == PROCESSES * TRIES);
    meter_close(m);
}

enum { NEWCOMERS = AGENT_CELLS / PROBES };
static struct uuid newcomers[NEWCOMERS];

/* Each process brings its own agents, which all want the same places at the same moment. */
static uint64_t take_twice_each(struct meter *m, unsigned nr)
{
    uint64_t n = 0;

    for (unsigned i = 0; i < NEWCOMERS; i++) {
        struct uuid agent = newcomers[i];

        agent.bytes[4] ^= (uint8_t)(nr + 1);
        n += take_many(m, &agent, 1, 2);
    }
    return n;
}

static void newcomers_get_a_cell_each(void)
{
    struct meter *m = fresh();

    for (unsigned i = 0; i < NEWCOMERS; i++) {
        uint16_t home = (uint16_t)(i * PROBES); /* neighbourhoods that do not overlap */

        newcomers[i] = uuid_random();
        memcpy(newcomers[i].bytes, &home, sizeof home);
    }
    CHECK(in_parallel(take_twice_each) == PROCESSES * NEWCOMERS);
    meter_close(m);
}

/* Newcomers compete for one neighbourhood while a known agent spends its quota there. */
static uint64_t crowd_and_spend(struct meter *m, unsigned nr)
{
    uint64_t n = 0;

    for (unsigned i = 0; i < TRIES / 150; i++) {
        struct uuid other = neighbour(shared_agents[0]);

        (void)meter_agent(m, &other, 120, NOW);
        if (i % 8 == nr)
            n += meter_agent(m, &shared_agents[0], 100, NOW).allowed;
    }
    return n;
}

static void no_crowd_frees_of_a_limit(void)
{
    struct meter *m = fresh();

    shared_agents[0] = uuid_random();
    CHECK(in_parallel(crowd_and_spend) <= 100);
    meter_close(m);
}

/* An agent that spent its quota, was evicted by a crowd and comes back owes what it owed. */
static void evicted_owners_still_owe(void)
{
    struct meter *m = fresh();
    struct uuid a = uuid_random();

    CHECK(take_many(m, &a, 100, 100) == 100);
    for (unsigned i = 0; i < 4 * PROBES; i++) {
        struct uuid other = neighbour(a);

        (void)take_many(m, &other, 100, 100);
    }
    CHECK(take_many(m, &a, 100, 100) == 0);
    CHECK(take_many(m, &a, 0, 1) == 1);
    meter_close(m);
}

/* The agent that has been idle longest is evicted; no other is affected. */
static void idle_cells_are_used_again(void)
{
    struct meter *m = fresh();
    struct uuid first = uuid_random(), others[PROBES];

    CHECK(meter_agent(m, &first, 100, NOW - 3600000000).allowed);
    for (unsigned i = 0; i < PROBES; i++) {
        others[i] = neighbour(first);
        CHECK(meter_agent(m, &others[i], 100, NOW).remaining == 99);
    }
    CHECK(cell_find(&m->agents, agent_id(&first)) == NULL);
    for (unsigned i = 0; i < PROBES; i++)
        CHECK(pending(m, &others[i]) == 1 && meter_agent(m, &others[i], 100, NOW).remaining == 98);
    meter_close(m);
}

/* A process is killed while it hands a cell over: the next user still gets its own. */
static void half_a_hand_over_is_put_right(void)
{
    for (int step = 1; step <= 3; step++) {
        struct meter *m = fresh();
        struct uuid a = uuid_random(), b = neighbour(a);
        struct id to = agent_id(&b);
        struct cell *c;

        CHECK(take_many(m, &a, 5, 3) == 3);
        c = cell_find(&m->agents, agent_id(&a));
        CHECK(c != NULL);
        atomic_store(&c->word, word_make(to, word_time(atomic_load(&c->word))));
        if (step > 1)
            atomic_store(&c->requests, 0);
        if (step > 2)
            atomic_store(&c->lo, to.lo);
        CHECK(take_many(m, &a, 5, 8) == 2 && take_many(m, &b, 5, 8) == 5);
        CHECK(pending(m, &b) == 8 && cell_find(&m->agents, agent_id(&a)) == c);
        meter_close(m);
    }
}

static void spend_for_ever(void)
{
    struct meter *m = meter_open(path);

    for (;;) {
        struct uuid other = neighbour(shared_agents[0]);

        (void)meter_agent(m, &other, 120, NOW);
        (void)meter_agent(m, &shared_agents[0], 1000000, NOW);
    }
}

/* Processes are killed at arbitrary points: the table keeps working, and nothing stays locked. */
static void kills_do_no_harm(void)
{
    struct meter *m = fresh();

    shared_agents[0] = uuid_random();
    for (unsigned i = 0; i < 20; i++) {
        pid_t pid = fork();

        if (pid == 0)
            spend_for_ever();
        usleep(2000 + i * 300);
        CHECK(pid > 0 && kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) == pid);
    }
    for (unsigned i = 0; i < 2 * PROBES; i++) {
        struct uuid other = neighbour(shared_agents[0]);

        (void)meter_agent(m, &other, 120, NOW + 120000000);
        CHECK(cell_find(&m->agents, agent_id(&other)) != NULL);
    }
    CHECK(take_many(m, &shared_agents[0], 0, 1) == 1);
    meter_close(m);
}

static void one_process_folds_at_a_time(void)
{
    struct meter *m = fresh();
    int fds[2], status;
    char byte = 0;
    pid_t pid;

    CHECK(pipe(fds) == 0);
    CHECK(file_lock(m, LOCK_FOLD, F_WRLCK, false));
    pid = fork();
    if (pid == 0) { /* a database that is not there would end it */
        meter_fold(m, NULL);
        _exit(file_lock(m, LOCK_FOLD, F_WRLCK, false) ? 1 : 0);
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    pid = fork();
    if (pid == 0) { /* the kernel releases the lock of a dead process */
        (void)file_lock(m, LOCK_AGENTS, F_WRLCK, true);
        _exit(write(fds[1], &byte, 1) == 1 && raise(SIGKILL) == 0 ? 0 : 1);
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && read(fds[0], &byte, 1) == 1);
    CHECK(file_lock(m, LOCK_AGENTS, F_WRLCK, false));
    (void)close(fds[0]);
    (void)close(fds[1]);
    meter_close(m);
}

static void counts_never_go_below_zero(void)
{
    _Atomic uint64_t n = 3;

    count_subtract(&n, 2);
    CHECK(atomic_load(&n) == 1);
    count_subtract(&n, 2);
    CHECK(atomic_load(&n) == 0);
}

static void words_hold_a_century(void)
{
    struct id id = { 0x123456789abcdef0, 0xfedcba9876543210 };

    CHECK(word_time(word_make(id, NOW)) == NOW && word_has_tag(word_make(id, NOW), id));
    CHECK(word_time(word_make(id, 4400000000000000)) == 4400000000000000); /* the year 2109 */
    id.hi ^= 1ULL << 63;
    CHECK(!word_has_tag(word_make((struct id){ 0x123456789abcdef0, id.lo }, NOW), id));
}

static int run_all(void)
{
    static const struct test_case cases[] = {
        TEST(each_agent_has_its_own),
        TEST(load_is_of_this_minute_and_the_one_before),
        TEST(kinds_and_addresses_are_apart),
        TEST(the_file_outlives_its_users),
        TEST(a_file_of_another_layout_is_put_aside),
        TEST(processes_count_exactly),
        TEST(newcomers_get_a_cell_each),
        TEST(no_crowd_frees_of_a_limit),
        TEST(evicted_owners_still_owe),
        TEST(idle_cells_are_used_again),
        TEST(half_a_hand_over_is_put_right),
        TEST(kills_do_no_harm),
        TEST(one_process_folds_at_a_time),
        TEST(counts_never_go_below_zero),
        TEST(words_hold_a_century),
    };

    return test_run(cases, sizeof cases / sizeof cases[0]);
}

int main(void)
{
    int fd = mkstemp(path), failed;

    if (fd < 0)
        return 1;
    (void)close(fd);
    failed = run_all();
    (void)unlink(path);
    return failed;
}
