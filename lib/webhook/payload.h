/* The body of an event as Standard Webhooks has it: {"type","timestamp","data":{…}}. */
#ifndef WEBHOOK_PAYLOAD_H
#define WEBHOOK_PAYLOAD_H

#include "base/json_writer.h"

enum { WEBHOOK_BODY_MAX = 20 * 1024 };

/* Begins it, up to the members of `data`, which the caller adds. */
void payload_open(struct json_writer *w, struct arena *a, const char *type, int64_t timestamp_ms);
/* Its text, in the arena; NULL when it is not representable, or over the ceiling. */
const char *payload_close(struct json_writer *w);

#endif
