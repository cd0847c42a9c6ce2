#include "store/db_connect.c"
#include "store/db_transact.c"

#include "store/test_store.h"

/* The variables that a session sets: the value, and the server's default in the test. A server that lacks a
 * variable gets none. */
static const struct {
    const char *name, *other, *want;
} promised[] = {
    { "autocommit", "0", "1" },
    { "completion_type", "'CHAIN'", "NO_CHAIN" },
    { "time_zone", "'+05:00'", "+00:00" },
    { "innodb_lock_wait_timeout", "1", "5" },
    { "sql_mode", "'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT'",
      "STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION" },
    { "default_storage_engine", "'MyISAM'", "InnoDB" },
    { "foreign_key_checks", "0", "1" },
    { "unique_checks", "0", "1" },
    { "sql_safe_updates", "1", "0" },
    { "sql_auto_is_null", "1", "0" },
    { "sql_select_limit", "1", "18446744073709551615" },
    { "sql_big_selects", "0", "1" },
    { "div_precision_increment", "0", "4" },
    { "default_week_format", "3", "0" },
    { "lc_time_names", "'de_DE'", "en_US" },
    { "max_sort_length", "64", "1024" },
    { "max_statement_time", "0.001", "0.000000" },
    { "check_constraint_checks", "0", "1" },
    { "sql_if_exists", "1", "0" },
    { "max_execution_time", "1", "0" },
    { "tx_isolation", "'SERIALIZABLE'", "READ-COMMITTED" },
    { "transaction_isolation", "'SERIALIZABLE'", "READ-COMMITTED" },
    { "tx_read_only", "1", "0" },
    { "transaction_read_only", "1", "0" },
    { "character_set_client", "'latin1'", "utf8mb4" },
    { "character_set_results", "'latin1'", "utf8mb4" },
    { "character_set_connection", "'latin1'", "utf8mb4" },
    { "collation_connection", "'latin1_swedish_ci'", "utf8mb4_bin" },
};
enum { PROMISED = sizeof promised / sizeof promised[0] };

/* The value of a variable of the server, NULL when it has none. */
static char *variable(struct db *of, const char *scope, const char *name)
{
    char *sql = arena_printf(a, "SELECT CAST(@@%s.%s AS CHAR)", scope, name);
    struct stmt *st = db_prepare(of, sql);
    char *value = db_one(st) == LOOKUP_FOUND ? col_text(st, 0, a) : NULL;

    db_forget(st);
    if (value != NULL && (strcmp(value, "ON") == 0 || strcmp(value, "OFF") == 0))
        return strcmp(value, "ON") == 0 ? "1" : "0"; /* as MySQL has them */
    return value;
}

static void sessions_override_the_servers_defaults(void)
{
    const char *before[PROMISED];
    struct db *own = db_new(&conf);
    bool durable = false;
    unsigned told = 0;

    for (size_t i = 0; i < PROMISED; i++) {
        before[i] = variable(admin, "GLOBAL", promised[i].name);
        if (before[i] != NULL)
            told += RAW("SET GLOBAL %s = %s", promised[i].name, promised[i].other);
    }
    CHECK(told > 20);
    for (size_t i = 0; i < PROMISED; i++)
        if (before[i] != NULL)
            CHECK_STR(variable(own, "SESSION", promised[i].name), promised[i].want);
    for (size_t i = 0; i < PROMISED; i++)
        CHECK(before[i] == NULL || RAW("SET GLOBAL %s = %s", promised[i].name, before[i]) ||
              RAW("SET GLOBAL %s = '%s'", promised[i].name, before[i]));
    CHECK(db_is_durable(own, &durable) && durable);
    db_free(own);
}

/* Variables whose defaults do not matter: names, or their beginnings. They concern speed, logs, sizes,
 * functions and engines that are not used, or need privileges to set. */
static const char *const of_no_effect[] = {
    "alter_algorithm",
    "analyze_",
    "aria_",
    "auto_increment_",
    "big_tables",
    "binlog_",
    "character_set_database",
    "character_set_filesystem",
    "character_set_server",
    "collation_database",
    "collation_server",
    "column_compression_",
    "default_regex_flags",
    "default_tmp_storage_engine",
    "enforce_storage_engine",
    "explicit_defaults_for_timestamp",
    "gtid_",
    "histogram_type",
    "idle_",
    "innodb_compression_default",
    "innodb_ft_",
    "innodb_snapshot_isolation",
    "innodb_strict_mode",
    "innodb_table_locks",
    "innodb_tmpdir",
    "keep_files_on_create",
    "lc_messages",
    "log_",
    "low_priority_updates",
    "myisam_",
    "note_verbosity",
    "old",
    "optimizer_",
    "profiling",
    "query_cache_",
    "session_track_",
    "slow_query_log",
    "sql_buffer_result",
    "sql_log_bin",
    "sql_log_off",
    "sql_notes",
    "sql_quote_show_create",
    "sql_warnings",
    "standard_compliant_cte",
    "storage_engine",
    "system_versioning_",
    "tcp_nodelay",
    "thread_pool_",
    "updatable_views_with_limit",
    "use_stat_tables",
    "wsrep_",
};

