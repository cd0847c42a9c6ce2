/* The database connection: MySQL or MariaDB over prepared statements. The SQL is in lib/store alone;
 * other folders see verbs. One connection per process, made at the first use and made again when it is lost;
 * its session is READ COMMITTED and UTC, and sets all else that the SQL relies on. Statements are cached per
 * connection by the address of their text, so pass constants.
 *
 * In a Galera cluster a transaction may read behind other hosts' commits only within itself: it, and each
 * statement outside of one, begins when the node has applied all that was committed anywhere before. Row
 * locks hold on one node alone; between nodes only two writes of one row conflict, and the later commit is
 * run again. A lock that keeps another transaction out must therefore go with a write of the locked row.
 *
 * Throughout lib/store a poll-up returns enum lookup. A change that something may stand against returns enum
 * done, and its comment says what. When the database failed, a count is -1 and a bool false. */
#ifndef STORE_DB_H
#define STORE_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/db_update.h"
#include "base/lookup.h"
#include "codec/u256.h"
#include "codec/uuid.h"

struct conf;
struct db;
struct stmt;

enum { DB_SERVERS_MAX = 8 };

struct db_server {
    const char *socket; /* or NULL and host, port */
    const char *host;
    unsigned port;
};

/* TLS to servers on hosts; a socket needs none. */
enum db_tls {
    DB_TLS_OFF,
    DB_TLS_PREFER, /* where the server offers it, with any certificate */
    DB_TLS_VERIFY, /* always, and only with the host that the certificate names */
};

struct db_conf {
    struct db_server servers[DB_SERVERS_MAX]; /* tried in this order: nodes of one cluster */
    unsigned count;
    const char *user;
    const char *password; /* NULL when none */
    const char *name;
    enum db_tls tls;
    const char *tls_ca; /* file of authorities, "" for the system's */
};

struct db *db_new(const struct db_conf *conf); /* its texts must outlive the connection; connects later */
/* A connection by the settings. Refuses settings (service/conf.h): a password file that cannot be read, a
 * wrong list of servers. */
struct db *db_from_conf(const struct conf *conf);
void db_free(struct db *db);
/* For the connections that it makes from now on: how long the server may take for an answer, instead of 10 s.
 */
void db_set_timeout(struct db *db, unsigned seconds);
/* Connects when needed and asks the server for a sign of life; a cluster's node that does not take part is
 * left for the next one. */
bool db_ready(struct db *db);
/* Whether a session that begins now may write on one of the servers. */
bool db_takes_writes(const struct db *db);
/* Before a piece of work; and whether a write of it was refused, or no server found, and nothing was written.
 */
void db_work_begin(struct db *db);
bool db_refuses(const struct db *db);
/* Which of the servers it is connected to, from 1, and how it stands: "single", or a cluster node's state.
 * With 0, why none will do. The text lives until the next statement. */
unsigned db_server(const struct db *db, const char **standing);
/* Why the last server that was tried would not do, in words that name server and user; "" when none was
 * tried. */
const char *db_fault(const struct db *db);
/* Whether commits of other nodes come in next to this one's. */
bool db_in_cluster(const struct db *db);
/* Between two pieces of work: after a minute away from the first server, the next one tries it again. */
void db_pause(struct db *db);

/* The next execution of a statement: bind the values in order, then db_exec or db_query. Never NULL: a
 * failure is kept and comes back from there. */
struct stmt *db_prepare(struct db *db, const char *sql);
/* Before a text that is no constant is freed. */
void db_forget(struct stmt *st);
void bind_u64(struct stmt *st, uint64_t v);
void bind_i64(struct stmt *st, int64_t v);
void bind_u64_or_null(struct stmt *st, uint64_t v); /* 0 is NULL */
void bind_text(struct stmt *st, const char *s);     /* NULL is NULL; must live until execution */
/* A text to look for in a column of ASCII. MySQL refuses to compare one with other characters: it finds
 * nothing. */
