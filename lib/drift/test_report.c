#include "drift/report.c"

#include <stdlib.h>

#include "base/test.h"

static struct drift_report report(const char *name, enum drift_state state)
{
    struct drift_report r = { .state = state, .said = "said", .at_ms = 7 };

    (void)snprintf(r.name, sizeof r.name, "%s", name);
    return r;
}

static void keep(const char *name, enum drift_state state)
{
    const struct drift_report r = report(name, state);

    drift_keep(&r);
}

static void without_a_file(void)
{
    struct drift_report r;

    keep("relay", DRIFT_WORKS);
    CHECK(!drift_report_of("relay", &r) && drift_round_ms() == 0 && drift_take_round(1, 1));
}

/* The next process finds what the last one left. */
static void kept_in_a_file(void)
{
    char file[] = "/tmp/test_drift.XXXXXX", path[sizeof file + 16];
    struct drift_report all[DRIFT_REPORTS_MAX], r;
    int fd = mkstemp(file);

    CHECK(fd >= 0);
    snprintf(path, sizeof path, "%s.drift", file);
    drift_share(file, false);
    CHECK(!drift_is_shared());
    drift_share(file, true);
    CHECK(drift_is_shared());
    keep("relay", DRIFT_WORKS);
    keep("across", DRIFT_REFUSED);
    keep("relay", DRIFT_CHANGED);
    memory = NULL;
    drift_share(file, false);
    CHECK(drift_reports(all) == 2);
    CHECK_STR(all[0].name, "relay");
    CHECK(drift_report_of("relay", &r) && r.state == DRIFT_CHANGED && drift_is_incident(r.state));
    CHECK(drift_report_of("across", &r) && r.state == DRIFT_REFUSED && !drift_report_of("acros", &r));
    /* One that died while it wrote: its place is free again. */
    atomic_fetch_add(&memory->of[0].version, 1);
    CHECK(!drift_report_of("relay", &r));
    keep("relay", DRIFT_WORKS);
    CHECK(drift_report_of("relay", &r) && r.state == DRIFT_WORKS && drift_reports(all) == 2);
    keep("velora", DRIFT_UNAVAILABLE);
    memory->of[0].report.at_ms = 6;
    drift_forget(7);
    CHECK(!drift_report_of("relay", &r) && drift_report_of("across", &r) && drift_reports(all) == 2);
    keep("velora", DRIFT_WORKS);
    CHECK(drift_report_of("velora", &r) && r.state == DRIFT_WORKS && drift_reports(all) == 2);
    for (int i = 0; i < DRIFT_REPORTS_MAX + 5; i++) {
        char name[DRIFT_NAME_MAX + 1];

        snprintf(name, sizeof name, "base/%d", i);
        keep(name, DRIFT_WORKS);
    }
    CHECK(drift_reports(all) == DRIFT_REPORTS_MAX);
    unlink(path);
    unlink(file);
    close(fd);
}

static void asked_again_soon(void)
{
    const struct drift_report refused = { .state = DRIFT_REFUSED, .at_ms = 1000000 },
                              changed = { .state = DRIFT_CHANGED }, works = { .state = DRIFT_WORKS };

    CHECK(!drift_is_due(&refused, 1000000 + AGAIN_MS - 1) && drift_is_due(&refused, 1000000 + AGAIN_MS));
    CHECK(drift_is_due(&refused, 999999) && !drift_is_due(&changed, AGAIN_MS) &&
          !drift_is_due(&works, AGAIN_MS));
}

static void only_one_process_takes_a_round(void)
{
    CHECK(drift_take_round(5000, 3000) && !drift_take_round(5000, 3000) && !drift_take_round(7999, 3000));
    CHECK(drift_take_round(8000, 3000) && drift_round_ms() == 8000);
    CHECK(drift_take_round(2000, 3000)); /* the clock was set back */
}

TEST_MAIN(TEST(without_a_file), TEST(kept_in_a_file), TEST(asked_again_soon),
          TEST(only_one_process_takes_a_round))
