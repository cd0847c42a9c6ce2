/* Trying a plan on the chain's present state before it is signed, in the best way that a node has:
 * eth_simulateV1 runs its steps one after the other as transactions; else code in the wallet's own place runs
 * them in one call (a state override, chain/evm/sim.h); else the first step of a plan without calldata of
 * others is estimated, which shows whether it fails but not what arrives. The wallet's balances are read
 * before and after: a plan fails that takes more than it says, or leaves an allowance. */
#ifndef EXEC_EVM_EVM_TX_SIMULATION_H
#define EXEC_EVM_EVM_TX_SIMULATION_H

#include "base/arena.h"
#include "chain/rpc/rpc.h"
#include "exec/plan.h"

enum tx_simulation_end {
    TX_SIMULATION_RAN,         /* `arrives`, or `leaves` of a bridge, is known */
    TX_SIMULATION_UNVERIFIED,  /* no node could run it, and nothing suggests that it fails */
    TX_SIMULATION_FAILED,      /* `revert` says why, or is NULL */
    TX_SIMULATION_ABSURD,      /* it took more gas than any transaction of the kind */
    TX_SIMULATION_UNAVAILABLE, /* no node answered */
};

struct tx_simulation {
    enum tx_simulation_end end;
    struct u256 arrives, leaves;
    bool has_gas;
    uint64_t used[PLAN_MAX_STEPS]; /* beyond the intrinsic gas (exec/evm/gas.h) */
    const char *revert;            /* in the arena, and so are ... */
    const uint8_t *revert_data;    /* ... the bytes that a call reverted with; NULL: none, or none known */
    size_t revert_len;
    bool price_moved;     /* by its words, less than the minimum would have arrived */
    const uint8_t *after; /* what the plan's own reading returned behind the steps; NULL: nothing */
    size_t after_len;
};

/* The next item of a batch. */
void tx_simulation_ask(struct rpc_batch *b, const struct plan *p);
struct tx_simulation tx_simulation_read(const struct plan *p, struct arena *a, const struct rpc_answer *r);

#endif