void bind_ascii(struct stmt *st, const char *s);
void bind_bytes(struct stmt *st, const void *p, size_t n); /* p NULL is NULL; must live until execution */
void bind_uuid(struct stmt *st, const struct uuid *u);
void bind_u256(struct stmt *st, const struct u256 *v); /* BINARY(32), big-endian */
void bind_ms(struct stmt *st, int64_t ms);             /* DATETIME(3) in UTC; 0 is NULL */

/* Affected rows, or -1 when the database failed. For UPDATE: rows changed or matched (CLIENT_FOUND_ROWS is
 * set). */
int64_t db_exec(struct stmt *st);
/* The same, of a change that something may stand against: UNCHANGED when no row is affected. */
enum db_update db_change(struct stmt *st);
uint64_t db_insert_id(struct db *db);

/* false when the database failed; then read rows until db_next is false. The result is buffered. */
bool db_query(struct stmt *st);
bool db_next(struct stmt *st);
/* Runs a query of which one row is wanted and reads it. */
enum lookup db_one(struct stmt *st);
/* Columns of the current row, from 0. Texts and bytes are copied into the arena; NULL becomes NULL or 0. */
uint64_t col_u64(struct stmt *st, unsigned i);
int64_t col_i64(struct stmt *st, unsigned i);
char *col_text(struct stmt *st, unsigned i, struct arena *a);
const uint8_t *col_bytes(struct stmt *st, unsigned i, struct arena *a, size_t *n);
void col_string(struct stmt *st, unsigned i, char *out, size_t size); /* cut to size - 1; NULL becomes "" */
bool col_fixed(struct stmt *st, unsigned i, void *out, size_t n); /* exactly n bytes, else false and zeros */
/* At most n bytes, and how many; 0, and nothing written, for NULL and for more. */
size_t col_within(struct stmt *st, unsigned i, void *out, size_t n);
struct uuid col_uuid(struct stmt *st, unsigned i);
struct u256 col_u256(struct stmt *st, unsigned i);
int64_t col_ms(struct stmt *st, unsigned i); /* DATETIME(3) in UTC, milliseconds since 1970 */
bool col_null(struct stmt *st, unsigned i);

/* A statement without values that is not kept, such as a file of the schema. */
bool db_run(struct db *db, const char *sql);

/* A unit of work that can run again from its start: on deadlock or conflict between nodes, lock time-out,
 * changed row, lost connection and a node that left its cluster it is rolled back and run again, where need
 * be on another server. `fn` must reset what it fills. A statement outside of one is run again by itself. */
enum tx_verdict {
    TX_COMMIT,   /* all well */
    TX_ROLLBACK, /* decided against it: nothing is written */
    TX_FAILED,   /* a statement failed: again, when the fault is one that may pass */
};
typedef enum tx_verdict tx_fn(struct db *db, void *arg);

enum tx_result {
    TX_DONE,
    TX_REFUSED, /* fn rolled back */
    TX_BROKEN,  /* the database failed; nothing was written */
    TX_UNKNOWN, /* the connection or the node died during COMMIT: look up what is recorded */
};
MUST_CHECK enum tx_result db_transact(struct db *db, tx_fn *fn, void *arg);
/* For callers that poll nothing up: UNCHANGED when fn rolled back. */
enum db_update db_outcome(enum tx_result result);

/* Whether the last failure was a unique key. */
bool db_duplicate(const struct db *db);

/* Whether it was that the column or key to be added is there already. */
bool db_there_already(const struct db *db);
/* Whether it was that the table or column to be renamed or dropped is not there, or not any more. */
bool db_gone_already(const struct db *db);

/* The clock by which rows are stamped, milliseconds since 1970: one for all hosts. */
bool db_clock_ms(struct db *db, int64_t *ms);

/* The labels by which failures are counted, "database_errors_total"; NULL ends the list. */
extern const char *const db_error_kinds[];

/* Durable by the server's settings: what is acknowledged survives a crash. */
bool db_is_durable(struct db *db, bool *durable);
/* The server's data directory, if it is on this host; else NULL. */
const char *db_directory(struct db *db, struct arena *a);
/* Whether the server is MySQL; else it is MariaDB, or does not say. */
bool db_is_mysql(struct db *db);

#endif
