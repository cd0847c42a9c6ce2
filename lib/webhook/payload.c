#include "webhook/payload.h"

#include "base/clock.h"

static int payload_append(const char *text, size_t n, void *out)
{
    buf_add(out, text, n);
    return 0;
}

bool payload_write(struct buf *out, const char *type, int64_t timestamp_ms, json_t *data)
{
    char when[ISO8601_LEN + 1];
    json_t *body;
    bool ok;

    clock_iso8601(when, timestamp_ms);
    body = json_pack("{s:s, s:s, s:O}", "type", type, "timestamp", when, "data", data);
    ok = body != NULL && json_dump_callback(body, payload_append, out, JSON_COMPACT) == 0;
    json_decref(body);
    return ok && !out->overflow;
}
