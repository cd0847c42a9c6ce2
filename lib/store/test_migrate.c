#include <sys/stat.h>
#include <unistd.h>

/* No gateway runs here that would beat meanwhile. */
static unsigned no_sleep(unsigned seconds)
{
    (void)seconds;
    return 0;
}
#define sleep no_sleep

#include "store/migrate.c"

#include "store/test_store.h"

static char dir[64];

/* Another database on the same server, with a connection of its own, which the caller frees. */
static struct db *open_fresh(char *name, size_t size, const char *what)
{
    struct db_conf other = conf;

    (void)snprintf(name, size, "%s_%s", database, what);
    CHECK(RAW("CREATE DATABASE %s CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", name));
    other.name = name;
    return db_new(&other);
}

static void run_files_twice(struct migration *m, const struct migrations *all, unsigned first)
{
    CHECK(make_versions(m->db) && make_versions(m->db) && take_lease(m->db, &m->owner) &&
          read_versions(m->db, &m->at));
    CHECK(m->at.oldest == 0 && m->at.applied == 0);
    for (size_t i = 0; i < all->count; i++) {
        CHECK(all->files[i].number == first + i);
        CHECK(run_file(m, &all->files[i]) && run_file(m, &all->files[i]));
    }
}

static void each_migration_may_run_twice(void)
{
    struct migration m = { .db = db, .reach = MIGRATE_ALL, .owner = uuid_random() };
    struct migrations *all = migrations_read("sql");

    CHECK(migrate_fit(db) == SCHEMA_OLDER && all != NULL);
    CHECK(all->count == SCHEMA_VERSION - SCHEMA_FIRST + 1);
    run_files_twice(&m, all, SCHEMA_FIRST);
    migrations_free(all);
    CHECK(raw("UPDATE schema_version SET lease_until = NULL"));
}

/* Columns, keys and tables of two databases, but for their comments and the order of columns. */
#define COLUMNS                                                                                              \
    "SELECT CONCAT_WS('|', table_name, column_name, column_type, is_nullable, column_default, extra,"        \
    " generation_expression, character_set_name, collation_name) AS t FROM information_schema.columns"       \
    " WHERE table_schema = '%s'"
#define KEYS                                                                                                 \
    "SELECT CONCAT_WS('|', table_name, index_name, non_unique, seq_in_index, column_name, sub_part,"         \
    " index_type) AS t FROM information_schema.statistics WHERE table_schema = '%s'"
#define TABLES                                                                                               \
    "SELECT CONCAT_WS('|', table_name, table_type, engine, table_collation) AS t"                            \
    " FROM information_schema.tables WHERE table_schema = '%s'"
#define CONSTRAINTS                                                                                          \
    "SELECT CONCAT_WS('|', table_name, constraint_name, constraint_type) AS t"                               \
    " FROM information_schema.table_constraints WHERE table_schema = '%s'"
#define ROUTINES                                                                                             \
    "SELECT CONCAT_WS('|', trigger_name, action_statement) AS t FROM information_schema.triggers"            \
    " WHERE trigger_schema = '%1$s' UNION SELECT event_name FROM information_schema.events"                  \
    " WHERE event_schema = '%1$s' UNION SELECT routine_name FROM information_schema.routines"                \
    " WHERE routine_schema = '%1$s'"

/* How many rows one of the queries has of the one database and not of the other; they are written out. */
static int differing(const char *query, const char *one, const char *other)
{
    char *ours = arena_printf(a, query, one);
    char *theirs = arena_printf(a, query, other);
    struct stmt *st = db_prepare(admin, arena_printf(a,
                                                     "SELECT x.t FROM (%s) x LEFT JOIN (%s) y ON y.t = x.t"
                                                     " WHERE y.t IS NULL",
                                                     ours, theirs));
    int n = 0;

    CHECK(db_query(st));
    for (; db_next(st); n++)
        fprintf(stderr, "%s: %s\n", one, col_text(st, 0, a));
    db_forget(st);
    return n;
}