static bool is_judged(const char *name)
{
    for (size_t i = 0; i < PROMISED; i++)
        if (strcmp(name, promised[i].name) == 0)
            return true;
    for (size_t i = 0; i < sizeof of_no_effect / sizeof of_no_effect[0]; i++)
        if (strncmp(name, of_no_effect[i], strlen(of_no_effect[i])) == 0)
            return true;
    return false;
}

static void no_variable_of_sessions_is_left_unjudged(void)
{
    static const char sql[] =
        "SELECT LOWER(VARIABLE_NAME) FROM information_schema.SYSTEM_VARIABLES WHERE VARIABLE_SCOPE = 'SESSION'"
        " AND READ_ONLY = 'NO' AND VARIABLE_TYPE IN ('BOOLEAN', 'ENUM', 'SET', 'FLAGSET', 'VARCHAR')";
    struct stmt *st;

    if (db_is_mysql(db))
        return; /* it does not tell types */
    st = db_prepare(db, sql);
    CHECK(db_query(st));
    while (db_next(st)) {
        const char *name = col_text(st, 0, a);

        if (!is_judged(name))
            fprintf(stderr, "%s is neither set nor known to have no effect\n", name);
        CHECK(is_judged(name));
    }
}

static bool write_one(struct db *on)
{
    static const char sql[] = "INSERT INTO db_epochs (host, epoch, at) VALUES (?, 1, UTC_TIMESTAMP(3))";
    struct stmt *st = db_prepare(on, sql);
    struct uuid id = uuid_random();

    bind_uuid(st, &id);
    return db_exec(st) == 1;
}

static enum tx_verdict write_in_transaction(struct db *on, void *arg)
{
    (void)arg;
    return write_one(on) ? TX_COMMIT : TX_FAILED;
}

static void a_server_that_takes_no_writes_is_known(void)
{
    struct db_conf of_user = conf;
    struct db *own;

    of_user.user = arena_printf(a, "w%d", (int)getpid());
    CHECK(RAW("CREATE USER %s@localhost", of_user.user) &&
          RAW("GRANT SELECT, INSERT, UPDATE, DELETE ON %s.* TO %s@localhost", database, of_user.user));
    own = db_new(&of_user);
    CHECK(db_takes_writes(own) && write_one(own));

    CHECK(raw("SET GLOBAL read_only = 1"));
    db_work_begin(own);
    CHECK(!db_refuses(own) && !db_takes_writes(own));
    CHECK(!write_one(own) && db_refuses(own));
    CHECK(db_transact(own, write_in_transaction, NULL) == TX_BROKEN && db_refuses(own));
    CHECK(db_ready(own)); /* it reads */
    CHECK(raw("SET GLOBAL read_only = 0"));
    CHECK(db_takes_writes(own) && write_one(own) && !db_refuses(own));

    for (size_t i = 0; i < 3; i++) {
        static const char *const rights[] = { "INSERT", "UPDATE", "DELETE" };

        CHECK(RAW("REVOKE %s ON %s.* FROM %s@localhost", rights[i], database, of_user.user));
        CHECK(!db_takes_writes(own));
        CHECK(RAW("GRANT %s ON %s.* TO %s@localhost", rights[i], database, of_user.user));
        CHECK(db_takes_writes(own) && write_one(own));
    }
    db_free(own);
    CHECK(RAW("DROP USER %s@localhost", of_user.user));
}

/* Seconds after which the server ends who says nothing. */
static long long silence_limit(void)
{
    char limit[32];

    read_variable(db->handle,
                  "SHOW SESSION VARIABLES WHERE Variable_name IN ('wait_timeout', 'idle_transaction_timeout')"
                  " AND Value BETWEEN 1 AND 60",
                  limit, sizeof limit);
    return strtoll(limit, NULL, 10);
}

static enum tx_verdict limit_read(struct db *d, void *arg)
{
    (void)d;
    *(long long *)arg = silence_limit();
    return TX_COMMIT;
}

static void idle_transactions_are_ended(void)
{
    long long inside = 0;

    CHECK(db_transact(db, limit_read, &inside) == TX_DONE && inside == 10);
    CHECK(db->ends_idle || silence_limit() == 0);
}

