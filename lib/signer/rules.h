/* Whether a wallet may sign this at all: trade at a listed contract with itself as the recipient, grant
 * such a contract a bounded allowance, wrap and unwrap, or fill a nonce with nothing. Everything else is
 * refused, whoever asks. */
#ifndef SIGNER_RULES_H
#define SIGNER_RULES_H

#include "signer/act.h"

/* NULL when the wallet, as its chain writes it, may sign it; else why not, in a few words. */
const char *rules_check(const struct act *act, const char *wallet);

/* The allowances among them: to a listed spender, and never without a bound. */
const char *rules_check_allowance(const struct trade *t);

/* The same for what the operator alone may order: the chain's coin to an address, or transfer() of a token,
 * and nothing else. */
const char *rules_check_transfer(const struct act *act);

#endif
