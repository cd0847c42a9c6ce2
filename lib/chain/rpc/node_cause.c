#include "chain/rpc/node_cause.h"

enum { HTTP_OK = 200, HTTP_UNAUTHORIZED = 401, HTTP_FORBIDDEN = 403, HTTP_TOO_MANY = 429 };

static unsigned cause_of_fault(enum call_fault fault)
{
    static const unsigned causes[] = {
        [FAULT_OTHER] = CAUSE_BROKEN,
        [FAULT_NAME] = CAUSE_HOST,
        [FAULT_CONNECTION_REFUSED] = CAUSE_REFUSED,
        [FAULT_TLS] = CAUSE_TLS,
        [FAULT_TLS_UNTRUSTED] = CAUSE_TLS_UNTRUSTED,
        [FAULT_TLS_EXPIRED] = CAUSE_TLS_EXPIRED,
    };

    return causes[fault];
}

unsigned node_cause_of(const struct call *c, bool parsed)
{
    if (c->result == CALL_FAILED)
        return cause_of_fault(c->fault);
    if (c->result != CALL_ANSWERED)
        return CAUSE_NO_ANSWER;
    if (c->status > HTTP_OK)
        return (unsigned)c->status;
    return parsed ? CAUSE_ERROR : CAUSE_NO_JSON_RPC;
}

static const char *status_text(struct arena *a, unsigned status)
{
    const char *why = status == HTTP_UNAUTHORIZED ? ": it wants a valid key"
                      : status == HTTP_FORBIDDEN  ? ": it refuses this key or this address"
                      : status == HTTP_TOO_MANY   ? ": it is asked too often"
                                                  : "";

    return arena_printf(a, "HTTP %u%s", status, why);
}

const char *node_cause_text(struct arena *a, unsigned cause)
{
    static const char *const texts[CAUSES] = {
        [CAUSE_NONE] = "it does well",
        [CAUSE_NO_ANSWER] = "silent: no answer in time",
        [CAUSE_HOST] = "host not found",
        [CAUSE_REFUSED] = "connection refused",
        [CAUSE_TLS] = "TLS handshake failed",
        [CAUSE_TLS_UNTRUSTED] = "TLS certificate not trusted",
        [CAUSE_TLS_EXPIRED] = "TLS certificate expired",
        [CAUSE_BROKEN] = "no connection, or a broken one",
        [CAUSE_NO_JSON_RPC] = "its answer is no JSON-RPC",
        [CAUSE_ERROR] = "it answers with an error",
        [CAUSE_OTHER_CHAIN] = "wrong chain: it is of another one",
        [CAUSE_BEHIND] = "behind: its newest block is old",
        [CAUSE_CONTRADICTING] = "it contradicts itself or all others",
    };

    return cause < CAUSES ? texts[cause] : status_text(a, cause);
}
