#include "service/running_programs.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/incident.h"
#include "base/log.h"
#include "base/shared_file.h"

struct place {
    int64_t pid; /* 0: free */
    uint64_t born;
    struct program_report report;
};

struct memory {
    uint64_t layout;
    struct place of[PROGRAMS_MAX];
};

static const char ENDING[] = ".programs";
static const uint64_t LAYOUT = 0x70726f6700000001U + sizeof(struct memory);

/* The begin of the process, in ticks since the start of the system; 0: it cannot be read. */
static uint64_t birth_of(int64_t pid)
{
    enum { BORN = 22, NAMED = 2 };
    char path[64], text[1024], *at;
    FILE *f;
    size_t n;

    (void)snprintf(path, sizeof path, "/proc/%lld/stat", (long long)pid);
    f = fopen(path, "re");
    if (f == NULL)
        return 0;
    n = fread(text, 1, sizeof text - 1, f);
    (void)fclose(f);
    text[n] = '\0';
    at = strrchr(text, ')'); /* of its name, in which anything may stand */
    for (int i = NAMED; at != NULL && i < BORN; i++)
        at = strchr(at + 1, ' ');
    return at == NULL ? 0 : strtoull(at, NULL, 10);
}

static bool runs(const struct place *p)
{
    uint64_t born;

    if (p->pid <= 0 || (kill((pid_t)p->pid, 0) != 0 && errno == ESRCH))
        return false;
    born = birth_of(p->pid); /* another process may have got its number */
    return born == 0 || born == p->born;
}

/* The one that it had before it executed itself again, else one that is free. */
static struct place *place_find(struct memory *m, int64_t pid)
{
    for (size_t i = 0; i < PROGRAMS_MAX; i++)
        if (m->of[i].pid == pid)
            return &m->of[i];
    for (size_t i = 0; i < PROGRAMS_MAX; i++)
        if (!runs(&m->of[i]))
            return &m->of[i];
    return NULL;
}

/* The latest program of that name before it; NULL: none is known. */
static const struct program_report *former_of(const struct memory *m, const char *name)
{
    const struct place *former = NULL;

    for (size_t i = 0; i < PROGRAMS_MAX; i++)
        if (m->of[i].pid != 0 && strcmp(m->of[i].report.name, name) == 0 &&
            (former == NULL || m->of[i].born > former->born))
            former = &m->of[i];
    return former == NULL ? NULL : &former->report;
}

void programs_enter(const struct conf *c, const char *name)
{
    struct place mine = { .pid = getpid(), .born = birth_of(getpid()) }, *at;
    const struct program_report *former;
    int fd;
    struct memory *m = shared_file_map_beside(c->shm_file, ENDING, sizeof *m, LAYOUT, &fd);

    if (m == NULL) {
        log_warn("program_not_seen",
                 "msg=\"which settings this program has cannot be told\" file=%s%s reason=\"%s\"",
                 c->shm_file, ENDING, strerror(errno));
        return;
    }
    const struct conf_problem *off = conf_warnings(c);

    (void)snprintf(mine.report.name, sizeof mine.report.name, "%s", name);
    mine.report.settings = conf_fingerprint(c);
    if (off != NULL)
        (void)snprintf(mine.report.off, sizeof mine.report.off, "%s: %s", off->name, off->allowed);
    (void)flock(fd, LOCK_EX); /* until it is closed */
    former = former_of(m, mine.report.name);
    if (former != NULL && former->settings != mine.report.settings)
        incidents_forget();
    at = place_find(m, mine.pid);
    if (at != NULL)
        *at = mine;
    (void)close(fd);
    shared_file_unmap(m, sizeof *m);
}

size_t programs_read(const struct conf *c, struct program_report out[static PROGRAMS_MAX])
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s%s", c->shm_file, ENDING);
    const struct memory *m = length < (int)sizeof path ? shared_file_read(path, sizeof *m, LAYOUT) : NULL;
    size_t n = 0;

    for (size_t i = 0; m != NULL && i < PROGRAMS_MAX; i++) {
        struct place p = m->of[i];

        if (!runs(&p))
            continue;
        out[n] = p.report;
        out[n].name[PROGRAM_NAME_MAX] = out[n].off[PROGRAM_OFF_MAX] = '\0';
        n++;
    }
    if (m != NULL)
        shared_file_unmap(m, sizeof *m);
    return n;
}
