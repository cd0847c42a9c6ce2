#include "signer/line_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

/* A name that was made is not lost with the power. */
static bool sync_directory(const char *path)
{
    char dir[PATH_MAX];
    bool ok;
    int fd;

    (void)snprintf(dir, sizeof dir, "%s", path);
    fd = open(dirname(dir), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ok = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0)
        (void)close(fd);
    return ok;
}

/* The end of the last complete line. */
static bool find_end(int fd, off_t *end)
{
    char tail[LINE_FILE_MAX];
    struct stat st;
    const char *last;
    off_t from;
    ssize_t n;

    if (fstat(fd, &st) != 0)
        return false;
    from = st.st_size > LINE_FILE_MAX ? st.st_size - LINE_FILE_MAX : 0;
    n = pread(fd, tail, sizeof tail, from);
    last = n > 0 ? memrchr(tail, '\n', (size_t)n) : NULL;
    *end = last == NULL ? 0 : from + (last + 1 - tail);
    return n >= 0 && (last != NULL || from == 0); /* longer than any line of ours: another file */
}

int line_file_open(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    off_t end;

    if (fd < 0 || (find_end(fd, &end) && ftruncate(fd, end) == 0 && (end > 0 || sync_directory(path))))
        return fd;
    (void)close(fd);
    return -1;
}

bool line_file_add(int fd, const char *line, size_t n)
{
    struct stat st;
    int why;

    if (fstat(fd, &st) != 0)
        return false;
    if (file_write(fd, line, n) && fdatasync(fd) == 0)
        return true;
    why = errno;
    (void)!ftruncate(fd, st.st_size);
    errno = why;
    return false;
}
