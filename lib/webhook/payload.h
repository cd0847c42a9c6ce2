/* The body of an event as Standard Webhooks has it: {"type","timestamp","data":{…}}. */
#ifndef WEBHOOK_PAYLOAD_H
#define WEBHOOK_PAYLOAD_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum { WEBHOOK_BODY_MAX = 20 * 1024 };

/* Appends it in compact form; `out` should have the ceiling WEBHOOK_BODY_MAX. `data` stays the caller's.
 * False when it is not representable, or over the ceiling. */
bool payload_write(struct buf *out, const char *type, int64_t timestamp_ms, json_t *data);

#endif
