#include "base/process.h"

#include <errno.h>
#include <grp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/log.h"

/* The limit is for systems that hand cores of undumpable processes to root, the flag for those that pass
 * cores to a program, which the limit does not stop. */
void process_close(void)
{
    const struct rlimit none = { 0, 0 };

    if (setrlimit(RLIMIT_CORE, &none) != 0 || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
        log_fatal("start_failed", "msg=\"cannot forbid core files\" reason=\"%s\"", strerror(errno));
}

static void become(unsigned uid, const gid_t *groups, size_t n)
{
    if (uid == 0 || geteuid() != 0)
        return;
    if (setgroups(n, groups) != 0 || setresgid(uid, uid, uid) != 0 || setresuid(uid, uid, uid) != 0 ||
        setuid(0) == 0) /* there must be no way back */
        log_fatal("start_failed", "msg=\"cannot become the user\" uid=%u reason=\"%s\"", uid,
                  strerror(errno));
    process_close();
}

void process_become(unsigned uid)
{
    become(uid, NULL, 0);
}

void process_become_in(unsigned uid, gid_t group)
{
    become(uid, &group, 1);
}

const char *process_host(void)
{
    static char name[64];

    if (name[0] == '\0' && (gethostname(name, sizeof name - 1) != 0 || name[0] == '\0'))
        memcpy(name, "localhost", sizeof "localhost");
    return name;
}
