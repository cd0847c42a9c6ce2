#include "net/scoreboard.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"

struct shared {
    atomic_bool ready; /* all of the service is there */
    _Atomic unsigned parked;
    _Atomic uint8_t states[];
};

struct scoreboard {
    unsigned workers;
    int wake_fd;
    struct shared *shared;
};

struct scoreboard *scoreboard_new(unsigned workers)
{
    struct scoreboard *b = calloc(1, sizeof *b);
    void *shared =
        mmap(NULL, sizeof *b->shared + workers, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

    if (b == NULL || shared == MAP_FAILED || fd < 0)
        log_fatal("start_failed", "msg=\"cannot make the scoreboard\" reason=\"%s\"", strerror(errno));
    *b = (struct scoreboard){ .workers = workers, .wake_fd = fd, .shared = shared };
    return b;
}

void scoreboard_set(struct scoreboard *b, unsigned number, enum worker_state state)
{
    atomic_store(&b->shared->states[number], (uint8_t)state);
}

enum worker_state scoreboard_get(const struct scoreboard *b, unsigned number)
{
    return (enum worker_state)atomic_load(&b->shared->states[number]);
}

unsigned scoreboard_size(const struct scoreboard *b)
{
    return b->workers;
}

unsigned scoreboard_count(const struct scoreboard *b, enum worker_state state)
{
    unsigned n = 0;

    for (unsigned i = 0; i < b->workers; i++)
        n += scoreboard_get(b, i) == state;
    return n;
}

/* An eventfd that is full has woken the parent already. */
static void parent_wake(const struct scoreboard *b)
{
    const uint64_t one = 1;

    if (write(b->wake_fd, &one, sizeof one) < 0 && errno != EAGAIN)
        log_error("wake_failed", "msg=\"cannot wake the parent\" reason=\"%s\"", strerror(errno));
}

/* If two workers come at once, both see both. */
void scoreboard_busy(struct scoreboard *b, unsigned number)
{
    scoreboard_set(b, number, WORKER_BUSY);
    if (scoreboard_count(b, WORKER_IDLE) < SPARE_WORKERS && scoreboard_count(b, WORKER_NONE) > 0)
        parent_wake(b);
}

void scoreboard_ready(struct scoreboard *b)
{
    atomic_store(&b->shared->ready, true);
    parent_wake(b);
}

bool scoreboard_is_ready(const struct scoreboard *b)
{
    return atomic_load(&b->shared->ready);
}

void scoreboard_park(struct scoreboard *b, unsigned calls)
{
    atomic_store(&b->shared->parked, calls);
}

unsigned scoreboard_parked(const struct scoreboard *b)
{
    return atomic_load(&b->shared->parked);
}

/* If two workers come at once, neither counts the other: they never leave too few. */
bool scoreboard_leave(struct scoreboard *b, unsigned number)
{
    scoreboard_set(b, number, WORKER_ENDING);
    if (scoreboard_count(b, WORKER_IDLE) >= SPARE_WORKERS)
        return true;
    scoreboard_set(b, number, WORKER_IDLE);
    return false;
}

int scoreboard_fd(const struct scoreboard *b)
{
    return b->wake_fd;
}

void scoreboard_woken(const struct scoreboard *b)
{
    uint64_t times;

    (void)!read(b->wake_fd, &times, sizeof times);
}
