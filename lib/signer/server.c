#include "signer/server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/incident.h"
#include "base/log.h"

enum { MAX_CLIENTS = 512, MAX_OF_ONE = 16, LISTENER = MAX_CLIENTS, SIGNALS, MAX_EVENTS = 64 };

struct client {
    int fd; /* -1: a free place */
    struct ucred peer;
};

struct server {
    const struct signer_state *state;
    const unsigned *uids;
    size_t nuids;
    unsigned own_uid;
    int listen_fd, signal_fd, epoll_fd;
    uint8_t *packet; /* SIGNER_MAX_MESSAGE bytes */
    struct buf answer;
    struct client clients[MAX_CLIENTS];
};

static bool watch_descriptor(const struct server *s, int fd, uint32_t place)
{
    struct epoll_event ev = { .events = EPOLLIN, .data = { .u32 = place } };

    return epoll_ctl(s->epoll_fd, EPOLL_CTL_ADD, fd, &ev) == 0;
}

static void client_drop(struct client *c)
{
    close(c->fd); /* which also removes it from epoll */
    c->fd = -1;
}

static bool peer_allowed(const struct server *s, int fd, struct ucred *peer)
{
    socklen_t n = sizeof *peer;

    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, peer, &n) != 0)
        return false;
    for (size_t i = 0; i < s->nuids; i++) {
        if (s->uids[i] == peer->uid)
            return true;
    }
    log_repeated("client_refused", "", "msg=\"refused a client\" uid=%u pid=%d", peer->uid, (int)peer->pid);
    return false;
}

/* A process needs one connection; one that takes many would deprive others of theirs. */
static bool is_greedy(const struct server *s, pid_t pid)
{
    size_t n = 0;

    for (size_t i = 0; i < MAX_CLIENTS; i++)
        n += s->clients[i].fd >= 0 && s->clients[i].peer.pid == pid;
    return n >= MAX_OF_ONE;
}

static bool client_admit(struct server *s, int fd)
{
    struct ucred peer;

    if (!peer_allowed(s, fd, &peer) || is_greedy(s, peer.pid))
        return false;
    for (uint32_t i = 0; i < MAX_CLIENTS; i++) {
        if (s->clients[i].fd >= 0)
            continue;
        if (!watch_descriptor(s, fd, i))
            return false;
        s->clients[i] = (struct client){ .fd = fd, .peer = peer };
        return true;
    }
    log_repeated("client_refused", "", "msg=\"refused a client: too many are connected\" clients=%d pid=%d",
                 MAX_CLIENTS, (int)peer.pid);
    return false;
}

static void accept_one(struct server *s)
{
    int fd = accept4(s->listen_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

    if (fd >= 0 && !client_admit(s, fd))
        close(fd);
    if (fd >= 0 || (errno != EMFILE && errno != ENFILE && errno != ENOMEM))
        return;
    log_repeated("accept_failed", "", "accept: %s", strerror(errno));
    usleep(10000); /* the connection stays queued and would be reported again at once */
}

static bool client_reply(struct server *s, const struct client *c, const struct signer_answer *an)
{
    if (an->status != SIGNER_OK)
        log_repeated("signature_refused", "", "msg=\"request refused\" status=%d pid=%d", (int)an->status,
                     (int)c->peer.pid);
    buf_reset(&s->answer);
    signer_answer_write(&s->answer, an);
    return send(c->fd, s->answer.data, s->answer.len, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
}

/* One message per round, so that a client with many does not keep the others waiting. A client that does not
 * take its answers is dropped. */
static void serve_one(struct server *s, struct client *c)
{
    struct signer_answer an = { .status = SIGNER_BAD_MESSAGE };
    ssize_t n;

    if (c->fd < 0)
        return; /* dropped earlier in this round */
    n = recv(c->fd, s->packet, SIGNER_MAX_MESSAGE, MSG_DONTWAIT | MSG_TRUNC);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        client_drop(c);
        return;
    }
    if (n <= SIGNER_MAX_MESSAGE)
        signer_answer_to(&an, s->state, s->packet, (size_t)n);
    if (c->peer.uid != 0 && c->peer.uid != s->own_uid)
        an.standing |= SIGNER_APART;
    if (!client_reply(s, c, &an))
        client_drop(c);
}

/* Consumes the signal, which would otherwise be delivered once it is unblocked. */
static bool stop_requested(const struct server *s)
{
    struct signalfd_siginfo info;

    return read(s->signal_fd, &info, sizeof info) == sizeof info;
}

/* False when it is time to stop. */
static bool serve_round(struct server *s)
{
    struct epoll_event events[MAX_EVENTS];
    int n = epoll_wait(s->epoll_fd, events, MAX_EVENTS, -1);

    incidents_tell(); /* the gateway's housekeeper asks every other second */
    if (n < 0)
        return errno == EINTR;
    for (int i = 0; i < n; i++) {
        uint32_t place = events[i].data.u32;

        if (place == SIGNALS)
            return !stop_requested(s);
        if (place == LISTENER)
            accept_one(s);
        else
            serve_one(s, &s->clients[place]);
    }
    return true;
}

static bool open_server(struct server *s, const sigset_t *signals)
{
    int flags = fcntl(s->listen_fd, F_GETFL);

    for (size_t i = 0; i < MAX_CLIENTS; i++)
        s->clients[i].fd = -1;
    s->packet = malloc(SIGNER_MAX_MESSAGE);
    s->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    s->signal_fd = signalfd(-1, signals, SFD_NONBLOCK | SFD_CLOEXEC);
    if (s->packet == NULL || s->epoll_fd < 0 || s->signal_fd < 0)
        return false;
    /* A client may disappear between the event and accept(). */
    if (flags < 0 || fcntl(s->listen_fd, F_SETFL, flags | O_NONBLOCK) != 0)
        return false;
    return watch_descriptor(s, s->listen_fd, LISTENER) && watch_descriptor(s, s->signal_fd, SIGNALS);
}

static void close_server(struct server *s)
{
    for (size_t i = 0; i < MAX_CLIENTS; i++) {
        if (s->clients[i].fd >= 0)
            client_drop(&s->clients[i]);
    }
    if (s->signal_fd >= 0)
        close(s->signal_fd);
    if (s->epoll_fd >= 0)
        close(s->epoll_fd);
    free(s->packet);
    buf_free(&s->answer);
    free(s);
}

int signer_serve(int listen_fd, const struct signer_state *state, const unsigned *uids, size_t nuids,
                 bool (*confine)(void))
{
    struct server *s = calloc(1, sizeof *s);
    sigset_t signals, before;
    bool ok;

    if (s == NULL)
        return -1;
    *s = (struct server){ .state = state,
                          .uids = uids,
                          .nuids = nuids,
                          .own_uid = geteuid(),
                          .listen_fd = listen_fd,
                          .answer = BUF_INIT(SIGNER_MAX_ANSWER) };
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigprocmask(SIG_BLOCK, &signals, &before);
    ok = open_server(s, &signals) && (confine == NULL || confine());
    if (!ok)
        log_error("start_failed", "the signer cannot serve: %s", strerror(errno));
    while (ok && serve_round(s))
        ;
    close_server(s);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return ok ? 0 : -1;
}
