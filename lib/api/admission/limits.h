/* Rate limits: of agents by their tier, of other callers by client address. A request takes one unit of one
 * limit. */
#ifndef API_ADMISSION_LIMITS_H
#define API_ADMISSION_LIMITS_H

#include "api/admission/api_call.h"
#include "api/endpoint/endpoint.h"
#include "service/conf.h"

/* Takes a unit of the agent's limit or, on an endpoint that needs no key, of the address's. Returns NULL when
 * the request may proceed. */
const struct err *limits_take(struct api_call *c, const struct endpoint *ep);

/* Counts a key that was never issued, once the look-up has shown that: addresses that guess too often have to
 * wait. Valid keys from the same address are not counted. Returns NULL while that is not too often. */
const struct err *limits_unknown_key(struct api_call *c);

/* Counts a refusal of what was not admitted: it takes from what the address may ask for without a key.
 * Returns NULL while that is not too much. */
const struct err *limits_refusal(struct api_call *c);

/* Whether the log has room for a line about a request from this network (a /24, of IPv6 a /48): so many
 * addresses as it may have write no more than one could. */
bool limits_log_line(struct api_call *c);

/* Whether the agent may ask for one more quote today. */
const struct err *limits_quote(struct api_call *c);
/* The agent's quota of a kind: less until it has traded, since accounts are free. */
uint64_t limits_quota(const struct api_call *c, enum quota kind);

/* Adds the headers of the limit that counted the request. An agent without a limit gets none: any figure
 * would be invented, and clients would pace themselves by it. */
void limits_add_headers(struct api_call *c, struct reply *rp);

#endif
