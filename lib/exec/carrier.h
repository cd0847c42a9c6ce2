/* The carriers of bridges, by their names in bridges.carrier. The rows are above the engine, so these are
 * defined in registry/carriers.c. */
#ifndef EXEC_CARRIER_H
#define EXEC_CARRIER_H

#include <stdbool.h>

#include "base/arena.h"
#include "model/bridge.h"
#include "net/call.h"
#include "service/ctx.h"

/* Makes the call that asks how a bridge stands, which takes it from the carrier's rate. False: no carrier can
 * be asked now: it is off, paused after failures, or at its rate limit. */
bool carrier_ask(const char *carrier, struct call *call, const struct ctx *ctx, const struct bridge_in *in,
                 struct arena *a);
/* Reads the call, however it ended, exactly once; the caller frees it. *out is zeroed, BRIDGE_UNKNOWN, unless
 * the answer says more. */
void carrier_read(const char *carrier, const struct call *call, const struct bridge_in *in, struct arena *a,
                  struct bridge_status *out);

#endif
