/* Whether a wallet may sign this at all: trade at a listed contract with itself as the recipient, lend and
 * borrow at a listed lender for itself, pay into its own account at a listed venue, grant such a contract a
 * bounded allowance, wrap and unwrap, or fill a nonce with nothing. Everything else is refused to every
 * caller. */
#ifndef SIGNER_SIGNER_RULES_H
#define SIGNER_SIGNER_RULES_H

#include "signer/act.h"

/* NULL when the wallet, as its chain writes it, may sign it; else why not, in a few words. */
const char *rules_check(const struct act *act, const char *wallet);

/* The allowances among them: to a listed spender, and never without a bound. */
const char *rules_check_allowance(const struct trade *t);

/* The same for what the operator may order, and an agent to an address that the signer knows: the chain's
 * coin to an address, or transfer() of a token, and nothing else. */
const char *rules_check_transfer(const struct act *act);

/* An address that may be paid at all, on any chain of the family: in the family's spelling, and not one from
 * which nothing comes back (the zero address, a listed contract). */
const char *rules_check_address(enum chain_type family, const char *address);
/* A plain transfer to the address, which is another one than the wallet's. */
const char *rules_check_withdrawal(const struct act *act, const char *wallet, const char *address);

#endif
