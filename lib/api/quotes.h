/* What the endpoints that quote have in common. */
#ifndef API_QUOTES_H
#define API_QUOTES_H

#include "api/admission/api_call.h"
#include "swap/quote.h"

/* A new quote with an id, not stored yet. */
const struct err *quote_new(struct api_call *c, const struct quote_in *in, struct quote *out,
                            struct offers *offers);
/* Stores the quote and returns the answer, which may be NULL: both or neither. */
struct reply *quote_reply(struct api_call *c, const struct quote *q, struct reply *answer);

#endif
