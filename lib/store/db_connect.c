#include "store/db_inside.h"

#include <errno.h>
#include <unistd.h>

#include "base/cause.h"
#include "base/clock.h"
#include "base/incident.h"
#include "base/log.h"
#include "base/secret_text.h"
#include "service/conf.h"

enum { DEFAULT_PORT = 3306, AWAY_MS = 60 * 1000, TIMEOUT_S = 10 };

struct db *db_new(const struct db_conf *conf)
{
    struct db *db = calloc(1, sizeof *db);

    if (db == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    db->conf = *conf;
    db->timeout_s = TIMEOUT_S;
    return db;
}

void db_set_timeout(struct db *db, unsigned seconds)
{
    db->timeout_s = seconds;
}

/* The first line of a file; NULL with the reason. */
static char *read_password(const char *path, const char **why)
{
    char text[1024], *copy = NULL;

    *why = secret_text_read(text, sizeof text, path);
    if (*why == NULL && *text == '\0')
        *why = "it is empty";
    if (*why == NULL) {
        text[strcspn(text, "\r\n")] = '\0';
        copy = strdup(text);
    }
    explicit_bzero(text, sizeof text);
    return copy;
}

/* "/a/socket", "host", "host:port" or "[address]:port", which is taken apart in place. */
static bool read_server(char *text, struct db_server *out)
{
    char *colon = strrchr(text, ':'), *bracket = strchr(text, ']'), *end;
    unsigned long port = DEFAULT_PORT;

    if (*text == '/') {
        *out = (struct db_server){ .socket = text };
        return true;
    }
    if (colon != NULL && (bracket == NULL || colon == bracket + 1)) {
        port = strtoul(colon + 1, &end, 10);
        if (colon[1] < '0' || colon[1] > '9' || *end != '\0')
            return false;
        *colon = '\0';
    }
    if (bracket != NULL) {
        if (*text++ != '[' || bracket[1] != '\0')
            return false;
        *bracket = '\0';
    }
    *out = (struct db_server){ .host = text, .port = (unsigned)port };
    return *text != '\0' && (bracket != NULL || strchr(text, ':') == NULL) && port > 0 && port <= 65535;
}

/* A list separated by commas; false when an item is malformed, or there are too many. */
static bool read_servers(char *list, struct db_conf *c)
{
    char *next;

    for (char *s = strtok_r(list, ", ", &next); s != NULL; s = strtok_r(NULL, ", ", &next))
        if (c->count == DB_SERVERS_MAX || !read_server(s, &c->servers[c->count++]))
            return false;
    return c->count > 0;
}

/* The settings know these words. */
static enum db_tls tls_of(const char *text)
{
    if (strcmp(text, "off") == 0)
        return DB_TLS_OFF;
    return strcmp(text, "verify") == 0 ? DB_TLS_VERIFY : DB_TLS_PREFER;
}

struct db *db_from_conf(const struct conf *conf)
{
    struct db_conf c = {
        .user = conf->db_user,
        .name = conf->db_name,
        .tls_ca = conf->db_tls_ca,
    };
    const char *why = NULL;
    char *password = conf->db_password_file[0] == '\0' ? NULL : read_password(conf->db_password_file, &why);
    char *list = strdup(conf->db_servers);
    struct db *db;

    if (list == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    if (why != NULL)
        conf_refuse_file(conf, "db_password_file", "a file that can be read, with only the password", why);
    if (!read_servers(list, &c))
        conf_refuse(conf, "db_servers", NULL);
    c.tls = tls_of(conf->db_tls);
    c.password = password;
    db = db_new(&c);
    db->servers = list;
    db->password = password;
    return db;
}

void db_disconnect(struct db *db)
{
    for (size_t i = 0; i < CACHE_SIZE; i++)
        if (db->cache[i] != NULL)
            statement_close(db->cache[i]);
    if (db->handle != NULL)
        mysql_close(db->handle);
    db->handle = NULL; /* an open transaction stays open, and every further statement of it fails */
}

void db_free(struct db *db)
{
    if (db == NULL)
        return;
    db_disconnect(db);
    for (size_t i = 0; i < CACHE_SIZE; i++)
        statement_free(db->cache[i]);
    free(db->servers);
    if (db->password != NULL)
        explicit_bzero(db->password, strlen(db->password));
    free(db->password);
    free(db);
}

/* ---- servers ---- */

enum standing {
    AWAY,   /* no answer, or out of its cluster */
    READS,  /* takes no writes */
    LAGS,   /* in its cluster, but busy: the donor of a state transfer */
    STANDS, /* a single server, or a node in step with its cluster */
};

/* The value of a variable or status, "" when the server does not know it. */
static void read_variable(MYSQL *m, const char *sql, char *out, size_t size)
{
    MYSQL_RES *rows = mysql_query(m, sql) == 0 ? mysql_store_result(m) : NULL;
    MYSQL_ROW row = rows == NULL ? NULL : mysql_fetch_row(rows);

    (void)snprintf(out, size, "%s", row == NULL || row[1] == NULL ? "" : row[1]);
    mysql_free_result(rows);
}

static enum standing read_standing(struct db *db, MYSQL *m)
{
    char on[8], ready[8], component[32], state[32];

