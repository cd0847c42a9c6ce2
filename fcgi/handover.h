/* The handover of the gateway's parent to the program that it executes in its own place: the listening
 * sockets, which stay open, and the children, which stay its own. It travels in an environment variable. */
#ifndef FCGI_HANDOVER_H
#define FCGI_HANDOVER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "listener.h"

enum { WORKERS_MAX = 1024, HANDOVER_LISTENERS = 4, HANDOVER_CHILDREN = 2 * WORKERS_MAX + 2 };

struct handover {
    bool taken; /* from another program */
    int lock;   /* that of lock.h, or -1 */
    struct listener listeners[HANDOVER_LISTENERS];
    size_t listener_count;
    pid_t signer;
    pid_t children[HANDOVER_CHILDREN]; /* the others */
    size_t child_count;
};

/* Takes over what the previous program left; nothing when this one was not executed by a gateway. Descriptors
 * that are not listening sockets, and processes that are not children of this one, are left out. */
void handover_take(struct handover *h);
/* The socket that was left for the path, if its name still leads there; moves it out. */
bool handover_listener(struct handover *h, struct listener *l, const char *path);
/* Closes sockets that are not in use any more. */
void handover_close_rest(struct handover *h);
/* Executes the program. Returns only when that fails, with errno set and nothing changed. */
void handover_exec(const struct handover *h, const char *program, char *const *argv);

#endif
