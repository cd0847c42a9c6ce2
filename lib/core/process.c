#include "core/process.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "core/log.h"

/* The limit is for systems that hand cores of undumpable processes to root, the flag for those that pass
 * cores to a program, which the limit does not stop. */
void process_close(void)
{
    const struct rlimit none = { 0, 0 };

    if (setrlimit(RLIMIT_CORE, &none) != 0 || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
        log_fatal("msg=\"cannot forbid core files\" reason=\"%s\"", strerror(errno));
}