    read_variable(m, "SHOW GLOBAL VARIABLES LIKE 'wsrep_on'", on, sizeof on); /* MySQL has none */
    db->cluster = strcmp(on, "ON") == 0;
    (void)snprintf(db->standing, sizeof db->standing, "single");
    if (!db->cluster)
        return STANDS;
    read_variable(m, "SHOW GLOBAL STATUS LIKE 'wsrep_ready'", ready, sizeof ready);
    read_variable(m, "SHOW GLOBAL STATUS LIKE 'wsrep_cluster_status'", component, sizeof component);
    read_variable(m, "SHOW GLOBAL STATUS LIKE 'wsrep_local_state_comment'", state, sizeof state);
    (void)snprintf(db->standing, sizeof db->standing, "%s, %s component", state, component);
    if (strcmp(ready, "ON") != 0 || strcmp(component, "Primary") != 0)
        return AWAY;
    return strcmp(state, "Synced") == 0 ? STANDS : LAGS;
}

/* All that the SQL of lib/store relies on, since a server's settings, init_connect and the next release may
 * say otherwise. Standard statements name what servers have under different names. */
static const char *const session[] = {
    "SET NAMES utf8mb4 COLLATE utf8mb4_bin",
    "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE",
    "SET SESSION autocommit=1, completion_type='NO_CHAIN', time_zone='+00:00', innodb_lock_wait_timeout=5,"
    " sql_mode='STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,ERROR_FOR_DIVISION_BY_ZERO,NO_ZERO_IN_DATE,"
    "NO_ZERO_DATE', default_storage_engine='InnoDB', foreign_key_checks=1, unique_checks=1,"
    " sql_safe_updates=0, sql_auto_is_null=0, sql_big_selects=1, sql_select_limit=18446744073709551615,"
    " div_precision_increment=4, default_week_format=0, lc_time_names='en_US', max_sort_length=1024",
    "ROLLBACK AND NO CHAIN NO RELEASE", /* without autocommit a transaction of the old kind has begun */
};

/* Settings that some servers lack, or some users may not change. */
static const char *const session_where_possible[] = {
    "SET SESSION max_statement_time=0, check_constraint_checks=1, sql_if_exists=0", /* MariaDB */
    "SET SESSION max_execution_time=0",                                             /* MySQL */
    "SET SESSION timestamp=DEFAULT",
};

static bool session_begin(struct db *db, MYSQL *m)
{
    /* Reads, changes, inserts: each begins with all that was committed on any node. */
    static const char session_cluster[] = "SET SESSION wsrep_sync_wait=7, wsrep_dirty_reads=0";

    for (size_t i = 0; i < sizeof session / sizeof session[0]; i++)
        if (mysql_query(m, session[i]) != 0)
            return false;
    for (size_t i = 0; i < sizeof session_where_possible / sizeof session_where_possible[0]; i++)
        (void)mysql_query(m, session_where_possible[i]);
    db->ends_idle = mysql_query(m, "SET SESSION idle_transaction_timeout=10") == 0;
    return !db->cluster || mysql_query(m, session_cluster) == 0;
}

/* Whether rows can be written there: statements that match no row are refused like any other by a server that
 * only allows reading, by rights that are missing, and by a format of the binary log that cannot take them.
 * A schema that is not there yet speaks against nothing. */
static bool server_takes_writes(struct db *db, MYSQL *m)
{
    static const char *const nothing[] = {
        "INSERT INTO db_epochs (host, epoch, at) SELECT host, epoch, at FROM db_epochs WHERE host IS NULL",
        "UPDATE db_epochs SET epoch = epoch WHERE host IS NULL",
        "DELETE FROM db_epochs WHERE host IS NULL",
    };

    db->writes = true;
    for (size_t i = 0; db->writes && i < sizeof nothing / sizeof nothing[0]; i++) {
        if (mysql_query(m, nothing[i]) == 0 || !error_is_refusal(mysql_errno(m)))
            continue;
        db->writes = false;
        (void)snprintf(db->fault, sizeof db->fault, "%s", error_text(mysql_errno(m)));
    }
    return db->writes;
}

static void set_network(MYSQL *m, const struct db_conf *c)
{
    unsigned protocol = MYSQL_PROTOCOL_TCP; /* or "localhost" is a socket */
    my_bool encrypt = c->tls != DB_TLS_OFF, verify = c->tls == DB_TLS_VERIFY;

    mysql_options(m, MYSQL_OPT_PROTOCOL, &protocol);
    mysql_options(m, MYSQL_OPT_SSL_ENFORCE, &encrypt);
    mysql_options(m, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &verify);
    if (verify && c->tls_ca[0] != '\0')
        mysql_options(m, MYSQL_OPT_SSL_CA, c->tls_ca);
}

/* Logs the server that the program cannot connect to, and why; or that it did, and whether it may write
 * there. */
static void server_tell(const struct db *db, const struct db_server *s, bool connected)
{
    char about[INCIDENT_ABOUT_MAX + 1];

    if (s->socket != NULL)
        (void)snprintf(about, sizeof about, "server=%s", s->socket);
    else
        (void)snprintf(about, sizeof about, "server=%s:%u", s->host, s->port);
    if (!connected) {
        log_incident("database_unreachable", about, "msg=\"no database\" reason=\"%s\" user=%s database=%s",
                     db->standing, db->conf.user, db->conf.name);
        return;
    }
    log_incident_over("database_unreachable", about);
    if (db->writes)
        log_incident_over("database_read_only", about);
    else
        log_incident("database_read_only", about,
                     "msg=\"the database takes no writes\" reason=\"%s\" user=%s database=%s", db->fault,
                     db->conf.user, db->conf.name);
}

/* By the library's texts, the last two of which are OpenSSL's. */
static enum cause tls_cause(const char *said)
{
    static const struct {
        const char *part;
        enum cause cause;
    } texts[] = {
        { "Validation of SSL server certificate failed", CAUSE_TLS_NAME },
        { "expired", CAUSE_TLS_EXPIRED },
        { "certificate", CAUSE_TLS_UNTRUSTED },
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strstr(said, texts[i].part) != NULL)
            return texts[i].cause;
    return CAUSE_TLS;
}

/* Why there is no session, in the words for nodes and providers where they fit: the library has one number
 * for several causes, and says which one in its text. Where it does not wait to the end, the connection was
 * refused, or no way leads there. */
static const char *connect_incident(const struct db_server *s, unsigned error, const char *said)
{
    char waited[16];

    if (error == CR_SSL_CONNECTION_ERROR)
        return cause_text(NULL, tls_cause(said));
    if (s->socket != NULL || (error != CR_CONNECTION_ERROR && error != CR_CONN_HOST_ERROR))
        return error_text(error);
    (void)snprintf(waited, sizeof waited, "(%d", ETIMEDOUT);
    return cause_text(NULL, strstr(said, waited) != NULL ? CAUSE_NO_ANSWER : CAUSE_REFUSED);
}

/* A session on that server if it is `wanted` or better, else NULL; *got says how it stands. */
static MYSQL *server_connect(struct db *db, const struct db_server *s, enum standing wanted,
                             enum standing *got)
{
    const struct db_conf *c = &db->conf;
    unsigned timeout = 2, io_timeout = db->timeout_s;
    MYSQL *m = mysql_init(NULL);

