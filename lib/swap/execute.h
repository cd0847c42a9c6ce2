/* Executing a quote with a managed wallet, exactly once: what is a swap's own of it. The commit is the
 * engine's (exec/commit.h). */
#ifndef SWAP_EXECUTE_H
#define SWAP_EXECUTE_H

#include "base/arena.h"
#include "base/err.h"
#include "exec/commit.h"
#include "model/agent.h"
#include "service/ctx.h"

/* `note` NULL: none. wallet_address NULL: the agent's oldest wallet of the chain's kind. max_impact overrides
 * the quote's own; PPM_NONE: not given. With E_QUOTE_NOT_FOUND out->lost_to is the agent's own swap that
 * consumed the quote. */
const struct err *swap_execute(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                               const char *quote_id, const char *wallet_address, struct ppm max_impact,
                               const struct commit_note *note, struct commit_result *out);

/* Goes on with a swap that waits for an approval: quoted anew, on the approved terms or better ones. Succeeds
 * with out->awaits while the operator has not decided. An approval is used once: with E_APPROVAL_NOT_FOUND
 * out->lost_to is the swap that it was used for. */
const struct err *swap_execute_approved(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                        const char *approval_id, struct ppm max_impact,
                                        const struct commit_note *note, struct commit_result *out);

#endif
