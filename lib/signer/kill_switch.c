#include "signer/kill_switch.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "signer/operator_file.h"

bool kill_switch_is_set(int fd)
{
    struct stat st;

    return fstat(fd, &st) != 0 || st.st_size > 0 || st.st_nlink == 0;
}

bool kill_switch_set(const char *path, const char *reason)
{
    int fd = operator_file_open(path);
    bool ok;

    if (fd < 0)
        return false;
    if (reason == NULL)
        ok = ftruncate(fd, 0) == 0;
    else /* an empty reason counts, too */
        ok = pwrite(fd, reason, strlen(reason), 0) >= 0 && pwrite(fd, "\n", 1, (off_t)strlen(reason)) == 1;
    ok = ok && fsync(fd) == 0;
    return close(fd) == 0 && ok;
}
