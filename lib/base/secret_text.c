#include "base/secret_text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OTHERS = 07 };

/* A plain read leaves no copy of a key in a buffer of the C library. */
static const char *text_read(char *out, size_t size, int fd)
{
    struct stat st;
    size_t n = 0;
    ssize_t got;

    if (fstat(fd, &st) != 0)
        return strerror(errno);
    if (!S_ISREG(st.st_mode))
        return "it is not a plain file";
    if ((st.st_mode & OTHERS) != 0)
        return "others have access to it: chmod o=";
    while (n < size && ((got = read(fd, out + n, size - n)) > 0 || (got < 0 && errno == EINTR)))
        n += got > 0 ? (size_t)got : 0;
    if (n < size && got < 0)
        return strerror(errno);
    if (n == size)
        return "it is too long";
    out[n] = '\0';
    return strlen(out) == n ? NULL : "it is not text";
}

const char *secret_text_read(char *out, size_t size, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO in its place must not block us */
    const char *why = fd < 0 ? strerror(errno) : text_read(out, size, fd);

    if (fd >= 0)
        (void)close(fd);
    if (why != NULL)
        explicit_bzero(out, size);
    return why;
}
