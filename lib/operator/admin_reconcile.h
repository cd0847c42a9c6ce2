/* Once an older dump of the database is in place: what it does not know of the chains is found, so that
 * trading can go on without anything being sent twice. */
#ifndef OPERATOR_ADMIN_RECONCILE_H
#define OPERATOR_ADMIN_RECONCILE_H

#include "chain/chains.h"
#include "model/wallet.h"
#include "operator/operator.h"

/* Transactions of a wallet on one chain that the database does not know. */
struct reconcile_report {
    const struct wallet *wallet;
    const struct chain *chain;
    uint64_t unknown;
};
typedef void reconcile_report_fn(void *arg, const struct reconcile_report *r);

/* The result. */
struct reconcile_result {
    uint64_t wallets;
    uint64_t accounts;  /* at the prediction venue, whose orders are looked at next */
    bool still_stopped; /* for all, by the operator */
};

/* While trading is stopped for all: compares each wallet with each chain that has nodes, takes nonces over
 * from there, and ends what was offered or asked for before, as it may have been carried out: quotes, and
 * requests for approval. Orders that rest at the prediction venue are for order-poll to find, which takes
 * over those that are not known (predict/order_import.h). Then ends HALT_RESTORED (store/trading_halts.h). If
 * anything cannot be read, trading stays stopped. Needs net and nodes in ctx. */
const char *operator_reconcile(const struct ctx *ctx, struct arena *a, reconcile_report_fn *report, void *arg,
                               struct reconcile_result *out);

#endif
