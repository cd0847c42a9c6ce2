/* What a wallet has to do for a swap: its transactions in order, and what the chain says about them
 * beforehand. No database; one round trip to a node. */
#ifndef EXEC_EVM_PLAN_H
#define EXEC_EVM_PLAN_H

#include "base/arena.h"
#include "base/err.h"
#include "chain/chains.h"
#include "chain/evm/addr.h"
#include "model/quote.h"
#include "service/ctx.h"

enum { PLAN_MAX_STEPS = 3, VALID_FOR_S = 180, UNSIGNED_VALID_FOR_S = 20 * 60 };

struct step {
    enum tx_kind kind;
    struct evm_addr to;
    struct u256 value;
    const uint8_t *data; /* in the arena */
    size_t data_len;
    uint64_t unseen_gas; /* that the call may use beyond what it uses in a trial */
    uint64_t data_gas;   /* that the chain takes for the step's bytes beyond the usual, after plan_try */
    uint64_t gas_limit;  /* likewise */
    bool has_token;      /* spends or allows `token_amount` of token through spender */
    struct evm_addr token, spender;
    struct u256 token_amount;
};

struct plan {
    const struct chain *chain;
    const struct quote *quote;
    struct evm_addr wallet;
    int64_t deadline; /* Unix seconds: the chain refuses the swap after it */
    struct step steps[PLAN_MAX_STEPS];
    unsigned count; /* approvals first, the swap last */
};

/* An exact approval (set to zero first where the token wants it) when the swap spends a token, then the swap.
 */
const struct err *plan_make(struct plan *p, struct arena *a, const struct quote *q, const char *wallet,
                            int64_t deadline);

/* What a node said, all read at or after block `block`. */
struct chain_state {
    int64_t asked_ms; /* monotonic; not younger than that */
    uint64_t block;
    uint64_t nonce; /* the wallet's count, pending ones included */
    struct fees {
        bool legacy;
        struct u256 max_fee, priority_fee; /* wei per gas */
    } fees;
    struct u256 l1_fee; /* wei that the chain charges on top for its data, for the whole plan */
    struct u256 native_balance, token_balance;
    struct u256 allowance; /* of the swap's spender; 0 for a native input */
    bool tried;            /* the simulation ran to its end */
    bool unverified;       /* no node could run it, and nothing speaks against it */
    struct u256 arrives;   /* then: what the wallet got */
    const char *revert;    /* else: why not, as far as it is known; NULL */
    struct u256 ideal;     /* what a small part's price would give for the whole input; 0: not known */
};

/* Asks the node: balances, count, fees, and a trial run of all steps, which sets their gas limits (an
 * estimate of the provider's when it did not run to its end). E_UPSTREAM when no node answered. */
const struct err *plan_try(const struct ctx *ctx, struct arena *a, struct plan *p, struct chain_state *st);

/* How much worse than a small trade this one is now: by what arrives in the trial, else by what was quoted.
 */
struct ppm plan_impact(const struct ctx *ctx, const struct plan *p, const struct chain_state *st);

/* NULL when the trial says that at least the promised minimum arrives, or could not be run; else the refusal.
 */
const struct err *plan_verdict(const struct plan *p, const struct chain_state *st);

/* What the steps may take out of the wallet in native coin: values, and gas limits at the highest fee. */
MUST_CHECK bool plan_native_cost(const struct plan *p, const struct chain_state *st, struct u256 *value,
                                 struct u256 *fees);

/* "eth_feeHistory" (or "eth_gasPrice") as the next call of a batch, and the fees that follow from its answer.
 */
struct rpc_batch;
struct rpc_answer;
void fees_ask(struct rpc_batch *b, const struct chain *c);
bool fees_read(struct fees *out, const struct ctx *ctx, const struct chain *c,
               const struct rpc_answer *answer);

#endif
