#include "base/fault.h"

#ifdef FAULTS

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"

enum { NAME_MAX_LEN = 63, ACTION_MAX_LEN = 15, STILL_US = 20 * 1000 };

struct fault {
    char action[ACTION_MAX_LEN + 1];
    unsigned long nth; /* 0: every time */
};

/* How many times the point was hit, in all processes together: each hit appends one byte to a file next to
 * the list, and with O_APPEND the position after the process's own byte is the count, even while others
 * write. */
static unsigned long fault_count_hit(const char *list, const char *name)
{
    char path[512];
    off_t at = -1;
    int fd;

    if (snprintf(path, sizeof path, "%s.count.%s", list, name) >= (int)sizeof path)
        log_fatal("fault", "fault: path too long");
    fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0)
        log_fatal("fault", "fault: cannot open %s", path);
    (void)fchmod(fd, 0666); /* jobs and workers may be different users */
    if (write(fd, "x", 1) == 1)
        at = lseek(fd, 0, SEEK_CUR);
    close(fd);
    if (at <= 0)
        log_fatal("fault", "fault: cannot count in %s", path);
    return (unsigned long)at;
}

static bool fault_find(struct fault *out, const char *list, const char *name)
{
    char line[256], word[NAME_MAX_LEN + 1];
    bool found = false;
    FILE *f = fopen(list, "re");

    if (f == NULL)
        return false;
    while (!found && fgets(line, sizeof line, f) != NULL) {
        out->nth = 0;
        found = sscanf(line, "%63s %15s %lu", word, out->action, &out->nth) >= 2 && strcmp(word, name) == 0;
    }
    fclose(f);
    return found;
}

static void fault_hang(const char *list, const char *name)
{
    struct fault f;

    while (fault_find(&f, list, name) && strcmp(f.action, "hang") == 0)
        usleep(STILL_US);
}

static bool bystander;

void fault_bystander(bool is)
{
    bystander = is;
}

bool fault_hit(const char *name)
{
    const char *list = getenv("GATEWAY_FAULTS");
    struct fault f;

    if (bystander || list == NULL || !fault_find(&f, list, name))
        return false;
    if (f.nth > 0 && fault_count_hit(list, name) != f.nth)
        return false;
    log_warn("fault", "fault=%s action=%s", name, f.action);
    if (strcmp(f.action, "kill") == 0)
        kill(getpid(), SIGKILL);
    if (strcmp(f.action, "hang") == 0)
        fault_hang(list, name);
    else if (strcmp(f.action, "error") != 0)
        log_fatal("fault", "fault: unknown action %s", f.action);
    return strcmp(f.action, "error") == 0;
}

int64_t fault_clock_ms(void)
{
    const char *list = getenv("GATEWAY_FAULTS");
    char path[512];
    long long ms = 0;
    FILE *f;

    if (list == NULL || snprintf(path, sizeof path, "%s.clock", list) >= (int)sizeof path)
        return 0;
    f = fopen(path, "re");
    if (f == NULL)
        return 0;
    if (fscanf(f, "%lld", &ms) != 1)
        ms = 0;
    fclose(f);
    return ms;
}

#endif
