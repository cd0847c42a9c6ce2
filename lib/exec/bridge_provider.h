/* The bridge providers of bridges, by their names in bridges.carrier. The rows are above the engine,
 * so these are defined in registry/bridge_providers.c. */
#ifndef EXEC_BRIDGE_PROVIDER_H
#define EXEC_BRIDGE_PROVIDER_H

#include <stdbool.h>

#include "base/arena.h"
#include "model/bridge.h"
#include "net/call.h"
#include "service/ctx.h"

/* Makes the call that asks how a bridge stands, which takes it from the bridge provider's rate. False: no
 * bridge provider can be asked now: it is off, paused after failures, or at its rate limit. */
bool bridge_provider_ask(const char *bridge_provider, struct call *call, const struct ctx *ctx,
                         const struct bridge_in *in, struct arena *a);
/* Reads the call, however it ended, exactly once; the caller frees it. *out is zeroed, BRIDGE_UNKNOWN, unless
 * the answer says more. */
void bridge_provider_read(const char *bridge_provider, const struct call *call, const struct bridge_in *in,
                          struct arena *a, struct bridge_status *out);

#endif
