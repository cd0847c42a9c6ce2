/* The common part of the endpoints that quote. */
#ifndef API_QUOTE_ENDPOINTS_H
#define API_QUOTE_ENDPOINTS_H

#include "api/admission/api_call.h"
#include "swap/swap_quote.h"

/* A new quote with an id, not stored yet. */
const struct err *quote_new(struct api_call *c, const struct quote_in *in, struct quote *out,
                            struct offers *offers);
/* The terms of a call that takes a quote (api/admission/terms.h): what the quote asks for, who pays, and what
 * bounds the price. NULL: the agent has no such quote. max_impact PPM_NONE: the quote's own. */
const char *quote_terms(struct api_call *c, const void *in, const char *quote_id, const char *wallet_address,
                        uint32_t max_impact);
/* The refusal of a call that names a quote, or an approval, which became that swap; 0: it became none. */
struct reply *quote_refuse(struct api_call *c, const struct err *e, uint64_t swap_id);
/* Stores the quote and returns the answer, which may be NULL: both or neither. */
struct reply *quote_reply(struct api_call *c, const struct quote *q, struct reply *answer);

#endif
