#include "store/db_inside.h"

#include <unistd.h>

#include "base/incident.h"
#include "base/metrics.h"
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

bool error_is_refusal(unsigned error)
{
    return error == ER_OPTION_PREVENTS_STATEMENT || error == ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION ||
           error == ER_TABLEACCESS_DENIED_ERROR || error == ER_DBACCESS_DENIED_ERROR ||
           error == ER_OPEN_AS_READONLY || error == ER_BINLOG_STMT_MODE_AND_ROW_ENGINE ||
           error == ER_BINLOG_ROW_MODE_AND_STMT_ENGINE || error == ERR_ENGINE_READ_ONLY ||
           error == ERR_INNODB_READ_ONLY;
}

/* The server's own texts may quote data. */
const char *error_text(unsigned error)
{
    static const struct {
        unsigned error;
        const char *text;
    } texts[] = {
        { ERR_WRITE, "the server cannot write a file, its disk may be full" },
        { CR_CONNECTION_ERROR, "no server listens at the socket" },
        { CR_CONN_HOST_ERROR, "no server listens there" },
        { CR_UNKNOWN_HOST, "host not found" },
        { CR_SERVER_GONE_ERROR, "the server has gone away, or the connection broke" },
        { CR_SERVER_LOST, "the connection broke" },
        { CR_SSL_CONNECTION_ERROR, "TLS cannot be agreed on, or the certificate is not trusted" },
        { ERR_KILLED, "the connection was killed" },
        { ERR_SILENT, "the server has closed a connection that was idle" },
        { ER_CON_COUNT_ERROR, "the server has too many connections" },
        { ER_DBACCESS_DENIED_ERROR, "the user may not use this database" },
        { ER_ACCESS_DENIED_ERROR, "the server does not accept user and password" },
        { ER_ACCESS_DENIED_NO_PASSWORD_ERROR,
          "the server does not accept the user without a password: gateway-setup makes a login with one" },
        { ER_HOST_NOT_PRIVILEGED, "the server takes no connections from this host" },
        { ER_HOST_IS_BLOCKED, "the server has blocked this host after many errors" },
        { ER_BAD_DB_ERROR, "no such database" },
        { ER_NO_SUCH_TABLE, "a table is missing: was schema-migrate run?" },
        { ER_BAD_FIELD_ERROR, "a column is missing: was schema-migrate run?" },
        { ER_TABLEACCESS_DENIED_ERROR, "the user may not do that to a table" },
        { ER_SERVER_SHUTDOWN, "the server shuts down" },
        { ER_OUT_OF_RESOURCES, "the server is out of memory" },
        { ER_TOO_MANY_USER_CONNECTIONS, "the user has too many connections" },
        { ER_USER_LIMIT_REACHED, "the user has reached a limit of the server" },
        { ER_OPTION_PREVENTS_STATEMENT, "the server only allows reading" },
        { ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION, "the transaction only allows reading" },
        { ER_OPEN_AS_READONLY, "the table only allows reading" },
        { ER_BINLOG_STMT_MODE_AND_ROW_ENGINE, "binlog_format must be ROW or MIXED" },
        { ER_BINLOG_ROW_MODE_AND_STMT_ENGINE, "the binary log takes no such writes" },
        { ERR_ENGINE_READ_ONLY, "the server only allows reading" },
        { ERR_INNODB_READ_ONLY, "InnoDB only allows reading" },
        { ER_DISK_FULL, "the server's disk is full" },
        { ER_RECORD_FILE_FULL, "a table is full, or the server's disk is" },
        { ER_ERROR_ON_WRITE, "the server cannot write, its disk may be full" },
        { ER_LOCK_DEADLOCK, "deadlocks, again and again" },
        { ER_LOCK_WAIT_TIMEOUT, "a lock was waited for in vain" },
        { ERR_CHANGED_ROW, "a row was changed by another, again and again" },
        { ERR_NOT_READY, "the node is not ready for its cluster" },
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].error == error)
            return texts[i].text;
    return error == 0 ? "not the server's failure" : "see the server's manual for the number";
}

/* One incident of the server has several numbers, by the moment that it is met: it is told as one. */
static unsigned error_of_incident(unsigned error)
{
    switch (error) {
    case CR_SERVER_LOST:
        return CR_SERVER_GONE_ERROR;
    case ERR_WRITE:
        return ER_ERROR_ON_WRITE;
    default:
        return error;
    }
}

static void failure_tell(unsigned error, const char *what)
{
    unsigned told = error_of_incident(error);
    char about[INCIDENT_ABOUT_MAX + 1];

    (void)snprintf(about, sizeof about, "error=%u", told);
    log_repeated("database_failed", about, "msg=\"database failure\" reason=\"%s\" step=%s", error_text(told),
                 what);
}

enum error_kind { ERROR_CONNECTION, ERROR_CONFLICT, ERROR_LOCK_TIMEOUT, ERROR_OTHER };

const char *const db_error_kinds[] = { "connection", "conflict", "lock_timeout", "other", NULL };

static enum error_kind error_kind_of(unsigned error)
{
    if (error_is_loss(error) || error == ERR_NOT_READY)
        return ERROR_CONNECTION;
    if (error_is_rollback(error))
        return ERROR_CONFLICT;
    return error == ER_LOCK_WAIT_TIMEOUT ? ERROR_LOCK_TIMEOUT : ERROR_OTHER;
}

void db_count_failure(unsigned error)
{
    if (error != ER_DUP_ENTRY)
        metric_add(METRIC("database_errors_total", db_error_kinds[error_kind_of(error)]), 1);
}

void db_note_failure(struct db *db, unsigned error, const char *what)
{
    bool refusal = error_is_refusal(error), stale = refusal && db->since_ms < db->work_ms;

    db->error = error;
    db->moves = stale || (refusal && db->writes && db->conf.count > 1);
    db->refused = db->refused || (refusal && !stale);
    db_count_failure(error);
    if (error != ER_DUP_ENTRY && !error_may_pass(error))
        failure_tell(error, what);
    if (error_is_loss(error) || error == ERR_NOT_READY || error_is_refusal(error))
        db_disconnect(db); /* rights are those of a session's begin, and another server may do */
}

void db_note_given_up(const struct db *db, const char *what)
{
    if (error_may_pass(db->error))
        failure_tell(db->error, what);
}

void db_before_try(unsigned try)
{
    uint32_t chance;

    if (try == 0)
        return;
    rand_bytes(&chance, sizeof chance);
    usleep(chance % (1000U << (try < 5 ? try : 5)));
}
