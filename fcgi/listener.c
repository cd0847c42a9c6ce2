#include "listener.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/log.h"

enum { BACKLOG = 1024 };

static const char FRESH[] = ".new";

bool listener_path_fits(const char *path)
{
    return strlen(path) + sizeof FRESH <= sizeof((struct sockaddr_un *)NULL)->sun_path;
}

void listener_open(struct listener *l, const char *path, int type, mode_t mode)
{
    struct sockaddr_un sa = { .sun_family = AF_UNIX };
    struct stat st;
    int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);

    (void)snprintf(sa.sun_path, sizeof sa.sun_path, "%s%s", path, FRESH);
    (void)unlink(sa.sun_path);
    if (fd < 0 || bind(fd, (struct sockaddr *)&sa, sizeof sa) != 0 || listen(fd, BACKLOG) != 0 ||
        (mode != 0 && chmod(sa.sun_path, mode) != 0) || lstat(sa.sun_path, &st) != 0 ||
        rename(sa.sun_path, path) != 0)
        log_fatal("socket_unusable", "msg=\"cannot listen\" path=%s reason=\"%s\"", path, strerror(errno));
    *l = (struct listener){ .fd = fd, .inode = st.st_ino, .path = strdup(path) };
}

bool listener_is_named(const struct listener *l)
{
    struct stat st;

    return lstat(l->path, &st) == 0 && S_ISSOCK(st.st_mode) && st.st_ino == l->inode;
}

void listener_hide(const struct listener *l)
{
    if (listener_is_named(l))
        (void)unlink(l->path);
}

bool listener_has_queue(const struct listener *l)
{
    struct pollfd p = { .fd = l->fd, .events = POLLIN };

    return poll(&p, 1, 0) > 0;
}
