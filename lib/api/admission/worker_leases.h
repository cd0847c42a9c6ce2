/* The leases that each worker of this host holds while it serves a request: on an Idempotency-Key, on a task.
 * They are noted in shared memory, where the successor of a worker that died finds and releases them: no
 * request has to wait until they expire. */
#ifndef API_ADMISSION_WORKER_LEASES_H
#define API_ADMISSION_WORKER_LEASES_H

#include <stdint.h>

#include "store/db.h"
#include "store/idempotency_keys.h"

struct worker_leases;

/* Call before forking. Exits when there is no memory. */
struct worker_leases *worker_leases_new(unsigned workers);
void worker_leases_free(struct worker_leases *l);
/* In the child: makes it worker number `own`, and releases the leases of its predecessor. */
void worker_leases_inherit(struct worker_leases *l, unsigned own, struct db *db);

/* Call before taking the lease. With NULL nothing is noted, and the lease expires by itself. */
void worker_leases_hold_key(struct worker_leases *l, const struct idem_run *run);
void worker_leases_hold_task(struct worker_leases *l, uint64_t seq, const struct uuid *run);
/* The request is finished. */
void worker_leases_drop(struct worker_leases *l);

#endif
