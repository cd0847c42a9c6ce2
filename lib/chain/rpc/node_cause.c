#include "chain/rpc/node_cause.h"

unsigned node_cause_of(const struct call *c, bool parsed)
{
    unsigned cause = call_cause(c->result, c->fault, c->status);

    if (cause != CAUSE_ANSWERED)
        return cause;
    return parsed ? CAUSE_ERROR : CAUSE_NO_JSON_RPC;
}

const char *node_cause_text(struct arena *a, unsigned cause)
{
    static const char *const texts[CAUSES - CAUSE_CALLS] = {
        [CAUSE_NO_JSON_RPC - CAUSE_CALLS] = "its answer is no JSON-RPC",
        [CAUSE_ERROR - CAUSE_CALLS] = "it answers with an error",
        [CAUSE_OTHER_CHAIN - CAUSE_CALLS] = "wrong chain: it is of another one",
        [CAUSE_BEHIND - CAUSE_CALLS] = "behind: its newest block is old",
        [CAUSE_CONTRADICTING - CAUSE_CALLS] = "it contradicts itself or all others",
    };

    return cause >= CAUSE_CALLS && cause < CAUSES ? texts[cause - CAUSE_CALLS] : cause_text(a, cause);
}
