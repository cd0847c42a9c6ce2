/* An operation is a row of the endpoint table, run with the same checks whichever protocol asks for it: key,
 * limit, fields, Idempotency-Key, waiting slots. REST comes here through the dispatcher; the other protocols
 * name the operation by its tool. */
#ifndef API_ADMISSION_OPERATION_H
#define API_ADMISSION_OPERATION_H

#include "api/admission/api_call.h"
#include "api/endpoint/endpoint.h"

/* The row with that tool name, or with a name that older clients use for it; NULL: none. */
const struct endpoint *operation_find(const char *tool);

/* Checks key and limit as the row requires: sets c->agent, takes one unit of the limit, and marks the call as
 * admitted. Returns NULL when it may proceed. */
const struct err *operation_admit(struct api_call *c, const struct endpoint *ep);

/* Whether the request has the key of an agent, *out then; counts nothing and admits no caller. */
bool operation_has_agent_key(struct api_call *c, struct agent *out);

/* Reads `object` (borrowed, and changed) into the parameters of the call's row and calls the handler.
 * `query`: all values are strings. `faults` holds those that were found before, and is released. */
struct reply *operation_run(struct api_call *c, json_t *object, bool query, struct param_faults *faults);

/* Runs a call on behalf of another one (api_call_for). `arguments` (borrowed, an object) holds the members of
 * REST's body or query string, and the {name} of its path under that name. The answer is REST's, errors
 * included.
 *
 * A call of an admitted parent is neither authenticated nor counted again; any other is admitted by itself.
 * Where the row takes an Idempotency-Key, an argument `idempotency_key` replaces c->idempotency_key. If the
 * parent is recorded, the one call that does the parent's work must be given the parent's record, with
 * `dress` if the parent's answer differs from its own. */
struct reply *operation_call(struct api_call *c, const json_t *arguments);

/* The name of the argument that goes into the row's path, in the arena; NULL: none does. */
const char *operation_path_argument(struct arena *a, const struct endpoint *ep);

/* Refuses members of the request, and releases the faults. */
struct reply *operation_refuse(struct request *rq, struct param_faults *faults);
struct reply *operation_refuse_root(struct request *rq, const char *what);

#endif
