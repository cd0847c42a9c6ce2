/* The compact form of answers: what the specification names and what a model acts on, each once. The fields
 * of an answer's shapes say what belongs to the full form alone (FULL_ONLY, FULL_IF_NULL in
 * api/endpoint/schema.h). */
#ifndef API_ENDPOINT_COMPACT_H
#define API_ENDPOINT_COMPACT_H

#include "api/endpoint/endpoint.h"
#include "base/json_writer.h"

/* What the compact form of the row's answers leaves out; made once per process. */
const struct json_left_out *compact_left_out(const struct endpoint *ep);
/* What that of this answer leaves out, of a sentence's too; in the arena. */
const struct json_left_out *compact_left_out_of(struct arena *a, const struct endpoint *ep,
                                                const json_t *answer);
/* An answer of the row without that; in the arena. */
json_t *compact_value(struct arena *a, const struct endpoint *ep, const json_t *answer);

#endif
