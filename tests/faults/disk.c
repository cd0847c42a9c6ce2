/* Preloaded into the database server: while the file named by DISK_FULL exists, nothing on the disk grows, as
 * where no block is free any more; or, with DISK_FULL_FOR, no file whose path has that in it. What files have
 * already can be read and written. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_meant(int fd)
{
    char link[64], path[4096];
    const char *part = getenv("DISK_FULL_FOR");
    ssize_t n;

    if (part == NULL)
        return 1;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    n = readlink(link, path, sizeof path - 1);
    path[n < 0 ? 0 : n] = '\0';
    return strstr(path, part) != NULL;
}

static int full(int fd, off_t end)
{
    struct stat st;
    const char *flag = getenv("DISK_FULL");

    return flag != NULL && access(flag, F_OK) == 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
           end > st.st_size && is_meant(fd);
}

static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

#define GROWS(fd, end, failed)                                                                               \
    do {                                                                                                     \
        if (full((fd), (end)))                                                                               \
            return errno = ENOSPC, (failed);                                                                 \
    } while (0)

ssize_t pwrite(int fd, const void *p, size_t n, off_t at)
{
    GROWS(fd, at + (off_t)n, -1);
    return ((ssize_t(*)(int, const void *, size_t, off_t))next("pwrite64"))(fd, p, n, at);
}

ssize_t pwrite64(int fd, const void *p, size_t n, off_t at)
{
    return pwrite(fd, p, n, at);
}

int ftruncate(int fd, off_t size)
{
    GROWS(fd, size, -1);
    return ((int (*)(int, off_t))next("ftruncate64"))(fd, size);
}

int ftruncate64(int fd, off_t size)
{
    return ftruncate(fd, size);
}

int fallocate(int fd, int mode, off_t at, off_t n)
{
    GROWS(fd, at + n, -1);
    return ((int (*)(int, int, off_t, off_t))next("fallocate64"))(fd, mode, at, n);
}

int fallocate64(int fd, int mode, off_t at, off_t n)
{
    return fallocate(fd, mode, at, n);
}

int posix_fallocate(int fd, off_t at, off_t n)
{
    if (full(fd, at + n))
        return ENOSPC;
    return ((int (*)(int, off_t, off_t))next("posix_fallocate64"))(fd, at, n);
}

int posix_fallocate64(int fd, off_t at, off_t n)
{
    return posix_fallocate(fd, at, n);
}
