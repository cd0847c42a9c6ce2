#include "base/shared_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 3 };

/* Zeros are as good as nothing, so two processes that begin at once do the same. */
static void *file_map(int fd, size_t size)
{
    struct stat st;
    void *p;

    if (fstat(fd, &st) != 0 || (st.st_size != (off_t)size && st.st_size != 0) ||
        (st.st_size == 0 && ftruncate(fd, (off_t)size) != 0))
        return NULL;
    p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
        return NULL;
    /* Tables found by hashes: what lies next to a row is hardly needed next, and would be read and kept. */
    (void)posix_madvise(p, size, POSIX_MADV_RANDOM);
    return p;
}

static bool layout_fits(void *p, uint64_t layout)
{
    _Atomic uint64_t *at = p;
    uint64_t zero = 0;

    (void)atomic_compare_exchange_strong(at, &zero, layout);
    return atomic_load(at) == layout;
}

void *shared_file_map(const char *path, size_t size, uint64_t layout, int *fd)
{
    for (int i = 0; i < TRIES; i++) {
        void *p;

        *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (*fd < 0)
            return NULL;
        p = file_map(*fd, size);
        if (p != NULL && layout_fits(p, layout))
            return p;
        if (p != NULL)
            (void)munmap(p, size);
        (void)close(*fd);
        (void)unlink(path);
    }
    return NULL;
}

void *shared_file_map_beside(const char *file, const char *ending, size_t size, uint64_t layout, int *fd)
{
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, "%s%s", file, ending);

    *fd = -1;
    if (n > 0 && (size_t)n < sizeof path)
        return shared_file_map(path, size, layout, fd);
    errno = ENAMETOOLONG;
    return NULL;
}

/* FNV-1a. */
static uint64_t text_mix(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t shared_file_layout(const char *about)
{
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
    char boot[64] = "";

    if (f != NULL) {
        (void)!fgets(boot, sizeof boot, f);
        (void)fclose(f);
    }
    return text_mix(text_mix(UINT64_C(0xcbf29ce484222325), boot), about) | 1;
}

const void *shared_file_read(const char *path, size_t size, uint64_t layout)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    const uint64_t *p = MAP_FAILED;
    struct stat st;

    if (fd < 0)
        return NULL;
    if (fstat(fd, &st) == 0 && st.st_size == (off_t)size)
        p = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
    (void)close(fd);
    if (p == MAP_FAILED || *p == layout)
        return p == MAP_FAILED ? NULL : p;
    shared_file_unmap(p, size);
    return NULL;
}

void shared_file_unmap(const void *p, size_t size)
{
    (void)munmap((void *)(uintptr_t)p, size);
}