    *got = AWAY;
    if (m == NULL)
        return NULL;
    mysql_options(m, MYSQL_OPT_CONNECT_TIMEOUT, &timeout);
    mysql_options(m, MYSQL_OPT_READ_TIMEOUT, &io_timeout);
    mysql_options(m, MYSQL_OPT_WRITE_TIMEOUT, &io_timeout);
    mysql_options(m, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    if (s->socket == NULL)
        set_network(m, c);
    if (mysql_real_connect(m, s->socket ? NULL : s->host, c->user, c->password, c->name, s->port, s->socket,
                           CLIENT_FOUND_ROWS) != NULL) {
        *got = read_standing(db, m);
        if (*got != AWAY && session_begin(db, m)) {
            if (!server_takes_writes(db, m))
                *got = READS;
            server_tell(db, s, true);
            if (*got >= wanted)
                return m;
            mysql_close(m);
            return NULL;
        }
    }
    db->error = mysql_errno(m);
    db_count_failure(CR_SERVER_LOST);
    (void)snprintf(db->fault, sizeof db->fault, "%s", db->error != 0 ? mysql_error(m) : db->standing);
    if (db->error != 0)
        (void)snprintf(db->standing, sizeof db->standing, "error %u: %s", db->error,
                       connect_incident(s, db->error, mysql_error(m)));
    server_tell(db, s, false);
    mysql_close(m);
    return NULL;
}

static bool server_use(struct db *db, unsigned server, enum standing wanted, enum standing *got)
{
    db->handle = server_connect(db, &db->conf.servers[server], wanted, got);
    db->server = server;
    db->since_ms = clock_mono_ms();
    return db->handle != NULL;
}

/* One that lags will do where no other stands, and one that takes no writes where none does. */
static bool server_find(struct db *db)
{
    enum standing got, best = AWAY;
    unsigned second = 0;

    for (unsigned i = 0; i < db->conf.count; i++) {
        if (server_use(db, i, STANDS, &got))
            return true;
        if (got > best) {
            best = got;
            second = i;
        }
    }
    db->refused = best == AWAY;
    return best != AWAY && server_use(db, second, best, &got);
}

bool db_connected(struct db *db)
{
    return db->handle != NULL || (!db->in_tx && server_find(db));
}

bool db_ready(struct db *db)
{
    if (!db_connected(db))
        return false;
    if (mysql_ping(db->handle) == 0 && read_standing(db, db->handle) != AWAY)
        return true;
    db_disconnect(db);
    return server_find(db);
}

bool db_takes_writes(const struct db *db)
{
    struct db *fresh = db_new(&db->conf);
    bool writes = server_find(fresh) && fresh->writes;

    db_free(fresh);
    return writes;
}

unsigned db_server(const struct db *db, const char **standing)
{
    *standing = db->standing;
    return db->handle == NULL ? 0 : db->server + 1;
}

const char *db_fault(const struct db *db)
{
    return db->fault;
}

bool db_in_cluster(const struct db *db)
{
    return db->cluster;
}

void db_pause(struct db *db)
{
    if (db->server != 0 && !db->in_tx && clock_mono_ms() - db->since_ms > AWAY_MS)
        db_disconnect(db);
}

bool db_clock_ms(struct db *db, int64_t *ms)
{
    static const char sql[] = "SELECT UTC_TIMESTAMP(3)";
    struct stmt *st = db_prepare(db, sql);

    if (db_one(st) != LOOKUP_FOUND)
        return false;
    *ms = col_ms(st, 0);
    return true;
}

bool db_is_durable(struct db *db, bool *durable)
{
    static const char sql[] = "SELECT @@GLOBAL.innodb_flush_log_at_trx_commit = 1"
                              " AND (@@GLOBAL.log_bin = 0 OR @@GLOBAL.sync_binlog = 1)";
    struct stmt *st = db_prepare(db, sql);

    if (db_one(st) != LOOKUP_FOUND)
        return false;
    *durable = col_u64(st, 0) != 0;
    return true;
}

const char *db_directory(struct db *db, struct arena *a)
{
    static const char sql[] = "SELECT @@GLOBAL.datadir";
    struct stmt *st = db_prepare(db, sql);

    return db_one(st) == LOOKUP_FOUND && db->conf.servers[db->server].socket != NULL ? col_text(st, 0, a)
                                                                                     : NULL;
}

bool db_is_mysql(struct db *db)
{
    static const char sql[] = "SELECT VERSION() NOT LIKE '%MariaDB%'";
    struct stmt *st = db_prepare(db, sql);

    return db_one(st) == LOOKUP_FOUND && col_u64(st, 0) != 0;
}
