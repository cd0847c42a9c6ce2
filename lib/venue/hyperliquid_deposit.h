/* Deposits of USDC into an account at Hyperliquid: by a transfer to the venue's bridge on Arbitrum, which
 * credits the sender, or by Circle's CCTP from any chain that has its messenger, with a hook that names the
 * account. */
#ifndef VENUE_HYPERLIQUID_DEPOSIT_H
#define VENUE_HYPERLIQUID_DEPOSIT_H

#include "base/buf.h"
#include "codec/u256.h"
#include "venue/calls.h"

enum { HYPERLIQUID_BRIDGE_MIN = 5000000 }; /* of 6 places: less is lost */

extern const struct contract_kind hyperliquid_bridge;
extern const struct contract_kind circle_messenger;

/* A transfer that was read, if it is to the bridge, of the right token and of enough: it is a deposit then.
 */
void hyperliquid_transfer_read(struct trade *t, const struct evm_call *call);

struct hyperliquid_burn {
    struct evm_addr token; /* the chain's USDC */
    struct u256 amount;    /* smallest units */
    struct u256 max_fee;   /* of it, at most */
    struct evm_addr recipient;
    bool spot; /* where it arrives; otherwise at the perpetuals */
};

/* The call of the messenger. It takes the amount by an allowance. */
void hyperliquid_burn_write(struct buf *out, const struct hyperliquid_burn *b);

/* CCTP's number of a chain on which the venue pays out; false where it does not. */
bool hyperliquid_domain(uint32_t *out, const struct chain *c);
/* Whether some chain has it. */
bool hyperliquid_is_domain(uint32_t domain);

#endif
