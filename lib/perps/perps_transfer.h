/* Dollars on their way to the venue of perpetuals (a deposit), and back to the managed wallet (a withdrawal):
 * each is an execution (exec/kind.h), stored before anything is sent, carried out once, followed to its end.
 *
 * A deposit is transactions of the managed wallet, and is completed when the venue's ledger shows the credit.
 * A withdrawal is an action at the venue, and is completed when the dollars have arrived at the managed
 * wallet: they go nowhere else. */
#ifndef PERPS_PERPS_TRANSFER_H
#define PERPS_PERPS_TRANSFER_H

#include "exec/commit.h"
#include "exec/kind.h"
#include "exec/verdict.h"
#include "model/agent.h"
#include "model/perps_transfer.h"

#define PERPS_MAX "max"

struct perps_transfer_asked {
    enum exec_kind_id kind;     /* KIND_PERPS_DEPOSIT, KIND_PERPS_WITHDRAWAL */
    const char *amount;         /* a decimal, or PERPS_MAX of a withdrawal */
    const char *chain;          /* key; NULL: Arbitrum */
    const char *wallet_address; /* NULL: the agent's oldest */
};

/* `note` NULL: none. */
const struct err *perps_transfer_make(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                      const struct perps_transfer_asked *asked,
                                      const struct commit_note *note, struct commit_result *out);
/* Goes on with a deposit that the operator has approved. */
const struct err *perps_transfer_make_approved(const struct ctx *ctx, struct arena *a,
                                               const struct agent *agent, const char *approval_id,
                                               const struct commit_note *note, struct commit_result *out);

/* The agent's, by its number. */
enum lookup perps_transfer_get(const struct ctx *ctx, struct arena *a, uint64_t agent_id, uint64_t id,
                               struct execution *out);

/* "deposit", "withdrawal"; ends with NULL. */
extern const char *const perps_transfer_types[];

/* ---- of the kinds' rows ---- */

struct verdict perps_transfer_verdict(const struct tracked *w);
bool perps_transfer_moved(struct db *db, const struct execution_move *moves, size_t n);
void perps_transfer_view(struct json_writer *w, const struct execution_shown *x);
const char *perps_transfer_sentence(struct arena *a, const struct execution_shown *x);
const char *perps_transfer_terms(struct arena *a, const struct execution_shown *x);

#endif
