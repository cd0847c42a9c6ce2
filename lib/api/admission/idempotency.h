/* Idempotency-Key: a request that is sent again is answered with what was recorded, not done again. The
 * dispatcher calls begin and end around a handler; handlers whose work is a transaction record their answer
 * inside it, so that work and answer are there together or not at all. */
#ifndef API_ADMISSION_IDEMPOTENCY_H
#define API_ADMISSION_IDEMPOTENCY_H

#include "api/admission/api_call.h"
#include "store/db.h"

/* The request header; NULL: none. */
const char *idempotency_header(const struct request *rq);

/* NULL: go on; the call, which has an idempotency_key, is recorded under it. Else the answer: recorded, or a
 * refusal. */
struct reply *idempotency_begin(struct api_call *c);

/* For a protocol that has a book of its own of what was done: the call's answer goes to `keep`, inside the
 * transaction of the work; under an idempotency_key as well, when it has one. `keep` yields 1, 0 another run
 * has taken over and nothing may be committed, -1 the database failed. */
typedef int idempotency_keep_fn(void *arg, struct reply *answer);
void idempotency_keep(struct api_call *c, idempotency_keep_fn *keep, void *arg);

/* Inside the transaction of the work: its answer. `later`: the request goes on and will have a better one;
 * this one counts when it does not come. 1, 0 another run has taken over and nothing may be committed, -1 the
 * database failed. 1 when the call has no record. */
int idempotency_note(struct api_call *c, struct reply *answer, bool later);

/* One write (1, 0 the agent was deleted meanwhile, -1 the database failed) together with the note of its
 * answer. Yields that answer, a refusal, or NULL when the database failed. */
struct reply *idempotency_commit(struct api_call *c, struct reply *answer,
                                 int (*write)(struct db *db, const void *what), const void *what);

/* After the handler of a call that was begun: a success is recorded unless it is final already, a refusal
 * releases the key. */
void idempotency_end(struct api_call *c, struct reply *answer);

#endif
