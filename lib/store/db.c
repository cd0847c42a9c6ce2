#include "store/db.h"

#include <errmsg.h>
#include <mysql.h>
#include <mysqld_error.h>

#include <unistd.h>

#include "base/clock.h"
#include "base/fault.h"
#include "base/log.h"
#include "codec/rand.h"
#include "service/conf.h"

enum {
    CACHE_SIZE = 256, /* statements of one connection; a power of two, never half full */
    MAX_PARAMS = 48,
    MAX_COLUMNS = 48,
    INLINE_BYTES = 168, /* longer values are fetched a second time, into the arena */
    TX_TRIES = 20,
    DEFAULT_PORT = 3306,
    AWAY_MS = 60 * 1000,
};

/* Changed row (MariaDB's snapshot check), "node not ready" (Galera), a killed connection, and one that was
 * silent for too long (MySQL); not all headers have the names. */
enum { ERR_CHANGED_ROW = 1020, ERR_NOT_READY = 1047, ERR_KILLED = 1927, ERR_SILENT = 4031 };

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
    unsigned params;
    unsigned bound;
    unsigned columns;
    MYSQL_BIND in[MAX_PARAMS];
    union value in_values[MAX_PARAMS];
    MYSQL_BIND *out;        /* columns of them */
    struct column *fetched; /* columns of them */
};

struct db {
    struct db_conf conf;
    char *servers;   /* the list that conf leads into; NULL when it is the caller's */
    char *password;  /* likewise */
    MYSQL *handle;   /* NULL: not connected */
    unsigned server; /* which it is connected to */
    int64_t since_ms;
    bool cluster;   /* that one is a node of a cluster */
    bool ends_idle; /* that one ends transactions that stand still: MariaDB */
    char standing[96];
    bool in_tx;
    unsigned error; /* of the last failure; 0 when it was not the server's */
    uint64_t insert_id;
    struct stmt *cache[CACHE_SIZE];
};

struct db *db_new(const struct db_conf *conf)
{
    struct db *db = calloc(1, sizeof *db);

    if (db == NULL)
        log_fatal("msg=\"out of memory\"");
    db->conf = *conf;
    return db;
}

/* The first line of a file. */
static char *read_password(const char *path)
{
    char line[256];
    FILE *f = fopen(path, "re");
    char *copy = NULL;

    if (f != NULL && fgets(line, sizeof line, f) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        copy = strdup(line);
    }
    explicit_bzero(line, sizeof line);
    if (f != NULL)
        (void)fclose(f);
    if (copy == NULL)
        log_fatal("msg=\"cannot read the database password\" file=%s", path);
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

/* A comma list; false when one of it is none, or there are too many. */
static bool read_servers(char *list, struct db_conf *c)
{
    char *next;

    for (char *s = strtok_r(list, ", ", &next); s != NULL; s = strtok_r(NULL, ", ", &next))
        if (c->count == DB_SERVERS_MAX || !read_server(s, &c->servers[c->count++]))
            return false;
    return c->count > 0;
}

static bool read_tls(const char *text, enum db_tls *out)
{
    static const char *const names[] = {
        [DB_TLS_OFF] = "off",
        [DB_TLS_PREFER] = "prefer",
        [DB_TLS_VERIFY] = "verify",
    };

    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        *out = (enum db_tls)i;
        if (strcmp(text, names[i]) == 0)
            return true;
    }
    return false;
}

struct db *db_from_conf(const struct conf *conf)
{
    struct db_conf c = {
        .user = conf->db_user,
        .name = conf->db_name,
        .tls_ca = conf->db_tls_ca,
    };
    char *password = conf->db_password_file[0] == '\0' ? NULL : read_password(conf->db_password_file);
    char *list = strdup(conf->db_servers);
    struct db *db;

    if (list == NULL)
        log_fatal("msg=\"out of memory\"");
    if (!read_servers(list, &c))
        log_fatal("msg=\"not a list of database servers\" name=db_servers value=\"%s\"", conf->db_servers);
    if (!read_tls(conf->db_tls, &c.tls))
        log_fatal("msg=\"neither off nor prefer nor verify\" name=db_tls value=\"%s\"", conf->db_tls);
    c.password = password;
    db = db_new(&c);
    db->servers = list;
    db->password = password;
    return db;
}

