#include "model/event.h"

#include "codec/hex.h"

static const char prefix[] = "msg_";
enum { PREFIX_LEN = sizeof prefix - 1 };

void event_id_text(char out[static EVENT_ID_TEXT_LEN + 1], struct uuid id)
{
    memcpy(out, prefix, PREFIX_LEN);
    hex_encode(out + PREFIX_LEN, id.bytes, sizeof id.bytes);
}

bool event_id_parse(struct uuid *out, const char *text)
{
    if (strncmp(text, prefix, PREFIX_LEN) != 0)
        return false;
    return hex_decode(out->bytes, sizeof out->bytes, text + PREFIX_LEN, strlen(text + PREFIX_LEN));
}

static const char *const status_text[] = {
    [EVENT_PENDING] = "pending",
    [EVENT_DELIVERED] = "delivered",
    [EVENT_FAILED] = "failed",
};

const char *event_status_text(enum event_status s)
{
    return status_text[s];
}

bool event_status_parse(enum event_status *out, const char *text)
{
    for (enum event_status s = EVENT_PENDING; s <= EVENT_FAILED; s++) {
        if (strcmp(text, status_text[s]) != 0)
            continue;
        *out = s;
        return true;
    }
    return false;
}
