/* Idempotency-Key: a request that is sent again gets the recorded answer and is not done again. It is the
 * same when its body is, or its terms are (api/admission/terms.h). The handler runs between begin and end;
 * handlers whose work is a transaction record their answer inside it, so that work and answer are committed
 * together or not at all. A 202 is not final: the same request goes on where it stands. */
#ifndef API_ADMISSION_IDEMPOTENCY_H
#define API_ADMISSION_IDEMPOTENCY_H

#include "api/admission/api_call.h"
#include "store/db.h"

/* The header of the request; NULL: none. */
const char *idempotency_header(const struct request *rq);

/* Begins a call that has an idempotency_key, with the row's parameters. Returns NULL when it may proceed,
 * else its answer: the recorded one, or a refusal. Waits a few seconds while another request with the key
 * runs. */
struct reply *idempotency_begin(struct api_call *c, const void *in);

/* Says in its headers that the answer is that of an earlier request. */
void idempotency_mark_replayed(struct reply *rp);

/* The previous answer, borrowed, when the call goes on after a 202; NULL: it does not. */
const json_t *idempotency_so_far(const struct api_call *c);
/* The approval that the recorded answer waited for; NULL: none. The handler gets it as its approval_id. */
const char *idempotency_approval(const struct api_call *c);

/* For a protocol that has a record of its own: `keep` gets the call's answer inside the transaction of the
 * work, besides the record of an idempotency_key. `keep` returns UNCHANGED when another run has taken over
 * and nothing may be committed. */
typedef enum db_update idempotency_keep_fn(void *arg, struct reply *answer);
void idempotency_keep(struct api_call *c, idempotency_keep_fn *keep, void *arg);

/* Records the answer inside the transaction of the work. `later`: the call goes on and will have a better
 * answer; this one counts if that does not come. DONE too when the call has no record; UNCHANGED when another
 * run has taken over and nothing may be committed. */
enum db_update idempotency_note(struct api_call *c, struct reply *answer, bool later);

/* Does one write (UNCHANGED: the agent was deleted meanwhile) and records its answer in one transaction.
 * Returns that answer, a refusal, or NULL when the database failed. */
struct reply *idempotency_commit(struct api_call *c, struct reply *answer,
                                 enum db_update (*write)(struct db *db, const void *what), const void *what);

/* Ends a call that was begun: records a success, unless it is recorded already, and releases the key of a
 * refusal. */
void idempotency_end(struct api_call *c, struct reply *answer);

#endif
