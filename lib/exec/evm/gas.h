/* Gas limits: what a step used in the simulation, what its chain takes for the transaction itself, and what a
 * simulation cannot see. */
#ifndef EXEC_EVM_GAS_H
#define EXEC_EVM_GAS_H

#include "exec/plan.h"

struct rpc_batch;
struct rpc_answer;

/* On chains that charge for data in gas: estimates of transactions with each step's bytes that run nothing,
 * as the next calls of a batch. Returns how many. */
unsigned gas_ask(struct rpc_batch *b, const struct plan *p);
/* Reads that many answers; a missing one counts as zero. */
void gas_read(struct plan *p, const struct rpc_answer *r);

/* The intrinsic gas of a transaction with the step's calldata, on most chains. */
uint64_t gas_intrinsic(const struct step *s);

/* The most that a step of its kind uses where its chain is not another one: a node that shows more lies. */
uint64_t gas_most(const struct chain *c, const struct step *s);
/* Raises each limit to that of the same plan by another node's simulation. False: one is several times the
 * other, so that one of the two nodes lies. */
bool gas_hold(struct plan *p, const struct plan *other);

/* Set the limits of all steps: by the gas that each used in the simulation, or without a simulation. */
void gas_by_tx_simulation(struct plan *p, const uint64_t *used);
void gas_by_quote(struct plan *p);

#endif
