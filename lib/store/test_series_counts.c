#include "store/series_counts.h"
#include "store/test_store.h"

enum { SOURCE = 7, OTHER = 8, BASE = 8453 };

static struct series_count counts[] = { { SERIES_ACCEPTED, 1, 0, 0 },
                                        { SERIES_CENTS, BASE, 0, 0 },
                                        { SERIES_SWAP_TIMES, BASE, 11, 0 },
                                        { SERIES_ANSWERS, 0, 3, 0 } };
enum { COUNTS = sizeof counts / sizeof counts[0] };

/* The counters of a source are `each`. */
static bool series_are(struct db *by, uint64_t source, uint64_t each)
{
    for (size_t i = 0; i < COUNTS; i++)
        counts[i].n = each;
    return series_add(by, source, counts, COUNTS);
}

/* The stored sum of each of them, the same by the minute and by the hour; -1: they differ. One statement, so
 * that it sees one moment: the database may still commit what a killed client has asked for. */
static int64_t kept(void)
{
    return NUMBER(
        "SELECT IF(total %% %d = 0 AND total = hours AND most * %d = total, total DIV %d, -1) FROM (SELECT"
        " (SELECT COALESCE(SUM(n), 0) FROM series_minutes) AS total,"
        " (SELECT COALESCE(SUM(n), 0) FROM series_hours) AS hours,"
        " (SELECT COALESCE(MAX(s), 0) FROM (SELECT SUM(n) s FROM series_minutes GROUP BY metric) t) AS most) sums",
        (int)COUNTS, (int)COUNTS, (int)COUNTS);
}

static void a_counter_is_added_by_what_it_has_grown(void)
{
    CHECK(series_are(db, SOURCE, 100) && kept() == 0); /* since when it counts is unknown */
    CHECK(series_are(db, SOURCE, 103) && kept() == 3);
    CHECK(series_are(db, SOURCE, 103) && kept() == 3);
    CHECK(series_are(db, SOURCE, 110) && kept() == 10);
}

/* A process that read the counters before another added them, or that adds for the same host, adds nothing
 * twice. */
static void nothing_is_added_twice(void)
{
    CHECK(series_are(another, SOURCE, 110) && kept() == 10);
    CHECK(series_are(another, SOURCE, 108) && kept() == 10);
    CHECK(series_are(db, SOURCE, 111) && kept() == 11);
}

/* One counter was read before another process added it, one after. */
static void late_counters_do_not_block_the_others(void)
{
    int64_t before = NUMBER("SELECT SUM(n) FROM series_minutes");

    for (size_t i = 0; i < COUNTS; i++)
        counts[i].n = i == 0 ? 112 : 105;
    CHECK(series_add(db, SOURCE, counts, COUNTS));
    CHECK(NUMBER("SELECT SUM(n) FROM series_minutes") == before + 1);
    CHECK(series_are(db, SOURCE, 112) && kept() == 12);
}

static void hosts_add_to_the_same(void)
{
    CHECK(series_are(another, OTHER, 0) && series_are(another, OTHER, 5) && kept() == 17);
    CHECK(series_are(db, SOURCE, 112) && kept() == 17);
}

static void add_often(struct db *by, uint64_t source, uint64_t from)
{
    for (uint64_t i = 1; i <= 50; i++)
        if (!series_are(by, source, from + i))
            _exit(1);
    _exit(0);
}

/* Wherever it dies: nothing is lost, and nothing counts twice. */
static void killed_writers_leave_sums_complete(void)
{
    for (int i = 0; i < 5; i++) {
        pid_t pid = fork();

        if (pid == 0)
            add_often(db_new(&conf), SOURCE, 112);
        (void)select(0, NULL, NULL, NULL, &(struct timeval){ .tv_usec = 3000 * (i + 1) });
        CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) == pid);
        CHECK(kept() >= 17 && kept() <= 67);
    }
    CHECK(series_are(db, SOURCE, 162) && kept() == 67);
}

static void two_at_once_add_to_one_minute(void)
{
    pid_t pids[2];
    int status;

    CHECK(series_are(db, 20, 0) && series_are(db, 21, 0));
    for (int i = 0; i < 2; i++)
        if ((pids[i] = fork()) == 0)
            add_often(db_new(&conf), (uint64_t)(20 + i), 0);
    for (int i = 0; i < 2; i++)
        CHECK(waitpid(pids[i], &status, 0) == pids[i] && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(kept() == 167);
}

/* ---- reading and removing ---- */

static bool put(const char *table, int64_t slot, uint64_t n)
{
    return RAW("INSERT INTO %s (metric, slot, chain_id, place, n) VALUES (%d, %lld, 1, 0, %llu)", table,
               SERIES_FAILED, (long long)slot, (unsigned long long)n);
}

static void sums_are_those_of_steps(void)
{
    struct series_asked asked = { SERIES_HOURS, SERIES_FAILED, 1000, 1008, 4 };
    struct series_sum *sums;

    CHECK(put("series_hours", 999, 1) && put("series_hours", 1000, 2) && put("series_hours", 1003, 4) &&
          put("series_hours", 1004, 8) && put("series_hours", 1007, 16) && put("series_hours", 1008, 32));
    CHECK(series_read(db, a, &asked, &sums) == 2);
    CHECK(sums[0].point == 0 && sums[0].n == 6 && sums[0].chain_id == 1 && sums[1].point == 1 &&
          sums[1].n == 24);
    asked.metric = SERIES_COMPLETED;
    CHECK(series_read(db, a, &asked, &sums) == 0);
}

static void old_series_are_purged(void)
{
    int64_t minute = NUMBER("SELECT UNIX_TIMESTAMP() DIV 60");

    CHECK(put("series_minutes", minute - SERIES_MINUTES_KEPT - 2, 1) &&
          put("series_minutes", minute - SERIES_MINUTES_KEPT + 2, 1));
    CHECK(series_purge(db));
    CHECK(NUMBER("SELECT COUNT(*) FROM series_minutes WHERE metric = %d", SERIES_FAILED) == 1);
    CHECK(NUMBER("SELECT COUNT(*) FROM series_hours WHERE metric = %d", SERIES_FAILED) == 0);
    CHECK(kept() == -1 && NUMBER("SELECT COUNT(*) FROM series_sources") == 4);
    CHECK(RAW("UPDATE series_sources SET at = UTC_TIMESTAMP(3) - INTERVAL 61 DAY WHERE source = %d", OTHER));
    CHECK(series_purge(db) && NUMBER("SELECT COUNT(*) FROM series_sources") == 3);
    CHECK(NUMBER("SELECT COUNT(*) FROM series_marks WHERE source = %d", OTHER) == 0);
}

STORE_TEST_MAIN(TEST(a_counter_is_added_by_what_it_has_grown), TEST(nothing_is_added_twice),
                TEST(late_counters_do_not_block_the_others), TEST(hosts_add_to_the_same),
                TEST(killed_writers_leave_sums_complete), TEST(two_at_once_add_to_one_minute),
                TEST(sums_are_those_of_steps), TEST(old_series_are_purged))
