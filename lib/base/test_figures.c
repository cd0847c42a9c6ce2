#include "base/figures.c"
#include "base/test.h"

#include <sys/wait.h>

static char file[64];

static void nothing_is_counted_without_a_file(void)
{
    figure_add(FIGURE("a"), 1);
    CHECK(figure_read(FIGURE("a")) == 0 && figures_source(7) == 0);
}

static void counters_are_told_apart_by_name_and_labels(void)
{
    (void)snprintf(file, sizeof file, "/tmp/test_figures.%d", (int)getpid());
    figures_share(file);
    CHECK(figures_source(7) == 7 && figures_source(8) == 7);
    figure_add(FIGURE("a"), 1);
    figure_add(FIGURE("a", "b"), 10);
    figure_add(FIGURE("a", "b", "c"), 100);
    figure_add(FIGURE("a", NULL, "b"), 1000);
    figure_add(FIGURE("a", "b", "c", "d"), 7);
    figure_add(FIGURE("ab"), 10000);
    figure_add(FIGURE("a"), 1);
    CHECK(figure_read(FIGURE("a")) == 2 && figure_read(FIGURE("a", "b")) == 10);
    CHECK(figure_read(FIGURE("a", "b", "c")) == 100 && figure_read(FIGURE("a", NULL, "b")) == 1000);
    CHECK(figure_read(FIGURE("ab")) == 10000 && figure_read(FIGURE("b")) == 0);
    CHECK(figure_read(FIGURE("a", "b", "c", "d")) == 7);
}

static void values_fall_into_buckets(void)
{
    static figure_scale scale = { 10, 20 }, full = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
    const struct figure f = FIGURE("h", "x"), g = FIGURE("h", "y");

    figure_observe(f, scale, 0);
    figure_observe(f, scale, 10);
    figure_observe(f, scale, 11);
    figure_observe(f, scale, 21);
    CHECK(figure_bucket(f, 0) == 2 && figure_bucket(f, 1) == 1 && figure_bucket(f, 2) == 1);
    CHECK(figure_sum(f) == 42 && figure_read(f) == 0 && figure_sum(g) == 0);
    figure_observe(g, full, 13);
    CHECK(figure_bucket(g, BUCKETS_MAX) == 1 && figure_bucket(g, BUCKETS_MAX - 1) == 0);
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
            figure_add(FIGURE("together", label), 1);
        }
        _exit(0);
    }
    while (wait(NULL) > 0)
        continue;
    for (unsigned j = 0; j < 100; j++) {
        (void)snprintf(label, sizeof label, "%u", j);
        CHECK(figure_read(FIGURE("together", label)) == PROCESSES * TIMES / 100);
    }
}

static void figures_outlive_the_process(void)
{
    char shared[80];

    figures = NULL;
    figures_share(file);
    CHECK(figure_read(FIGURE("ab")) == 10000);
    (void)snprintf(shared, sizeof shared, "%s.figures", file);
    CHECK(unlink(shared) == 0);
}

static void figures_without_a_cell_are_not_counted(void)
{
    for (unsigned i = 0; i < CELLS; i++)
        figures->cells[i].key |= 1ULL << 62;
    figure_add(FIGURE("late"), 1);
    CHECK(figure_read(FIGURE("late")) == 0);
}

TEST_MAIN(TEST(nothing_is_counted_without_a_file), TEST(counters_are_told_apart_by_name_and_labels),
          TEST(values_fall_into_buckets), TEST(processes_count_together), TEST(figures_outlive_the_process),
          TEST(figures_without_a_cell_are_not_counted))
