#include "store/migrate.c"

#include <sys/stat.h>

#include "store/test_store.h"

static char dir[64];

/* Stopped between a file and its number, a file runs again. */
static void each_migration_may_run_twice(void)
{
    struct migration m = { .db = db, .reach = MIGRATE_ALL, .owner = uuid_random() };
    struct migrations *all = migrations_read("sql");

    CHECK(migrate_fit(db) == SCHEMA_OLDER);
    CHECK(make_versions(db) && make_versions(db) && take_lease(db, &m.owner) && read_versions(db, &m.at));
    CHECK(all != NULL && all->count == SCHEMA_VERSION && m.at.oldest == 0 && m.at.applied == 0);
    for (size_t i = 0; i < all->count; i++) {
        CHECK(all->files[i].number == i + 1);
        CHECK(run_file(&m, &all->files[i]) && run_file(&m, &all->files[i]));
    }
    migrations_free(all);
    CHECK(raw("UPDATE schema_version SET lease_until = NULL"));
}

static void a_schema_fits_from_the_oldest_to_the_last(void)
{
    CHECK(migrate_fit(db) == SCHEMA_FITS);
    CHECK(test_store_migrate(db, "sql", MIGRATE_ALL) && migrate_fit(db) == SCHEMA_FITS);
    CHECK(NUMBER("SELECT lease_until IS NULL AND applied = %d FROM schema_version", SCHEMA_VERSION) == 1);
    CHECK(raw("UPDATE schema_version SET applied = applied + 2") && migrate_fit(db) == SCHEMA_FITS);
    CHECK(RAW("UPDATE schema_version SET version = %d", SCHEMA_VERSION + 1));
    CHECK(migrate_fit(db) == SCHEMA_NEWER);
    CHECK(RAW("UPDATE schema_version SET version = 46, applied = %d", SCHEMA_VERSION - 1));
    CHECK(migrate_fit(db) == SCHEMA_OLDER);
    /* with another program running, what it cannot live with is held back */
    CHECK(test_store_migrate(another, "sql", MIGRATE_AHEAD) && migrate_fit(db) == SCHEMA_OLDER);
    CHECK(NUMBER("SELECT version FROM schema_version") == 46);
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
    CHECK(raw("DELETE FROM pulses"));
    CHECK(test_store_migrate(another, dir, MIGRATE_AHEAD) && migrate_fit(db) == SCHEMA_FITS);
    CHECK(NUMBER("SELECT applied FROM schema_version") == 901);
    /* Gateways may have been replaced since: who runs is known from their beats. */
    CHECK(RAW(
        "INSERT INTO pulses (host, beats, at, programs) VALUES ('another host    ', 1, UTC_TIMESTAMP(3), %d)",
        SCHEMA_VERSION));
    CHECK(test_store_migrate(another, dir, MIGRATE_AHEAD) &&
          NUMBER("SELECT applied FROM schema_version") == 901);
    CHECK(raw("UPDATE pulses SET programs = programs + 1"));
    CHECK(test_store_migrate(another, dir, MIGRATE_AHEAD) && migrate_fit(db) == SCHEMA_NEWER);
    CHECK(NUMBER("SELECT applied FROM schema_version") == 903 && raw("DELETE FROM pulses"));
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

/* Programs that ask for one meanwhile do not know the columns of the execution. */
static void approvals_reach_their_executions_in_an_upgrade(void)
{
    struct execution before = new_swap(1, 1), late = new_swap(1, 1), without = new_swap(1, 1);
    const uint64_t asked[] = { before.id, late.id };

    for (unsigned i = 0; i < 2; i++) {
        unsigned file = 80 + i;

        lapsed_approval(1, asked[i]);
        CHECK(RAW("UPDATE schema_version SET version = 78, applied = %u", file));
        CHECK(test_store_migrate(another, "sql", i == 0 ? MIGRATE_AHEAD : MIGRATE_ALL));
        CHECK(NUMBER("SELECT e.approval_id = p.id AND e.approval_expires_at = p.expires_at"
                     " FROM executions e JOIN approvals p ON p.execution_id = e.id WHERE e.id = %d",
                     (int)asked[i]) == 1);
    }
    CHECK(NUMBER("SELECT approval_id IS NULL AND approval_expires_at IS NULL FROM executions WHERE id = %d",
                 (int)without.id) == 1);
}

STORE_TEST_MAIN_FROM(test_store_empty, TEST(each_migration_may_run_twice),
                     TEST(a_schema_fits_from_the_oldest_to_the_last),
                     TEST(later_schemas_are_lived_with_as_far_as_they_say),
                     TEST(a_file_has_to_say_who_can_live_with_it),
                     TEST(approvals_reach_their_executions_in_an_upgrade))
