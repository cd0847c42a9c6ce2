#include "webhook/payload.h"

void payload_open(struct json_writer *w, struct arena *a, const char *type, int64_t timestamp_ms)
{
    jw_init(w, a, WEBHOOK_BODY_MAX);
    jw_object(w, NULL);
    jw_string(w, "type", type);
    jw_time(w, "timestamp", timestamp_ms);
    jw_object(w, "data");
}

const char *payload_close(struct json_writer *w)
{
    jw_end(w);
    jw_end(w);
    return jw_finish(w);
}
