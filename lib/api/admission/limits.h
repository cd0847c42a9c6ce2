/* Rate limits: of agents by their tier, of everybody else by client address. A request takes one unit of one
 * limit. */
#ifndef API_ADMISSION_LIMITS_H
#define API_ADMISSION_LIMITS_H

#include "api/admission/api_call.h"
#include "api/endpoint/endpoint.h"

/* Takes a unit of the agent's limit or, on an endpoint that needs no key, of the address's. Returns NULL when
 * the request may proceed. */
const struct err *limits_take(struct api_call *c, const struct endpoint *ep);

/* Counts a key that was never issued, once the look-up has shown that: addresses that guess too often have to
 * wait. Valid keys from the same address are not counted. Returns NULL while that is not too often. */
const struct err *limits_unknown_key(struct api_call *c);

/* Adds the headers of the limit that counted the request. An agent without a limit gets none: any figure
 * would be invented, and clients would pace themselves by it. */
void limits_add_headers(struct api_call *c, struct reply *rp);

#endif
