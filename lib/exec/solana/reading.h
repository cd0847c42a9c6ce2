/* A step on Solana, which is a whole transaction, read with the accounts that it looks up. */
#ifndef EXEC_SOLANA_READING_H
#define EXEC_SOLANA_READING_H

#include "exec/plan.h"
#include "venue/solana.h"

struct solana_reading {
    struct solana_tx tx; /* leads into the step's data */
    struct solana_accounts accounts;
    struct solana_addr wallet;
    struct solana_costs costs;
    struct trade trade;
};

/* A plan that sells nothing, but pays a recipient what leaves. */
bool solana_is_transfer(const struct plan *p);

/* NULL, or why the step's transaction must not be signed by the plan's wallet. It is read as what the plan
 * is: a transfer, or else a trade. */
const char *solana_step_trade(struct solana_reading *out, const struct plan *p, const struct step *s);

/* Whether a transaction may write to one of its accounts. */
bool solana_may_write(const struct solana_tx *tx, unsigned account);

#endif
