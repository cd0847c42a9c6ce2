/* What each worker of this host holds by a lease while it is at a request: an Idempotency-Key, a task. It
 * stands in shared memory, where the successor of a worker that died finds it and lets go: nobody has to wait
 * until the lease runs out. */
#ifndef API_ADMISSION_WORKER_LEASES_H
#define API_ADMISSION_WORKER_LEASES_H

#include <stdint.h>

#include "store/db.h"
#include "store/idempotency.h"

struct worker_leases;

/* Before the forks. Ends the program when there is no memory. */
struct worker_leases *worker_leases_new(unsigned workers);
void worker_leases_free(struct worker_leases *h);
/* In the child: it is worker `own` from now on, and ends the leases of the one before it. */
void worker_leases_inherit(struct worker_leases *h, unsigned own, struct db *db);

/* From now on; NULL h: nobody would take it over. */
void worker_leases_hold_key(struct worker_leases *h, const struct idem_run *run);
void worker_leases_hold_task(struct worker_leases *h, uint64_t seq, const struct uuid *run);
/* The request is over. */
void worker_leases_drop(struct worker_leases *h);

#endif