static void statement_close(struct stmt *st)
{
    if (st->handle != NULL)
        mysql_stmt_close(st->handle);
    free(st->out);
    free(st->fetched);
    st->handle = NULL;
    st->out = NULL;
    st->fetched = NULL;
}

static void db_disconnect(struct db *db)
{
    for (size_t i = 0; i < CACHE_SIZE; i++)
        if (db->cache[i] != NULL)
            statement_close(db->cache[i]);
    if (db->handle != NULL)
        mysql_close(db->handle);
    db->handle = NULL; /* an open transaction stays one, in which nothing more will do */
}

void db_free(struct db *db)
{
    if (db == NULL)
        return;
    db_disconnect(db);
    for (size_t i = 0; i < CACHE_SIZE; i++)
        free(db->cache[i]);
    free(db->servers);
    if (db->password != NULL)
        explicit_bzero(db->password, strlen(db->password));
    free(db->password);
    free(db);
}

/* Whether what was asked for was done, nobody knows. */
static bool error_is_loss(unsigned error)
{
    return error == CR_SERVER_GONE_ERROR || error == CR_SERVER_LOST || error == ER_SERVER_SHUTDOWN ||
           error == ERR_KILLED || error == ERR_SILENT;
}

/* For certain not done: it can run again by itself, or its transaction as a whole. */
static bool error_is_rollback(unsigned error)
{
    return error == ER_LOCK_DEADLOCK || error == ERR_CHANGED_ROW || error == ERR_NOT_READY;
}

static bool error_may_pass(unsigned error)
{
    return error_is_rollback(error) || error == ER_LOCK_WAIT_TIMEOUT || error_is_loss(error);
}

/* Server texts may quote data, so only the number is logged. */
static void db_note_failure(struct db *db, unsigned error, const char *what)
{
    db->error = error;
    if (error != ER_DUP_ENTRY && !error_may_pass(error))
        log_error("msg=\"database failure\" step=%s error=%u", what, error);
    if (error_is_loss(error) || error == ERR_NOT_READY)
        db_disconnect(db);
}

/* A failure that mostly passes is noted only when it did not. */
static void db_note_given_up(const struct db *db, const char *what)
{
    if (error_may_pass(db->error))
        log_error("msg=\"database failure\" step=%s error=%u", what, db->error);
}

/* Those who collided part again by chance. */
static void db_before_try(unsigned try)
{
    uint32_t chance;

    if (try == 0)
        return;
    rand_bytes(&chance, sizeof chance);
    usleep(chance % (1000U << (try < 5 ? try : 5)));
}

/* ---- servers ---- */

