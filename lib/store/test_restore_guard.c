#include "store/restore_guard.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "store/test_store.h"

/* A host's folder. */
struct host {
    char dir[64];
    int fd;
};

static struct host host_new(int n)
{
    struct host h;

    (void)snprintf(h.dir, sizeof h.dir, "/tmp/pulse.%d.%d", (int)getpid(), n);
    h.fd = restore_guard_open(h.dir);
    CHECK(h.fd >= 0);
    return h;
}

static void host_free(struct host *h)
{
    char path[96];

    (void)snprintf(path, sizeof path, "%s/" RESTORE_GUARD_FILE, h->dir);
    CHECK(close(h->fd) == 0 && unlink(path) == 0 && rmdir(h->dir) == 0);
    (void)RAW("DELETE FROM db_epochs");
    CHECK(trading_halts_set(db, HALT_ALL, HALT_RESTORED, false));
}

static bool is_stopped(void)
{
    return trading_halts_restored(db) == LOOKUP_FOUND;
}

static void dump(void)
{
    CHECK(RAW("DROP TABLE IF EXISTS dumped") && RAW("CREATE TABLE dumped AS SELECT * FROM db_epochs"));
}

static void restore(void)
{
    CHECK(RAW("DELETE FROM db_epochs") && RAW("INSERT INTO db_epochs SELECT * FROM dumped") &&
          RAW("DROP TABLE dumped"));
}

static void an_older_database_is_recognised(void)
{
    struct host h = host_new(1);
    int64_t from, lost;

    CHECK(restore_guard_lost_from(db, &from) == LOOKUP_NONE);
    CHECK(restore_guard_beat(db, h.fd) && restore_guard_beat(db, h.fd) && !is_stopped());
    CHECK(restore_guard_lost_from(db, &from) == LOOKUP_FOUND && from > 0);
    dump();
    CHECK(restore_guard_beat(db, h.fd) && !is_stopped());
    restore();
    CHECK(restore_guard_beat(db, h.fd) && is_stopped());
    CHECK(restore_guard_lost_from(db, &lost) == LOOKUP_FOUND && lost == from);
    /* Trading stays halted after every load, until the loss is accepted. */
    CHECK(trading_halts_set(db, HALT_ALL, HALT_RESTORED, false) && restore_guard_beat(db, h.fd) &&
          is_stopped());
    CHECK(restore_guard_accept(db) && trading_halts_set(db, HALT_ALL, HALT_RESTORED, false));
    CHECK(restore_guard_beat(db, h.fd) && restore_guard_beat(db, h.fd) && !is_stopped());
    CHECK(restore_guard_lost_from(db, &lost) == LOOKUP_FOUND && lost == from);
    host_free(&h);
}

/* Died between the database and the file. */
static void a_database_that_is_ahead_is_the_same(void)
{
    struct host h = host_new(1);

    CHECK(restore_guard_beat(db, h.fd) && RAW("UPDATE db_epochs SET epoch = epoch + 1"));
    CHECK(restore_guard_beat(db, h.fd) && !is_stopped() && NUMBER("SELECT epoch FROM db_epochs") == 3);
    host_free(&h);
}

static void an_empty_database_is_older_than_a_host(void)
{
    struct host h = host_new(1);

    int64_t lost;

    CHECK(restore_guard_beat(db, h.fd) && RAW("DELETE FROM db_epochs"));
    CHECK(restore_guard_beat(db, h.fd) && is_stopped());
    CHECK(restore_guard_lost_from(db, &lost) == LOOKUP_FOUND && lost == 946684800000);
    host_free(&h);
}

static void a_new_host_joins_others_that_live(void)
{
    struct host first = host_new(1), second = host_new(2), third = host_new(3);

    CHECK(restore_guard_beat(db, first.fd) && restore_guard_beat(db, second.fd) && !is_stopped());
    CHECK(RAW("UPDATE db_epochs SET at = at - INTERVAL 1 HOUR"));
    CHECK(restore_guard_beat(db, first.fd) && !is_stopped());
    CHECK(RAW("UPDATE db_epochs SET at = at - INTERVAL 1 HOUR"));
    CHECK(restore_guard_beat(db, third.fd) &&
          is_stopped()); /* no other living host vouches for the database */
    CHECK(trading_halts_set(db, HALT_ALL, HALT_RESTORED, false) && restore_guard_beat(db, third.fd) &&
          is_stopped());
    host_free(&first);
    host_free(&second);
    host_free(&third);
}

STORE_TEST_MAIN(TEST(an_older_database_is_recognised), TEST(a_database_that_is_ahead_is_the_same),
                TEST(an_empty_database_is_older_than_a_host), TEST(a_new_host_joins_others_that_live))