static const char BUMP[] = "UPDATE agents SET total_requests = total_requests + 1 WHERE id = ?";

static bool bump(struct db *on, uint64_t id)
{
    struct stmt *st = db_prepare(on, BUMP);

    bind_u64(st, id);
    return db_exec(st) == 1;
}

struct work {
    uint64_t first, second; /* agents */
    int told, tell;         /* pipes: each side waits until the other holds its first row */
    unsigned runs;
    enum tx_verdict verdict;
};

static enum tx_verdict one_then_the_other(struct db *on, void *arg)
{
    struct work *w = arg;
    char byte = 0;

    w->runs++;
    if (!bump(on, w->first))
        return TX_FAILED;
    if (w->runs == 1 && w->tell >= 0 && (write(w->tell, &byte, 1) != 1 || read(w->told, &byte, 1) != 1))
        return TX_ROLLBACK;
    return bump(on, w->second) ? w->verdict : TX_FAILED;
}

static void deadlocks_run_again(void)
{
    struct agent x = new_agent(NULL), y = new_agent(NULL);
    uint8_t n = agents_made;
    int to_child[2], to_parent[2], status;
    struct work w = { x.id, y.id, -1, -1, 0, TX_COMMIT };
    pid_t pid;

    CHECK(pipe(to_child) == 0 && pipe(to_parent) == 0);
    pid = fork();
    if (pid == 0) {
        struct db *own = db_new(&conf);
        struct work other = { y.id, x.id, to_child[0], to_parent[1], 0, TX_COMMIT };

        _exit(db_transact(own, one_then_the_other, &other) == TX_DONE ? (int)other.runs : 99);
    }
    w.told = to_parent[0];
    w.tell = to_child[1];
    CHECK(pid > 0 && db_transact(db, one_then_the_other, &w) == TX_DONE);
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    CHECK(w.runs + (unsigned)WEXITSTATUS(status) == 3); /* one of the two was the victim */
    CHECK(reread(&x, (uint8_t)(n - 1)).total_requests == 2 && reread(&y, n).total_requests == 2);
    for (int i = 0; i < 2; i++) {
        close(to_child[i]);
        close(to_parent[i]);
    }
}

static void refused_transactions_write_nothing(void)
{
    struct agent x = new_agent(NULL);
    struct work w = { x.id, x.id, -1, -1, 0, TX_ROLLBACK };

    CHECK(db_transact(db, one_then_the_other, &w) == TX_REFUSED && w.runs == 1);
    w.second = 999999; /* fails for a reason that will not pass: once is enough */
    CHECK(db_transact(db, one_then_the_other, &w) == TX_BROKEN && w.runs == 2);
    CHECK(reread(&x, agents_made).total_requests == 0);
}

static void cut_the_connection(void)
{
    CHECK(RAW("KILL %lu", mysql_thread_id(db->handle)));
}

static enum tx_verdict cut_once(struct db *on, void *arg)
{
    struct work *w = arg;

    w->runs++;
    if (!bump(on, w->first))
        return TX_FAILED;
    if (w->runs == 1)
        cut_the_connection();
    return bump(on, w->first) ? TX_COMMIT : TX_FAILED;
}

static void lost_connections_are_made_again(void)
{
    struct agent x = new_agent(NULL);
    struct work w = { x.id, x.id, -1, -1, 0, TX_COMMIT };
    uint8_t n = agents_made;

    cut_the_connection();
    CHECK(reread(&x, n).total_requests == 0); /* a read runs again by itself */
    cut_the_connection();
    CHECK(db_transact(db, one_then_the_other, &w) == TX_DONE); /* so does what has not begun */
    CHECK(reread(&x, n).total_requests == 2);
    w.runs = 0;
    CHECK(db_transact(db, cut_once, &w) == TX_DONE && w.runs == 2); /* and what was cut in the middle */
    CHECK(reread(&x, n).total_requests == 4);
    cut_the_connection();
    CHECK(db_ready(db));
}

