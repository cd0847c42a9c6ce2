/* A second way to broadcast a signed transaction: the provider that built it may bring the same bytes into a
 * block by itself. The rows stand above the engine, so this is defined in registry/submit_via_providers.c. */
#ifndef EXEC_SUBMIT_VIA_H
#define EXEC_SUBMIT_VIA_H

#include "base/arena.h"
#include "model/execution.h"
#include "net/call.h"
#include "service/ctx.h"

/* Makes the call that gives it away, by the transaction's `submit_via`. What is answered proves nothing.
 * False: that provider is gone. */
bool submit_via_ask(struct call *call, const struct ctx *ctx, struct arena *a, const struct transaction *t);

#endif
