/* Dollars on their way to the venue of perpetuals (a deposit), and back to the managed wallet (a withdrawal):
 * each is an execution (exec/kind.h), stored before anything is sent, carried out once, followed to its end.
 *
 * A deposit is transactions of the managed wallet, and is completed when the venue's ledger shows the credit.
 * A withdrawal is an action at the venue, and is completed when the dollars have arrived at the managed
 * wallet: they go nowhere else. */
#ifndef PERPS_PERPS_TRANSFER_H
#define PERPS_PERPS_TRANSFER_H

#include "exec/action.h"
#include "model/perps_transfer.h"

#define PERPS_MAX "max"

struct perps_transfer_asked {
    struct action_asked by;
    const char *amount;         /* a decimal, or PERPS_MAX of a withdrawal */
    const char *chain;          /* key; NULL: Arbitrum */
    const char *wallet_address; /* NULL: the agent's oldest */
};

extern const struct exec_kind perps_deposit_kind, perps_withdrawal_kind;

/* "deposit", "withdrawal"; ends with NULL. */
extern const char *const perps_transfer_types[];

#endif
