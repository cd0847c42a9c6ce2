/* Calls that are made again under their Idempotency-Key and go on after a 202. */
#ifndef API_RETRY_H
#define API_RETRY_H

#include "api/admission/api_call.h"
#include "exec/commit.h"

/* The result of such a call, by that of its work: when another call has used its approval meanwhile, *r is
 * that call's execution, and NULL is returned. Otherwise `e`. */
const struct err *retry_outcome(struct api_call *c, const struct err *e, struct commit_result *r);

/* Whether a cancel that is made again finds the order cancelled: `e` says that it is not open. */
bool retry_found_cancelled(struct api_call *c, const struct err *e, const struct err *not_open);

#endif
