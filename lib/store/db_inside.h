/* The insides of the database connection, which db_*.c share. */
#ifndef STORE_DB_INSIDE_H
#define STORE_DB_INSIDE_H

#include <errmsg.h>
#include <mysql.h>
#include <mysqld_error.h>

#include "store/db.h"

enum {
    /* Statements that a connection keeps prepared. A server has some 16,000 in all (max_prepared_stmt_count).
     */
    CACHE_SIZE = 160,
    MAX_COLUMNS = 48,
    INLINE_BYTES = 168, /* longer values are fetched a second time, into the arena */
    TX_TRIES = 20,
};

/* Changed row (MariaDB's snapshot check), "node not ready" (Galera), a killed connection, one that was
 * silent for too long (MySQL), a key that is not there, and engines that only read; not all headers have the
 * names.
 * What the server's library of system calls says has numbers of its own: a write failed. */
enum {
    ERR_WRITE = 3,
    ERR_CHANGED_ROW = 1020,
    ERR_NOT_READY = 1047,
    ERR_KILLED = 1927,
    ERR_SILENT = 4031,
    ERR_NO_SUCH_KEY = 1176,
    ERR_ENGINE_READ_ONLY = 1836,
    ERR_INNODB_READ_ONLY = 1874,
};

union value {
    uint64_t u;
    int64_t i;
    MYSQL_TIME time;
    uint8_t bytes[INLINE_BYTES];
};

struct column {
    union value value;
    unsigned long len;
    my_bool null;
    my_bool truncated;
};

struct stmt {
    const char *sql; /* NULL: free place */
    struct db *db;
    MYSQL_STMT *handle; /* NULL: not prepared on this connection */
    uint64_t used;      /* when it was last wanted, by the connection's count */
    unsigned params;
    unsigned bound;
    unsigned columns;
    unsigned places;        /* for values: as many as the text has question marks */
    MYSQL_BIND *in;         /* places of them */
    union value *in_values; /* places of them */
    MYSQL_BIND *out;        /* columns of them */
    struct column *fetched; /* columns of them */
};

struct db {
    struct db_conf conf;
    char *servers;   /* the list that conf leads into; NULL when it is the caller's */
    char *password;  /* of the settings; NULL when it is the caller's */
    MYSQL *handle;   /* NULL: not connected */
    unsigned server; /* which it is connected to */
    int64_t since_ms;
    unsigned timeout_s;
    bool cluster;    /* that one is a node of a cluster */
    bool ends_idle;  /* that one ends transactions that stand still: MariaDB */
    bool writes;     /* that one took writes when it was connected to */
    bool moves;      /* the last failure was a refusal, and a new session or another server may do */
    int64_t work_ms; /* when db_work_begin was called: a session from before may not know what holds now */
    bool refused, wrote; /* since db_work_begin */
    char standing[96];
    char fault[256]; /* db_fault */
    bool in_tx;
    unsigned error; /* of the last failure; 0 when it was not the server's */
    uint64_t insert_id;
    struct stmt *cache[CACHE_SIZE];
    uint64_t uses;
};

/* ---- db_connect.c ---- */

/* Connects when needed, but not inside of a transaction, of which nothing more would do. */
bool db_connected(struct db *db);
void db_disconnect(struct db *db);

/* ---- db_retry.c: which failures mostly pass ---- */

/* In words, for the log. */
const char *error_text(unsigned error);
/* It is unknown whether the statement took effect. */
bool error_is_loss(unsigned error);
/* For certain not done: it can run again by itself, or its transaction as a whole. */
bool error_is_rollback(unsigned error);
bool error_may_pass(unsigned error);
/* The server takes no writes, or not from us: nothing was written. */
bool error_is_refusal(unsigned error);
/* For monitors. A duplicate key is an answer like any other. */
void db_count_failure(unsigned error);
/* Keeps it, and leaves a connection that is of no more use. */
void db_note_failure(struct db *db, unsigned error, const char *what);
/* A failure that mostly passes is noted only when it did not. */
void db_note_given_up(const struct db *db, const char *what);
/* Those who collided part again by chance. */
void db_before_try(unsigned try);

/* ---- db_statement.c ---- */

/* Forgets what belongs to the connection. */
void statement_close(struct stmt *st);
void statement_free(struct stmt *st); /* NULL is nothing */
/* A statement without values, once. */
bool db_simple(struct db *db, const char *sql);

#endif
