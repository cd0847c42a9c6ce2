/* Empties an agent's wallets on all chains to an address that the operator names: the only transfers to an
 * address of the operator's that are ever signed. Each is an execution of the agent's, followed to its end.
 * A second sweep takes the rest (dust for fees, amounts in progress). */
#ifndef OPERATOR_ADMIN_SWEEP_H
#define OPERATOR_ADMIN_SWEEP_H

#include "base/err.h"
#include "chain/chains.h"
#include "chain/tokens.h"
#include "exec/chain_ops.h"
#include "model/agent.h"
#include "model/execution.h"
#include "model/wallet.h"
#include "operator/operator.h"

/* An address of chains that something is executed on. */
bool operator_address_read(char out[static WALLET_ADDR_MAX], enum chain_type *type, const char *text);

struct sweep_order {
    struct agent agent;
    char to[WALLET_ADDR_MAX];
    enum chain_type type; /* of the chains that it is an address of: other wallets are left alone */
};

/* Reads an order and checks that it may be given: the agent must be stopped or banned, so that nothing is
 * traded meanwhile. */
const char *operator_sweep_order(const struct ctx *ctx, struct arena *a, const char *agent,
                                 const char *address, struct sweep_order *out);

enum sweep_outcome {
    SWEEP_SENT,      /* execution */
    SWEEP_REFUSED,   /* refusal; the token stays */
    SWEEP_UNREAD,    /* the chain did not answer for all of the wallet */
    SWEEP_DEPOSITED, /* it is in the wallet's deposit wallet, which only withdrawals empty */
    SWEEP_NOT_SWEPT, /* the target is no address of its chains: it is left alone */
};

/* The result for a wallet, or for one token in it. */
struct sweep_result {
    enum sweep_outcome outcome;
    const struct wallet *wallet;
    const struct chain *chain; /* NULL for SWEEP_NOT_SWEPT */
    const struct token *token; /* SWEEP_REFUSED, SWEEP_DEPOSITED */
    const struct err *refusal;
    const struct execution *execution;
};
typedef void sweep_report_fn(void *arg, const struct sweep_result *r);

/* Reports each result as it comes. Needs net, nodes and signer in ctx. True when nothing was refused and
 * everything could be read. */
bool operator_sweep(const struct ctx *ctx, struct arena *a, const struct sweep_order *order,
                    const struct operator_mac *by, sweep_report_fn *report, void *arg);

#endif
