/* The fees of a rollup in addition to the price of gas: for the data that it posts to another chain, and for
 * its operation. */
#ifndef EXEC_EVM_DATA_FEE_H
#define EXEC_EVM_DATA_FEE_H

#include "base/arena.h"
#include "chain/rpc/rpc.h"
#include "exec/plan.h"

/* By one node's words, of a whole plan. */
struct data_charge {
    struct u256 posting;
    struct u256 operating, with_gas; /* of a transaction that uses no gas, and of one with a million of it */
};

/* On chains that take it apart: the next call of a batch. */
void data_fee_ask(struct rpc_batch *b, const struct plan *p);
/* A fee that the oracle does not report is not taken. False: it reports none. */
bool data_fee_read(struct data_charge *out, struct arena *a, const struct plan *p,
                   const struct rpc_answer *r);
/* With the plan's limits of gas, and half more as it fluctuates. False: beyond all numbers. */
bool data_fee_total(struct u256 *out, const struct plan *p, const struct data_charge *f);

#endif
