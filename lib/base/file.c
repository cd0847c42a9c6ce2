#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_write(int fd, const void *bytes, size_t n)
{
    const char *p = bytes;

    while (n > 0) {
        ssize_t done = write(fd, p, n);

        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            p += done;
            n -= (size_t)done;
        }
    }
    return true;
}

bool file_replace(const char *path, const void *bytes, size_t n, mode_t mode)
{
    char fresh[PATH_MAX];
    bool ok;
    int fd;

    if (snprintf(fresh, sizeof fresh, "%s.new", path) >= (int)sizeof fresh) {
        errno = ENAMETOOLONG;
        return false;
    }
    fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return false;
    ok = file_write(fd, bytes, n) && fchmod(fd, mode) == 0;
    ok = close(fd) == 0 && ok;
    return ok && rename(fresh, path) == 0;
}
