/* Gas limits: what a step used in the trial, what its chain takes for the transaction itself, and what a
 * trial cannot see. */
#ifndef EXEC_EVM_GAS_H
#define EXEC_EVM_GAS_H

#include "exec/plan.h"

struct rpc_batch;
struct rpc_answer;

/* Where the chain charges for its data: what each step's bytes cost as a transaction that runs nothing, as
 * the next calls of a batch. How many. */
unsigned gas_ask(struct rpc_batch *b, const struct plan *p);
/* Reads as many answers; one that is missing counts nothing. */
void gas_read(struct plan *p, const struct rpc_answer *r);

/* What a transaction with the step's calldata costs before anything is run, on most chains. */
uint64_t gas_intrinsic(const struct step *s);

/* Sets the limits of all steps, by the gas that each used inside of the trial, or without a trial. */
void gas_by_trial(struct plan *p, const uint64_t *used);
void gas_by_quote(struct plan *p);

#endif