static void compare_schemas(const char *one, const char *other)
{
    static const char *const queries[] = { COLUMNS, KEYS, TABLES, CONSTRAINTS, ROUTINES };

    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++)
        CHECK(differing(queries[i], one, other) == 0 && differing(queries[i], other, one) == 0);
}

/* As by interrupted runs, with each of its migrations done twice; rows that the schema begins with, too. */
static void migrations_from_before_1_0_lead_to_the_same_schema(void)
{
    char name[96];
    struct db *with = open_fresh(name, sizeof name, "before");
    struct migration m = { .db = with, .reach = MIGRATE_ALL, .owner = uuid_random() };
    struct migrations *all = migrations_read("sql");

    CHECK(all != NULL && all->before != NULL && all->before->count > 150);
    run_files_twice(&m, all->before, 1);
    CHECK(set_number(&m, SET_APPLIED, SCHEMA_FIRST));
    compare_schemas(database, name);
    CHECK(NUMBER("SELECT (SELECT COUNT(*) FROM %s.trading_halts) = 1"
                 " AND (SELECT SUM(shard) FROM %s.trading_shards) = (SELECT SUM(shard) FROM trading_shards)",
                 name, name) == 1);
    migrations_free(all);
    db_free(with);
    CHECK(RAW("DROP DATABASE %s", name));
}

/* A Galera cluster needs one. */
static void each_table_has_a_primary_key(void)
{
    CHECK(NUMBER("SELECT COUNT(*) FROM information_schema.tables t LEFT JOIN information_schema.statistics s"
                 " ON s.table_schema = t.table_schema AND s.table_name = t.table_name"
                 " AND s.index_name = 'PRIMARY' AND s.seq_in_index = 1"
                 " WHERE t.table_schema = DATABASE() AND s.table_name IS NULL") == 0);
}

/* Applies the first `n` of the migrations from before 1.0.0. */
static void make_before(struct db *with, unsigned n)
{
    struct migration m = { .db = with, .reach = MIGRATE_ALL, .owner = uuid_random() };
    struct migrations *all = migrations_read("sql");

    CHECK(all != NULL && make_versions(with) && take_lease(with, &m.owner) && read_versions(with, &m.at));
    for (unsigned i = 0; i < n; i++)
        CHECK(run_file(&m, &all->before->files[i]));
    migrations_free(all);
    CHECK(db_run(with, "UPDATE schema_version SET lease_until = NULL"));
}

static void a_database_from_before_1_0_is_taken_over_while_it_is_not_used(void)
{
    char name[96];
    struct db *with = open_fresh(name, sizeof name, "taken");
    struct db_conf user = conf;
    struct db *program;

    user.name = name;
    program = db_new(&user);
    make_before(with, 141);
    CHECK(migrate_fit(with) == SCHEMA_OLDER);
    CHECK(test_store_migrate(with, "sql", MIGRATE_AHEAD) && migrate_fit(with) == SCHEMA_OLDER);
    CHECK(db_ready(program) && !test_store_migrate(with, "sql", MIGRATE_ALL));
    CHECK(NUMBER("SELECT version * 1000 + applied FROM %s.schema_version", name) == 84141);
    db_free(program);
    CHECK(test_store_migrate(with, "sql", MIGRATE_ALL) && migrate_fit(with) == SCHEMA_FITS);
    compare_schemas(database, name);
    db_free(with);
    CHECK(RAW("DROP DATABASE %s", name));
}

static void a_schema_fits_from_the_oldest_to_the_last(void)
{
    CHECK(migrate_fit(db) == SCHEMA_FITS);
    CHECK(test_store_migrate(db, "sql", MIGRATE_ALL) && migrate_fit(db) == SCHEMA_FITS);
    CHECK(NUMBER("SELECT lease_until IS NULL AND applied = %d FROM schema_version", SCHEMA_VERSION) == 1);
    CHECK(raw("UPDATE schema_version SET applied = applied + 2") && migrate_fit(db) == SCHEMA_FITS);
    CHECK(RAW("UPDATE schema_version SET version = %d", SCHEMA_VERSION + 1));
    CHECK(migrate_fit(db) == SCHEMA_NEWER);
    CHECK(RAW("UPDATE schema_version SET version = %d, applied = 0", SCHEMA_FIRST));
    CHECK(migrate_fit(db) == SCHEMA_OLDER);
    CHECK(test_store_migrate(another, "sql", MIGRATE_ALL) && migrate_fit(db) == SCHEMA_FITS);
    CHECK(!test_store_migrate(db, "sql/nowhere", MIGRATE_ALL));
}

