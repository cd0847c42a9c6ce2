#include "api/admission/worker_leases.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/incident.h"
#include "base/log.h"
#include "store/tasks.h"

/* A flag is set after what it stands for was written. A lease that is over already is released without
 * effect. */
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
    struct worker_leases *l = calloc(1, sizeof *l);
    void *p =
        mmap(NULL, workers * sizeof *l->places, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (l == NULL || p == MAP_FAILED)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    *l = (struct worker_leases){ .workers = workers, .places = p };
    return l;
}

void worker_leases_free(struct worker_leases *l)
{
    (void)munmap((void *)l->places, l->workers * sizeof *l->places);
    free(l);
}

void worker_leases_inherit(struct worker_leases *l, unsigned own, struct db *db)
{
    struct place *p = &l->places[own];
    bool ok = true;

    l->own = own;
    if (atomic_load(&p->has_key))
        ok = idempotency_release(db, &p->key);
    if (atomic_load(&p->has_task))
        ok = tasks_release(db, p->task_seq, &p->task_run) && ok;
    if (!ok)
        log_repeated("lease_left", "", "msg=\"a dead worker's leases are left to expire\"");
    worker_leases_drop(l);
}

void worker_leases_hold_key(struct worker_leases *l, const struct idem_run *run)
{
    if (l == NULL)
        return;
    l->places[l->own].key = *run;
    atomic_store(&l->places[l->own].has_key, true);
}

void worker_leases_hold_task(struct worker_leases *l, uint64_t seq, const struct uuid *run)
{
    if (l == NULL)
        return;
    l->places[l->own].task_seq = seq;
    l->places[l->own].task_run = *run;
    atomic_store(&l->places[l->own].has_task, true);
}

void worker_leases_drop(struct worker_leases *l)
{
    if (l == NULL)
        return;
    atomic_store(&l->places[l->own].has_key, false);
    atomic_store(&l->places[l->own].has_task, false);
}
