#include "handover.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fault.h"
#include "base/log.h"
#include "base/params.h"

/* Lines of "lock FD", "listener FD INODE PATH", "signer PID", "child PID". */
static const char VARIABLE[] = "GATEWAY_HANDOVER";

enum { TEXT_MAX = 64 * 1024 };

static bool fd_listens(int fd)
{
    int listening = 0;
    socklen_t n = sizeof listening;

    return getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &n) == 0 && listening != 0;
}

/* One that has ended but was not waited for is a child too. */
static bool pid_is_child(pid_t pid)
{
    siginfo_t info;

    return pid > 0 && waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

static void listener_take(struct handover *h, int fd, uint64_t inode, const char *path)
{
    if (h->listener_count == HANDOVER_LISTENERS || !fd_listens(fd) || fcntl(fd, F_SETFD, FD_CLOEXEC) != 0)
        return;
    h->listeners[h->listener_count++] =
        (struct listener){ .fd = fd, .inode = (ino_t)inode, .path = strdup(path) };
}

static bool number_take(uint64_t *out, char **rest)
{
    const char *word = strsep(rest, " ");

    return word != NULL && params_whole(out, word);
}

static void line_take(struct handover *h, char *line)
{
    const char *what = strsep(&line, " ");
    uint64_t n, inode;

    if (!number_take(&n, &line) || n > INT_MAX)
        return;
    if (strcmp(what, "listener") == 0 && number_take(&inode, &line) && line != NULL)
        listener_take(h, (int)n, inode, line);
    else if (strcmp(what, "lock") == 0)
        h->lock = (int)n;
    else if (strcmp(what, "signer") == 0 && pid_is_child((pid_t)n))
        h->signer = (pid_t)n;
    else if (strcmp(what, "child") == 0 && pid_is_child((pid_t)n) && h->child_count < HANDOVER_CHILDREN)
        h->children[h->child_count++] = (pid_t)n;
}

void handover_take(struct handover *h)
{
    const char *value = getenv(VARIABLE);
    char *text, *next, *line;

    *h = (struct handover){ .taken = value != NULL, .lock = -1 };
    if (value == NULL)
        return;
    next = text = strdup(value);
    while ((line = strsep(&next, "\n")) != NULL)
        line_take(h, line);
    free(text);
    (void)unsetenv(VARIABLE);
}

bool handover_listener(struct handover *h, struct listener *l, const char *path)
{
    for (size_t i = 0; i < h->listener_count; i++) {
        if (strcmp(h->listeners[i].path, path) != 0 || !listener_is_named(&h->listeners[i]))
            continue;
        *l = h->listeners[i];
        h->listeners[i] = h->listeners[--h->listener_count];
        return true;
    }
    return false;
}

void handover_close_rest(struct handover *h)
{
    while (h->listener_count > 0)
        (void)close(h->listeners[--h->listener_count].fd);
}

static void handover_write(struct buf *text, const struct handover *h)
{
    buf_addf(text, "lock %d\n", h->lock);
    for (size_t i = 0; i < h->listener_count; i++)
        buf_addf(text, "listener %d %lu %s\n", h->listeners[i].fd, (unsigned long)h->listeners[i].inode,
                 h->listeners[i].path);
    buf_addf(text, "signer %d\n", (int)h->signer);
    for (size_t i = 0; i < h->child_count; i++)
        buf_addf(text, "child %d\n", (int)h->children[i]);
}

static void descriptors_keep(const struct handover *h, int flags)
{
    (void)fcntl(h->lock, F_SETFD, flags);
    for (size_t i = 0; i < h->listener_count; i++)
        (void)fcntl(h->listeners[i].fd, F_SETFD, flags);
}

void handover_exec(const struct handover *h, const char *program, char *const *argv)
{
    struct buf text = BUF_INIT(TEXT_MAX);
    int why;

    handover_write(&text, h);
    descriptors_keep(h, 0);
    errno = ENOMEM;
    if (!text.overflow && setenv(VARIABLE, buf_text(&text), 1) == 0 && !FAULT("restart.exec"))
        (void)execv(program, argv);
    why = errno;
    (void)unsetenv(VARIABLE);
    descriptors_keep(h, FD_CLOEXEC);
    buf_free(&text);
    errno = why;
}
