#include "base/metrics.c"
#include "base/test.h"

#include <sys/wait.h>

static char file[64];

static void nothing_is_counted_without_a_file(void)
{
    metric_add(METRIC("a"), 1);
    CHECK(metric_read(METRIC("a")) == 0 && metrics_source(7) == 0);
}

static void counters_are_told_apart_by_name_and_labels(void)
{
    (void)snprintf(file, sizeof file, "/tmp/test_figures.%d", (int)getpid());
    metrics_share(file);
    CHECK(metrics_source(7) == 7 && metrics_source(8) == 7);
    metric_add(METRIC("a"), 1);
    metric_add(METRIC("a", "b"), 10);
    metric_add(METRIC("a", "b", "c"), 100);
    metric_add(METRIC("a", NULL, "b"), 1000);
    metric_add(METRIC("a", "b", "c", "d"), 7);
    metric_add(METRIC("ab"), 10000);
    metric_add(METRIC("a"), 1);
    CHECK(metric_read(METRIC("a")) == 2 && metric_read(METRIC("a", "b")) == 10);
    CHECK(metric_read(METRIC("a", "b", "c")) == 100 && metric_read(METRIC("a", NULL, "b")) == 1000);
    CHECK(metric_read(METRIC("ab")) == 10000 && metric_read(METRIC("b")) == 0);
    CHECK(metric_read(METRIC("a", "b", "c", "d")) == 7);
}

static void values_fall_into_buckets(void)
{
    static metric_scale scale = { 10, 20 }, full = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
    const struct metric f = METRIC("h", "x"), g = METRIC("h", "y");

    metric_observe(f, scale, 0);
    metric_observe(f, scale, 10);
    metric_observe(f, scale, 11);
    metric_observe(f, scale, 21);
    CHECK(metric_bucket(f, 0) == 2 && metric_bucket(f, 1) == 1 && metric_bucket(f, 2) == 1);
    CHECK(metric_sum(f) == 42 && metric_read(f) == 0 && metric_sum(g) == 0);
    metric_observe(g, full, 13);
    CHECK(metric_bucket(g, BUCKETS_MAX) == 1 && metric_bucket(g, BUCKETS_MAX - 1) == 0);
}

static void processes_count_together(void)
{
    enum { PROCESSES = 4, TIMES = 10000 };
    char label[8];

    for (unsigned i = 0; i < PROCESSES; i++) {
        if (fork() != 0)
            continue;
        for (unsigned j = 0; j < TIMES; j++) {
            (void)snprintf(label, sizeof label, "%u", j % 100);
            metric_add(METRIC("together", label), 1);
        }
        _exit(0);
    }
    while (wait(NULL) > 0)
        continue;
    for (unsigned j = 0; j < 100; j++) {
        (void)snprintf(label, sizeof label, "%u", j);
        CHECK(metric_read(METRIC("together", label)) == PROCESSES * TIMES / 100);
    }
}

static void metrics_outlive_the_process(void)
{
    char shared[80];

    figures = NULL;
    metrics_share(file);
    CHECK(metric_read(METRIC("ab")) == 10000);
    (void)snprintf(shared, sizeof shared, "%s.figures", file);
    CHECK(unlink(shared) == 0);
}

static void metrics_without_a_cell_are_not_counted(void)
{
    for (unsigned i = 0; i < CELLS; i++)
        figures->cells[i].key |= 1ULL << 62;
    metric_add(METRIC("late"), 1);
    CHECK(metric_read(METRIC("late")) == 0);
}

TEST_MAIN(TEST(nothing_is_counted_without_a_file), TEST(counters_are_told_apart_by_name_and_labels),
          TEST(values_fall_into_buckets), TEST(processes_count_together), TEST(metrics_outlive_the_process),
          TEST(metrics_without_a_cell_are_not_counted))