enum standing {
    AWAY,   /* no answer, or out of its cluster */
    LAGS,   /* in its cluster, but busy with it: a donor of a state transfer */
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

static bool session_begin(struct db *db, MYSQL *m)
{
    static const char session[] = "SET SESSION transaction_isolation='READ-COMMITTED', time_zone='+00:00',"
                                  " innodb_lock_wait_timeout=5";
    static const char session_mariadb[] = "SET SESSION tx_isolation='READ-COMMITTED', time_zone='+00:00',"
                                          " innodb_lock_wait_timeout=5";
    /* Reads, changes, inserts: each begins with all that was committed on any node. */
    static const char session_cluster[] = "SET SESSION wsrep_sync_wait=7";

    db->ends_idle = mysql_query(m, "SET SESSION idle_transaction_timeout=10") == 0;
    return (mysql_query(m, session) == 0 || mysql_query(m, session_mariadb) == 0) &&
           (!db->cluster || mysql_query(m, session_cluster) == 0);
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

/* A session on that server if it is `wanted` or better, else NULL; *got says how it stands. */
static MYSQL *server_connect(struct db *db, const struct db_server *s, enum standing wanted,
                             enum standing *got)
{
    const struct db_conf *c = &db->conf;
    unsigned timeout = 2, io_timeout = 10;
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
        if (*got >= wanted && session_begin(db, m))
            return m;
    }
    db->error = mysql_errno(m);
    if (db->error != 0)
        (void)snprintf(db->standing, sizeof db->standing, "error %u", db->error);
    log_error("msg=\"no database\" server=%u reason=\"%s\"", (unsigned)(s - c->servers) + 1, db->standing);
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

/* One that lags will do where no other stands. */
static bool server_find(struct db *db)
{
    enum standing got;
    unsigned lags = db->conf.count;

    for (unsigned i = 0; i < db->conf.count; i++) {
        if (server_use(db, i, STANDS, &got))
            return true;
        if (got == LAGS && lags == db->conf.count)
            lags = i;
    }
    return lags < db->conf.count && server_use(db, lags, LAGS, &got);
}

static bool db_connected(struct db *db)
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

unsigned db_server(const struct db *db, const char **standing)
{
    *standing = db->standing;
    return db->handle == NULL ? 0 : db->server + 1;
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

static struct stmt *statement_cached(struct db *db, const char *sql)
{
    size_t at = ((uintptr_t)sql >> 3) % CACHE_SIZE;

    for (size_t i = 0; i < CACHE_SIZE; i++, at = (at + 1) % CACHE_SIZE) {
        if (db->cache[at] == NULL) {
            db->cache[at] = calloc(1, sizeof(struct stmt));
            if (db->cache[at] == NULL)
                log_fatal("msg=\"out of memory\"");
            db->cache[at]->sql = sql;
            db->cache[at]->db = db;
            return db->cache[at];
        }
        if (db->cache[at]->sql == sql)
            return db->cache[at];
    }
    log_fatal("msg=\"too many statements\"");
}

struct stmt *db_prepare(struct db *db, const char *sql)
{
    struct stmt *st = statement_cached(db, sql);

    st->bound = 0;
    return st;
}

void db_forget(struct stmt *st)
{
    static const char none[] = "";

    statement_close(st);
    st->sql = none;
}

static MYSQL_BIND *bind_next(struct stmt *st, enum enum_field_types type)
{
    MYSQL_BIND *b;

    if (st->bound >= MAX_PARAMS)
        log_fatal("msg=\"too many values bound\"");
    b = &st->in[st->bound];
    memset(b, 0, sizeof *b);
    b->buffer_type = type;
    b->buffer = &st->in_values[st->bound];
    st->bound++;
    return b;
}

void bind_u64(struct stmt *st, uint64_t v)
{
    MYSQL_BIND *b = bind_next(st, MYSQL_TYPE_LONGLONG);

    b->is_unsigned = 1;
    ((union value *)b->buffer)->u = v;
}

void bind_i64(struct stmt *st, int64_t v)
{
    MYSQL_BIND *b = bind_next(st, MYSQL_TYPE_LONGLONG);

    ((union value *)b->buffer)->i = v;
}

void bind_u64_or_null(struct stmt *st, uint64_t v)
{
    if (v != 0)
        bind_u64(st, v);
    else
        (void)bind_next(st, MYSQL_TYPE_NULL);
}

static void bind_range(struct stmt *st, enum enum_field_types type, const void *p, size_t n)
{
    MYSQL_BIND *b = bind_next(st, p == NULL ? MYSQL_TYPE_NULL : type);

    b->buffer = (void *)(uintptr_t)p;
    b->buffer_length = (unsigned long)n;
}

void bind_text(struct stmt *st, const char *s)
{
    bind_range(st, MYSQL_TYPE_STRING, s, s == NULL ? 0 : strlen(s));
}

static bool is_ascii(const char *s)
{
    while (*s != '\0' && (unsigned char)*s < 0x80)
        s++;
    return *s == '\0';
}

void bind_ascii(struct stmt *st, const char *s)
{
    static const char in_no_row[] = "\x7f";

    bind_text(st, s == NULL || is_ascii(s) ? s : in_no_row);
}

void bind_bytes(struct stmt *st, const void *p, size_t n)
{
    bind_range(st, MYSQL_TYPE_BLOB, p, n);
}

void bind_uuid(struct stmt *st, const struct uuid *u)
{
    bind_bytes(st, u->bytes, sizeof u->bytes);
}

void bind_u256(struct stmt *st, const struct u256 *v)
{
    MYSQL_BIND *b = bind_next(st, MYSQL_TYPE_BLOB);

    u256_to_be(((union value *)b->buffer)->bytes, *v);
    b->buffer_length = U256_BYTES;
}

void bind_ms(struct stmt *st, int64_t ms)
{
    time_t seconds = (time_t)(ms / 1000);
    struct tm tm;
    MYSQL_TIME *t;

    if (ms == 0 || gmtime_r(&seconds, &tm) == NULL) {
        (void)bind_next(st, MYSQL_TYPE_NULL);
        return;
    }
    t = &((union value *)bind_next(st, MYSQL_TYPE_DATETIME)->buffer)->time;
    *t = (MYSQL_TIME){ .year = (unsigned)tm.tm_year + 1900,
                       .month = (unsigned)tm.tm_mon + 1,
                       .day = (unsigned)tm.tm_mday,
                       .hour = (unsigned)tm.tm_hour,
                       .minute = (unsigned)tm.tm_min,
                       .second = (unsigned)tm.tm_sec,
                       .second_part = (unsigned long)(ms % 1000) * 1000,
                       .time_type = MYSQL_TIMESTAMP_DATETIME };
}

static void statement_columns(struct stmt *st)
{
    MYSQL_RES *meta = mysql_stmt_result_metadata(st->handle);

    st->columns = 0;
    if (meta == NULL)
        return;
    st->columns = mysql_num_fields(meta);
    if (st->columns > MAX_COLUMNS)
        log_fatal("msg=\"too many columns\"");
    st->out = calloc(st->columns, sizeof *st->out);
    st->fetched = calloc(st->columns, sizeof *st->fetched);
    if (st->out == NULL || st->fetched == NULL)
        log_fatal("msg=\"out of memory\"");
    for (unsigned i = 0; i < st->columns; i++) {
        const MYSQL_FIELD *f = mysql_fetch_field_direct(meta, i);
        MYSQL_BIND *b = &st->out[i];

        b->buffer = &st->fetched[i].value;
        b->length = &st->fetched[i].len;
        b->is_null = &st->fetched[i].null;
        b->error = &st->fetched[i].truncated;
        b->buffer_length = INLINE_BYTES;
        if (IS_NUM(f->type) && f->type != MYSQL_TYPE_TIMESTAMP) {
            b->buffer_type = MYSQL_TYPE_LONGLONG;
            b->is_unsigned = (f->flags & UNSIGNED_FLAG) != 0;
        } else if (f->type == MYSQL_TYPE_DATETIME) {
            b->buffer_type = MYSQL_TYPE_DATETIME;
        } else {
            b->buffer_type = MYSQL_TYPE_BLOB;
        }
    }
    mysql_free_result(meta);
}

static bool statement_prepared(struct stmt *st)
{
    struct db *db = st->db;

    if (!db_connected(db))
        return false;
    if (st->handle != NULL)
        return true;
    st->handle = mysql_stmt_init(db->handle);
    if (st->handle == NULL)
        log_fatal("msg=\"out of memory\"");
    if (mysql_stmt_prepare(st->handle, st->sql, strlen(st->sql)) != 0) {
        unsigned error = mysql_stmt_errno(st->handle);

        statement_close(st);
        db_note_failure(db, error, "prepare");
        return false;
    }
    st->params = (unsigned)mysql_stmt_param_count(st->handle);
    statement_columns(st);
    return true;
}

static bool statement_execute_once(struct stmt *st)
{
    struct db *db = st->db;

    db->error = 0;
    if (!statement_prepared(st))
        return false;
    if (st->params != st->bound)
        log_fatal("msg=\"wrong number of values bound\" want=%u have=%u", st->params, st->bound);
    (void)mysql_stmt_free_result(st->handle);
    if ((st->bound > 0 && mysql_stmt_bind_param(st->handle, st->in) != 0) ||
        mysql_stmt_execute(st->handle) != 0) {
        db_note_failure(db, mysql_stmt_errno(st->handle), "execute");
        return false;
    }
    return true;
}

int64_t db_exec(struct stmt *st)
{
    bool in_tx = st->db->in_tx, done = false;

    for (unsigned try = 0; !done; try++) {
        db_before_try(try);
        done = statement_execute_once(st);
        if (!done && in_tx)
            return -1;
        if (!done && (!error_is_rollback(st->db->error) || try + 1 == TX_TRIES)) {
            db_note_given_up(st->db, "execute");
            return -1;
        }
    }
    st->db->insert_id = mysql_stmt_insert_id(st->handle);
    return (int64_t)mysql_stmt_affected_rows(st->handle);
}

uint64_t db_insert_id(struct db *db)
{
    return db->insert_id;
}

static bool statement_query_once(struct stmt *st)
{
    if (!statement_execute_once(st))
        return false;
    if (mysql_stmt_bind_result(st->handle, st->out) != 0 || mysql_stmt_store_result(st->handle) != 0) {
        db_note_failure(st->db, mysql_stmt_errno(st->handle), "result");
        return false;
    }
    return true;
}

bool db_query(struct stmt *st)
{
    bool in_tx = st->db->in_tx;

    /* A read outside of a transaction may be repeated on a new connection: the old one was idle too long, the
     * server was started again, or its node left the cluster. */
    for (unsigned try = 0; !statement_query_once(st); try++) {
        if (in_tx)
            return false;
        if (!error_may_pass(st->db->error) || try == st->db->conf.count) {
            db_note_given_up(st->db, "query");
            return false;
        }
    }
    return true;
}

bool db_next(struct stmt *st)
{
    int rc;

    if (st->handle == NULL)
        return false;
    rc = mysql_stmt_fetch(st->handle);
    if (rc == 0 || rc == MYSQL_DATA_TRUNCATED)
        return true;
    mysql_stmt_free_result(st->handle);
    return false;
}

enum found db_one(struct stmt *st)
{
    if (!db_query(st))
        return -1;
    /* Further rows are dropped by the statement's next execution. */
    return db_next(st) ? 1 : 0;
}

static struct column *column_at(struct stmt *st, unsigned i)
{
    if (i >= st->columns)
        log_fatal("msg=\"no such column\" column=%u", i);
    return &st->fetched[i];
}

bool col_null(struct stmt *st, unsigned i)
{
    return column_at(st, i)->null != 0;
}

uint64_t col_u64(struct stmt *st, unsigned i)
{
    return col_null(st, i) ? 0 : column_at(st, i)->value.u;
}

int64_t col_i64(struct stmt *st, unsigned i)
{
    return col_null(st, i) ? 0 : column_at(st, i)->value.i;
}

int64_t col_ms(struct stmt *st, unsigned i)
{
    const MYSQL_TIME *t = &column_at(st, i)->value.time;
    struct tm tm = { 0 };

    if (col_null(st, i))
        return 0;
    tm.tm_year = (int)t->year - 1900;
    tm.tm_mon = (int)t->month - 1;
    tm.tm_mday = (int)t->day;
    tm.tm_hour = (int)t->hour;
    tm.tm_min = (int)t->minute;
    tm.tm_sec = (int)t->second;
    return (int64_t)timegm(&tm) * 1000 + (int64_t)t->second_part / 1000;
}

const uint8_t *col_bytes(struct stmt *st, unsigned i, struct arena *a, size_t *n)
{
    struct column *c = column_at(st, i);
    uint8_t *p;

    *n = 0;
    if (c->null)
        return NULL;
    p = arena_alloc(a, c->len + 1); /* terminated, for col_text */
    if (c->len <= INLINE_BYTES) {
        memcpy(p, c->value.bytes, c->len);
    } else {
        MYSQL_BIND b = { .buffer_type = MYSQL_TYPE_BLOB, .buffer = p, .buffer_length = c->len };

        if (mysql_stmt_fetch_column(st->handle, &b, i, 0) != 0)
            log_fatal("msg=\"column not readable\"");
    }
    *n = c->len;
    return p;
}

char *col_text(struct stmt *st, unsigned i, struct arena *a)
{
    size_t n;

    return (char *)(uintptr_t)col_bytes(st, i, a, &n);
}

void col_string(struct stmt *st, unsigned i, char *out, size_t size)
{
    struct column *c = column_at(st, i);
    size_t n = c->null ? 0 : c->len;

    if (n > INLINE_BYTES)
        n = INLINE_BYTES;
    if (n >= size)
        n = size - 1;
    memcpy(out, c->value.bytes, n);
    out[n] = '\0';
}

bool col_fixed(struct stmt *st, unsigned i, void *out, size_t n)
{
    struct column *c = column_at(st, i);

    if (c->null || c->len != n || n > INLINE_BYTES) {
        memset(out, 0, n);
        return false;
    }
    memcpy(out, c->value.bytes, n);
    return true;
}

struct uuid col_uuid(struct stmt *st, unsigned i)
{
    struct uuid u;

    (void)col_fixed(st, i, u.bytes, sizeof u.bytes);
    return u;
}

struct u256 col_u256(struct stmt *st, unsigned i)
{
    uint8_t be[U256_BYTES];

    (void)col_fixed(st, i, be, sizeof be);
    return u256_from_be(be);
}

bool db_duplicate(const struct db *db)
{
    return db->error == ER_DUP_ENTRY;
}

bool db_there_already(const struct db *db)
{
    return db->error == ER_DUP_KEYNAME || db->error == ER_DUP_FIELDNAME;
}

bool db_gone_already(const struct db *db)
{
    return db->error == ER_NO_SUCH_TABLE || db->error == ER_TABLE_EXISTS_ERROR ||
           db->error == ER_BAD_FIELD_ERROR;
}

static bool db_simple(struct db *db, const char *sql)
{
    if (!db_connected(db))
        return false;
    if (mysql_query(db->handle, sql) == 0)
        return true;
    db_note_failure(db, mysql_errno(db->handle), "statement");
    return false;
}

bool db_run(struct db *db, const char *sql)
{
    bool done = db_simple(db, sql);

    for (unsigned try = 1; !done && error_is_rollback(db->error) && try < TX_TRIES; try++) {
        db_before_try(try);
        done = db_simple(db, sql);
    }
    return done;
}

/* As if the connection had broken. */
static bool connection_lose(struct db *db)
{
    db_disconnect(db);
    db->error = CR_SERVER_LOST;
    return false;
}

/* Who stands still inside a transaction must not keep its locks. MySQL has no setting for that alone: its
 * limit for silence is a short one inside of transactions. */
static bool transaction_limit_silence(struct db *db, bool in_tx)
{
    return db->ends_idle ||
           db_simple(db, in_tx ? "SET SESSION wait_timeout=10" : "SET SESSION wait_timeout=DEFAULT");
}

static bool transaction_begin_once(struct db *db)
{
    return db_connected(db) && transaction_limit_silence(db, true) && db_simple(db, "START TRANSACTION");
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
        (mysql_query(db->handle, "ROLLBACK") != 0 || !transaction_limit_silence(db, false)))
        db_disconnect(db);
}

static bool transaction_commit(struct db *db)
{
    if (!db_simple(db, "COMMIT"))
        return false;
    if (!transaction_limit_silence(db, false))
        db_disconnect(db);
    return true;
}

/* One run of fn. *repeat: it failed for a reason that may pass. */
static enum tx_result transaction_once(struct db *db, tx_fn *fn, void *arg, bool *repeat)
{
    enum tx_verdict verdict;

    db->error = 0;
    *repeat = false;
    if (!transaction_begin(db)) {
        *repeat = error_may_pass(db->error);
        return TX_BROKEN;
    }
    verdict = fn(db, arg);
    if (verdict != TX_COMMIT) {
        *repeat = verdict == TX_FAILED && error_may_pass(db->error);
        transaction_rollback(db);
        return verdict == TX_ROLLBACK ? TX_REFUSED : TX_BROKEN;
    }
    db->in_tx = false;
    if (STEP("db.commit", transaction_commit(db), connection_lose(db)))
        return TX_DONE;
    /* Another node's write of the same row was first, or this node had left before. Any other failure may
     * hide that the cluster has the transaction already. */
    *repeat = error_is_rollback(db->error);
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
    if (repeat || result == TX_UNKNOWN)
        db_note_given_up(db, result == TX_UNKNOWN ? "commit" : "transaction");
    return result;
}

int db_outcome(enum tx_result result)
{
    switch (result) {
    case TX_DONE:
        return 1;
    case TX_REFUSED:
        return 0;
    case TX_BROKEN:
    case TX_UNKNOWN:
        break;
    }
    return -1;
}

bool db_clock_ms(struct db *db, int64_t *ms)
{
    static const char sql[] = "SELECT UTC_TIMESTAMP(3)";
    struct stmt *st = db_prepare(db, sql);

    if (db_one(st) != FOUND_ONE)
        return false;
    *ms = col_ms(st, 0);
    return true;
}

bool db_is_durable(struct db *db, bool *durable)
{
    static const char sql[] = "SELECT @@GLOBAL.innodb_flush_log_at_trx_commit = 1"
                              " AND (@@GLOBAL.log_bin = 0 OR @@GLOBAL.sync_binlog = 1)";
    struct stmt *st = db_prepare(db, sql);

    if (db_one(st) != FOUND_ONE)
        return false;
    *durable = col_u64(st, 0) != 0;
    return true;
}
