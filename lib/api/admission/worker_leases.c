#include "api/admission/worker_leases.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/log.h"
#include "store/tasks.h"

/* A flag is set when all behind it is written. Whatever is half-written or over already matches no lease. */
struct place {
    atomic_bool has_key, has_task;
    struct idem_run key;
    uint64_t task_seq;
    struct uuid task_run;
};

struct worker_leases {
    unsigned workers;
    unsigned own;         /* of this process */
    struct place *places; /* shared */
};

struct worker_leases *worker_leases_new(unsigned workers)
{
    struct worker_leases *h = calloc(1, sizeof *h);
    void *p =
        mmap(NULL, workers * sizeof *h->places, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (h == NULL || p == MAP_FAILED)
        log_fatal("msg=\"out of memory\"");
    *h = (struct worker_leases){ .workers = workers, .places = p };
    return h;
}

void worker_leases_free(struct worker_leases *h)
{
    (void)munmap((void *)h->places, h->workers * sizeof *h->places);
    free(h);
}

void worker_leases_inherit(struct worker_leases *h, unsigned own, struct db *db)
{
    struct place *p = &h->places[own];
    bool ok = true;

    h->own = own;
    if (atomic_load(&p->has_key))
        ok = idempotency_release(db, &p->key);
    if (atomic_load(&p->has_task))
        ok = tasks_release(db, p->task_seq, &p->task_run) && ok;
    if (!ok)
        log_warn("msg=\"what a worker held is left to its lease\"");
    worker_leases_drop(h);
}

void worker_leases_hold_key(struct worker_leases *h, const struct idem_run *run)
{
    if (h == NULL)
        return;
    h->places[h->own].key = *run;
    atomic_store(&h->places[h->own].has_key, true);
}

void worker_leases_hold_task(struct worker_leases *h, uint64_t seq, const struct uuid *run)
{
    if (h == NULL)
        return;
    h->places[h->own].task_seq = seq;
    h->places[h->own].task_run = *run;
    atomic_store(&h->places[h->own].has_task, true);
}

void worker_leases_drop(struct worker_leases *h)
{
    if (h == NULL)
        return;
    atomic_store(&h->places[h->own].has_key, false);
    atomic_store(&h->places[h->own].has_task, false);
}
