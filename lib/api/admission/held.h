/* What each worker of this host holds by a lease while it is at a request: an Idempotency-Key, a task. It
 * stands in shared memory, where the successor of a worker that died finds it and lets go: nobody has to wait
 * until the lease runs out. */
#ifndef API_ADMISSION_HELD_H
#define API_ADMISSION_HELD_H

#include <stdint.h>

#include "store/db.h"
#include "store/idempotency.h"

struct held;

/* Before the forks. Ends the program when there is no memory. */
struct held *held_new(unsigned workers);
void held_free(struct held *h);
/* In the child: it is worker `own` from now on, and ends the leases of the one before it. */
void held_own(struct held *h, unsigned own, struct db *db);

/* From now on; NULL h: nobody would take it over. */
void held_key(struct held *h, const struct idem_run *run);
void held_task(struct held *h, uint64_t seq, const struct uuid *run);
/* The request is over. */
void held_nothing(struct held *h);

#endif
