#include "exec/reopen.h"

#include "store/executions.h"
#include "store/transactions.h"

static enum tx_verdict reopen_tx(struct db *db, void *arg)
{
    const uint64_t *id = arg;
    enum db_update followed = executions_follow_again(db, *id);

    if (followed == UPDATED)
        return transactions_open_again(db, *id) ? TX_COMMIT : TX_FAILED;
    return followed == UNCHANGED ? TX_ROLLBACK : TX_FAILED;
}

enum db_update execution_reopen(struct db *db, uint64_t id)
{
    return db_outcome(db_transact(db, reopen_tx, &id));
}
