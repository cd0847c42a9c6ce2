#include "service/running_programs.c"

#include <sys/wait.h>

#include "base/test.h"

static char folder[] = "/tmp/programs_XXXXXX";

static struct conf *conf_of(const char *line)
{
    char path[PATH_MAX];
    FILE *f;

    (void)snprintf(path, sizeof path, "%s/gateway.conf", folder);
    f = fopen(path, "w");
    CHECK(f != NULL && fprintf(f, "shm_file = %s/counters\n%s\n", folder, line) > 0 && fclose(f) == 0);
    return conf_read(path);
}

/* A program that has begun and ended. */
static void other_runs(const struct conf *c)
{
    pid_t pid = fork();

    if (pid == 0) {
        programs_enter(c, "other");
        _exit(0);
    }
    CHECK(pid > 0 && waitpid(pid, NULL, 0) == pid);
}

static void those_that_run_are_seen_with_their_settings(void)
{
    char kept[PATH_MAX];
    struct program_report seen[PROGRAMS_MAX];
    struct conf *c, *same, *other;

    CHECK(mkdtemp(folder) != NULL);
    c = conf_of("workers = 3");
    same = conf_of("# none\nworkers =   3");
    other = conf_of("workers = 4");
    CHECK(conf_fingerprint(c) == conf_fingerprint(same) && conf_fingerprint(c) != conf_fingerprint(other));
    CHECK(programs_read(c, seen) == 0);
    other_runs(c);
    CHECK(programs_read(c, seen) == 0);
    programs_enter(c, "gateway");
    other_runs(c);
    CHECK(programs_read(c, seen) == 1 && seen[0].settings == conf_fingerprint(c));
    CHECK_STR(seen[0].name, "gateway");
    CHECK_STR(seen[0].off, "");
    conf_free(other);
    other = conf_of("provider.0x.key_file = /nowhere");
    conf_warn(other, "provider.0x.key_file", "it is gone");
    programs_enter(other, "gateway"); /* executed again */
    CHECK(programs_read(c, seen) == 1 && seen[0].settings == conf_fingerprint(other));
    CHECK_STR(seen[0].off, "provider.0x.key_file: it is gone");
    log_incident("node_no_answer", "chain=base", "why=gone");
    programs_enter(other, "gateway");
    CHECK(incident_lately("node_no_answer", "gone", 60000) &&
          !incident_lately("node_no_answer", "here", 60000));
    programs_enter(c, "gateway"); /* with others, of which that may come */
    CHECK(!incident_lately("node_no_answer", "gone", 60000));
    conf_free(c);
    conf_free(same);
    conf_free(other);
    (void)snprintf(kept, sizeof kept, "%s/gateway.conf", folder);
    CHECK(unlink(kept) == 0);
    (void)snprintf(kept, sizeof kept, "%s/counters%s", folder, ENDING);
    CHECK(unlink(kept) == 0 && rmdir(folder) == 0);
}

static void reused_process_ids_are_recognised(void)
{
    struct place p = { .pid = getpid(), .born = birth_of(getpid()) };

    CHECK(p.born != 0 && runs(&p));
    p.born++;
    CHECK(!runs(&p));
    p.pid = 0;
    CHECK(!runs(&p));
}

TEST_MAIN(TEST(those_that_run_are_seen_with_their_settings), TEST(reused_process_ids_are_recognised))
