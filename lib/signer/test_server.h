/* A signer in a process of its own, on a socket in a directory of a test's. */
#ifndef SIGNER_TEST_SERVER_H
#define SIGNER_TEST_SERVER_H

#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/test.h"
#include "signer/client.h"
#include "signer/server.h"

struct test_server {
    char path[160];
    int listen_fd;
    pid_t pid;
};

static inline void test_server_listen(struct test_server *s, const char *root)
{
    struct sockaddr_un addr = { .sun_family = AF_UNIX };

    snprintf(s->path, sizeof s->path, "%s/socket", root);
    snprintf(addr.sun_path, sizeof addr.sun_path, "%.100s", s->path);
    s->listen_fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    CHECK(bind(s->listen_fd, (struct sockaddr *)&addr, sizeof addr) == 0 && listen(s->listen_fd, 128) == 0);
    CHECK(chmod(s->path, 0666) == 0 && chmod(root, 0711) == 0);
}

static inline void test_server_start(struct test_server *s, const struct signer_state *state,
                                     const unsigned *uids, size_t nuids)
{
    sigset_t term, before;

    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    sigprocmask(SIG_BLOCK, &term, &before); /* the child may be told to end before it serves */
    s->pid = fork();
    if (s->pid != 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        return;
    }
    if (freopen("/dev/null", "w", stderr) == NULL) /* refusals are logged; here they are wanted */
        _exit(1);
    _exit(signer_serve(s->listen_fd, state, uids, nuids, NULL) == 0 ? 0 : 1);
}

static inline void test_server_stop(const struct test_server *s)
{
    int status = -1;

    CHECK(kill(s->pid, SIGTERM) == 0);
    CHECK(waitpid(s->pid, &status, 0) == s->pid && status == 0);
}

/* The machine may be busy: what is tested is the answer. */
static inline enum signer_status test_server_sign(struct signer *s, const struct signer_request *rq,
                                                  struct signature *sig)
{
    enum signer_status status = SIGNER_AWAY;

    for (int i = 0; i < 20 && status == SIGNER_AWAY; i++)
        status = signer_sign(s, rq, sig);
    return status;
}

#endif
