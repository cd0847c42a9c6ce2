/* A withdrawal: tokens or coin of a managed wallet for an address of the agent's own that the signer has
 * known for long enough. It is a kind of execution (exec/kind.h), carried out and followed as all are. */
#ifndef TRANSFER_WITHDRAWAL_H
#define TRANSFER_WITHDRAWAL_H

#include "exec/commit.h"
#include "exec/kind.h"
#include "exec/simulation.h"
#include "model/agent.h"

#define WITHDRAWAL_MAX "max"

struct withdrawal_asked {
    const char *token;  /* a symbol or an address */
    const char *amount; /* a decimal, or WITHDRAWAL_MAX: all that nothing in progress may take, fees apart */
    const char *chain;
    const char *wallet_address; /* NULL: the agent's oldest */
    uint64_t address_id;
    const char *to; /* instead, if that is 0: the label of an address that is known, or the address itself */
};

/* `note` NULL: none. */
const struct err *withdrawal_make(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                  const struct withdrawal_asked *asked, const struct commit_note *note,
                                  struct commit_result *out);
/* Goes on with one that the operator has approved, on its terms. */
const struct err *withdrawal_make_approved(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                           const char *approval_id, const struct commit_note *note,
                                           struct commit_result *out);

/* The agent's, by its number. */
enum lookup withdrawal_get(const struct ctx *ctx, struct arena *a, uint64_t agent_id, uint64_t id,
                           struct execution *out);

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

/* ---- of the kind's row ---- */

bool withdrawal_own_read(struct db *db, struct arena *a, const struct execution *x, const void **own);
bool withdrawal_moved(struct db *db, const struct execution_move *moves, size_t n);
const struct address_record *withdrawal_record(struct db *db, struct arena *a, const struct execution *x);
void withdrawal_view(struct json_writer *w, const struct execution_shown *x);
const char *withdrawal_sentence(struct arena *a, const struct execution_shown *x);
const char *withdrawal_terms(struct arena *a, const struct execution_shown *x);

#endif
