/* Putting a step to the signer: all families ask alike, but for what their payload is. */
#ifndef EXEC_SIGNING_H
#define EXEC_SIGNING_H

#include "exec/chain_ops.h"
#include "signer/client.h"

/* Asks the signer, with the operator's MAC if the operator orders it, and with the record of the address that
 * a withdrawal pays. */
enum signer_status signing_ask(const struct ctx *ctx, const struct signing *in, enum chain_type family,
                               const uint8_t *payload, size_t len, struct signature *out);

#endif
