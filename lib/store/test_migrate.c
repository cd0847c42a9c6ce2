#include "store/migrate.c"

#include "store/test_store.h"

static int by_name(const struct dirent **x, const struct dirent **y)
{
    return strcmp((*x)->d_name, (*y)->d_name);
}

/* Stopped between a file and its number, a file runs again. */
static void each_migration_may_run_twice(void)
{
    struct migration m = { .db = db, .dir = "sql", .owner = uuid_random() };
    struct dirent **files;
    int n = scandir("sql", &files, NULL, by_name);
    bool held;

    CHECK(migrate_fit(db) == SCHEMA_OLDER);
    CHECK(make_versions(db) && make_versions(db) && take_lease(db, &m.owner) && read_versions(db, &m.at));
    CHECK(n > SCHEMA_VERSION && m.at.oldest == 0 && m.at.applied == 0);
    for (int i = 0; i < n; i++) {
        const char *name = files[i]->d_name;

        if (file_number(name) > 0)
            CHECK(apply_file(&m, name, MIGRATE_ALL, &held) && apply_file(&m, name, MIGRATE_ALL, &held));
        free(files[i]);
    }
    free(files);
    CHECK(raw("UPDATE schema_version SET lease_until = NULL"));
}

static void a_schema_fits_from_the_oldest_to_the_last(void)
{
    CHECK(migrate_fit(db) == SCHEMA_FITS);
    CHECK(migrate_apply(db, "sql", MIGRATE_ALL) && migrate_fit(db) == SCHEMA_FITS);
    CHECK(NUMBER("SELECT lease_until IS NULL AND applied = %d FROM schema_version", SCHEMA_VERSION) == 1);
    CHECK(raw("UPDATE schema_version SET applied = applied + 2") && migrate_fit(db) == SCHEMA_FITS);
    CHECK(RAW("UPDATE schema_version SET version = %d", SCHEMA_VERSION + 1));
    CHECK(migrate_fit(db) == SCHEMA_NEWER);
    CHECK(RAW("UPDATE schema_version SET version = 46, applied = %d", SCHEMA_VERSION - 1));
    CHECK(migrate_fit(db) == SCHEMA_OLDER);
    /* with another program running, what it cannot live with is held back */
    CHECK(migrate_apply(another, "sql", MIGRATE_AHEAD) && migrate_fit(db) == SCHEMA_OLDER);
    CHECK(NUMBER("SELECT version FROM schema_version") == 46);
    CHECK(migrate_apply(another, "sql", MIGRATE_ALL) && migrate_fit(db) == SCHEMA_FITS);
    CHECK(!migrate_apply(db, "sql/nowhere", MIGRATE_ALL));
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
        CHECK(migrate_apply(another, "sql", i == 0 ? MIGRATE_AHEAD : MIGRATE_ALL));
        CHECK(NUMBER("SELECT e.approval_id = p.id AND e.approval_expires_at = p.expires_at"
                     " FROM executions e JOIN approvals p ON p.execution_id = e.id WHERE e.id = %d",
                     (int)asked[i]) == 1);
    }
    CHECK(NUMBER("SELECT approval_id IS NULL AND approval_expires_at IS NULL FROM executions WHERE id = %d",
                 (int)without.id) == 1);
}

STORE_TEST_MAIN_FROM(test_store_empty, TEST(each_migration_may_run_twice),
                     TEST(a_schema_fits_from_the_oldest_to_the_last),
                     TEST(approvals_reach_their_executions_in_an_upgrade))
