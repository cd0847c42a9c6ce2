#include "base/incident.c"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/test.h"

enum { NOON = 1769903999, SECOND = 1000 };

static char told[4096];
static int64_t now;

/* The number of lines that `say` has written; `told` has them. */
static unsigned lines_of(void (*say)(void))
{
    int saved = dup(STDERR_FILENO), fd = memfd_create("log", MFD_CLOEXEC);
    unsigned lines = 0;
    ssize_t n;

    dup2(fd, STDERR_FILENO);
    say();
    dup2(saved, STDERR_FILENO);
    close(saved);
    n = pread(fd, told, sizeof told - 1, 0);
    close(fd);
    told[n > 0 ? n : 0] = '\0';
    for (const char *p = told; *p != '\0'; p++)
        lines += *p == '\n';
    return lines;
}

static void pass(int64_t ms)
{
    clock_fake_ms(now += ms);
}

static void begin(void)
{
    memset(&own, 0, sizeof own);
    now = (int64_t)NOON * SECOND;
    clock_fake_ms(now);
}

static void node_fails(void)
{
    log_incident("node_no_answer", "chain=base", "why=\"%s\"", "gone");
}

static void node_fails_for_a_minute(void)
{
    for (int i = 0; i < 60; i++) {
        pass(SECOND);
        log_incident("node_no_answer", "chain=base", "why=\"%s\"", "gone");
    }
}

static void repeated_errors_are_logged_once_a_minute(void)
{
    begin();
    CHECK(lines_of(node_fails) == 1);
    CHECK(strstr(told, "error") != NULL &&
          strstr(told, "event=node_no_answer why=\"gone\" chain=base\n") != NULL);
    CHECK(lines_of(node_fails_for_a_minute) == 1);
    CHECK(strstr(told, "chain=base repeated=60 since=2026-01-31T23:59:59.000Z\n") != NULL);
    CHECK(lines_of(node_fails_for_a_minute) == 1);
}

static void another_fails(void)
{
    log_incident("node_no_answer", "chain=polygon", "why=\"%s\"", "gone");
}

static void each_is_told_of_itself(void)
{
    begin();
    CHECK(lines_of(node_fails) == 1);
    CHECK(lines_of(another_fails) == 1);
    CHECK(lines_of(another_fails) == 0);
}

static void the_end_is_told_once_it_lasts(void)
{
    begin();
    (void)lines_of(node_fails_for_a_minute);
    log_incident_over("node_no_answer", "chain=base");
    pass(9 * SECOND);
    CHECK(lines_of(incidents_tell) == 0);
    pass(SECOND);
    CHECK(lines_of(incidents_tell) == 1);
    CHECK(strstr(told, "info") != NULL);
    CHECK(strstr(told, "event=node_no_answer msg=\"over\" chain=base count=60 lasted_s=59\n") != NULL);
    CHECK(lines_of(incidents_tell) == 0);
    CHECK(atomic_load(&account()->used) == 1);
    pass(60 * SECOND);
    CHECK(lines_of(incidents_tell) == 0 && atomic_load(&account()->used) == 0);
}

static void silence_is_no_end_of_what_lasts(void)
{
    begin();
    CHECK(lines_of(node_fails) == 1);
    pass(3600 * SECOND);
    CHECK(lines_of(incidents_tell) == 0);
    CHECK(lines_of(node_fails) == 1);
    pass(25 * 3600 * SECOND);
    CHECK(lines_of(incidents_tell) == 0 && atomic_load(&account()->used) == 0);
}

static void node_flaps_for_ten_minutes(void)
{
    for (int i = 0; i < 10 * 60; i++) {
        pass(SECOND);
        if (i % 20 == 0)
            node_fails();
        else
            log_incident_over("node_no_answer", "chain=base");
        incidents_tell();
    }
}

static void flapping_errors_are_logged_less(void)
{
    begin();
    CHECK(lines_of(node_flaps_for_ten_minutes) <= 20);
    CHECK(strstr(told, "msg=\"over\"") != NULL);
}

static void key_is_unknown(void)
{
    log_repeated("unknown_key", "", "msg=\"unknown\"");
}

static void occasional_warnings_end_by_themselves(void)
{
    begin();
    CHECK(lines_of(key_is_unknown) == 1);
    CHECK(strstr(told, "warn") != NULL && strstr(told, "event=unknown_key msg=\"unknown\"\n") != NULL);
    CHECK(lines_of(key_is_unknown) == 0);
    log_incident_over("unknown_key", "");
    pass(30 * SECOND);
    CHECK(lines_of(incidents_tell) == 0);
    pass(30 * SECOND);
    CHECK(lines_of(incidents_tell) == 1);
    CHECK(strstr(told, "event=unknown_key msg=\"over\" count=2 lasted_s=0\n") != NULL);
}

static void once_needs_no_end(void)
{
    begin();
    CHECK(lines_of(key_is_unknown) == 1);
    pass(60 * SECOND);
    CHECK(lines_of(incidents_tell) == 0);
    pass(60 * SECOND);
    CHECK(lines_of(incidents_tell) == 0 && atomic_load(&account()->used) == 0);
}

