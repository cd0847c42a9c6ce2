/* The answer of an operation, as a sentence. */
#ifndef AGENTPROTO_A2A_SUMMARY_H
#define AGENTPROTO_A2A_SUMMARY_H

#include <jansson.h>

#include "api/endpoint/endpoint.h"
#include "base/arena.h"

/* `body` is the answer of a success, of plain English too. At most TASK_NOTE_MAX bytes, in the arena. */
const char *a2a_summary(struct arena *a, const struct endpoint *ep, const json_t *body);

#endif
