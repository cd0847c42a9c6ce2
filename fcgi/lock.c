#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether the descriptor is of the file that the name leads to. */
static bool is_named(int fd, const char *path)
{
    struct stat own, named;

    return fd >= 0 && fstat(fd, &own) == 0 && stat(path, &named) == 0 && own.st_dev == named.st_dev &&
           own.st_ino == named.st_ino;
}

static int failed(int fd)
{
    int why = errno;

    if (fd >= 0)
        (void)close(fd);
    errno = why;
    return -1;
}

/* A lock of fcntl: children do not inherit it, and flock, by which a crontab may start the gateway, knows
 * nothing of it. */
int lock_take(const char *path, int fd, pid_t *holder)
{
    struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    int fresh;

    *holder = 0;
    if (is_named(fd, path)) /* to open it again, and close that, would let go of it */
        return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 ? fd : -1;
    fresh = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fresh < 0)
        return -1;
    if (fcntl(fresh, F_SETLK, &l) == 0) {
        if (fd >= 0)
            (void)close(fd);
        return fresh;
    }
    if (fcntl(fresh, F_GETLK, &l) == 0 && l.l_type != F_UNLCK)
        *holder = l.l_pid;
    return failed(fresh);
}
