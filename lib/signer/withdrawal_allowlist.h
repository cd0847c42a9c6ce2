/* The signer's word on the addresses that agents' wallets may pay: it lets only the operator shorten the
 * wait, and signs no withdrawal but to an address whose record it has sealed itself, for that very agent. */
#ifndef SIGNER_WITHDRAWAL_ALLOWLIST_H
#define SIGNER_WITHDRAWAL_ALLOWLIST_H

#include "signer/act.h"
#include "signer/answer.h"

enum signer_status answer_allow(struct signer_answer *out, const struct signer_state *state,
                                const struct signer_request *rq);
enum signer_status answer_remove(struct signer_answer *out, const struct signer_state *state,
                                 const struct signer_request *rq);

/* Whether the record of a request opens for its wallet's agent what a plain transfer pays; otherwise by which
 * rule it does not, and why. That the wallet is this agent's shows when its key is opened. */
enum signer_rule allowlist_check(const struct signer_state *state, const struct signer_request *rq,
                                 const struct act *act, const char *wallet, const char **why);

#endif
