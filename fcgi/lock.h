/* One gateway at a time for a socket: a lock that belongs to the parent's process, so it outlives that
 * another program is executed in its place, and ends with the process however that ends. */
#ifndef FCGI_LOCK_H
#define FCGI_LOCK_H

#include <sys/types.h>

/* The descriptor that holds the lock, which is not to be closed; or -1, and the process that holds it, 0 when
 * the file cannot be locked for another reason, which is in errno. `fd` holds it already, or is -1. */
int lock_take(const char *path, int fd, pid_t *holder);

#endif