static void servers_are_read_from_a_list(void)
{
    static const struct {
        const char *text;
        const char *socket, *host;
        unsigned port;
    } cases[] = {
        { "/run/mysqld/mysqld.sock", "/run/mysqld/mysqld.sock", NULL, 0 },
        { "db.example.com", NULL, "db.example.com", 3306 },
        { "10.0.0.2:3307", NULL, "10.0.0.2", 3307 },
        { "[fd00::2]", NULL, "fd00::2", 3306 },
        { "[fd00::2]:3307", NULL, "fd00::2", 3307 },
    };
    static const char *const wrong[] = { "db:",     "db:0",     "db:65536", "db:x",
                                         "fd00::2", "[fd00::2", "[a]b",     ":3306" };
    struct db_server s;
    struct db_conf all = { .count = 0 };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK(read_server(arena_strdup(a, cases[i].text), &s));
        CHECK(s.port == cases[i].port);
        CHECK_STR(s.socket == NULL ? s.host : s.socket,
                  cases[i].socket == NULL ? cases[i].host : cases[i].socket);
        CHECK((s.socket == NULL) == (cases[i].socket == NULL));
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK(!read_server(arena_strdup(a, wrong[i]), &s));
    CHECK(read_servers(arena_strdup(a, "/a, b:1,[::1]"), &all) && all.count == 3);
    all.count = 0;
    CHECK(!read_servers(arena_strdup(a, " , "), &all));
    CHECK(!read_servers(arena_strdup(a, "1,2,3,4,5,6,7,8,9"), &all));
}

static void the_next_server_is_used_when_one_is_away(void)
{
    struct db_conf list = conf;
    struct db *own;
    const char *standing;

    list.servers[1] = list.servers[0];
    list.servers[0] = (struct db_server){ .socket = "/tmp/test_store.no-such-socket" };
    list.count = 2;
    own = db_new(&list);
    CHECK(db_server(own, &standing) == 0);
    CHECK(db_ready(own) && db_server(own, &standing) == 2);
    db_pause(own);
    CHECK(own->handle != NULL); /* for a minute */
    own->since_ms -= AWAY_MS + 1;
    db_pause(own);
    CHECK(own->handle == NULL && db_ready(own) && db_server(own, &standing) == 2);
    db_free(own);
}

static void nothing_is_done_outside_of_a_transaction_that_broke(void)
{
    CHECK(transaction_begin(db));
    db_disconnect(db);
    CHECK(!db_run(db, "SELECT 1"));
    transaction_rollback(db);
    CHECK(db_run(db, "DO 1"));
}

/* A worker comes by more statements in its life than a connection keeps prepared. */
static void statements_beyond_the_cache_replace_the_oldest(void)
{
    enum { MANY = 3 * CACHE_SIZE };
    static char texts[MANY][32];
    struct stmt *outer = db_prepare(db, "SELECT 7 UNION SELECT 8");

    for (int i = 0; i < MANY; i++)
        (void)snprintf(texts[i], sizeof texts[i], "SELECT %d + ?", i);
    CHECK(db_query(outer) && db_next(outer) && col_u64(outer, 0) == 7);
    for (int i = 0; i < CACHE_SIZE - 1; i++) {
        struct stmt *st = db_prepare(db, texts[i]);

        bind_u64(st, 1);
        CHECK(db_one(st) == LOOKUP_FOUND && col_u64(st, 0) == (uint64_t)i + 1);
    }
    CHECK(db_next(outer) && col_u64(outer, 0) == 8 && !db_next(outer)); /* the caller had not done with it */
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < MANY; i++) {
            struct stmt *st = db_prepare(db, texts[i]);

            bind_u64(st, (uint64_t)round);
            CHECK(db_one(st) == LOOKUP_FOUND && col_u64(st, 0) == (uint64_t)(i + round));
        }
}

static void no_server_is_no_crash(void)
{
    struct db_conf nowhere = { .servers = { { .socket = "/tmp/test_store.no-such-socket" } },
                               .count = 1,
                               .user = "root",
                               .name = database };
    struct db *none = db_new(&nowhere);
    struct work w = { 1, 1, -1, -1, 0, TX_COMMIT };
    uint8_t hash[HASH_LEN] = { 0 };
    struct agent agent;

    CHECK(!db_ready(none) && agents_by_key(none, a, hash, &agent) == LOOKUP_ERROR);
    CHECK(db_transact(none, one_then_the_other, &w) == TX_BROKEN && w.runs == 0);
    CHECK(migrate_fit(none) == SCHEMA_UNKNOWN);
    db_free(none);
}

STORE_TEST_MAIN(TEST(sessions_override_the_servers_defaults), TEST(no_variable_of_sessions_is_left_unjudged),
                TEST(a_server_that_takes_no_writes_is_known), TEST(idle_transactions_are_ended),
                TEST(deadlocks_run_again), TEST(refused_transactions_write_nothing),
                TEST(lost_connections_are_made_again), TEST(servers_are_read_from_a_list),
                TEST(the_next_server_is_used_when_one_is_away),
                TEST(nothing_is_done_outside_of_a_transaction_that_broke),
                TEST(statements_beyond_the_cache_replace_the_oldest), TEST(no_server_is_no_crash))
