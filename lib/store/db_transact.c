#include "store/db_inside.h"

#include "base/fault.h"

/* As if the connection had broken. */
static bool connection_lose(struct db *db)
{
    db_disconnect(db);
    db->error = CR_SERVER_LOST;
    return false;
}

/* A process that hangs inside a transaction must not keep its locks. MySQL has no setting for that alone, so
 * its limit for idle connections is a short one inside transactions. */
static bool transaction_limit_unavailable(struct db *db, bool in_tx)
{
    return db->ends_idle ||
           db_simple(db, in_tx ? "SET SESSION wait_timeout=10" : "SET SESSION wait_timeout=DEFAULT");
}

static bool transaction_begin_once(struct db *db)
{
    return db_connected(db) && transaction_limit_unavailable(db, true) && db_simple(db, "START TRANSACTION");
}

static bool transaction_begin(struct db *db)
{
    /* A connection that died while idle is noticed here, before anything was done. */
    if (!transaction_begin_once(db) && !(error_is_loss(db->error) && transaction_begin_once(db)))
        return false;
    db->in_tx = true;
    return true;
}

static void transaction_rollback(struct db *db)
{
    db->in_tx = false;
    if (db->handle != NULL &&
        (mysql_query(db->handle, "ROLLBACK") != 0 || !transaction_limit_unavailable(db, false)))
        db_disconnect(db);
}

static bool transaction_commit(struct db *db)
{
    if (!db_simple(db, "COMMIT"))
        return false;
    if (!transaction_limit_unavailable(db, false))
        db_disconnect(db);
    return true;
}

/* One run of fn. *repeat: it failed for a reason that may pass. */
static enum tx_result transaction_once(struct db *db, tx_fn *fn, void *arg, bool *repeat)
{
    enum tx_verdict verdict;

    db->error = 0;
    db->moves = false;
    *repeat = false;
    if (!transaction_begin(db)) {
        *repeat = error_may_pass(db->error) || db->moves;
        return TX_BROKEN;
    }
    verdict = fn(db, arg);
    if (verdict != TX_COMMIT) {
        *repeat = verdict == TX_FAILED && (error_may_pass(db->error) || db->moves);
        transaction_rollback(db);
        return verdict == TX_ROLLBACK ? TX_REFUSED : TX_BROKEN;
    }
    db->in_tx = false;
    if (STEP("db.commit", transaction_commit(db), connection_lose(db))) {
        db->wrote = true;
        return TX_DONE;
    }
    /* Another node's write of the same row was first, or this node had left before. Any other failure may
     * hide that the cluster has the transaction already. */
    *repeat = error_is_rollback(db->error) || db->moves;
    if (*repeat)
        transaction_rollback(db);
    else
        db_disconnect(db);
    return *repeat ? TX_BROKEN : TX_UNKNOWN;
}

enum tx_result db_transact(struct db *db, tx_fn *fn, void *arg)
{
    enum tx_result result = TX_BROKEN;
    bool repeat = true;

    for (unsigned try = 0; repeat && try < TX_TRIES; try++) {
        db_before_try(try);
        result = transaction_once(db, fn, arg, &repeat);
    }
    db->wrote = db->wrote || result == TX_UNKNOWN;
    if (repeat || result == TX_UNKNOWN)
        db_note_given_up(db, result == TX_UNKNOWN ? "commit" : "transaction");
    return result;
}

enum db_update db_outcome(enum tx_result result)
{
    switch (result) {
    case TX_DONE:
        return UPDATED;
    case TX_REFUSED:
        return UNCHANGED;
    case TX_BROKEN:
    case TX_UNKNOWN:
        break;
    }
    return DB_ERROR;
}
