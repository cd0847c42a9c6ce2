#include "store/db_inside.h"

#include <unistd.h>

#include "base/log.h"
#include "codec/rand.h"

bool error_is_loss(unsigned error)
{
    return error == CR_SERVER_GONE_ERROR || error == CR_SERVER_LOST || error == ER_SERVER_SHUTDOWN ||
           error == ERR_KILLED || error == ERR_SILENT;
}

bool error_is_rollback(unsigned error)
{
    return error == ER_LOCK_DEADLOCK || error == ERR_CHANGED_ROW || error == ERR_NOT_READY;
}

bool error_may_pass(unsigned error)
{
    return error_is_rollback(error) || error == ER_LOCK_WAIT_TIMEOUT || error_is_loss(error);
}

/* Server texts may quote data, so only the number is logged. */
void db_note_failure(struct db *db, unsigned error, const char *what)
{
    db->error = error;
    if (error != ER_DUP_ENTRY && !error_may_pass(error))
        log_error("database_failed", "msg=\"database failure\" step=%s error=%u", what, error);
    if (error_is_loss(error) || error == ERR_NOT_READY)
        db_disconnect(db);
}

void db_note_given_up(const struct db *db, const char *what)
{
    if (error_may_pass(db->error))
        log_error("database_failed", "msg=\"database failure\" step=%s error=%u", what, db->error);
}

void db_before_try(unsigned try)
{
    uint32_t chance;

    if (try == 0)
        return;
    rand_bytes(&chance, sizeof chance);
    usleep(chance % (1000U << (try < 5 ? try : 5)));
}
