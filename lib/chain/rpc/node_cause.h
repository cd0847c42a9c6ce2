/* Why a node does not answer, or is unhealthy: /readyz, `gateway --check` and agentctl say it in the same
 * words. */
#ifndef CHAIN_RPC_NODE_CAUSE_H
#define CHAIN_RPC_NODE_CAUSE_H

#include "base/cause.h"
#include "net/call.h"

/* One of base/cause.h, or of these. */
enum node_cause {
    CAUSE_NO_JSON_RPC = CAUSE_CALLS,
    CAUSE_ERROR, /* JSON-RPC, but not what it was asked for */
    CAUSE_OTHER_CHAIN,
    CAUSE_BEHIND,
    CAUSE_CONTRADICTING,
    CAUSES
};

/* The cause of a call that has ended without a usable answer; `parsed`: it was JSON-RPC. */
unsigned node_cause_of(const struct call *c, bool parsed);
/* "connection refused"; in the arena, or static. */
const char *node_cause_text(struct arena *a, unsigned cause);

#endif
