/* Collateral on its way to the trading wallet (a deposit), back to the managed wallet (a withdrawal), and
 * what a decided market pays (a redemption). Each is an execution: stored before anything is sent, carried
 * out once, followed to its end.
 *
 * A deposit is transactions of the managed wallet, then requests: the making of the deposit wallet, the
 * exchanges' access, and the venue's look at the balance, with which it is done. What leaves the deposit
 * wallet is one batch of calls, all or none, and goes to the managed wallet only. */
#ifndef PREDICT_PREDICT_TRANSFER_H
#define PREDICT_PREDICT_TRANSFER_H

#include "exec/commit.h"
#include "exec/kind.h"
#include "exec/verdict.h"
#include "model/agent.h"
#include "model/predict_account.h"
#include "predict/trading_wallet.h"

struct transfer_asked {
    enum exec_kind_id kind;     /* KIND_PREDICT_DEPOSIT, KIND_PREDICT_WITHDRAWAL, KIND_PREDICT_REDEMPTION */
    const char *wallet_address; /* NULL: the agent's oldest */
    const char *amount;         /* of a deposit or withdrawal: a decimal, or TRANSFER_MAX */
    const char *token;          /* that is deposited: a symbol or an address */
    const char *market;         /* that is redeemed: the catalogue's id */
};
#define TRANSFER_MAX "max"

/* `note` NULL: none. */
const struct err *transfer_make(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                const struct transfer_asked *asked, const struct commit_note *note,
                                struct commit_result *out);

/* The agent's, by its number. */
enum lookup transfer_get(const struct ctx *ctx, struct arena *a, uint64_t agent_id, uint64_t id,
                         struct execution *out);

/* Collateral that own orders in progress may still take, beyond what `seen_ms` (the database's clock) showed.
 * False: the database failed. */
bool transfer_reserved(struct db *db, uint64_t wallet_id, int64_t seen_ms, struct u256 *out);

/* ---- of the kinds' rows ---- */

struct verdict transfer_verdict(const struct tracked *w);
bool transfer_moved(struct db *db, const struct execution_move *moves, size_t n);
/* *own tells whether it waits for the relayer's quota. */
bool transfer_own_read(struct db *db, struct arena *a, const struct execution *x, const void **own);
void transfer_view(struct json_writer *w, const struct execution_shown *x);
const char *transfer_sentence(struct arena *a, const struct execution_shown *x);

#endif
