/* Executing a quote with a managed wallet: exactly once. The order of work is
 *   read the quote → ask the chain → one transaction: take the quote, check, reserve, sign, store → commit →
 * send. Nothing is sent that is not stored; what is stored is sent again until it is settled. */
#ifndef SWAP_EXECUTE_H
#define SWAP_EXECUTE_H

#include "base/arena.h"
#include "base/err.h"
#include "model/agent.h"
#include "model/execution.h"
#include "service/ctx.h"

struct execute_result {
    struct execution swap; /* on success */
    uint64_t lost_to_swap; /* with E_QUOTE_NOT_FOUND: the agent's own swap that consumed the quote; with
                              E_APPROVAL_NOT_FOUND: the one that the approval was used for; else 0 */
    /* On success: nothing is signed yet, the operator has to approve it first. The swap is there and pending;
     * its terms are what is approved. */
    bool awaits;
    struct uuid approval;
    int64_t approval_expires_ms;
};

/* Written into the committing transaction, beside the new (pending) swap. 1, 0 the request is answered
 * elsewhere, so that nothing may be committed here, -1 the database failed. */
struct commit_note {
    int (*fn)(void *arg, const struct execute_result *e);
    void *arg;
};

/* `note` NULL: none. wallet_address NULL: the agent's oldest wallet of the chain's kind. max_impact counts
 * before the quote's own; PPM_NONE: not given. */
const struct err *swap_execute(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                               const char *quote_id, const char *wallet_address, struct ppm max_impact,
                               const struct commit_note *note, struct execute_result *out);

/* Goes on with a swap that waits for an approval: quoted anew, on the approved terms or better ones. Succeeds
 * with out->awaits while the operator has not decided. An approval is used once. */
const struct err *swap_execute_approved(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                        const char *approval_id, struct ppm max_impact,
                                        const struct commit_note *note, struct execute_result *out);

#endif