static void more_than_there_is_room_for(void)
{
    for (int i = 0; i < 2 * INCIDENTS; i++) {
        char about[32];

        pass(1);
        snprintf(about, sizeof about, "n=%d", i);
        log_incident("test", about, "x");
    }
}

static void the_oldest_makes_room(void)
{
    begin();
    (void)lines_of(more_than_there_is_room_for);
    CHECK(atomic_load(&account()->used) == INCIDENTS);
    CHECK(incident_find(tag_of("test", "n=511")) != NULL && incident_find(tag_of("test", "n=0")) == NULL);
}

static void job_is_there(void)
{
    log_expected("job_not_running", "job=swap-poll", 3 * 60 * SECOND);
}

static void look_for_ten_minutes(void)
{
    for (int i = 0; i < 10 * 60; i++) {
        pass(SECOND);
        incidents_tell();
    }
}

static void job_is_there_for_ten_minutes(void)
{
    for (int i = 0; i < 10; i++) {
        pass(60 * SECOND);
        job_is_there();
        incidents_tell();
    }
}

static void missing_heartbeats_are_logged(void)
{
    begin();
    CHECK(lines_of(job_is_there) == 0 && lines_of(job_is_there_for_ten_minutes) == 0);
    CHECK(lines_of(look_for_ten_minutes) == 8);
    CHECK(strstr(told, "error") != NULL && strstr(told, "event=job_not_running msg=") != NULL);
    CHECK(lines_of(job_is_there_for_ten_minutes) == 1);
    CHECK(strstr(told, "event=job_not_running msg=\"over\" job=swap-poll") != NULL);
    pass(25 * 3600 * SECOND);
    CHECK(lines_of(incidents_tell) == 0 && atomic_load(&account()->used) == 0);
}

static void two_processes_fail(void)
{
    pid_t pid = fork();

    if (pid == 0) {
        node_fails();
        _exit(0);
    }
    (void)waitpid(pid, NULL, 0);
    node_fails();
}

static void processes_share_an_account(void)
{
    char file[] = "/tmp/troubles.XXXXXX", path[64];

    begin();
    (void)close(mkstemp(file));
    snprintf(path, sizeof path, "%s.troubles", file);
    incidents_share(file);
    CHECK(shared != NULL);
    CHECK(lines_of(two_processes_fail) == 1);
    shared = NULL;
    CHECK(unlink(path) == 0 && unlink(file) == 0);
}

static void fail_in_several_ways(void)
{
    key_is_unknown();
    node_fails();
    another_fails();
    log_incident_over("node_no_answer", "chain=polygon");
    pass(10 * SECOND);
    incidents_tell();
}

static void open_incidents_are_reported(void)
{
    char file[] = "/tmp/troubles.XXXXXX", path[64];
    struct incident_report r[3];

    begin();
    (void)close(mkstemp(file));
    snprintf(path, sizeof path, "%s.troubles", file);
    CHECK(incidents_report(file, r, 3) == 0 && access(path, F_OK) != 0);
    incidents_share(file);
    (void)lines_of(fail_in_several_ways);
    CHECK(incidents_report(file, r, 3) == 2);
    CHECK_STR(r[0].event, "node_no_answer");
    CHECK_STR(r[0].about, "chain=base");
    CHECK_STR(r[0].said, "why=\"gone\"");
    CHECK(r[0].lasts && r[0].count == 1 && r[0].since_ms == (int64_t)NOON * SECOND);
    CHECK_STR(r[1].event, "unknown_key");
    CHECK(!r[1].lasts && incidents_report(file, r, 1) == 1);
    shared = NULL;
    CHECK(truncate(path, 100) == 0 && incidents_report(file, r, 3) == 0);
    CHECK(unlink(path) == 0 && unlink(file) == 0);
}

static void disk_is_full(void)
{
    int saved = dup(STDERR_FILENO), full = open("/dev/full", O_WRONLY | O_CLOEXEC);

    dup2(full, STDERR_FILENO);
    log_warn("test", "lost");
    log_warn("test", "lost");
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(full);
    pass(60 * SECOND);
    incidents_tell();
}

static void lines_that_are_lost_are_counted(void)
{
    begin();
    CHECK(lines_of(disk_is_full) == 1);
    CHECK(strstr(told, "event=log_not_written msg=\"over\" program=gateway count=") != NULL);
}

TEST_MAIN(TEST(repeated_errors_are_logged_once_a_minute), TEST(each_is_told_of_itself),
          TEST(the_end_is_told_once_it_lasts), TEST(silence_is_no_end_of_what_lasts),
          TEST(flapping_errors_are_logged_less), TEST(occasional_warnings_end_by_themselves),
          TEST(once_needs_no_end), TEST(the_oldest_makes_room), TEST(missing_heartbeats_are_logged),
          TEST(processes_share_an_account), TEST(open_incidents_are_reported),
          TEST(lines_that_are_lost_are_counted))
