#include "api/meter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/log.h"
#include "store/agents.h"

enum { CELLS = 65536, PROBES = 32 };

struct cell {
    _Atomic uint64_t agent_id; /* 0: free */
    _Atomic uint64_t requests; /* not folded yet */
    _Atomic int64_t last_active_ms;
    uint64_t reserved; /* keeps a cell within one cache line */
};

struct meter {
    struct cell cells[CELLS];
};

struct meter *meter_open(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    void *p = MAP_FAILED;

    if (fd >= 0 && ftruncate(fd, sizeof(struct meter)) == 0)
        p = mmap(NULL, sizeof(struct meter), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
        log_fatal("msg=\"cannot map the counters\" file=%s reason=\"%s\"", path, strerror(errno));
    (void)close(fd);
    return p;
}

void meter_close(struct meter *m)
{
    (void)munmap(m, sizeof *m);
}

static struct cell *probe(struct meter *m, uint64_t agent_id, unsigned i)
{
    /* Multiplicative hashing: ids are consecutive. */
    return &m->cells[((agent_id * 0x9e3779b97f4a7c15ULL >> 48) + i) % CELLS];
}

/* The agent's cell, taking a free one when it has none; NULL when the neighbourhood is full. */
static struct cell *own_cell(struct meter *m, uint64_t agent_id)
{
    for (unsigned i = 0; i < PROBES; i++) {
        struct cell *c = probe(m, agent_id, i);
        uint64_t owner = atomic_load_explicit(&c->agent_id, memory_order_acquire);

        if (owner == agent_id ||
            (owner == 0 &&
             (atomic_compare_exchange_strong(&c->agent_id, &owner, agent_id) || owner == agent_id)))
            return c;
    }
    return NULL;
}

void meter_hit(struct meter *m, uint64_t agent_id, int64_t now_ms)
{
    struct cell *c = own_cell(m, agent_id);

    if (c == NULL)
        return; /* more agents at once than cells: statistics give way, not requests */
    atomic_fetch_add_explicit(&c->requests, 1, memory_order_relaxed);
    atomic_store_explicit(&c->last_active_ms, now_ms, memory_order_relaxed);
}

void meter_pending(const struct meter *m, uint64_t agent_id, uint64_t *requests, int64_t *last_active_ms)
{
    *requests = 0;
    *last_active_ms = 0;
    for (unsigned i = 0; i < PROBES; i++) {
        struct cell *c = probe((struct meter *)(uintptr_t)m, agent_id, i);

        if (atomic_load_explicit(&c->agent_id, memory_order_acquire) != agent_id)
            continue;
        *requests = atomic_load_explicit(&c->requests, memory_order_relaxed);
        *last_active_ms = atomic_load_explicit(&c->last_active_ms, memory_order_relaxed);
        return;
    }
}

static void fold_cell(struct cell *c, struct db *db)
{
    uint64_t agent_id = atomic_load_explicit(&c->agent_id, memory_order_acquire);
    uint64_t n = atomic_load_explicit(&c->requests, memory_order_relaxed);

    if (agent_id == 0 || n == 0)
        return;
    /* Taken out after the database has it: a crash in between counts twice rather than not at all. */
    if (agents_count_requests(db, agent_id, n,
                              atomic_load_explicit(&c->last_active_ms, memory_order_relaxed)))
        atomic_fetch_sub_explicit(&c->requests, n, memory_order_relaxed);
}

void meter_fold(struct meter *m, struct db *db)
{
    for (unsigned i = 0; i < CELLS; i++)
        fold_cell(&m->cells[i], db);
}
