#include "exec/reopen.h"

#include "store/executions.h"
#include "store/transactions.h"

static enum tx_verdict reopen_tx(struct db *db, void *arg)
{
    const uint64_t *id = arg;
    enum done followed = executions_follow_again(db, *id);

    if (followed == DONE)
        return transactions_open_again(db, *id) ? TX_COMMIT : TX_FAILED;
    return followed == DONE_NOT ? TX_ROLLBACK : TX_FAILED;
}

enum done execution_reopen(struct db *db, uint64_t id)
{
    return db_outcome(db_transact(db, reopen_tx, &id));
}
