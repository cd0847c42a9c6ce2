/* A withdrawal: tokens or coin of a managed wallet for an address of the agent's own that the signer has
 * known for long enough. It is a kind of execution (exec/kind.h), carried out and followed as all are. */
#ifndef TRANSFER_WITHDRAWAL_H
#define TRANSFER_WITHDRAWAL_H

#include "exec/action.h"
#include "exec/simulation.h"

#define WITHDRAWAL_MAX "max"

struct withdrawal_asked {
    struct action_asked by;
    const char *token;  /* a symbol or an address */
    const char *amount; /* a decimal, or WITHDRAWAL_MAX: all that nothing in progress may take, fees apart */
    const char *chain;
    const char *wallet_address; /* NULL: the agent's oldest */
    uint64_t address_id;
    const char *to; /* instead, if that is 0: the label of an address that is known, or the address itself */
};

extern const struct exec_kind withdrawal_kind;

/* ---- a simulation: nothing is signed, taken or reserved ---- */

enum { WITHDRAWAL_CHECKS = 6 };

struct withdrawal_simulation {
    struct token_ref token;
    const struct chain *chain;
    char to[WALLET_ADDR_MAX];
    struct u256 amount, fee; /* the fee at most, of the chain's coin */
    struct check checks[WITHDRAWAL_CHECKS];
    bool would_execute; /* no check has failed */
};

const struct err *withdrawal_simulate(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                      const struct withdrawal_asked *asked,
                                      struct withdrawal_simulation *out);

#endif
