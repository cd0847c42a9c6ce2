/* An operation is a row of api/endpoints.h, run with one set of checks whichever protocol asks for
 * it: key, limit, fields, Idempotency-Key, waiting slots. REST comes here through the dispatcher; the other
 * protocols name the operation by its tool. */
#ifndef API_ADMISSION_OPERATION_H
#define API_ADMISSION_OPERATION_H

#include "api/admission/api_call.h"
#include "api/endpoint/endpoint.h"

/* The row with that tool name, or a name that older clients use for it; NULL: there is none. */
const struct endpoint *operation_find(const char *tool);

/* Key and limit, as the row wants them: sets c->agent, takes one unit of the limit, and notes that the call
 * is admitted. NULL when it may go on. */
const struct err *operation_admit(struct api_call *c, const struct endpoint *ep);

/* Whether the request has the key of some agent; nothing is taken, and nobody let in. */
bool operation_has_agent_key(struct api_call *c);

/* Reads `object` (borrowed) into the parameters of the call's row and calls the handler. `query`: all values
 * are texts. */
struct reply *operation_run(struct api_call *c, const json_t *object, bool query);

/* Runs a call on behalf of another one (api_call_for); `arguments` (borrowed, an object) hold the members of
 * REST's body or query string, and the {name} of its path under that name. The answer is REST's, errors
 * included.
 *
 * A call of an admitted parent is neither authenticated nor counted again; else it is admitted by itself.
 * Where the row takes an Idempotency-Key, `idempotency_key` among the arguments is one, in place of
 * c->idempotency_key. Of the calls of a parent that is recorded itself, the one that does the parent's work
 * is given the parent's record, with `dress` where the parent's answer differs from its own. */
struct reply *operation_call(struct api_call *c, const json_t *arguments);

/* Where an argument goes into the row's path; NULL: nowhere. In the arena. */
const char *operation_path_argument(struct arena *a, const struct endpoint *ep);

/* A refusal of members of the request: the faults are released. */
struct reply *operation_refuse(struct request *rq, struct param_faults *faults);
struct reply *operation_refuse_root(struct request *rq, const char *what);

#endif