static void put_file(const char *name, const char *text)
{
    char path[128];
    FILE *f;

    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    f = fopen(path, "w");
    CHECK(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void drop_files(const char *const *names, size_t n)
{
    char path[128];

    for (size_t i = 0; i < n; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", dir, names[i]);
        CHECK(unlink(path) == 0);
    }
    CHECK(rmdir(dir) == 0);
}

/* The programs of this release, and what later ones do to the schema. */
static void later_schemas_are_lived_with_as_far_as_they_say(void)
{
    static const char *const names[] = { "901_more.sql", "902_other.sql", "903_more.sql" };

    (void)snprintf(dir, sizeof dir, "/tmp/migrate.%d", (int)getpid());
    CHECK(mkdir(dir, 0700) == 0);
    put_file(names[0],
             arena_printf(a, "-- oldest %d\nALTER TABLE agents ADD COLUMN later INT NULL", SCHEMA_VERSION));
    put_file(names[1],
             arena_printf(a, "-- oldest %d\nALTER TABLE agents DROP COLUMN later", SCHEMA_VERSION + 1));
    put_file(names[2], arena_printf(a, "-- oldest %d\nCREATE TABLE later (id INT)", SCHEMA_VERSION));
    CHECK(RAW("UPDATE schema_version SET version = %d, applied = %d", SCHEMA_VERSION, SCHEMA_VERSION));
    CHECK(raw("DELETE FROM db_epochs"));
    CHECK(test_store_migrate(another, dir, MIGRATE_AHEAD) && migrate_fit(db) == SCHEMA_FITS);
    CHECK(NUMBER("SELECT applied FROM schema_version") == 1901);
    /* Gateways may have been replaced since: who runs is known from their beats. */
    CHECK(RAW("INSERT INTO db_epochs (host, epoch, at, programs) VALUES ('another host    ', 1,"
              " UTC_TIMESTAMP(3), %d)",
              SCHEMA_VERSION));
    CHECK(test_store_migrate(another, dir, MIGRATE_AHEAD) &&
          NUMBER("SELECT applied FROM schema_version") == 1901);
    CHECK(raw("UPDATE db_epochs SET programs = programs + 1"));
    CHECK(test_store_migrate(another, dir, MIGRATE_AHEAD) && migrate_fit(db) == SCHEMA_NEWER);
    CHECK(NUMBER("SELECT applied FROM schema_version") == 1903 && raw("DELETE FROM db_epochs"));
    CHECK(RAW("UPDATE schema_version SET version = %d, applied = %d", SCHEMA_VERSION, SCHEMA_VERSION));
    drop_files(names, 3);
}

static void a_file_has_to_say_who_can_live_with_it(void)
{
    static const char *const texts[] = { "CREATE TABLE silent (id INT)",
                                         "-- oldest soon\nCREATE TABLE silent (id INT)" };
    static const char *const name = "901_silent.sql";

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        CHECK(mkdir(dir, 0700) == 0);
        put_file(name, texts[i]);
        CHECK(!test_store_migrate(another, dir, MIGRATE_ALL) && migrate_fit(db) == SCHEMA_FITS);
        drop_files(&name, 1);
    }
    CHECK(NUMBER("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE()"
                 " AND table_name = 'silent'") == 0);
}

STORE_TEST_MAIN_FROM(test_store_empty, TEST(each_migration_may_run_twice),
                     TEST(migrations_from_before_1_0_lead_to_the_same_schema),
                     TEST(each_table_has_a_primary_key),
                     TEST(a_database_from_before_1_0_is_taken_over_while_it_is_not_used),
                     TEST(a_schema_fits_from_the_oldest_to_the_last),
                     TEST(later_schemas_are_lived_with_as_far_as_they_say),
                     TEST(a_file_has_to_say_who_can_live_with_it))
