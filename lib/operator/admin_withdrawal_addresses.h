/* To which addresses an agent's wallets may be withdrawn, and the operator's word that one is paid at once.
 */
#ifndef OPERATOR_ADMIN_WITHDRAWAL_ADDRESSES_H
#define OPERATOR_ADMIN_WITHDRAWAL_ADDRESSES_H

#include "model/agent.h"
#include "operator/operator.h"
#include "signer/address_record.h"

/* The agent's, newest first, the removed ones too. */
const char *operator_withdrawal_addresses(const struct ctx *ctx, struct arena *a, const char *agent,
                                          const struct withdrawal_address **list, int *n);

struct address_order {
    struct agent agent;
    struct allowlist_address payee; /* which the operator's word is over */
};

/* Reads an order. */
const char *operator_address_order(const struct ctx *ctx, struct arena *a, const char *agent,
                                   const char *address, struct address_order *out);

/* Has the signer count the address from now on, by the operator's MAC over it (keys/operator_mac.h); one
 * that the agent has not added is added. Needs the signer in ctx. operator_order_over: the MAC is of a second
 * that counts no more, and one of a later second may count. */
extern const char operator_order_over[];
const char *operator_address_now(const struct ctx *ctx, struct arena *a, const struct address_order *order,
                                 const uint8_t *mac);

#endif
