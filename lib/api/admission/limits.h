/* Who may call how often: agents by their tier, everybody else by client address. One request takes one unit
 * of one limit. */
#ifndef API_ADMISSION_LIMITS_H
#define API_ADMISSION_LIMITS_H

#include "api/admission/api_call.h"
#include "api/endpoint/endpoint.h"

/* Takes a unit of the agent's limit, or of the address's on an endpoint without a key. NULL when the request
 * may go on. */
const struct err *limits_take(struct api_call *c, const struct endpoint *ep);

/* A key that was never issued, after it was looked up: who guesses too often is told to wait, and a valid key
 * from the same address is no guess. NULL while that is not too often. */
const struct err *limits_unknown_key(struct api_call *c);

/* The headers about the limit that counted the request. An agent without a limit gets none: any figure would
 * be made up, and clients would pace themselves by it. */
void limits_add_headers(struct api_call *c, struct reply *rp);

#endif
