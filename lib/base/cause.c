#include "base/cause.h"

enum { HTTP_UNAUTHORIZED = 401, HTTP_FORBIDDEN = 403, HTTP_TOO_MANY = 429 };

static const char *status_text(struct arena *a, unsigned status)
{
    const char *why = status == HTTP_UNAUTHORIZED ? ": it wants a valid key"
                      : status == HTTP_FORBIDDEN  ? ": it refuses this key or this address"
                      : status == HTTP_TOO_MANY   ? ": it is asked too often"
                                                  : "";

    return arena_printf(a, "HTTP %u%s", status, why);
}

const char *cause_text(struct arena *a, unsigned cause)
{
    static const char *const texts[CAUSE_CALLS] = {
        [CAUSE_NONE] = "it does well",
        [CAUSE_NO_ANSWER] = "silent: no answer in time",
        [CAUSE_HOST] = "host not found",
        [CAUSE_REFUSED] = "connection refused",
        [CAUSE_TLS] = "TLS handshake failed",
        [CAUSE_TLS_UNTRUSTED] = "TLS certificate not trusted",
        [CAUSE_TLS_EXPIRED] = "TLS certificate expired",
        [CAUSE_TLS_NAME] = "TLS certificate of another host name",
        [CAUSE_BROKEN] = "no connection, or a broken one",
        [CAUSE_ANSWERED] = "its answer cannot be used",
    };

    return cause < CAUSE_CALLS ? texts[cause] : status_text(a, cause);
}
