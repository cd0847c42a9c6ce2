/* Collateral on its way to the trading wallet (a deposit), back to the managed wallet (a withdrawal), and
 * what a decided market pays (a redemption). Each is an execution: stored before anything is sent, carried
 * out once, followed to its end.
 *
 * A deposit is transactions of the managed wallet, then requests: the making of the deposit wallet, the
 * exchanges' access, and the venue's look at the balance, with which it is done. What leaves the deposit
 * wallet is one batch of calls, all or none, and goes to the managed wallet only. */
#ifndef PREDICT_PREDICT_TRANSFER_H
#define PREDICT_PREDICT_TRANSFER_H

#include "exec/action.h"
#include "model/predict_account.h"
#include "predict/trading_wallet.h"

struct transfer_asked {
    struct action_asked by;
    const char *wallet_address; /* NULL: the agent's oldest */
    const char *amount;         /* of a deposit or withdrawal: a decimal, or TRANSFER_MAX */
    const char *token;          /* that is deposited: a symbol or an address */
    const char *market;         /* that is redeemed: the catalogue's id */
};
#define TRANSFER_MAX "max"

extern const struct exec_kind predict_deposit_kind, predict_withdrawal_kind, predict_redemption_kind;

/* Collateral that own orders in progress may still take, beyond what `seen_ms` (the database's clock) showed.
 * False: the database failed. */
bool transfer_reserved(struct db *db, uint64_t wallet_id, int64_t seen_ms, struct u256 *out);

#endif
