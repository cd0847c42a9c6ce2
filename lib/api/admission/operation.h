/* An operation is a row of the table in endpoints.c, run with one set of checks whichever protocol asks for
 * it: key, limit, fields, Idempotency-Key, waiting slots. REST comes here through the dispatcher; the other
 * protocols name the operation by its tool. */
#ifndef API_ADMISSION_OPERATION_H
#define API_ADMISSION_OPERATION_H

#include "api/endpoints.h"

/* The row with that tool name, or a name that older clients use for it; NULL: there is none. */
const struct endpoint *operation_find(const char *tool);

/* Key and limit, as the row wants them: sets rq->agent, takes one unit of the limit, and notes in rq that the
 * request is admitted. NULL when it may go on. */
const struct err *operation_admit(struct request *rq, const struct endpoint *ep);

/* Whether the request has the key of some agent; nothing is taken, and nobody let in. */
bool operation_of_agent(struct request *rq);

/* Reads `object` (borrowed) into the row's parameters and calls the handler. `query`: all values are texts.
 */
struct reply *operation_run(struct request *rq, const struct endpoint *ep, const json_t *object, bool query);

/* An Idempotency-Key may stand among the arguments, of which it is none: it is taken out of them, and is
 * rq->idempotency_key when the row has a use for one. */
void operation_take_key(struct request *rq, const struct endpoint *ep, json_t *arguments);

/* Runs an operation on behalf of a request in another protocol; `arguments` (borrowed, an object) hold the
 * members of REST's body or query string, and the {name} of its path under that name. The answer is REST's,
 * errors included.
 *
 * A request that was admitted already is neither authenticated nor counted again; else this call is. With
 * rq->idempotency_key the call is done once under that key, as with REST's header of that name. Inside of a
 * request that runs under an Idempotency-Key itself, a call is part of that request: it takes no key of its
 * own, and the one call whose work is the request's sets rq->dress before it, which makes the request's
 * answer of the call's, to be recorded with the work; or it was entrusted to the call
 * (api/admission/idempotency.h), which has its key as well then. */
struct reply *operation_call(struct request *rq, const struct endpoint *ep, const json_t *arguments);

/* Where an argument goes into the row's path; NULL: nowhere. In the arena. */
const char *operation_path_argument(struct arena *a, const struct endpoint *ep);

/* A refusal of members of the request: the faults are given free. */
struct reply *operation_refuse(struct request *rq, struct param_faults *faults);
struct reply *operation_refuse_root(struct request *rq, const char *what);

#endif
