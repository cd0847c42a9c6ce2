/* Which actions at Hyperliquid are signed: a trading key trades perpetuals for the account that it was made
 * for, and a wallet's own key moves what the account holds to the wallet itself, or approves such a key. */
#ifndef SIGNER_HYPERLIQUID_H
#define SIGNER_HYPERLIQUID_H

#include "service/conf.h"
#include "signer/act.h"

/* The operator's settings. */
struct hyperliquid_terms {
    bool trading; /* otherwise nothing of it is signed */
    bool testnet; /* the one network that is signed for */
};
struct hyperliquid_terms hyperliquid_terms_of(const struct conf *c);

/* An action (venue/hyperliquid_message.h) for a key of this kind with this address (EIP-55): what it does,
 * and in out->flaw why it is not signed. Whether a key that it approves is the wallet's does not show in it.
 * What counts towards a limit is the worth of orders that may open or enlarge a position, a sale at the least
 * that it asks for, and what is withdrawn; in dollars, rounded up. False when the bytes are none. */
bool act_read_hyperliquid(struct act *out, const uint8_t *message, size_t len, const char *address,
                          enum wallet_kind kind, const struct hyperliquid_terms *terms);

#endif
