/* A listening Unix socket, which clients find by a name in the file system. */
#ifndef FCGI_LISTENER_H
#define FCGI_LISTENER_H

#include <stdbool.h>
#include <sys/types.h>

struct listener {
    int fd;
    ino_t inode; /* of the name, which another gateway may take over */
    char *path;
};

/* Whether an address has room for it. */
bool listener_path_fits(const char *path);
/* Listens at `path`, which fits. The name is replaced atomically: the process that listened there before
 * still serves the clients that connected to it. `mode`, unless 0, overrides what the umask leaves. Exits
 * when it cannot. */
void listener_open(struct listener *l, const char *path, int type, mode_t mode);
/* Whether the name still leads to this socket. */
bool listener_is_named(const struct listener *l);
/* From now on no client can connect; those that did before may still be accepted. */
void listener_hide(const struct listener *l);
/* Whether a client has connected and is not accepted yet. */
bool listener_has_queue(const struct listener *l);

#endif
