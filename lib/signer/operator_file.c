#include "signer/operator_file.h"

#include <fcntl.h>
#include <unistd.h>

int operator_file_open(const char *path)
{
    return open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

bool operator_file_write(const char *path, const struct buf *text)
{
    int fd = text->overflow ? -1 : operator_file_open(path);
    bool ok;

    if (fd < 0)
        return false;
    ok = pwrite(fd, text->data, text->len, 0) == (ssize_t)text->len && ftruncate(fd, (off_t)text->len) == 0 &&
         fsync(fd) == 0;
    return close(fd) == 0 && ok;
}
