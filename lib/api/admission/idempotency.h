/* Idempotency-Key: a request that is sent again is answered with what was recorded, not done again. The
 * dispatcher calls begin and end around a handler; handlers whose work is a transaction record their answer
 * inside it, so that work and answer are there together or not at all. */
#ifndef API_ADMISSION_IDEMPOTENCY_H
#define API_ADMISSION_IDEMPOTENCY_H

#include "http/reply.h"
#include "http/request.h"
#include "store/db.h"

/* NULL: go on, with rq->idempotency set when the request has a key. Else the answer: recorded, or a refusal.
 */
struct reply *idempotency_begin(struct request *rq);

/* For a protocol that has a book of its own of what was done: answers of the calls that are part of `rq` go
 * to `keep`, inside the transaction of the work. No header is looked at; with rq->idempotency_key they go
 * under that key as well. `keep` yields 1, 0 another run has taken over and nothing may be committed, -1 the
 * database failed. */
typedef int idempotency_keep_fn(void *arg, const struct reply *answer);
void idempotency_keep(struct request *rq, idempotency_keep_fn *keep, void *arg);

/* Inside the transaction of the work: its answer. `later`: the request goes on and will have a better one;
 * this one counts when it does not come. 1, 0 another run has taken over and nothing may be committed, -1 the
 * database failed. 1 when there is no key. */
int idempotency_note(struct request *rq, const struct reply *answer, bool later);

/* One write (1, 0 the agent was deleted meanwhile, -1 the database failed) together with the note of its
 * answer. Yields that answer, a refusal, or NULL when the database failed. */
struct reply *idempotency_commit(struct request *rq, struct reply *answer,
                                 int (*write)(struct db *db, const void *what), const void *what);

/* After the handler: a success is recorded unless it is final already, a refusal gives the key free. */
void idempotency_end(struct request *rq, const struct reply *answer);

#endif
